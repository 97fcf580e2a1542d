"""Clicks in cards: whoever pressed sees at once that it took, or hears why not; everybody sees what came of it."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import time
from typing import Any, TypeVar

from adapters.chat.admission import TurnedAway, identify, tell
from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.conversation_service import ConversationService
from adapters.chat.profiles import picked_and_typed
from adapters.chat.reply_sender import COPY_ANSWERED
from adapters.chat.surface import (
    Heard,
    MessagePlace,
    NotTaken,
    Posted,
    Refusal,
    Undelivered,
    decision_of,
)
from adapters.in_order import in_order
from adapters.rendering.controls import QuestionRef, asks_in
from adapters.teams.cards import draw
from adapters.teams.controls import LOOK, STOP, asked_in
from adapters.teams.drawing import Element
from adapters.teams.forms import confirm_dialog, filled_again, form_dialog, told
from adapters.teams.inbound import (
    REPEATED_CLICK_SECONDS,
    Click,
    form_in,
    heard_click,
    key_of,
    message_of,
    opened_in,
    picked_people,
    shown_in,
    tenant_of,
    user_of,
)
from adapters.teams.json_fields import text
from adapters.teams.message import CARD
from adapters.teams.private_cards import Drawing
from adapters.teams.surface import TeamsSurface
from router.cards import Form, Progress, Reply
from router.interactions.result_buttons import is_lasting
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.turn import Filled, Incoming

log = logging.getLogger("icc_bot")

MESSAGE_WAIT_SECONDS = 0.3
"""Seconds that a click waits for its message to be known, which can be pressed before Teams told its id."""

CLICK_WAIT_SECONDS = 0.5
"""Seconds that it waits for what is wrong with it; later, the person's own chat says it."""

UNKNOWN_MESSAGE_SECONDS = 60.0
"""Seconds after which a message that is not known yet will not be."""

ERROR = "application/vnd.microsoft.error"
MESSAGE = "application/vnd.microsoft.activity.message"
UNKNOWN_BUTTON = "That button is too old for me. Please ask again."
TWICE = "Working on it."
NOTHING_CHOSEN = "Choose at least one entry from the menu first."
TAKEN = "Working on it."
COMING = "That message is only just arriving. If nothing comes of this in a moment, press again."
WORKING = "Working on it…"
TOO_LONG = "This is too long to edit here. Reply with the new version."
USED = "This was used at {:%H:%M}; here is where things stand."
UNADDRESSED = "Teams doesn't tell me the address of somebody you picked. Type it instead."

WAY_BACK_SECONDS = 0.2
"""Seconds that what is wrong may need from the process that works on a click to the one that waits."""

DIALOG_WAIT_SECONDS = 2.0
"""Seconds that a dialog stays open for what is wrong with what it sent; Teams waits for five."""

STOPPING = Reply((Progress("Stopping…", stoppable=False),), working=True)

Json = dict[str, Any]
T = TypeVar("T")
Answer = str | Element
"""The answer to whoever pressed: a sentence beside the card, or a card in its place."""


