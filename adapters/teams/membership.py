"""The bot's comings and goings: it greets a conversation, and forgets what it keeps of one."""

import asyncio
import logging
from collections.abc import Sequence

from adapters.chat.conversation_service import ConversationService
from adapters.in_order import in_order
from adapters.teams.conversations import reference_of
from adapters.teams.failures import Undone
from adapters.teams.feedback import known
from adapters.teams.inbound import channel_of, is_shared, tenant_of
from adapters.teams.json_fields import Json, text
from adapters.teams.message import suggested
from adapters.teams.surface import TeamsSurface
from router.policy import examples

log = logging.getLogger("icc_bot")

WELCOME = (
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
            self._service.spawn(self._greet(activity))

    async def leave(self, activity: Json) -> None:
        """Delete what is kept of the conversation, or of all channels of the team, that the bot was taken out of."""
        known = await in_order(self._surface.references.channels, reference_of(activity).team)
        # A chat may be taken away before anything of it was heard.
        for channel in {channel_of(activity), *known}:
            self._service.spawn(self._forget(tenant_of(activity), channel))

    async def _greet(self, activity: Json) -> None:
        """Post the first message; it offers no questions while it is not certain who the person is."""
        personal = not is_shared(activity)
        questions: tuple[str, ...] = ()
        if personal and (user := await known(self._surface, activity)):
            questions = examples(self._service.services.connections, user)
        try:
            await self._surface.connector.send(reference_of(activity), welcome(personal, questions))
        except Undone as error:
            log.warning("a conversation could not be greeted: %s", error)

    async def _forget(self, tenant: str, channel: str) -> None:
        await in_order(self._surface.references.forget, channel)
        await asyncio.to_thread(self._surface.file_consent.forget, channel)
        await self._service.forget(tenant, channel)
        await asyncio.to_thread(self._surface.files.forget, channel)
