"""What the bot listens to: each activity is answered at once, and what was heard is handed over."""

import asyncio
import logging
from typing import Any

from adapters.asked import asked_from
from adapters.chat.desk import Desk
from adapters.chat.replies import rated_in
from adapters.chat.surface import Place
from adapters.teams.asks import matching
from adapters.teams.ids import STOP, asked_in
from adapters.teams.inbound import heard_click, heard_message, is_shared, key_of, tenant_of, user_of
from adapters.teams.reference import Reference, reference_of, text
from adapters.teams.surface import TeamsSurface
from adapters.teams.undone import Undone
from router.cards import Choice, Text
from router.memory import ThreadKey
from router.turn import Incoming, Opened

log = logging.getLogger("icc_bot")

SOON = 0.5
"""Seconds that a click waits for what is wrong with it; later, the conversation says it."""

MESSAGE = "application/vnd.microsoft.activity.message"
OLD = "That button belongs to a message that I do not know any more. Please ask again."
TWICE = "I have heard that click already. If nothing comes of it, press again in a minute."
NOTHING = "Choose at least one entry from the menu first."
WELCOME = (
    "Hello! Ask me a question about your data, in your own words. I write the SQL and show it to you; it runs when you "
    "press Run, and the rows come back as a table. `help` tells at any time what you can do."
)

Json = dict[str, Any]


class Listeners:
    """Takes every activity that was let in."""

    def __init__(self, desk: Desk, surface: TeamsSurface) -> None:
        self.desk, self.surface = desk, surface

    async def on_activity(self, activity: Json) -> Json | None:
        """Take one activity; returns the answer to an invoke, None for what is not known."""
        reference = reference_of(activity)
        self.surface.references.keep(reference, user_of(activity).id, not is_shared(activity))
        match activity["type"], activity.get("name", ""):
            case "message", _:
                await self._message(activity)
            case "conversationUpdate", _:
                self._update(activity)
            case "invoke", "adaptiveCard/action":
                return await self._clicked(activity)
            case "invoke", "application/search":
                return self._search(activity)
            case "invoke", "message/submitAction":
                return await self._feedback(activity)
        return None

    async def _message(self, activity: Json) -> None:
        value = activity.get("value")
        if isinstance(value, dict) and "v" in value:  # an old client, which knows no Action.Execute
            self.desk.spawn(self._submitted(activity, value))
            return
        heard = heard_message(activity)
        self.desk.take(heard)

    async def _submitted(self, activity: Json, data: Json) -> None:
        """Take a click that came as a message, which has no answer to say something in."""
        if said := await self._click(activity, data):
            await self.surface.whisper(_place(activity), user_of(activity), said)

    def _update(self, activity: Json) -> None:
        """Greet whoever has the bot for the first time, and nobody twice."""
        bot = text(activity["recipient"], "id")
        if not any(text(member, "id") == bot for member in activity.get("membersAdded", [])):
            return
        if self.desk.outlet.shown.welcome(tenant_of(activity), activity["conversation"]["id"]):
            self.desk.spawn(self._greet(reference_of(activity)))

    async def _greet(self, reference: Reference) -> None:
        welcome = {"type": "message", "text": WELCOME, "textFormat": "markdown"}
        try:
            await self.surface.connector.send(reference, welcome, again=True)
        except Undone as error:
            log.warning("a conversation could not be greeted: %s", error)

    async def _clicked(self, activity: Json) -> Json:
        action = activity.get("value", {}).get("action", {})
        data = action.get("data", {}) if isinstance(action, dict) else {}
        said = await self._click(activity, data if isinstance(data, dict) else {})
        # A card in the answer would be seen by the clicker alone, and could hide what comes for all.
        return {"status": 200, "body": {"statusCode": 200, "type": MESSAGE, "value": said or "Working on it…"}}

    async def _click(self, activity: Json, data: Json) -> str:
        """Take a click; returns what is wrong with it, if that is known soon."""
        if _verb(data) == STOP:
            return await self._stop(asked_in(data)[1].key, activity)
        heard = heard_click(activity, data, self.desk.outlet.shown)
        if heard is None:
            return NOTHING if _verb(data) == "choose" else OLD
        refusal: asyncio.Future[tuple[str, int]] = asyncio.get_running_loop().create_future()
        if not self.desk.take(heard, refusal=refusal):
            return TWICE
        try:
            sentence, _ = await asyncio.wait_for(asyncio.shield(refusal), SOON)
        except TimeoutError:
            refusal.cancel()
            return ""
        return sentence

    async def _stop(self, key: ThreadKey, activity: Json) -> str:
        """Have what runs ended; returns why this person may not."""
        user = user_of(activity)
        if key.platform != "teams" or key.team != tenant_of(activity):
            return OLD
        told = await self.desk.turns.stop(Incoming(key, user, Opened()))
        if told.to:
            return told.refused or " ".join(card.body for card in told.cards if isinstance(card, Text))
        self.desk.spawn(self.desk.stop(key, user))
        return ""

    def _search(self, activity: Json) -> Json:
        """Offer the entries of a long menu that fit what is typed."""
        value = activity.get("value", {})
        found = []
        try:
            asked = asked_from(str(value.get("dataset", "")))
        except ValueError:
            asked = None
        if asked and asked.key.team == tenant_of(activity):
            question = self.desk.outlet.shown.question(asked.key)
            cards = question.reply.cards if question else ()
            card = cards[asked.card] if 0 <= asked.card < len(cards) else None
            found = matching(card, str(value.get("queryText", ""))) if isinstance(card, Choice) else []
        body = {
            "statusCode": 200,
            "type": "application/vnd.microsoft.search.searchResponse",
            "value": {"results": found},
        }
        return {"status": 200, "body": body}

    async def _feedback(self, activity: Json) -> Json:
        """Keep a thumb."""
        value = activity.get("value", {}).get("actionValue", {})
        base = activity["conversation"]["id"].partition(";")[0]
        message = self.desk.outlet.shown.message(base, text(activity, "replyToId"))
        result = rated_in(message.reply) if message else ""
        good = text(value, "reaction") == "like"
        await asyncio.to_thread(self.desk.outlet.router.past.rate, user_of(activity), result, good)
        return {"status": 200, "body": {}}


def _verb(data: Json) -> str:
    try:
        return asked_in(data)[0]
    except ValueError:
        return ""


def _place(activity: Json) -> Place:
    key = key_of(activity)
    return Place(key.team, key.channel, key.thread)
