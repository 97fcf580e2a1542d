"""Clicks in cards: the person who pressed hears at once that it took, or why not; all see what came of it."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from time import time
from typing import Any, TypeVar

from adapters.chat.admission import TurnedAway, identify, send_privately
from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.conversation_service import ConversationService
from adapters.chat.reply_sender import COPY_ANSWERED
from adapters.chat.surface import Heard, NotTaken, Posted, Refusal
from adapters.ordered_calls import call_in_order
from adapters.rendering.controls import QuestionRef
from adapters.teams.controls import CHOOSE, STOP, asked_in, option_in
from adapters.teams.dialogs import told_dialog
from adapters.teams.forms import confirm_dialog, form_dialog, refill
from adapters.teams.inbound import (
    Click,
    channel_of,
    find_shown,
    form_in,
    heard_click,
    is_ours,
    message_of,
    place_of,
    tenant_of,
    user_of,
)
from adapters.teams.json_fields import Json, text
from adapters.teams.surface import TeamsSurface
from router.cards import Form
from router.interactions.result_buttons import is_lasting
from router.turn import Filled

log = logging.getLogger("icc_bot")

MESSAGE_WAIT_SECONDS = 1.0
"""Seconds that a click waits for its message to be known, which can be pressed before Teams told its id."""

CLICK_WAIT_SECONDS = 0.5
"""Seconds that it waits for what is wrong with it; later, the person's own chat says it."""

DIALOG_WAIT_SECONDS = 2.0
"""Seconds that a dialog stays open for what is wrong with what it sent; Teams waits for five."""

WAY_BACK_SECONDS = 0.2
"""Seconds that what is wrong may need from the process that works on a click to the one that waits."""

REPEATED_CLICK_SECONDS = 30.0
"""Seconds within which the same click is the same click, whatever Teams calls it; up to twice as many."""

MESSAGE = "application/vnd.microsoft.activity.message"
UNKNOWN_BUTTON = "That button is too old for me. Please ask again."
NOTHING_CHOSEN = "Choose at least one entry from the menu first."
ALREADY_RUNNING = "Working on it."
STOPPING = "Stopping…"
MESSAGE_ARRIVING = "That message is only just arriving. Please press again."

T = TypeVar("T")


