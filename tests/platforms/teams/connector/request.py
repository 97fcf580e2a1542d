"""A call of the connector while it is being answered."""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.platforms.teams.world import Conversation, World

if TYPE_CHECKING:
    from tests.platforms.teams.server import Server


class Refused(Exception):
    """The connector does not do it."""

    def __init__(self, status: int, code: str, message: str) -> None:
        self.status = status
        self.answer = {"error": {"code": code, "message": message}}
        super().__init__(f"{status} {code}: {message}")


@dataclass
class Request:
    """A call's contents: `conversation_id` and `id` out of the path, `query`, and the body."""

    teams: "Server"
    method: str
    body: dict[str, Any]
    conversation_id: str = ""
    id: str = ""
    query: dict[str, str] = field(default_factory=dict)

    @property
    def world(self) -> World:
        """All that there is."""
        return self.teams.world

    def fault(self, what: str) -> None:
        """Remember something that Teams takes and that is wrong all the same."""
        self.teams.note(f"{self.method}: {what}")

    def place(self) -> tuple[Conversation, str]:
        """Return the conversation that is meant and the post whose thread is, if the bot may be there."""
        conversation, root = self.world.place(self.conversation_id)
        if conversation is None:
            raise Refused(404, "ConversationNotFound", "Conversation not found.")
        if not conversation.bot:
            raise Refused(403, "BotNotInConversationRoster", "The bot is not part of the conversation roster.")
        if conversation.kind == "personal" and conversation.members[0].blocks:
            raise Refused(403, "MessageWritesBlocked", "The recipient has blocked the bot.")
        if root and (conversation.kind != "channel" or root not in conversation.messages):
            raise Refused(404, "ConversationNotFound", f"There is no post {root}.")
        return conversation, root


def wide_size(body: Any) -> int:
    """Return the bytes of a body in UTF-16, which is how Teams counts."""
    return len(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-16-le", "surrogatepass"))
