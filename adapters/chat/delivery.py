"""One turn's replies on their way to people: what is posted, changed in place, or for one person alone."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic

from adapters.chat.progress import ProgressMessage
from adapters.chat.reply_sender import ReplySender, place_of
from adapters.chat.shown_messages import ShownMessage
from adapters.chat.surface import (
    CHANNEL_LOST,
    MODAL_MAX_SECONDS,
    MessagePlace,
    NotTaken,
    Posted,
    Refusal,
    Shape,
    Undelivered,
    field_in,
    form_of,
    holds_more_than_text,
    id_of,
    kinds_of,
    problem_in,
    problem_of,
    progress_of,
    shape_of,
    without_asks,
)
from adapters.ordered_calls import call_in_order
from adapters.rendering.controls import QuestionRef, asks_in, is_lasting
from router.cards import Code, File, Form, Progress, Reply, Text
from router.interactions.result_buttons import is_lasting_press
from router.memory.thread import ThreadKey
from router.turn import Changed, Filled, Incoming, Pressed, Said

log = logging.getLogger("icc_bot")

NOT_TAKEN = (
    "I have something to show you, but this chat does not take it ({}). It is kept. Ask for less of it, such as fewer "
    "columns, or type “restart” to begin with another question."
)

RESUMES_SOON = "I was interrupted here. What you asked is kept, and I go on by myself in a moment."

SENT_PRIVATELY = "The result went to the person who asked, as a direct message."


@dataclass(slots=True)
class Delivery:
    """Takes the replies to one input, in order; an instance is what `Turns.handle` calls to deliver."""

    reply_sender: ReplySender
    incoming: Incoming
    at: MessagePlace | None = None
    """The place where the input was said, if not in its thread: what only one person reads is answered there."""
    addressed: bool = True
    """True if the bot was meant for sure."""
    trigger: str = ""
    """Opens a modal while it is fresh."""
    refusal: Refusal | None = None
    """Set, for a form or a click, to what is wrong with it."""
    quiet: bool = False
    """True if nobody waits for words, as when a form was closed: only a question is shown."""
    works: Callable[[ThreadKey], None] = lambda key: None
    """Called once it is certain that the input is worked on."""
    turned_away: bool = False
    """True if nothing was done, as somebody pressed who may not: nobody else is shown anything of it."""
    begun: float = field(default_factory=monotonic)
    answered: bool = False
    """True once something was shown that ends the turn."""
    put_off: bool = False
    """True if it is worked on later, since the process ends or nothing can be kept."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once nothing is shown any more, so that the next turn may begin."""
    progress: Posted | None = None
    """The message that the next one takes the place of: progress that is over, or that an earlier process left."""
    approved: tuple[Code, ...] = ()
    """The SQL of a card that made room for what comes of it: it stands there too, folded."""
    _progress_message: ProgressMessage | None = None
    _made_room: bool = False
    """True while progress stands where a card was that somebody pressed."""
    _posts: int = 0

    async def __call__(self, reply: Reply) -> None:
        """Show one reply; what the platform refuses altogether is told in a sentence."""
        if self.quiet and (reply.refused or not reply.turn):
            self.answered = self.answered or not reply.working
            return
        if approvers := self.reply_sender.approvers:
            reply = await approvers.known(self.incoming.key, reply)
        try:
            await self._show(reply)
        except Undelivered as error:
            log.warning("a reply to %s could not be shown: %s", self.incoming.key, error)
            if error.outside:
                await self._sent_home(reply)
            elif error.refused:
                await self._tell_refused(error)
            self.answered = self.answered or error.refused

    async def _tell_refused(self, why: Undelivered) -> None:
        """Let the person alone know that the platform takes no drawing of a reply at all."""
        try:
            await self.reply_sender.surface.whisper(self.place, self.incoming.user, NOT_TAKEN.format(why))
        except Undelivered as error:
            log.warning("%s could not be told: %s", self.incoming.user.id, error)

    async def close(self) -> None:
        """Take away what is left of the progress, once the turn is over; of one that was put off, say that there.

        Without an answer it stays: that may have been drawn there, and the next process that works on the input looks.
        """
        left = await self._ended()
        if left and self.answered:
            await self.reply_sender.surface.remove(self.place, left)
            await self.replaced(left)
        elif left and self.put_off:
            await self._promise(left)
        if self.refusal and not self.refusal.done():
            self.refusal.set_result(NotTaken())

    async def _promise(self, left: Posted) -> None:
        """Say in place of progress that it goes on: what takes up the input later draws its answer there."""
        surface, shown, key = self.reply_sender.surface, self.reply_sender.shown, self.incoming.key
        shape = shape_of(Reply((Text(RESUMES_SOON, "quiet"),), working=True), self.incoming)
        try:
            now = await self._drawn(self.place, left, shape)
            now = now or await surface.show(self.place, shape, progress_of(self.incoming.event))
        except Undelivered as error:
            log.warning("that it goes on later could not be said in %s: %s", key, error)
            return
        await self.replaced(left)
        await call_in_order(shown.begin, now.channel, now.id, key)

    @property
    def thread(self) -> MessagePlace:
        """The thread that is talked in."""
        key = self.incoming.key
        return MessagePlace(key.team, key.channel, key.thread)

    @property
    def place(self) -> MessagePlace:
        """Returns the place that answers go to: where the input was said."""
        return self.at or self.thread

    def _place_of(self, reply: Reply) -> MessagePlace:
        """Return where a reply goes that may be for one person alone."""
        if not reply.to or (self.at and self.incoming.user.id == reply.to):
            return self.place
        return MessagePlace(self.incoming.key.team, self.reply_sender.surface.home(reply.to))

    async def _show(self, reply: Reply) -> None:
        progress = [card for card in reply.cards if isinstance(card, Progress)]
        if progress and len(progress) == len(reply.cards):
            # A result keeps its buttons until it is known that it makes room: CSV leaves it where it is. A form keeps
            # its own until it is known that nothing is wrong with what was sent.
            question = await call_in_order(self.reply_sender.shown.question, self.incoming.key)
            # What was pressed below older rows may be done beside it.
            stays = is_lasting_press(self.incoming.input) or (self.refusal and question and form_of(question.reply))
            if question and not is_lasting(question.reply) and not stays:
                await self._put_away(question)
            if self._progress_message is None:
                self.works(self.incoming.key)
            self._show_progress(progress[-1])
        elif reply.beside and reply.replace and isinstance(self.incoming.input, Changed):
            await self._withdraw(reply)
        elif reply.beside and reply.replace:
            await self._conclude(reply)
        elif reply.refused or (reply.to and not reply.turn and not reply.beside and not holds_more_than_text(reply)):
            await self._refuse(reply)
        elif reply.working or reply.beside:
            await self._say(reply)
        else:
            await self._ask(reply)

    def _show_progress(self, progress: Progress) -> None:
        if self._progress_message is None:
            reply_sender, id = self.reply_sender, progress_of(self.incoming.event)
            surface, shown, key = reply_sender.surface, reply_sender.shown, self.incoming.key
            self._progress_message = ProgressMessage(surface, self.place, shown, key, id, reply_sender.pace)
            self._progress_message.posted, self.progress = self.progress, None
        self._progress_message.show(progress)

    async def _ended(self) -> Posted | None:
        """End the progress, and return the message that is left of it."""
        if self._progress_message:
            message, self._progress_message = self._progress_message, None
            self.progress = await message.end()
        return self.progress

    async def replaced(self, progress: Posted) -> None:
        """Note that something else stands where progress was shown."""
        self.progress = None
        await call_in_order(self.reply_sender.shown.end, progress.channel, progress.id)

    async def _refuse(self, reply: Reply) -> None:
        """Show the person alone why this was not taken; the question that stands is drawn again if it has changed.

        One of the same number is left as it is: what others see of it, approvers above all, stays good.
        """
        sentence = reply.refused or " ".join(card.body for card in reply.cards if isinstance(card, Text))
        log.info("%s was refused in %s: %s", self.incoming.user.id, self.incoming.key, sentence)
        question = await call_in_order(self.reply_sender.shown.question, self.incoming.key)
        if reply.turn and (question is None or (self.addressed and isinstance(self.incoming.input, Said))):
            await self._ask(reply)
            return
        told = self._told(sentence, reply.turn if form_of(reply) else 0, reply.refused_field)
        if reply.turn and question and reply.turn != question.turn:
            await self._redraw(question, reply)
        self.turned_away = not reply.turn and isinstance(self.incoming.input, Pressed | Filled)
        if not told:
            await self.reply_sender.surface.whisper(self.place, self.incoming.user, sentence)
        self.answered = True

    async def _put_away(self, question: ShownMessage) -> None:
        """Take a card that is worked on: where it was pressed, it makes room for what comes."""
        sql = any(isinstance(card, Code) for card in question.reply.cards)
        given = self.incoming.input
        pressed = isinstance(given, Pressed | Filled) and not is_lasting_press(given)
        here = place_of(question) == self.place
        taken = self.progress or self._progress_message
        if not pressed or not here or taken or (sql and not await self._goes_on(question)):
            await self.reply_sender.draw_answered(question, self.incoming)
            return
        self.approved = tuple(card for card in question.reply.cards if isinstance(card, Code))
        self.progress, self._made_room = Posted(question.channel, question.id), True
        await call_in_order(self.reply_sender.shown.make_room, question)

    async def _withdraw(self, reply: Reply) -> None:
        """Have the card of a question that was taken back say so, and nothing else."""
        shown, self.answered = self.reply_sender.shown, True  # whatever becomes of the line
        question = await call_in_order(shown.question, self.incoming.key)
        if question and not is_lasting(question.reply):
            await call_in_order(shown.answer, question)
            posted = Posted(question.channel, question.id)
            await self._drawn(place_of(question), posted, shape_of(reply, self.incoming))
            await call_in_order(shown.add, posted.channel, posted.id, self.incoming.key, reply)
        elif isinstance(self.incoming.input, Changed) and not self.incoming.input.text:
            shape, id = shape_of(reply, self.incoming), f"{self.incoming.event} over"
            await self.reply_sender.surface.show(self.place, shape, id)

    async def _goes_on(self, question: ShownMessage) -> bool:
        """Return whether the asker goes on with SQL of theirs: it is left standing if another person approves it,
        since the rows have to notify the asker, and if it is cancelled."""
        if isinstance(self.incoming.input, Pressed) and self.incoming.input.answer == "cancel":
            return False
        memory = await asyncio.to_thread(self.reply_sender.router.memory, question.key)
        return memory is not None and memory.owner is not None and memory.owner.id == self.incoming.user.id

    async def _conclude(self, reply: Reply) -> None:
        """Show what came of the card that was acted upon, in its place."""
        question = await call_in_order(self.reply_sender.shown.question, self.incoming.key)
        if question and not is_lasting(question.reply):
            await self._put_away(question)
        reply = self._with_approved(reply)
        if reply.cards:  # else the card below is enough, and what is left of this one goes in the end
            await self._put(self._place_of(reply), reply, id_of(reply, self.incoming))
        self.answered = True

    async def _put(self, place: MessagePlace, reply: Reply, id: str) -> Posted:
        """Draw an answer in place of the progress, or post it, where that stands elsewhere or was begun long ago."""
        progress, shape = await self._ended(), shape_of(reply, self.incoming)
        posted = None
        if progress and place == self.place and monotonic() - self.begun < self.reply_sender.patient:
            posted = await self._drawn(place, progress, shape, id)
        if progress and posted:
            await self.replaced(progress)
        return posted or await self.reply_sender.surface.show(place, shape, id)

    def _with_approved(self, reply: Reply) -> Reply:
        """Return a reply with the SQL of the card that it takes the place of, unless it shows SQL itself."""
        if any(isinstance(card, Code) for card in reply.cards):
            return reply
        at = next((n for n, card in enumerate(reply.cards) if card in asks_in(reply)), len(reply.cards))
        sql = (replace(code, caption="", steps=(), folded=True) for code in self.approved)
        return replace(reply, cards=(*reply.cards[:at], *sql, *reply.cards[at:]))

    def _told(self, sentence: str, turn: int, field: str = "") -> bool:
        """Give what is wrong to the form or the click that waits for it; returns whether one did."""
        if self.refusal is None or self.refusal.done():
            return False
        self.refusal.set_result(NotTaken(sentence, turn, field))
        return True

    async def _ask(self, reply: Reply) -> None:
        """Show the question that stands now: in place of itself, of the progress, or below."""
        shown, surface, key = self.reply_sender.shown, self.reply_sender.surface, self.incoming.key
        before = await call_in_order(shown.question, key)
        form = form_of(reply)
        wrong = problem_in(form) or problem_of(reply) if form else ""
        told = bool(wrong) and self._told(wrong, reply.turn, field_in(form))
        if told and before and is_lasting(before.reply) and surface.tells_of_closed_forms:
            self.answered = True  # the form that a result's own button opened says it, until it is sent or closed
            return
        # A form that a result's own button opened is wrong: the result stays, whose buttons hold.
        if before and (reply.replace or (told and form_of(before.reply))):
            await self._redraw(before, reply)
            self.answered = True
            return
        if before and not is_lasting(before.reply):
            await self._put_away(before)
        place = self._place_of(reply)
        reply = self._with_approved(reply) if place == self.place else reply
        posted = await self._put(place, reply, id_of(reply, self.incoming))
        await call_in_order(shown.add, posted.channel, posted.id, key, reply)
        self.answered = True
        await self._open(form, reply)
        if place != self.place:
            await self._tell_where()

    async def _drawn(self, place: MessagePlace, posted: Posted, shape: Shape, id: str = "") -> Posted | None:
        """Draw a message again, and return what stands there now; None if it is gone."""
        try:
            return await self.reply_sender.surface.redraw(place, posted, shape, id)
        except Undelivered as error:
            if not error.gone:
                raise
            return None

    async def _redraw(self, question: ShownMessage, reply: Reply) -> None:
        """Draw the question that stands again; if somebody deleted it, post it. SQL folded in it stays there."""
        self.approved = tuple(card for card in question.reply.cards if isinstance(card, Code))
        reply = self._with_approved(reply)
        key, shape = self.incoming.key, shape_of(reply, self.incoming)
        posted = await self._drawn(place_of(question), Posted(question.channel, question.id), shape)
        if posted is None:
            posted = await self.reply_sender.surface.show(self._place_of(reply), shape, id_of(reply, self.incoming))
        await call_in_order(self.reply_sender.shown.add, posted.channel, posted.id, key, reply)

    async def _say(self, reply: Reply) -> None:
        """Show what is said on the way, or beside the question that stands."""
        if reply.closes:
            await self._close_cards(reply.closes)
        if reply.cards:
            await self._post(reply)
        self.answered = self.answered or reply.beside

    async def _close_cards(self, about: str) -> None:
        """Draw the thread's cards as answered that were about this alone, whatever was asked since."""
        for message in await call_in_order(self.reply_sender.shown.offering, self.incoming.key, about):
            asks = [ask for ask in asks_in(message.reply) if not isinstance(ask, Form)]
            if all(f":{about}" in option.answer for ask in asks for option in ask.options):
                await self.reply_sender.draw_answered(message, self.incoming)

    async def _post(self, reply: Reply) -> None:
        """Show something that asks nothing, such as a file, below."""
        # What is shown to all, such as a result that is shared, goes where all are.
        key, place = self.incoming.key, self._place_of(reply) if reply.to else self.thread
        question = await call_in_order(self.reply_sender.shown.question, key)
        if place.channel != key.channel and not place.thread and question and question.channel != key.channel:
            place = MessagePlace(key.team, question.channel, question.id)  # below the private result that it is about
        self._posts += 1
        id = f"{self.incoming.event} {kinds_of(reply.cards)} {self._posts}"
        approved = self._with_approved(reply)
        posted = await self._taken(place, approved, id) if self._made_room else None
        if posted:
            reply = approved
        else:
            posted = await self.reply_sender.surface.show(place, shape_of(reply, self.incoming), id)
        if asks_in(reply):
            await call_in_order(self.reply_sender.shown.add, posted.channel, posted.id, key, reply)

    async def _taken(self, place: MessagePlace, reply: Reply, id: str) -> Posted | None:
        """Draw what is said first in place of the card that made room, so that all of it stands in its order."""
        files = any(isinstance(card, File) for card in reply.cards)
        if files or reply.to or place != self.place or not (progress := await self._ended()):
            return None
        self._made_room = False
        if posted := await self._drawn(place, progress, shape_of(reply, self.incoming), id):
            await self.replaced(progress)
            self.approved = ()
        return posted

    async def _open(self, form: Form | None, reply: Reply) -> None:
        """Open the form at once if the press that led to it still allows it."""
        if form is None or not self.trigger or monotonic() - self.begun > MODAL_MAX_SECONDS:
            return
        try:
            asked = QuestionRef(self.incoming.key, reply.turn, reply.cards.index(form))
            await self.reply_sender.surface.open(form, asked, self.trigger)
        except Undelivered as error:
            log.info("a form was not opened by itself: %s", error)

    async def _tell_where(self) -> None:
        """Say where the result went; it is there, whatever becomes of this."""
        said = self._with_approved(Reply((Text(SENT_PRIVATELY, "quiet"),)))
        try:
            await self._put(self.place, said, f"{self.incoming.event} where")
        except Undelivered as error:
            log.warning("where a result went could not be said in %s: %s", self.incoming.key, error)

    async def _sent_home(self, reply: Reply) -> None:
        """Say in a direct message what could not be said in the channel."""
        place = MessagePlace(self.incoming.key.team, self.reply_sender.surface.home(reply.to or self.incoming.user.id))
        said = Reply((Text(CHANNEL_LOST, "problem"), *without_asks(reply.cards)), sensitivity=reply.sensitivity)
        shape = Shape(said, self.incoming.key)
        try:
            await self.reply_sender.surface.show(place, shape, f"{self.incoming.event} home")
            self.answered = True
        except Undelivered as error:
            log.warning("%s could not be told: %s", self.incoming.user.id, error)