class Clicks:
    """Takes every click, each once."""

    def __init__(self, service: ConversationService, surface: TeamsSurface) -> None:
        self.service, self.surface = service, surface
        self._shown = service.reply_sender.shown
        self._in_vain: BoundedCache[str, int] = BoundedCache()
        """The number of times that a click was refused: nothing was done, and what was wrong may have passed."""

    async def pressed(self, activity: Json) -> Json:
        """Take a click and return the answer to its invoke, soon: a sentence, which Teams shows to who pressed."""
        said = await self._press(activity, _held(_held(activity.get("value"), "action"), "data"))
        return {"status": 200, "body": {"statusCode": 200, "type": MESSAGE, "value": said or ALREADY_RUNNING}}

    async def submitted(self, activity: Json, data: Json) -> None:
        """Take a click that has no answer to say something in, such as an old client's, which is a message."""
        if _verb(data) == STOP:
            click: Click | str = await self._stop(activity, asked_in(data)[1])
        else:
            click = await self._found(activity, data)
        if isinstance(click, Click):
            await self.service.take(await self._once(click.heard))  # what comes of it has its place in the chat
        elif click != STOPPING:
            self.service.spawn(send_privately(self.surface, place_of(activity), user_of(activity), click))

    async def opened(self, activity: Json) -> Json:
        """Return the dialog that the press of a button opens: its form, or the question whether it was meant."""
        data = _held(activity.get("value"), "data")
        message = await self._once_known(data, lambda: find_shown(activity, data, self._shown))
        option = option_in(message.reply, data) if message else None
        if message is None or option is None:
            return told_dialog(await self._unknown(activity, data))
        asked, value = asked_in(data)[1], text(data, "a")
        if option.form:
            return form_dialog(option.form, asked, message.id, value)
        return confirm_dialog(option, asked, message.id, value)

    async def sent(self, activity: Json) -> Json:
        """Take what a dialog sends; it stays open, with all that was typed, if that cannot be taken."""
        data = _held(activity.get("value"), "data")
        click = await self._found(activity, data)
        if isinstance(click, str):
            return told_dialog(click)
        wrong = await self._take(click, DIALOG_WAIT_SECONDS)
        if not wrong.sentence:
            return {"status": 200}
        return await self._opened_again(click, data, wrong) or told_dialog(wrong.sentence)

    async def _opened_again(self, click: Click, data: Json, wrong: NotTaken) -> Json | None:
        """Return the form that stands now, or that was sent, with what is wrong; None if there is none."""
        asked, given = asked_in(data)[1], click.heard.input
        question = await call_in_order(self._shown.question, asked.key) if wrong.turn else None
        for number, card in enumerate(question.reply.cards if question else ()):
            if question and isinstance(card, Form):
                now = QuestionRef(asked.key, question.turn, number)
                return form_dialog(card, now, question.id, wrong=wrong.sentence)
        form, _ = form_in(click.message.reply, data)
        if form is None or not isinstance(given, Filled):
            return None
        again = refill(form, given.values, wrong)
        return form_dialog(again, asked, click.message.id, text(data, "a"), wrong.sentence)

    async def _press(self, activity: Json, data: Json) -> str:
        """Take a click; returns what is wrong with it."""
        if _verb(data) == STOP:
            return await self._stop(activity, asked_in(data)[1])
        click = await self._found(activity, data)
        return click if isinstance(click, str) else (await self._take(click, CLICK_WAIT_SECONDS)).sentence

    async def _found(self, activity: Json, data: Json) -> Click | str:
        """Return a click, or why it is not taken."""
        click = await self._once_known(data, lambda: heard_click(activity, data, self._shown))
        return click or await self._unknown(activity, data)

    async def _once_known(self, data: Json, look: Callable[[], T | None]) -> T | None:
        """Return what is found once the message is known, for which a moment is waited."""
        found = await call_in_order(look)
        if found is None and _verb(data):
            with suppress(TimeoutError):
                await asyncio.wait_for(self.service.wait_until_idle(asked_in(data)[1].key), MESSAGE_WAIT_SECONDS)
            found = await call_in_order(look)
        return found

    async def _unknown(self, activity: Json, data: Json) -> str:
        """Return why a click is not taken; a second copy of a card that was answered is closed."""
        verb = _verb(data)
        if not verb or not is_ours(asked := asked_in(data)[1], activity):
            return UNKNOWN_BUTTON
        at = Posted(channel_of(activity), message_of(activity, data))
        close = self.service.reply_sender.close_copy
        if not is_lasting(text(data, "a")) and await close(at, asked.key, asked.turn, user_of(activity)):
            return COPY_ANSWERED
        if await self.service.expects(asked.key) and asked.turn > await call_in_order(self._shown.last_turn, asked.key):
            return MESSAGE_ARRIVING
        return NOTHING_CHOSEN if verb == CHOOSE else UNKNOWN_BUTTON

    async def _take(self, click: Click, seconds: float) -> NotTaken:
        """Have a click worked on; returns what is wrong with it, as far as that is known in this time."""
        refusal: Refusal = asyncio.get_running_loop().create_future()
        heard = await self._once(click.heard)
        work = await self.service.take(heard, refusal=refusal, waits=seconds - WAY_BACK_SECONDS)
        if work is None:
            return NotTaken()  # the same once more: it is worked on
        if click.at.id != click.message.id:  # Teams took the message twice, and the other one is the known one
            self.service.spawn(self.service.close_copy(click.at, heard, work))
        wrong = await _answer(refusal, seconds)
        if wrong.sentence:
            self._in_vain[click.heard.event] = self._in_vain.get(click.heard.event, 0) + 1
            # The question may be drawn again with it: the next press had better have that one.
            await asyncio.wait([work], timeout=CLICK_WAIT_SECONDS)
        return wrong

    async def _once(self, heard: Heard) -> Heard:
        """Return a click under the name that it was heard under before, if that was not long ago."""
        again = "+" * self._in_vain.get(heard.event, 0)
        span = int(time() / REPEATED_CLICK_SECONDS)
        before, event = (f"{heard.event}:{each}{again}" for each in (span - 1, span))
        if await call_in_order(self.service.inbox.knows, before):
            event = before
        if event in self.service.recovered:  # it was interrupted, and is pressed again
            event = f"{event}+"
        return replace(heard, event=event)

    async def _stop(self, activity: Json, asked: QuestionRef) -> str:
        """Have what runs ended; returns what the person hears of it."""
        if not is_ours(asked, activity):
            return UNKNOWN_BUTTON
        try:
            user = await identify(self.surface, tenant_of(activity), user_of(activity))
        except TurnedAway as why:
            return str(why)
        refusal: Refusal = asyncio.get_running_loop().create_future()
        self.service.spawn(self.service.stop(asked.key, user, refusal))
        return (await _answer(refusal, CLICK_WAIT_SECONDS)).sentence or STOPPING


async def _answer(refusal: Refusal, seconds: float) -> NotTaken:
    """Wait until it is known what is wrong with a click; not for long: after this, that goes another way."""
    await asyncio.wait([refusal], timeout=seconds)
    wrong = refusal.result() if refusal.done() else NotTaken()
    refusal.cancel()
    return wrong


def _held(value: Any, name: str) -> Json:
    """Return an object that another one holds, an empty one if it holds none."""
    held = value.get(name) if isinstance(value, dict) else None
    return held if isinstance(held, dict) else {}


def _verb(data: Json) -> str:
    try:
        return asked_in(data)[0]
    except ValueError:
        return ""
