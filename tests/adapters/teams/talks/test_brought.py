"""Files and pictures that people send to the bot."""

from typing import Any

import pytest

from tests.adapters.teams.talks.house import House
from tests.platforms.teams import shown

UNREAD = "I cannot read files or pictures"
FILE: dict[str, Any] = {
    "contentType": "application/vnd.microsoft.teams.file.download.info",
    "contentUrl": "https://example.sharepoint.com/personal/nils/Documents/orders.xlsx",
    "name": "orders.xlsx",
    "content": {"downloadUrl": "https://example.sharepoint.com/download", "uniqueId": "u", "fileType": "xlsx"},
}
PICTURE: dict[str, Any] = {
    "contentType": "image/*",
    "contentUrl": "https://smba.trafficmanager.net/emea/v3/attachments/1",
}
WORDS = {"contentType": "text/html", "content": "<p>words</p>"}


@pytest.mark.parametrize("brought", [FILE, PICTURE], ids=["file", "picture"])
def test_a_file_alone(house: House, brought: dict[str, Any]) -> None:
    """Whoever sends nothing but a file hears once that it is not read, also where Teams delivers it again."""
    asked = house.teams.say("nils", "", attachments=[brought])
    house.shown(asked, UNREAD)
    for later in (False, True):
        house.teams.redeliver(house.teams.posts[-1], later=later).wait()
    house.ask("help", "nils", "nils")
    house.shown(asked, "Anywhere:")
    held = [each for each in house.teams.messages("nils", by="bot") if int(each.id) > int(asked.id)]
    assert sum(UNREAD in shown(each) for each in held) == 1


def test_words_beside_a_file_are_a_question(house: House) -> None:
    """What is written beside a file is answered, and the file is said not to be read."""
    asked = house.teams.say("ana", "revenue by region?", attachments=[WORDS, FILE])
    house.shown(asked, "Run this on")
    house.shown(asked, UNREAD)
