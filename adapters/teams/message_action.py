"""The action "Ask about this" on anybody's message: its words become a question, in the person's own chat.

The person reads the question before it is sent. The bot need not be in the conversation of the message, and nobody in
it sees what was asked.
"""

import html
from typing import Any

from adapters.chat.admission import TurnedAway, identify
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import Heard, Undelivered
from adapters.teams import quotes
from adapters.teams.dialogs import card_dialog, told_dialog
from adapters.teams.drawing import Element
from adapters.teams.inbound import tenant_of, user_of
from adapters.teams.json_fields import Json, text
from adapters.teams.surface import TeamsSurface
from router.language.wording import truncate
from router.memory.thread import ThreadKey
from router.turn import Said

QUESTION = "question"
QUESTION_MAX_CHARS = 4_000
QUOTED_MAX_CHARS = 300
IDENTIFY_SECONDS = 2.0
"""Seconds for finding out who asks: Teams waits five for the answer in all."""

ANSWER_COMES = "I'm on it. The answer comes in your own chat with me."
EMPTY = "There is nothing to ask yet. Type a question, then press Ask."
NO_CHAT = "I can't write to you yet. Add me as an app first, then try again."


class MessageAction:
    """Takes the action on all messages: the app's manifest has one."""

    def __init__(self, service: ConversationService, surface: TeamsSurface) -> None:
        self._service, self._surface = service, surface

    async def form(self, activity: Json) -> Json:
        """Return the dialog with the words of the message, to be made a question of."""
        value = activity.get("value")
        field: Element = {"type": "Input.Text", "id": QUESTION, "label": "Your question", "isMultiline": True}
        field |= {"maxLength": QUESTION_MAX_CHARS}
        if words := words_of(value.get("messagePayload") if isinstance(value, dict) else None):
            field["value"] = words
        return card_dialog("Ask about this", [field], "Ask")

    async def take(self, activity: Json) -> Json:
        """Ask what was sent, in the person's own chat, once."""
        value = activity.get("value")
        question = text(value.get("data") if isinstance(value, dict) else None, QUESTION).strip()[:QUESTION_MAX_CHARS]
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
        self._service.spawn(
            self._ask(Heard(ThreadKey("teams", tenant, chat, chat), user, Said(question), event, shared=False))
        )
        return told_dialog(ANSWER_COMES)

    async def _ask(self, heard: Heard) -> None:
        """Ask it, and say in the chat what is asked, since the person did not type it there."""
        if await self._service.take(heard) is not None and isinstance(heard.input, Said):
            quoted = truncate(" ".join(heard.input.text.split()), QUOTED_MAX_CHARS)
            await self._surface.whisper(heard.at, heard.user, f"You asked: “{quoted}”")


def words_of(message: Any) -> str:
    """Return the words of a message as Teams hands it over, which is HTML for the most part."""
    body = message.get("body") if isinstance(message, dict) else None
    said = text(body, "content")[: 10 * QUESTION_MAX_CHARS]
    if text(body, "contentType") == "html":
        said = html.unescape(quotes.words_of(said))
    return said.replace("\xa0", " ").strip()[:QUESTION_MAX_CHARS]
