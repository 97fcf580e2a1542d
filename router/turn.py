"""One turn: what came in, what is remembered, and what a stage may use."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from router.cards import Card, Progress, Reply, Text
from router.catalog.connection import Connection
from router.catalog.values import ValueIndex
from router.errors import JobFailed, Stopped, Unclear, Unsure
from router.intents.words import word_of
from router.jobs.audit import Entry
from router.jobs.audit import Event as Happening
from router.jobs.entries import Entry as Job
from router.jobs.entries import Request, State
from router.jobs.shelf import Shelf
from router.memory import Memory, Place, Stage, ThreadKey, User
from router.stopping import Stoppable, Stopping
from router.tools import Tools as Tools

W = TypeVar("W", bound=str)

MENU = "menu:"
"""Stands before a name in a menu's answers, so that a table called "all" is not taken for the button All."""


@dataclass(frozen=True, slots=True)
class Said:
    """The person typed this."""

    text: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """The person pressed a button, or chose from a menu (several answers where the menu allows it)."""

    answer: str
    turn: int
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filled:
    """The person sent a form."""

    values: dict[str, str]
    turn: int


@dataclass(frozen=True, slots=True)
class Opened:
    """The person looks at the thread: the question that stands is shown again, or a greeting."""


Input = Said | Pressed | Filled | Opened


@dataclass(frozen=True, slots=True)
class Incoming:
    """An input with its thread and author; `event` is the platform's id of it, the same when it is delivered again.

    `shared`: others than the author can read the thread.
    """

    key: ThreadKey
    user: User
    input: Input
    event: str = ""
    shared: bool = False


@dataclass(slots=True)
class Turn:
    """What a handler sees of one turn."""

    incoming: Incoming
    memory: Memory
    tools: Tools
    post: Callable[[Reply], None]
    notes: list[Card] = field(default_factory=list)
    """Sentences that are shown above the next question."""
    stopping: Stopping = field(default_factory=Stopping)
    answered: bool = False
    """Whether a sentence was answered at once, so that what stands above it is not shown again."""
    achieved: Stage | None = None
    """The last stage of work that was done in this turn; None where none was, or the last one failed."""
    keep: Callable[[], None] = lambda: None
    """Has what is remembered be on the disk now, in the midst of the turn; its input is worked on anew after a kill."""
    _values: dict[tuple[str, str], ValueIndex] = field(default_factory=dict)

    @property
    def user(self) -> User:
        """Who acts in this turn."""
        return self.incoming.user

    @property
    def owner(self) -> User:
        """Who started the thread."""
        return self.memory.owner or self.user

    @property
    def text(self) -> str:
        """What was typed, pressed, or put into the first field of the form."""
        match self.incoming.input:
            case Said(text):
                return text.strip()
            case Pressed(answer):
                return answer
            case Filled(values):
                return next(iter(values.values()), "").strip()
            case Opened():
                return ""

    @property
    def connection(self) -> Connection:
        """The connection of this thread."""
        return self.tools.connections.demand(self.memory.place.connection)

    @property
    def results(self) -> Shelf:
        """The results as the one who started the thread may see them."""
        return self.tools.results.seen_by(self.owner)

    def values(self) -> ValueIndex:
        """Return what finds the values of the chosen schema; a turn waits for it once, and is of one mind about it."""
        place = self.memory.place
        key = (place.connection, place.schema)
        if key not in self._values:
            self._values[key] = self.tools.catalog.values(*key)
        return self._values[key]

    def known_tables(self) -> frozenset[str]:
        """Return the names of the tables that were read so far, in lower case; the likely database is read now."""
        catalog, connections = self.tools.catalog, self.tools.connections
        place = self.memory.place if self.memory.place.connection in connections else Place()
        likely = place.connection or (connections.default.name if connections.default else "")
        if likely or len(connections) == 1:
            catalog.schema(likely or next(iter(connections)), place.schema)
        return catalog.known_tables()

    @property
    def names(self) -> tuple[str, ...]:
        """What was chosen from a menu, or typed with commas."""
        match self.incoming.input:
            case Pressed(answer, more=more):
                return tuple(name.removeprefix(MENU) for name in (answer, *more))
            case _:
                return tuple(name.strip() for name in self.text.split(",") if name.strip())

    def word(self, *words: W) -> W | None:
        """Return which of `words` was pressed, or typed in one way or another ("okay" is "yes"); None otherwise."""
        match self.incoming.input:
            case Pressed(answer):
                found: str | None = answer
            case Said(text):
                found = word_of(text, words)
            case _:
                found = None
        return next((word for word in words if word == found), None)

    def pick(self, *words: W) -> W:
        """Return which of `words` was pressed or typed; raises Unclear where none was."""
        word = self.word(*words)
        if word is None:
            raise Unclear("I did not understand that as an answer here.")
        return word

    def note(self, text: str, tone: Any = "plain") -> None:
        """Show a sentence above the next question, once."""
        if not any(isinstance(card, Text) and card.body == text for card in self.notes):
            self.notes.append(Text(text, tone))

    def progress(self, text: str) -> None:
        """Show what is being done; raises Stopped once the person pressed Stop."""
        self.demand_going_on()
        self.post(Reply((Progress(text),), working=True))

    def does(self, request: Request, approver: User, undone: str = "") -> Job:
        """Have an approved job done and return it once it is DONE; one that was asked for before is not done again.

        Raises JobFailed, Unsure or Stopped with what the ledger says of it; one that was stopped says that it is
        `undone`.
        """
        said = ""

        def tell(job: Job, doing: str) -> None:
            nonlocal said
            if doing and doing != said:
                self.post(Reply((Progress(doing),), working=True))
                said = doing

        job = self.tools.jobs.run(replace(request, people=(self.owner, approver)), tell, self.stopping)
        match job.state:
            case State.DONE:
                return job
            case State.CANCELLED:
                raise Stopped(job.error if undone in job.error else f"{job.error} {undone}")
            case State.UNSURE:
                raise Unsure(job.error)
        raise JobFailed(job.error)

    def record(self, event: Happening, **fields: Any) -> None:
        """Write into the audit trail what happened in this thread."""
        self.tools.audit.add(
            Entry(event, str(self.incoming.key), self.owner.id, connection=self.memory.place.connection, **fields)
        )

    def stopped(self) -> bool:
        """Tell whether this turn is to end."""
        return self.stopping.asked.is_set()

    def demand_going_on(self) -> None:
        """Raise Stopped where this turn is to end."""
        if self.stopped():
            raise Stopped("Stopped, as you asked.")

    def runs(self, running: Stoppable) -> None:
        """Name what Stop has to cancel from now on."""
        self.stopping.runs(running)
