"""One turn: what came in, what is remembered, and what a stage may use."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Event
from typing import Any, Protocol, TypeVar

from router.agents.llm import Llm
from router.cards import Card, Progress, Reply, Text
from router.catalog.catalog import Catalog
from router.catalog.connections import Connection, Connections
from router.errors import Stopped, Unclear
from router.intents.words import word_of
from router.jobs.audit import Audit
from router.jobs.results import Results
from router.memory import Memory, ThreadKey, User

W = TypeVar("W", bound=str)


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
    """An input with its thread and author; `event` is the platform's id of it, the same when it is delivered again."""

    key: ThreadKey
    user: User
    input: Input
    event: str = ""


@dataclass(frozen=True, slots=True)
class Tools:
    """What stages may use; built in one place at start."""

    connections: Connections
    catalog: Catalog
    sql_model: Callable[[], Llm]
    """The model that writes SQL; made at the first call, raises AgentFailed where there is none."""
    results: Results
    audit: Audit
    clock: Callable[[], datetime]
    """Now, with a zone."""
    approval_time: timedelta = timedelta(days=7)
    page: int = 20


class Stoppable(Protocol):
    """Something that runs and can be told to stop from another thread."""

    def cancel(self) -> None: ...


@dataclass(slots=True)
class Turn:
    """What a handler sees of one turn."""

    incoming: Incoming
    memory: Memory
    tools: Tools
    post: Callable[[Reply], None]
    notes: list[Card] = field(default_factory=list)
    """Sentences that are shown above the next question."""
    _stop: Event = field(default_factory=Event)
    _running: Stoppable | None = None

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
        return self.tools.connections.demand(self.memory.connection)

    def word(self, *words: W) -> W | None:
        """Return which of `words` was pressed or typed ("okay" is "yes"), or None."""
        if isinstance(self.incoming.input, Filled):
            return None
        found = word_of(self.text, words)
        return next((word for word in words if word == found), None)

    def pick(self, *words: W) -> W:
        """Return which of `words` was pressed or typed; raises Unclear where none was."""
        word = self.word(*words)
        if word is None:
            raise Unclear("I did not understand that as an answer here.")
        return word

    def note(self, text: str, tone: Any = "plain") -> None:
        """Show a sentence above the next question."""
        self.notes.append(Text(text, tone))

    def progress(self, text: str) -> None:
        """Show what is being done; raises Stopped once the person pressed Stop."""
        if self._stop.is_set():
            raise Stopped("Stopped, as you asked.")
        self.post(Reply((Progress(text),), working=True))

    def stopped(self) -> bool:
        """Tell whether the person pressed Stop in this turn."""
        return self._stop.is_set()

    def runs(self, running: Stoppable) -> None:
        """Name what Stop has to cancel from now on."""
        self._running = running
        if self._stop.is_set():
            running.cancel()

    def stop(self) -> None:
        """Cancel what runs; called from another thread."""
        self._stop.set()
        if self._running is not None:
            self._running.cancel()
