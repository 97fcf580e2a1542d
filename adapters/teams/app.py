"""What the bot listens to: each activity is answered at once, and what was heard is handed over."""

import asyncio
import logging
from typing import Any

from adapters.asked import asked_from
from adapters.chat.desk import Desk
from adapters.chat.replies import rated_in
from adapters.teams.agreements import Agreements
from adapters.teams.asks import matching
from adapters.teams.brought import brings_files, take_brought
from adapters.teams.clicks import Clicks
from adapters.teams.edits import change, take_back
from adapters.teams.inbound import heard_message, is_shared, tenant_of, user_of
from adapters.teams.membership import Membership, takes_away
from adapters.teams.reference import reference_of, text
from adapters.teams.surface import TeamsSurface
from router.cards import Choice

log = logging.getLogger("icc_bot")

Json = dict[str, Any]


class Listeners:
    """Takes every activity that was let in."""

    def __init__(self, desk: Desk, surface: TeamsSurface) -> None:
        self.desk, self.surface = desk, surface
        self.clicks = Clicks(desk, surface)
        self._agreements = Agreements(desk, surface)
        self._membership = Membership(desk, surface)

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
                self.desk.spawn(change(self.desk, self.surface, activity))
            case "messageDelete", _:
                self.desk.spawn(take_back(self.desk, activity))
            case "conversationUpdate", _:
                self._membership.come(activity)
            case "invoke", "adaptiveCard/action":
                return await self.clicks.pressed(activity)
            case "invoke", "fileConsent/invoke":
                return self._agreements.take(activity)
            case "invoke", "application/search":
                return self._search(activity)
            case "invoke", "message/submitAction":
                return await self._feedback(activity)
        return None

    async def _message(self, activity: Json) -> None:
        value = activity.get("value")
        if isinstance(value, dict) and "v" in value:  # an old client, which knows no Action.Execute
            self.desk.spawn(self.clicks.submitted(activity, value))
            return
        heard = heard_message(activity)
        if brings_files(activity):
            take_brought(self.desk, self.surface, heard)
        else:
            self.desk.take(heard)

    def _search(self, activity: Json) -> Json:
        """Offer the entries of a long menu that fit what is typed."""
        value = activity.get("value")
        found = []
        try:
            asked = asked_from(text(value, "dataset"))
        except ValueError:
            asked = None
        if asked and asked.key.team == tenant_of(activity):
            question = self.desk.outlet.shown.question(asked.key)
            cards = question.reply.cards if question else ()
            card = cards[asked.card] if 0 <= asked.card < len(cards) else None
            found = matching(card, text(value, "queryText")) if isinstance(card, Choice) else []
        body = {
            "statusCode": 200,
            "type": "application/vnd.microsoft.search.searchResponse",
            "value": {"results": found},
        }
        return {"status": 200, "body": body}

    async def _feedback(self, activity: Json) -> Json:
        """Keep a thumb; what is neither up nor down is none."""
        value = activity.get("value")
        reaction = text(value.get("actionValue") if isinstance(value, dict) else None, "reaction")
        if reaction not in ("like", "dislike"):
            return {"status": 200, "body": {}}
        base = activity["conversation"]["id"].partition(";")[0]
        message = self.desk.outlet.shown.message(base, text(activity, "replyToId"))
        result = rated_in(message.reply) if message else ""
        await asyncio.to_thread(self.desk.outlet.router.past.rate, user_of(activity), result, reaction == "like")
        return {"status": 200, "body": {}}