class Clicks:
    """Takes every click, each once."""

    def __init__(self, service: ConversationService, surface: TeamsSurface) -> None:
        self.service, self.surface, self.private_cards = service, surface, surface.private_cards
        self._shown = service.reply_sender.shown
        self._events: BoundedCache[str, tuple[str, float]] = BoundedCache()

    async def invoked(self, activity: Json) -> Json:
        """Take what was pressed in a card, or sent from a dialog; returns the answer to it."""
        match activity.get("name"):
            case "task/fetch":
                return await self.opened(activity)
            case "task/submit":
                return await self.sent(activity)
            case _:
                return await self.pressed(activity)

    async def pressed(self, activity: Json) -> Json:
        """Take a click and return the answer to its invoke, soon.

        What it waits for is waited for NEAR or CLICK_WAIT_SECONDS.
        """
        data = _held(_held(activity.get("value"), "action"), "data")
        if _verb(data) == LOOK:
            return await self._looked(activity, data)
        answer = await self._answer(activity, data)
        kind = MESSAGE if isinstance(answer, str) else CARD
        return {"status": 200, "body": {"statusCode": 200, "type": kind, "value": answer}}

    async def _looked(self, activity: Json, data: Json) -> Json:
        """Return the card of a message as the person sees it whose client asks for it."""
        message = await in_order(shown_in, activity, data, self._shown)
        card = None
        if message:
            user = user_of(activity)
            with suppress(Undelivered):
                shape = await self.service.reply_sender.shape_of(message, user)
                card = await self.surface.view_of(shape, user.id)
        if card is None:
            error = {"code": "NotFound", "message": UNKNOWN_BUTTON}
            return {"status": 200, "body": {"statusCode": 404, "type": ERROR, "value": error}}
        return {"status": 200, "body": {"statusCode": 200, "type": CARD, "value": card}}

    async def opened(self, activity: Json) -> Json:
        """Return the dialog that the press of a button opens: its form, or the question whether it was meant."""
        data = _held(activity.get("value"), "data")
        found, _ = await self._once_known(
            activity, data, MESSAGE_WAIT_SECONDS, lambda: opened_in(activity, data, self._shown)
        )
        if found is None:
            return _dialog(told(await self._unknown(activity, data)))
        message, option = found
        if message.decision:
            return _dialog(told(USED.format(message.decision.at)))
        asked, value = asked_in(data)[1], text(data, "a")
        if option.form:
            return _dialog(form_dialog(option.form, asked, message.id, value) or told(TOO_LONG))
        return _dialog(confirm_dialog(option, asked, message.id, value) or told(TOO_LONG))

    async def sent(self, activity: Json) -> Json:
        """Take what a dialog sends; it stays open, with all that was typed, where that cannot be taken."""
        data = _held(activity.get("value"), "data")
        click, _ = await self._found(activity, data, MESSAGE_WAIT_SECONDS)
        if click is None:
            return _dialog(told(await self._unknown(activity, data)))
        given, asked = click.heard.input, asked_in(data)[1]
        form = form_in(click.message.reply, asked, data)[0] if isinstance(given, Filled) else None
        named = await self._with_people(click, data)
        wrong = NotTaken(named) if isinstance(named, str) else await self._conclude(named)
        said = wrong.sentence
        if not said:
            return {"status": 200}
        question = await in_order(self._shown.question, asked.key) if wrong.turn else None
        at = next((n for n, card in enumerate(question.reply.cards) if isinstance(card, Form)), -1) if question else -1
        if question and at >= 0:
            again = question.reply.cards[at]
            assert isinstance(again, Form)
            ref = QuestionRef(asked.key, question.turn, at)
            return _dialog(form_dialog(again, ref, question.id, wrong=said) or told(said))
        if form and isinstance(given, Filled):
            again = filled_again(form, given.values, wrong)
            return _dialog(form_dialog(again, asked, click.message.id, text(data, "a"), said) or told(said))
        return _dialog(told(said))

    async def _conclude(self, click: Click) -> NotTaken:
        """Take what a dialog sent; returns why it is not taken."""
        known = Posted(click.message.channel, click.message.id)
        refusal: Refusal = asyncio.get_running_loop().create_future()
        with self.private_cards.awaited(known) as drawing:
            waits = DIALOG_WAIT_SECONDS - WAY_BACK_SECONDS
            work = await self.service.take(await self._once(click.heard), refusal=refusal, waits=waits)
            if work is None:
                return NotTaken()  # the same once more: it is worked on
            await _either(refusal, drawing, DIALOG_WAIT_SECONDS)
        wrong = refusal.result() if refusal.done() else NotTaken()
        refusal.cancel()  # what is wrong with it after this goes another way
        if wrong.sentence:
            self._refused(click.heard)
            await asyncio.wait([work], timeout=CLICK_WAIT_SECONDS)
        return wrong

    async def _with_people(self, click: Click, data: Json) -> Click | str:
        """Return a click with the addresses of the people that were picked in it, or why they are not known."""
        given, picked = click.heard.input, picked_people(data, click.message)
        if not isinstance(given, Filled) or not picked:
            return click
        values = dict(given.values)
        for name, ids in picked.items():
            found = await asyncio.gather(*(self.surface.address(click.heard.key, id) for id in ids))
            if not all(found):
                return UNADDRESSED
            values[name] = picked_and_typed(list(filter(None, found)), values.get(name, ""))
        return replace(click, heard=replace(click.heard, input=replace(given, values=values)))

    async def submitted(self, activity: Json, data: Json) -> None:
        """Take a click that has no answer to say something in, such as an old client's, which is a message."""
        if _verb(data) == STOP:
            if said := self._stop(activity, data, None):
                self.service.spawn(self._tell(activity, said))
            return
        click = await in_order(heard_click, activity, data, self._shown)
        if click and not picked_people(data, click.message):
            await self.service.take(await self._once(click.heard))  # what comes again has its answer in the chat
        else:
            self.service.spawn(self._late(activity, data))

    async def make_up(self) -> None:
        """Draw what an earlier process handed out to one person and did not come to draw for everybody."""
        for at, known in await in_order(self.private_cards.noted):
            self.private_cards.give(at)
            self.service.spawn(self._draw_for_all(at, known, User("")))

    async def _answer(self, activity: Json, data: Json) -> Answer:
        if _verb(data) == STOP:
            return await self._stopped(activity, data)
        click, comes = await self._found(activity, data, MESSAGE_WAIT_SECONDS)
        if click:
            named = await self._with_people(click, data)
            return named if isinstance(named, str) else await self._taken(named)
        if comes:
            self.service.spawn(self._late(activity, data))
            return COMING
        return await self._unknown(activity, data)

    async def _late(self, activity: Json, data: Json) -> None:
        """Take a click once its message is known; nothing keeps it until then."""
        click, _ = await self._found(activity, data, UNKNOWN_MESSAGE_SECONDS)
        if click is None:
            await self._tell(activity, await self._unknown(activity, data))
            return
        named = await self._with_people(click, data)
        if isinstance(named, str):
            await self._tell(activity, named)
        else:
            await self.service.take(await self._once(named.heard))

    async def _unknown(self, activity: Json, data: Json) -> str:
        """Return why a click is not taken; a second copy of a card that was answered is closed."""
        verb = _verb(data)
        if verb and verb != STOP:
            asked = asked_in(data)[1]
            at = Posted(activity["conversation"]["id"].partition(";")[0], message_of(activity, data))
            lasts = is_lasting(text(data, "a"))
            ours = not lasts and asked.key.platform == "teams" and asked.key.team == tenant_of(activity)
            sender = self.service.reply_sender
            if ours and await sender.close_copy(at, asked.key, asked.turn, user_of(activity)):
                return COPY_ANSWERED
        return NOTHING_CHOSEN if verb == "choose" else UNKNOWN_BUTTON

    async def _tell(self, activity: Json, said: str) -> None:
        key = key_of(activity)
        await tell(self.surface, MessagePlace(key.team, key.channel, key.thread), user_of(activity), said)

    async def _found(self, activity: Json, data: Json, seconds: float) -> tuple[Click | None, bool]:
        """Return the click once its message is known, and whether that may still come where it is not, in this time."""
        return await self._once_known(activity, data, seconds, lambda: heard_click(activity, data, self._shown))

    async def _once_known(
        self, activity: Json, data: Json, seconds: float, look: Callable[[], T | None]
    ) -> tuple[T | None, bool]:
        """Return what is found once the message is known; whether that may still come, where it is not in this time."""
        found = await in_order(look)
        if found is not None:
            return found, False
        if comes := await self._comes(activity, data):
            with suppress(TimeoutError):
                await asyncio.wait_for(self.service.settled(asked_in(data)[1].key), seconds)
            comes = await self._comes(activity, data)
        # Looked last: another process may have noted the message since the first look.
        return await in_order(look), comes

    async def _comes(self, activity: Json, data: Json) -> bool:
        """Tell whether a message is on its way that may be the one that was pressed."""
        if not _verb(data):
            return False
        _, asked = asked_in(data)
        ours = asked.key.platform == "teams" and asked.key.team == tenant_of(activity)
        return (
            ours
            and await self.service.expects(asked.key)
            and asked.turn > await in_order(self._shown.last_turn, asked.key)
        )

    async def _once(self, heard: Heard) -> Heard:
        """Return a click under the name that it was heard under before, if that was within the last minute."""
        now = time()
        event, at = self._events.get(heard.event, ("", 0.0))
        if now - at >= REPEATED_CLICK_SECONDS:
            # The time is part of the name, for the process after this one, which may begin in the minute after.
            minute = int(now / REPEATED_CLICK_SECONDS)
            before, event = (f"{heard.event}:{each}" for each in (minute - 1, minute))
            known = not at and await in_order(self.service.inbox.knows, before)
            if (meanwhile := self._events.get(heard.event, ("", 0.0)))[1] > at:  # it came twice at once
                return replace(heard, event=meanwhile[0])
            event = before if known else event
            if event in self.service.recovered:  # it was interrupted, and is pressed again
                event = f"{event}+"
            at = now
            self._events[heard.event] = event, at
        return replace(heard, event=event)

    def _refused(self, heard: Heard) -> None:
        """Have the same click be another one from now on, since nothing was done: what was wrong may have passed."""
        event, at = self._events.get(heard.event, (heard.event, time()))
        self._events[heard.event] = f"{event}+", at

    async def _taken(self, click: Click) -> Answer:
        heard, known = await self._once(click.heard), Posted(click.message.channel, click.message.id)
        refusal: Refusal = asyncio.get_running_loop().create_future()
        with self.private_cards.awaited(known) as drawing:
            work = await self.service.take(heard, refusal=refusal)
            if work is None:
                return TWICE
            await _either(refusal, drawing)
            running = None if refusal.done() or drawing.card else await self._running(click)
        said, over = refusal.result().sentence if refusal.done() else "", refusal.done()
        refusal.cancel()  # what is wrong with it after this goes another way
        if said:
            self._refused(click.heard)
            # The question may be drawn anew with it: whoever presses next had better have that one.
            await asyncio.wait([work], timeout=CLICK_WAIT_SECONDS)
            return said
        card = drawing.card or (None if over else running)
        if card or known != click.at:  # what Teams doubled is drawn by nobody else
            self.private_cards.give(click.at, drawing.number if known == click.at else 0)
            await in_order(self.private_cards.note, click.at, known)
            self.service.spawn(self._follow(work, click, known))
        return card or TAKEN

    async def _running(self, click: Click) -> Element | None:
        """Return the card that was pressed with nothing to press, and who pressed what."""
        heard = click.heard
        incoming = Incoming(heard.key, heard.user, heard.input)
        label = decision_of(asks_in(click.message.reply), incoming).label
        doing = "Running…" if label.startswith("Run") else f"{WORKING} · {label}"
        shape = await self.service.reply_sender.shape_of(click.message, heard.user)
        return await self.surface.card_of(shape, f"{doing} · {heard.user.name or 'somebody'}")

    async def _follow(self, work: "asyncio.Task[None]", click: Click, known: Posted) -> None:
        """Have everybody see the same card, once the work on a click is over."""
        await asyncio.wait([work])
        await self._draw_for_all(click.at, known, click.heard.user)

    async def _draw_for_all(self, at: Posted, known: Posted, by: User) -> None:
        """Draw a message as it stands, if somebody may see another card than everybody."""
        reply_sender = self.service.reply_sender
        try:
            look = partial(self._shown.message, known.channel, known.id)
            while self.private_cards.owes(at) and (message := await in_order(look)):
                await reply_sender.draw_again(message, by, at)
                if await in_order(look) != message:
                    self.private_cards.give(at)  # it became another one meanwhile
        except Undelivered as error:
            log.warning("a message that was clicked could not be drawn anew: %s", error)
            if not (error.gone or error.outside):
                return  # the next start tries again
        await in_order(self.private_cards.strike, at)

    async def _stopped(self, activity: Json, data: Json) -> Answer:
        """Have what runs ended; the progress that was pressed says so, until everybody's does."""
        refusal: Refusal = asyncio.get_running_loop().create_future()
        at = Posted(activity["conversation"]["id"].partition(";")[0], text(activity, "replyToId"))
        with self.private_cards.awaited(at) as drawing:
            if said := self._stop(activity, data, refusal):
                return said
            await _either(refusal, drawing)
        said = refusal.result().sentence if refusal.done() else ""
        refusal.cancel()
        if said:
            return said
        message = await in_order(self._shown.message, at.channel, at.id)
        if message and not drawing.card:
            return TAKEN  # it is no progress any more
        self.private_cards.give(at, drawing.number)
        return drawing.card or draw(STOPPING, asked_in(data)[1].key).card or TAKEN

    def _stop(self, activity: Json, data: Json, refusal: Refusal | None) -> str:
        key = asked_in(data)[1].key
        if key.platform != "teams" or key.team != tenant_of(activity):
            return UNKNOWN_BUTTON
        self.service.spawn(self._end(activity, key, refusal))
        return ""

    async def _end(self, activity: Json, key: ThreadKey, refusal: Refusal | None) -> None:
        try:
            user = await identify(self.surface, key.team, user_of(activity))
        except TurnedAway as why:
            if refusal and not refusal.done():
                refusal.set_result(NotTaken(str(why)))
            else:
                await self._tell(activity, str(why))
            return
        await self.service.stop(key, user, refusal)


async def _either(refusal: Refusal, drawing: Drawing, seconds: float = CLICK_WAIT_SECONDS) -> None:
    """Wait until it is known what is wrong with a click, or what its message becomes; not for long."""
    begun = asyncio.ensure_future(drawing.begun.wait())
    await asyncio.wait((refusal, begun), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    begun.cancel()


def _held(value: Any, name: str) -> Json:
    """Return an object that another one holds, an empty one where it holds none."""
    held = value.get(name) if isinstance(value, dict) else None
    return held if isinstance(held, dict) else {}


def _dialog(body: Element) -> Json:
    return {"status": 200, "body": body}


def _verb(data: Json) -> str:
    try:
        return asked_in(data)[0]
    except ValueError:
        return ""
