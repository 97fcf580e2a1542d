"""Files and pictures that people send to the bot."""

from typing import Any

import pytest

from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.teams.looking import shown

UNREAD = "I can't read files or pictures"
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


@pytest.mark.parametrize("brought", [FILE, PICTURE], ids=["file", "picture"])
def test_a_file_alone(site: TeamsSite, brought: dict[str, Any]) -> None:
    """A person who sends nothing but a file hears once that it is not read, also if Teams delivers it again."""
    asked = site.teams.say("nils", "", attachments=[brought])
    site.shown(asked, UNREAD)
    for later in (False, True):
        site.teams.redeliver(site.teams.posts[-1], later=later).wait()
    site.ask("help", "nils", "nils")
    site.shown(asked, "Anywhere:")
    held = [each for each in site.teams.messages("nils", by="bot") if int(each.id) > int(asked.id)]
    assert sum(UNREAD in shown(each) for each in held) == 1
