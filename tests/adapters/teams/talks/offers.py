"""The offers of files that the bot makes where it has no address of its own."""

import copy
import uuid
from typing import Any

from tests.adapters.teams.talks.house import Town
from tests.platforms.teams import Message, Post
from tests.platforms.teams.world import CONSENT

REGIONS = "SELECT name FROM regions ORDER BY name"
CSV = ['"name"', '"North"', '"South"']
"""What is in the file of these regions."""


def said_in(message: Message) -> dict[str, Any]:
    """Return what an offer says, empty where a message is none (any more)."""
    found = [each["content"] for each in message.attachments if each["contentType"] == CONSENT]
    return dict(found[0]) if found else {}


def offers_to(town: Town, user: str, after: Message) -> list[Message]:
    """Return the offers that stand in somebody's own chat, made after a message."""
    held = town.teams.messages(user, by="bot")
    return [each for each in held if int(each.id) > int(after.id) and said_in(each)]


def offer_to(town: Town, user: str, after: Message) -> Message:
    """Return the newest of them, once there is one."""
    found = town.teams.wait(lambda: offers_to(town, user, after))
    return found[-1]


def csv_offered(town: Town, user: str = "ana", where: str = "") -> tuple[Message, Message, Message]:
    """Ask, run and press CSV; returns what was asked, the table, and the offer."""
    asked, table = town.ran(REGIONS, user, where or user)
    town.press(table, "CSV", user)
    return asked, table, offer_to(town, user, table)


def arrived(town: Town, offer: Message) -> str:
    """Return what was put into somebody's OneDrive, once the file stands in place of its offer."""
    town.teams.wait(lambda: town.teams.file_infos(offer))
    (info,) = town.teams.file_infos(offer)
    (file,) = [each for each in town.teams.files if each.id == info["content"]["uniqueId"]]
    assert info["contentUrl"].endswith(f"/files/{file.id}/{file.name}")
    assert (info["name"], info["content"]["fileType"]) == (file.name, file.name.rpartition(".")[2])
    return file.content.decode("utf-8-sig")


def again(town: Town, post: Post, **changes: Any) -> Post:
    """Send an answer to an offer once more under another id, with other fields."""
    activity = copy.deepcopy(post.activity) | {"id": str(uuid.uuid4())}
    return town.teams.send(activity | changes).wait()


def changed(post: Post, **changes: Any) -> dict[str, Any]:
    """Return what an answer to an offer says, with other fields."""
    value: dict[str, Any] = copy.deepcopy(post.activity["value"])
    return value | changes
