"""The bot's comings and goings: it greets a conversation, and forgets what it keeps of one."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Final

from adapters.chat.admission import TurnedAway, identify
from adapters.chat.conversation_service import ConversationService
from adapters.in_order import in_order
from adapters.teams.conversations import Reference, reference_of
from adapters.teams.failures import Undone
from adapters.teams.inbound import channel_of, is_shared, tenant_of, user_of
from adapters.teams.json_fields import text
from adapters.teams.message import suggested
from adapters.teams.surface import TeamsSurface
from router.memory.draft import User
from router.policy import examples

log = logging.getLogger("icc_bot")

Json = dict[str, Any]

WELCOME: Final = (
    "Hi! What would you like to know? {} in your own words. I show you the SQL first, and nothing runs until you press "
    "Run."
)


def welcome(personal: bool, questions: Sequence[str]) -> Json:
    """Return the first message of a conversation; in a person's own chat, with questions to begin with."""
    words = WELCOME.format("Ask" if personal else "Mention me with your question,")
    return {"type": "message", "text": words, "textFormat": "markdown", **(suggested(questions) if personal else {})}


def takes_away(activity: Json) -> bool:
    """Return whether the bot was taken out of the conversation: nothing can be said in it any more."""
    match activity["type"]:
        case "installationUpdate":
            # An upgrade removes the older version, and is none of this.
            return text(activity, "action") == "remove"
        case "conversationUpdate":
            return _names_bot(activity, "membersRemoved")
        case _:
            return False


def _names_bot(activity: Json, field: str) -> bool:
    bot = text(activity["recipient"], "id")
    return any(text(member, "id") == bot for member in activity.get(field, []))


class Membership:
    """The bot's comings and goings."""

    def __init__(self, service: ConversationService, surface: TeamsSurface) -> None:
        self._service, self._surface = service, surface

    async def come(self, activity: Json) -> None:
        """Greet people who have the bot for the first time, and nobody twice."""
        first, place = self._service.reply_sender.shown.welcome, activity["conversation"]["id"]
        if _names_bot(activity, "membersAdded") and await in_order(first, tenant_of(activity), place):
            user = None if is_shared(activity) else user_of(activity)
            self._service.spawn(self._greet(reference_of(activity), user))

    async def leave(self, activity: Json) -> None:
        """Delete what is kept of the conversation, or of all channels of the team, that the bot was taken out of."""
        known = await in_order(self._surface.references.channels, reference_of(activity).team)
        # A chat may be taken away before anything of it was heard.
        for channel in {channel_of(activity), *known}:
            self._service.spawn(self._forget(tenant_of(activity), channel))

    async def _greet(self, reference: Reference, user: User | None) -> None:
        questions = await self._questions(reference.tenant, user) if user else ()
        try:
            await self._surface.connector.send(reference, welcome(user is not None, questions))
        except Undone as error:
            log.warning("a conversation could not be greeted: %s", error)

    async def _questions(self, tenant: str, user: User) -> tuple[str, ...]:
        """Return what this person may begin with; nothing while it is not certain who they are."""
        try:
            known = await identify(self._surface, tenant, user)
        except TurnedAway:
            return ()
        return examples(self._service.services.connections, known)

    async def _forget(self, tenant: str, channel: str) -> None:
        await in_order(self._surface.references.forget, channel)
        await asyncio.to_thread(self._surface.file_consent.forget, channel)
        await self._service.forget(tenant, channel)
        await asyncio.to_thread(self._surface.files.forget, channel)
