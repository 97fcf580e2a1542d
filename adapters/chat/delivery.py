"""One turn's replies on their way to people: what is posted, changed in place, or for one person alone."""

import asyncio
import logging
from dataclasses import dataclass, field
from time import monotonic

from adapters.asked import Asked
from adapters.chat.replies import (
    asks_in,
    decision_of,
    form_of,
    holds_more_than_text,
    id_of,
    kinds_of,
    problem_of,
    progress_of,
    rated_in,
    without_asks,
)
from adapters.chat.shown import Message, Shown
from adapters.chat.surface import Place, Posted, Shape, Surface, Undelivered
from adapters.chat.ticker import PACE, Ticker
from router.cards import Form, Progress, Reply, Text
from router.engine import Router
from router.turn import Incoming, Said

log = logging.getLogger("icc_bot")

PATIENT = 15.0
"""Seconds after which the answer is posted as a message of its own, so that whoever went away is notified."""

WENT_HOME = "The result went to the person who asked, as a direct message."

SENT_HOME = "I cannot write to that channel (any more). Invite me there, then ask again; here is my answer:"

TRIGGER = 2.5
"""Seconds for which a press may still open a modal, of the three that Slack allows."""


@dataclass(frozen=True, slots=True)
class Outlet:
    """What every delivery uses."""

    surface: Surface
    shown: Shown
    router: Router
    patient: float = PATIENT
    """Seconds after which an answer is a message of its own."""
    pace: float = PACE
    """Seconds between two changes of a progress message."""


