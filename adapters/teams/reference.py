"""What must be remembered of a conversation to write to it later."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from adapters.teams.addresses import is_safe
from adapters.teams.fields import text


@dataclass(frozen=True, slots=True)
class Reference:
    """A conversation, and where the bot is in it; raises ValueError where a token must not go to `service_url`."""

    service_url: str
    conversation: str
    """Whole, with the `;messageid=...` that makes it a thread of a channel."""
    tenant: str = ""
    channel: str = "msteams"
    bot_id: str = ""
    bot_name: str = ""
    locale: str = ""
    team: str = ""
    """The team of a channel; its people are asked for there."""

    def __post_init__(self) -> None:
        if not is_safe(self.service_url):
            raise ValueError("a service address must be https, or this machine")

    def to_json(self) -> str:
        """Return it as text to be stored."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Reference":
        """Return what was stored; fields that this version does not know are left out."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in json.loads(text).items() if name in known})


def reference_of(activity: dict[str, Any]) -> Reference:
    """Return the reference of the conversation of an activity that was let in: its service address is signed for."""
    conversation, data, bot = activity["conversation"], activity["channelData"], activity["recipient"]
    return Reference(
        service_url=activity["serviceUrl"],
        conversation=conversation["id"],
        tenant=text(conversation, "tenantId") or text(data.get("tenant"), "id"),
        channel=activity["channelId"],
        bot_id=text(bot, "id"),
        bot_name=text(bot, "name"),
        locale=text(activity, "locale"),
        team=text(data.get("team"), "id"),
    )
