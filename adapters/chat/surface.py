"""The contract of a chat platform, by which the conversation service holds talks on it: one class a platform."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from adapters.rendering.controls import QuestionRef
from router.cards import Buttons, Card, Choice, File, Form, Progress, Reply, Table, Text
from router.memory.draft import User
from router.memory.thread import Memory, ThreadKey
from router.teaching.save_example import OFFER
from router.turn import Filled, Incoming, Input, Pressed, QuotedCard


@dataclass(frozen=True, slots=True)
class NotTaken:
    """The reason why an input was not taken: empty if it was."""

    sentence: str = ""
    turn: int = 0
    """The number of the form that stands then; 0 if none does."""
    field: str = ""
    """The name of the field that is wrong; empty if a form that stands says it, or nobody knows."""


Refusal = asyncio.Future[NotTaken]
"""Set once it is known whether an input is taken."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person, and whether they belong to another company, as people in shared channels may."""

    user: User
    stranger: bool = False


@dataclass(frozen=True, slots=True)
class MessagePlace:
    """The address of a message: a thread of a channel, or the top of it; `channel` may be a person's id.

    `respond` is the platform's own address for answers to what a person did there, if it gave one.
    """

    team: str
    channel: str
    thread: str = ""
    respond: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Heard:
    """An input as it was heard.

    `addressed`: the bot was meant for sure. `shared`: others can read the thread. A key without a thread is one that
    has to be begun. `place`: where it was said, which is where it is answered, if that is not the thread itself.
    `quoted` is what a message is about.
    """

    key: ThreadKey
    user: User
    input: Input
    event: str
    addressed: bool = True
    shared: bool = True
    place: MessagePlace | None = None
    quoted: QuotedCard | None = None

    @property
    def at(self) -> MessagePlace:
        """The place where it was said, and is answered."""
        return self.place or MessagePlace(self.key.team, self.key.channel, self.key.thread)


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that is there: the platform's names of its channel and of itself."""

    channel: str
    id: str


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """The answer to a question: what was pressed (empty if the person typed), by whom and when."""

    label: str
    by: User
    at: datetime


@dataclass(frozen=True, slots=True)
class Shape:
    """A message to be drawn: a reply of a thread; with a decision, nothing in it can be pressed any more.

    `asker` is the id of whom it answers: who gets its files if they can only be handed to one person.
    """

    reply: Reply
    key: ThreadKey
    decision: QuestionOutcome | None = None
    asker: str = ""


class Undelivered(Exception):
    """The platform did not do what it was asked to.

    `outside`: the bot cannot write to this place at all. `gone`: the message cannot be changed any more. `refused`:
    this message is not taken, however often it is tried. `lost`: its answer was lost, and it may have done it.
    """

    def __init__(
        self,
        word: str,
        outside: bool = False,
        gone: bool = False,
        refused: bool = False,
        lost: bool = False,
    ) -> None:
        super().__init__(word)
        self.outside, self.gone, self.refused, self.lost = outside, gone, refused, lost


PROGRESS_AFTER_SECONDS = 0.4
"""Seconds before a message says what is being done: what is done by then needs none."""


