"""What the bot listens to: each activity is answered at once, and what was heard is handed over."""

import asyncio
import logging
from typing import Any

from adapters.chat.desk import Desk
from adapters.chat.gate import TurnedAway, identify
from adapters.chat.offering import offer_example
from adapters.chat.recent import Recent
from adapters.chat.replies import rated_in
from adapters.teams.agreements import Agreements
from adapters.teams.asks import matching
from adapters.teams.brought import brings_files, take_brought
from adapters.teams.clicks import Clicks
from adapters.teams.edits import change, take_back
from adapters.teams.fields import text
from adapters.teams.inbound import heard_message, is_shared, menu_in, tenant_of, user_of
from adapters.teams.membership import Membership, takes_away
from adapters.teams.reference import reference_of
from adapters.teams.surface import TeamsSurface
from router.memory import User

log = logging.getLogger("icc_bot")

SOON = 2.0
"""Seconds after which somebody who types into a menu may be a stranger."""

Json = dict[str, Any]


class Listeners:
    """Takes every activity that was let in."""

    def __init__(self, desk: Desk, surface: TeamsSurface) -> None:
        self.desk, self.surface = desk, surface
        self.clicks = Clicks(desk, surface)
        self.agreements = Agreements(desk, surface)
        self._membership = Membership(desk, surface)
        self._too_late: Recent[str, bool] = Recent()

    async def on_activity(self, activity: Json) -> Json | None:
        """Take one activity; returns the answer to an invoke, None for what is not known."""
        if takes_away(activity):
            self._membership.leave(activity)
            return None
        reference = reference_of(activity)
        self.surface.references.keep(reference, user_of(activity).id, not is_shared(activity))
        match activity["type"], activity.get("name", ""):
            case "message", _:
                await self._message(activity)
            case "messageUpdate", _:
                change(self.desk, self.surface, activity, self._too_late)
            case "messageDelete", _:
                self.desk.spawn(take_back(self.desk, activity))
            case "conversationUpdate", _:
                self._membership.come(activity)
            case "invoke", "adaptiveCard/action":
                return await self.clicks.pressed(activity)
            case "invoke", "fileConsent/invoke":
                return self.agreements.take(activity)
            case "invoke", "application/search":
                return await self._search(activity)
            case "invoke", "message/submitAction":
                return await self._feedback(activity)
        return None

    async def _message(self, activity: Json) -> None:
        value = activity.get("value")
        if isinstance(value, dict) and "v" in value:  # an old client, which knows no Action.Execute
            self.clicks.submitted(activity, value)
            return
        heard = heard_message(activity)
        if brings_files(activity):
            take_brought(self.desk, self.surface, heard)
        else:
            self.desk.take(heard)

    async def _search(self, activity: Json) -> Json:
        """Offer the entries of a long menu that fit what is typed; none to strangers, whom Teams lets type too."""
        value = activity.get("value")
        menu = menu_in(text(value, "dataset"), activity, self.desk.outlet.shown)
        if menu and await self._known(activity) is None:
            menu = None
        found = matching(menu, text(value, "queryText")) if menu else []
        body = {
            "statusCode": 200,
            "type": "application/vnd.microsoft.search.searchResponse",
            "value": {"results": found},
        }
        return {"status": 200, "body": body}

    async def _feedback(self, activity: Json) -> Json:
        """Keep a thumb; what is neither up nor down is none, and neither is a stranger's."""
        value = activity.get("value")
        reaction = text(value.get("actionValue") if isinstance(value, dict) else None, "reaction")
        user = await self._known(activity) if reaction in ("like", "dislike") else None
        if user is None:
            return {"status": 200, "body": {}}
        base = activity["conversation"]["id"].partition(";")[0]
        message = self.desk.outlet.shown.message(base, text(activity, "replyToId"))
        result = rated_in(message.reply) if message else ""
        past = self.desk.outlet.router.past
        await asyncio.to_thread(past.rate, user, result, reaction == "like")
        key = await asyncio.to_thread(past.may_keep, user, result) if reaction == "like" else None
        if key and key.team == tenant_of(activity):
            self.desk.take(offer_example(key, user, result, shared=key.channel != base or is_shared(activity)))
        return {"status": 200, "body": {}}

    async def _known(self, activity: Json) -> User | None:
        """Return who acts; None where they are a stranger, or may be one."""
        try:
            return await identify(self.surface, tenant_of(activity), user_of(activity), SOON)
        except TurnedAway as why:
            log.warning("%s was refused: %s", user_of(activity).id, why)
            return None