@dataclass(slots=True)
class Delivery:
    """Takes the replies to one input, in order; an instance is what `Turns.handle` calls to deliver."""

    outlet: Outlet
    incoming: Incoming
    trigger: str = ""
    """Opens a modal while it is fresh."""
    refusal: asyncio.Future[tuple[str, int]] | None = None
    """Set, for a form, to what its field is told and to the number of the question that stands then."""
    begun: float = field(default_factory=monotonic)
    answered: bool = False
    """Whether anything was shown that ends the turn."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    progress: Posted | None = None
    """The message that the next one takes the place of: progress that is over, or that an earlier process left."""
    _ticker: Ticker | None = None
    _posts: int = 0

    async def __call__(self, reply: Reply) -> None:
        """Show one reply; what the platform refuses altogether is told in a sentence."""
        try:
            await self._show(reply)
        except Undelivered as error:
            log.warning("a reply to %s could not be shown: %s", self.incoming.key, error)
            if error.outside:
                await self._sent_home(reply)

    async def close(self) -> None:
        """Take away what is left of the progress, once the turn is over, and say that it is."""
        self.over.set()
        if left := await self._ended():
            await self.outlet.surface.remove(self.place, left)
            self._replaced(left)
        if self.refusal and not self.refusal.done():
            self.refusal.set_result(("", 0))

    @property
    def place(self) -> Place:
        """The thread."""
        key = self.incoming.key
        return Place(key.team, key.channel, key.thread)

    async def _show(self, reply: Reply) -> None:
        progress = [card for card in reply.cards if isinstance(card, Progress)]
        if progress and len(progress) == len(reply.cards):
            # A result keeps its buttons until it is known that it makes room: CSV leaves it where it is.
            question = self.outlet.shown.question(self.incoming.key)
            if question and not rated_in(question.reply):
                await self._settle(question)
            self._show_progress(progress[-1])
        elif reply.refused or (reply.to and not reply.turn and not holds_more_than_text(reply)):
            await self._refuse(reply)
        elif reply.working:
            await self._post(reply)
        else:
            await self._ask(reply)

    def _show_progress(self, progress: Progress) -> None:
        if self._ticker is None:
            outlet, id = self.outlet, progress_of(self.incoming)
            self._ticker = Ticker(outlet.surface, self.place, outlet.shown, self.incoming.key, id, outlet.pace)
            self._ticker.posted, self.progress = self.progress, None
        self._ticker.show(progress)

    async def _ended(self) -> Posted | None:
        """End the progress, and return the message that is left of it."""
        if self._ticker:
            ticker, self._ticker = self._ticker, None
            self.progress = await ticker.end()
        return self.progress

    def _replaced(self, progress: Posted) -> None:
        """Note that something else stands where progress was shown."""
        self.outlet.shown.end(progress.channel, progress.id)
        self.progress = None

    async def _refuse(self, reply: Reply) -> None:
        """Tell the person alone why this was not taken; the question that stands is drawn anew where it stands."""
        sentence = reply.refused or " ".join(card.body for card in reply.cards if isinstance(card, Text))
        log.info("%s was refused in %s: %s", self.incoming.user.id, self.incoming.key, sentence)
        question = self.outlet.shown.question(self.incoming.key)
        if reply.turn and (question is None or isinstance(self.incoming.input, Said)):
            await self._ask(reply)
            return
        if reply.turn and question:
            await self._redraw(question, reply)
        if self.refusal and not self.refusal.done():
            self.refusal.set_result((sentence, reply.turn if form_of(reply) else 0))
        else:
            await self.outlet.surface.whisper(self.place, self.incoming.user, sentence)
        self.answered = True

    async def _ask(self, reply: Reply) -> None:
        """Show the question that stands now: in place of itself, of the progress, or below."""
        shown, surface, key = self.outlet.shown, self.outlet.surface, self.incoming.key
        before = shown.question(key)
        form = form_of(reply)
        wrong = next((f.problem for f in form.fields if f.problem), "") if form else ""
        told = bool(self.refusal and not self.refusal.done() and (wrong or problem_of(reply)) and form)
        if told and self.refusal:
            self.refusal.set_result((wrong or problem_of(reply), reply.turn))
        if before and (reply.replace or told):
            await self._redraw(before, reply)
            self.answered = True
            return
        if before:
            await self._settle(before)
        progress = await self._ended()
        shape = Shape(reply, key)
        id = id_of(reply, self.incoming)
        if reply.to:
            posted = await surface.show(Place(key.team, self.outlet.surface.home(reply.to)), shape, id)
        elif progress and monotonic() - self.begun < self.outlet.patient:
            posted = await surface.redraw(self.place, progress, shape, id)
            self._replaced(progress)
        else:
            posted = await surface.show(self.place, shape, id)
        shown.add(posted.channel, posted.id, key, reply)
        self.answered = True
        await self._open(form, reply)
        if reply.to:
            await self._tell_where()

    async def _redraw(self, question: Message, reply: Reply) -> None:
        key = self.incoming.key
        place = Place(key.team, question.channel, key.thread)
        shape = Shape(reply, key)
        posted = await self.outlet.surface.redraw(place, Posted(question.channel, question.id), shape)
        self.outlet.shown.add(posted.channel, posted.id, key, reply)

    async def _post(self, reply: Reply) -> None:
        """Show something that asks nothing, such as a file, below."""
        key = self.incoming.key
        place = self.place
        if reply.to:
            question = self.outlet.shown.question(key)
            at_home = question if question and question.channel != key.channel else None
            home = self.outlet.surface.home(reply.to)
            place = Place(key.team, at_home.channel, at_home.id) if at_home else Place(key.team, home)
        shape = Shape(reply, key)
        self._posts += 1
        await self.outlet.surface.show(place, shape, f"{self.incoming.event} {kinds_of(reply.cards)} {self._posts}")

    async def _settle(self, question: Message) -> None:
        """Draw a question that was answered without its buttons, with who decided what, and when."""
        outlet = self.outlet
        outlet.shown.answer(question)
        if not (asks := asks_in(question.reply)):
            return
        memory = await asyncio.to_thread(outlet.router.memory, question.key)
        owner = memory.owner if memory and memory.owner else self.incoming.user
        cards = [await asyncio.to_thread(outlet.router.past.redraw, owner, card) for card in question.reply.cards]
        past = Reply(tuple(cards), turn=question.turn)
        shape = Shape(past, question.key, decision_of(asks, self.incoming))
        place = Place(question.key.team, question.channel, question.key.thread)
        try:
            await outlet.surface.redraw(place, Posted(question.channel, question.id), shape)
        except Undelivered as error:
            log.warning("an answered question could not be drawn as answered: %s", error)

    async def _open(self, form: Form | None, reply: Reply) -> None:
        """Open the form at once where the press that led to it still allows it."""
        if form is None or not self.trigger or monotonic() - self.begun > TRIGGER:
            return
        try:
            asked = Asked(self.incoming.key, reply.turn, reply.cards.index(form))
            await self.outlet.surface.open(form, asked, self.trigger)
        except Undelivered as error:
            log.info("a form was not opened by itself: %s", error)

    async def _tell_where(self) -> None:
        shape = Shape(Reply((Text(WENT_HOME, "quiet"),)), self.incoming.key)
        surface, progress, id = self.outlet.surface, self.progress, f"{self.incoming.event} where"
        if progress:
            await surface.redraw(self.place, progress, shape, id)
            self._replaced(progress)
        else:
            await surface.show(self.place, shape, id)

    async def _sent_home(self, reply: Reply) -> None:
        """Say in a direct message what could not be said in the channel."""
        place = Place(self.incoming.key.team, self.outlet.surface.home(self.incoming.user.id))
        shape = Shape(Reply((Text(SENT_HOME, "problem"), *without_asks(reply.cards))), self.incoming.key)
        try:
            await self.outlet.surface.show(place, shape, f"{self.incoming.event} home")
            self.answered = True
        except Undelivered as error:
            log.warning("%s could not be told: %s", self.incoming.user.id, error)
