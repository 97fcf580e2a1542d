"""The offers of files that the bot makes where it has no address of its own."""

import copy
import uuid
from typing import Any

from tests.adapters.teams.talks.site import TeamsCompany
from tests.platforms.teams.delivery import Post
from tests.platforms.teams.world import CONSENT, Message

REGIONS = "SELECT name FROM regions ORDER BY name"
CSV = ['"name"', '"North"', '"South"']
"""The contents of the file of these regions."""


def said_in(message: Message) -> dict[str, Any]:
    """Return what an offer says, empty if a message is none (any more)."""
    found = [each["content"] for each in message.attachments if each["contentType"] == CONSENT]
    return dict(found[0]) if found else {}


def offers_to(company: TeamsCompany, user: str, after: Message) -> list[Message]:
    """Return the offers that stand in somebody's own chat, made after a message."""
    held = company.teams.messages(user, by="bot")
    return [each for each in held if int(each.id) > int(after.id) and said_in(each)]


def offer_to(company: TeamsCompany, user: str, after: Message) -> Message:
    """Return the newest of them, once there is one."""
    found = company.teams.wait(lambda: offers_to(company, user, after))
    return found[-1]


def csv_offered(company: TeamsCompany, user: str = "ana", where: str = "") -> tuple[Message, Message, Message]:
    """Ask, run and press CSV; returns what was asked, the table, and the offer."""
    asked, table = company.ran(REGIONS, user, where or user)
    company.press(table, "CSV", user)
    return asked, table, offer_to(company, user, table)


def arrived(company: TeamsCompany, offer: Message) -> str:
    """Return what was put into somebody's OneDrive, once the file stands in place of its offer."""
    company.teams.wait(lambda: company.teams.file_infos(offer))
    (info,) = company.teams.file_infos(offer)
    (file,) = [each for each in company.teams.files if each.id == info["content"]["uniqueId"]]
    assert info["contentUrl"].endswith(f"/files/{file.id}/{file.name}")
    assert (info["name"], info["content"]["fileType"]) == (file.name, file.name.rpartition(".")[2])
    return file.content.decode("utf-8-sig")


def again(company: TeamsCompany, post: Post, **changes: Any) -> Post:
    """Send an answer to an offer once more under another id, with other fields."""
    activity = copy.deepcopy(post.activity) | {"id": str(uuid.uuid4())}
    return company.teams.send(activity | changes).wait()


def changed(post: Post, **changes: Any) -> dict[str, Any]:
    """Return what an answer to an offer says, with other fields."""
    value: dict[str, Any] = copy.deepcopy(post.activity["value"])
    return value | changes