class Surface(Protocol):
    """A platform; every method raises Undelivered, and nothing else, if the platform does not do it."""

    @property
    def progress_after(self) -> float:
        """Returns the seconds before a message says what is being done; until then, a sign of the platform does."""

    @property
    def tells_of_closed_forms(self) -> bool:
        """Return whether the platform says that a person closed a form, so that no message has to stand for it."""

    @property
    def picks_channels(self) -> bool:
        """Return whether a form can have people pick a channel."""

    async def channel(self, team: str, named: str) -> str:
        """Return the id of a channel that has this id, or that was called so not long ago; raises Undelivered.

        It is `outside` if the bot is not in it, or nobody knows which it is.
        """

    async def show(self, place: MessagePlace, shape: Shape, id: str, *, brief: bool = False) -> Posted:
        """Post a message with what is attached to it, once; `id` is the same when it is posted again.

        `brief`: it is not worth many tries.
        """

    async def redraw(self, place: MessagePlace, posted: Posted, shape: Shape, id: str = "") -> Posted:
        """Draw a message again in its place; returns what stands there now, which may be another message.

        With an `id` it is another message from now on, which is found by this, and what is attached is uploaded.
        """

    async def remove(self, place: MessagePlace, posted: Posted) -> None:
        """Delete a message; if that fails, it stays."""

    async def find(self, place: MessagePlace, id: str) -> Posted | None:
        """Return the message with this id, if the platform lets the bot look."""

    async def whisper(self, place: MessagePlace, user: User, text: str) -> None:
        """Send one person a text that nobody else sees, as far as the platform can."""

    async def person(self, team: str, user: User) -> Person:
        """Return who somebody is; raises Undelivered if the platform does not tell for sure."""

    async def find_person(self, key: ThreadKey, identity: str) -> User | None:
        """Return somebody whom a connection lists by address or id, as people of a thread's team find each other.

        None if the platform does not know them, or does not tell.
        """

    async def begin(self, heard: Heard, again: bool) -> Heard:
        """Begin a thread for an input that has none, and return the input in it; `again` if that may be done."""

    async def tell(self, key: ThreadKey, memory: Memory | None, working: bool) -> None:
        """Show whether the bot is at work in a thread, or what it waits for; if that fails, nothing is lost."""

    async def open(self, form: Form, asked: QuestionRef, trigger: str) -> None:
        """Open a form by itself, if the platform has such forms."""

    async def link(self, key: ThreadKey) -> str:
        """Return an address under which people open a thread; empty if nobody but its owner could."""

    def home(self, user: str) -> str:
        """Return the channel of a person's direct messages, or what stands for it."""


# Questions about replies and inputs that the delivery asks.


Ask = Buttons | Choice | Form

CHANNEL_LOST = "I cannot write to that channel (any more). Invite me there, then ask again; here is my answer:"

MODAL_MAX_SECONDS = 2.5
"""Seconds for which a press may still open a modal, of the three that Slack allows."""


def decision_of(asks: list[Ask], incoming: Incoming) -> QuestionOutcome:
    """Return how these asks were answered just now."""
    now = datetime.now().astimezone()
    match incoming.input:
        case Pressed(answer, more=more):
            options = {o.answer: o.label for ask in asks if not isinstance(ask, Form) for o in ask.options}
            labels = [options[each] for each in (answer, *more)[:5] if options.get(each)]
            return QuestionOutcome(", ".join(labels) or "Left for something else", incoming.user, now)
        case Filled():
            return QuestionOutcome("Sent", incoming.user, now)
        case _:
            return QuestionOutcome("", incoming.user, now)


def shape_of(reply: Reply, incoming: Incoming) -> Shape:
    """Return a reply to an input as a message to be drawn."""
    return Shape(reply, incoming.key, asker=incoming.user.id)


def id_of(reply: Reply, incoming: Incoming) -> str:
    return f"{incoming.key}:{reply.turn}" if reply.turn else f"{incoming.event} answer"


def progress_of(event: str) -> str:
    """Return the id of the message that shows the progress of an input."""
    return f"{event} progress"


def form_of(reply: Reply) -> Form | None:
    return next((card for card in reply.cards if isinstance(card, Form)), None)


def problem_in(form: Form) -> str:
    return next((field.problem for field in form.fields if field.problem), "")


def field_in(form: Form | None) -> str:
    """Return the name of the field that is wrong; empty if none is known to be."""
    return next((field.name for field in form.fields if field.problem), "") if form else ""


def problem_of(reply: Reply) -> str:
    return next((card.body for card in reply.cards if isinstance(card, Text) and card.tone == "problem"), "")


def rated_in(reply: Reply) -> str:
    return next((card.result for card in reply.cards if isinstance(card, Table)), "")


def holds_more_than_text(reply: Reply) -> bool:
    return any(not isinstance(card, Text | Progress) for card in reply.cards)


def without_asks(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if not isinstance(card, Buttons | Choice | Form))


def kinds_of(cards: tuple[Card, ...]) -> str:
    return " ".join(card.name if isinstance(card, File) else type(card).__name__ for card in cards)


def offer_example(key: ThreadKey, user: User, result: str, shared: bool) -> Heard:
    """Return what has the core offer to keep an answer as an example, once for each person and answer."""
    return Heard(key, user, Pressed(f"{OFFER}{result}", 0), event=f"example {user.id} {result}", shared=shared)
