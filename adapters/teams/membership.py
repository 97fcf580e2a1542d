"""How the bot comes into conversations, and what becomes of what it keeps of them when it is taken away."""

import asyncio
import logging
from typing import Any

from adapters.chat.desk import Desk
from adapters.chat.gate import TurnedAway, identify
from adapters.teams.fields import text
from adapters.teams.inbound import is_shared, tenant_of, user_of
from adapters.teams.reference import Reference, reference_of
from adapters.teams.surface import TeamsSurface
from adapters.teams.undone import Undone
from adapters.teams.welcome import welcome
from router.memory import User
from router.policy import examples

log = logging.getLogger("icc_bot")

Json = dict[str, Any]


def takes_away(activity: Json) -> bool:
    """Tell whether the bot was taken out of the conversation: nothing can be said in it any more."""
    match activity["type"]:
        case "installationUpdate":
            # An upgrade removes the older version, and is none of this.
            return text(activity, "action") == "remove"
        case "conversationUpdate":
            return _names_bot(activity, "membersRemoved")
        case _:
            return False


class Membership:
    """The bot's comings and goings."""

    def __init__(self, desk: Desk, surface: TeamsSurface) -> None:
        self._desk, self._surface = desk, surface

    def come(self, activity: Json) -> None:
        """Greet whoever has the bot for the first time, and nobody twice."""
        if not _names_bot(activity, "membersAdded"):
            return
        if self._desk.outlet.shown.welcome(tenant_of(activity), activity["conversation"]["id"]):
            user = None if is_shared(activity) else user_of(activity)
            self._desk.spawn(self._greet(reference_of(activity), user))

    def leave(self, activity: Json) -> None:
        """Delete what is kept of the conversation, or of all channels of the team, that the bot was taken out of."""
        base, team = activity["conversation"]["id"].partition(";")[0], reference_of(activity).team
        # A chat may be taken away before anything of it was heard.
        for channel in {base, *self._surface.references.channels(team)}:
            self._desk.spawn(self._forget(tenant_of(activity), channel))

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
        return examples(self._desk.tools.connections, known)

    async def _forget(self, tenant: str, channel: str) -> None:
        self._surface.references.forget(channel)
        self._surface.handover.consents.forget(channel)
        await self._desk.forget(tenant, channel)
        await asyncio.to_thread(self._surface.downloads.forget, channel)


def _names_bot(activity: Json, field: str) -> bool:
    bot = text(activity["recipient"], "id")
    return any(text(member, "id") == bot for member in activity.get(field, []))
