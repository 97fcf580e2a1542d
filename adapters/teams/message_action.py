"""The action "Ask about this" on anybody's message: its words become a question, in the person's own chat.

The person reads the question before it is sent. The bot need not be in the conversation of the message, and nobody in
it sees what was asked.
"""

from typing import Any, Final

from adapters.chat.admission import TurnedAway, identify
from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import Heard, MessagePlace, Undelivered
from adapters.teams.dialogs import card_dialog, text_input, told_dialog
from adapters.teams.inbound import tenant_of, user_of
from adapters.teams.json_fields import text
from adapters.teams.quotes import HtmlWords
from adapters.teams.surface import TeamsSurface
from router.language.wording import truncate
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.turn import Said

Json = dict[str, Any]

ASK: Final = "ask"
"""The id of the action in the app's manifest."""
QUESTION: Final = "question"
QUESTION_MAX_CHARS: Final = 4_000
QUOTED_MAX_CHARS: Final = 300
IDENTIFY_SECONDS: Final = 2.0
"""Seconds for finding out who asks: Teams waits five for the answer in all."""

ASKED: Final = "I'm on it. The answer comes in your own chat with me."
EMPTY: Final = "There is nothing to ask yet. Type a question, then press Ask."
NO_CHAT: Final = "I can't write to you yet. Add me as an app first, then try again."


class MessageAction:
    """Takes the action on all messages."""

    def __init__(self, service: ConversationService, surface: TeamsSurface) -> None:
        self._service, self._surface = service, surface
        self._taken: BoundedCache[str, bool] = BoundedCache()

    async def form(self, activity: Json) -> Json | None:
        """Return the dialog with the words of the message, to be made a question of; None for another action."""
        value = activity.get("value")
        if text(value, "commandId") != ASK or not isinstance(value, dict):
            return None
        words = words_of(value.get("messagePayload"))
        field = text_input(QUESTION, "Your question", QUESTION_MAX_CHARS, value=words)
        return card_dialog("Ask about this", [field], "Ask")

    async def take(self, activity: Json) -> Json | None:
        """Ask what was sent, in the person's own chat, once; None for another action."""
        value = activity.get("value")
        if text(value, "commandId") != ASK or not isinstance(value, dict):
            return None
        question = text(value.get("data"), QUESTION).strip()[:QUESTION_MAX_CHARS]
        if not question:
            return told_dialog(EMPTY)
        tenant, user = tenant_of(activity), user_of(activity)
        try:
            await identify(self._surface, tenant, user, IDENTIFY_SECONDS)
            chat = await self._surface.own_chat(tenant, user.id)
        except TurnedAway as why:
            return told_dialog(str(why))
        except Undelivered:
            return told_dialog(NO_CHAT)
        event = f"{activity['conversation']['id']}:{text(activity, 'id')}"
        if event not in self._taken:
            self._taken[event] = True
            self._service.spawn(self._ask(ThreadKey("teams", tenant, chat, chat), user, question, event))
        return told_dialog(ASKED)

    async def _ask(self, key: ThreadKey, user: User, question: str, event: str) -> None:
        """Say in the chat what is asked, since the person did not type it there, and ask it."""
        quoted = truncate(" ".join(question.split()), QUOTED_MAX_CHARS)
        await self._surface.whisper(MessagePlace(key.team, key.channel, key.thread), user, f"You asked: “{quoted}”")
        await self._service.take(Heard(key, user, Said(question), event, shared=False))


def words_of(message: Any) -> str:
    """Return the words of a message as Teams hands it over, which is HTML for the most part."""
    body = message.get("body") if isinstance(message, dict) else None
    said = text(body, "content")[: 10 * QUESTION_MAX_CHARS]
    if text(body, "contentType") == "html":
        said = HtmlWords(said).words
    return said.replace("\xa0", " ").strip()[:QUESTION_MAX_CHARS]
