"""One turn: what came in, what is remembered, and what a stage may use."""

import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event
from typing import Any, Literal, TypeVar

from router.approval_requests import ApprovalRequest
from router.cards import Card, Progress, Reply, Text
from router.catalog.connection import Connection
from router.catalog.schema import Schema
from router.catalog.values import ValueIndex, names_known
from router.errors import JobFailed, Stopped, Unsure
from router.jobs.audit import AuditEntry
from router.jobs.audit import Event as Happening
from router.jobs.cancellation import Stopping, run_detached
from router.jobs.job_entry import JobEntry as Job
from router.jobs.job_entry import JobState, Request
from router.jobs.results.reader import PersonalResults
from router.llm.call import Requester
from router.memory.draft import Draft, Place, User
from router.memory.stage import Stage
from router.memory.thread import Memory, News, Step, ThreadKey
from router.memory.understanding import TypedAt
from router.policy import readable_connections
from router.services import Services
from router.sql.writing.order import ResultField
from router.understanding.button_words import word_of
from router.understanding.classifier import IntentDecision
from router.understanding.courtesy import Peeled
from router.understanding.typed_sql import TypedSql, find_sql

T = TypeVar("T")
W = TypeVar("W", bound=str)

log = logging.getLogger(__name__)

NO_ANSWER = "I didn't understand that here."

SQL_STEPS = 3
"""The number of steps from a question to SQL: the schema is read, the SQL is written, and checked."""

Achieved = Literal["sql", "rows", "step"]
"""The outcome of work: SQL for a question, the rows of a query, or any other step."""

MENU = "menu:"
"""Stands before a name in a menu's answers, so that a table called "all" is not taken for the button All."""


@dataclass(frozen=True, slots=True)
class Said:
    """The person typed this."""

    text: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """The person pressed a button, or chose from a menu (several answers if the menu allows it)."""

    answer: str
    turn: int
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filled:
    """The person sent a form; `answer` is that of the button which opened it, if one did."""

    values: dict[str, str]
    turn: int
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """The person looks at the thread: the question that stands is shown again, or a greeting."""


@dataclass(frozen=True, slots=True)
class Changed:
    """The person changed a message that was taken, or deleted it: `of` is its event, `text` empty if it is gone."""

    of: str
    text: str = ""


Input = Said | Pressed | Filled | Opened | Changed


@dataclass(frozen=True, slots=True)
class QuotedCard:
    """The card that a message quotes: the number of its question, 0 if nobody knows it; the id of its result."""

    turn: int = 0
    result: str = ""


@dataclass(frozen=True, slots=True)
class Incoming:
    """An input with its thread and author; `event` is the platform's id of it, the same when it is delivered again.

    `shared`: others than the author can read the thread. `quoted` is what a typed message is about.
    """

    key: ThreadKey
    user: User
    input: Input
    event: str = ""
    shared: bool = False
    quoted: QuotedCard | None = None


@dataclass(slots=True)
class Turn:
    """One turn, as a handler sees it."""

    incoming: Incoming
    memory: Memory
    services: Services
    post: Callable[[Reply], None]
    notes: list[Card] = field(default_factory=list)
    """Sentences that are shown above the next question."""
    stopping: Stopping = field(default_factory=Stopping)
    answered: bool = False
    """True once a sentence was answered at once, so that what stands above it is not shown again."""
    answered_as: str = ""
    """The category of the sentence that was answered at once."""
    typed: str = ""
    """The text that was typed, with its courtesies."""
    taken_by: str = ""
    """The name of the recogniser that took the input."""
    typed_at: TypedAt = "ask"
    """The question that stood when the input came."""
    achieved: Achieved | None = None
    """The outcome of this turn's last work; None if there was none, or it failed."""
    step: int = 0
    """The number of the step at hand, if what is being done is one of several."""
    courtesy: Peeled = field(default_factory=lambda: Peeled(""))
    """The courtesies that stood around what was typed; the input goes without them."""
    refusal: str = ""
    """The sentence about an input that was no answer."""
    requests: list[ApprovalRequest] = field(default_factory=list)
    """The approvals that the question which is shown now waits for."""
    approved: bool = False
    """True once the input was taken as a Yes."""
    before: Step = field(default_factory=lambda: Step(Stage.START, Place(), Draft(), None))
    """The step at which the talk stood when the input came."""
    asks: bool = False
    """True once what was typed was taken as a question, or as SQL."""
    question_noted: bool = False
    """True once the message is kept as the one that the question at hand came with."""
    repeated: bool = False
    """True if the input was cut short by a kill, and comes again."""
    origin: Input = field(default_factory=Opened)
    """The input as it came, whatever it is worked on as."""
    goes_on: bool = False
    """True if the input left a task for another wish, which the question that stands then takes."""
    filled: dict[str, str] = field(default_factory=dict)
    """The fields of a form that came with a press, for the questions that it leads to."""
    field_at_hand: str = ""
    """The field of those that the input is now."""
    flush: Callable[[], None] = lambda: None
    """Writes the memory to the disk now, in the midst of the turn; its input is worked on again after a kill."""
    undo: Callable[[], None] = lambda: None
    """Has the talk be as it was saved, if a card took nothing of the input."""
    fields: dict[str, tuple[ResultField, ...]] = field(default_factory=dict)
    """The columns of results that were read in this turn, by their ids."""
    heard: dict[str, IntentDecision] = field(default_factory=dict)
    """The wishes of sentences, as they were told in this turn."""
    _values: dict[tuple[str, str], ValueIndex] = field(default_factory=dict)
    _sql: dict[str, TypedSql | None] = field(default_factory=dict)

    @property
    def user(self) -> User:
        """The person who acts in this turn."""
        return self.incoming.user

    @property
    def owner(self) -> User:
        """The person who started the thread."""
        return self.memory.owner or self.user

    @property
    def text(self) -> str:
        """The text that was typed, pressed, or put into the first field of the form."""
        match self.incoming.input:
            case Said(text):
                return text.strip()
            case Pressed(answer):
                return answer
            case Filled(values):
                return next(iter(values.values()), "").strip()
            case Changed(text=text):
                return text.strip()
            case Opened():
                return ""

    @property
    def connection(self) -> Connection:
        """The connection of this thread."""
        return self.services.connections.require(self.memory.place.connection)

    @property
    def results(self) -> PersonalResults:
        """The results as the one who started the thread may see them."""
        return self.services.results.seen_by(self.owner)

    def values(self) -> ValueIndex:
        """Return what finds the values of the chosen schema; a turn waits for it once, and is of one mind about it."""
        key = self.memory.place.at
        if key not in self._values:
            self._values[key] = self.services.catalog.values(*key)
        return self._values[key]

    def schema(self) -> Schema:
        """Return the tables of the chosen schema; raises NotAllowed if it may not be read, or JobFailed."""
        return self.services.catalog.schema(*self.memory.place.at)

    def typed_sql(self) -> TypedSql | None:
        """Return the SQL of what was typed or filled in, None if there is none; a turn looks for it once.

        What may be a question in words as well is one.
        """
        found = self.sql_in(self.text) if isinstance(self.incoming.input, Said | Filled) else None
        if found is None or found.unsure:
            return None
        peeled = self.text == self.courtesy.text != self.typed.strip()
        return replace(found, cut=True) if peeled else found

    def sql_in(self, text: str) -> TypedSql | None:
        """Return the SQL of a text, as the database reads it that is likely asked; None if there is none."""
        if text not in self._sql:
            connections = self.services.connections
            here = connections.get(self.memory.place.connection) or connections.default
            likely = (here,) if here else tuple(readable_connections(connections, self.owner))
            dialects = tuple(dict.fromkeys(each.dialect.name for each in likely)) or ("sqlite",)
            self._sql[text] = find_sql(text, self.known_tables, dialects)
        return self._sql[text]

    def known_tables(self) -> frozenset[str]:
        """Return the names of the tables that were read so far, in lower case; the likely database is read now."""
        catalog, connections = self.services.catalog, self.services.connections
        place = self.memory.place if self.memory.place.connection in connections else Place()
        likely = place.connection or (connections.default.name if connections.default else "")
        if likely or len(connections) == 1:
            with suppress(Stopped):  # the next step says so
                self.reads(lambda: catalog.schema(likely or next(iter(connections)), place.schema))
        return frozenset(table.name.lower() for schema in catalog.known() for table in schema.tables)

    def known_words(self) -> frozenset[str]:
        """Return the words of tables and columns that were read so far, of the database at hand or the usual one."""
        default = self.services.connections.default
        place = self.memory.place if self.memory.place.connection else Place(default.name if default else "")
        return names_known(self.services.catalog.known(), *place.at)

    def reads(self, read: Callable[[], T]) -> T:
        """Return what is read of a database's tables, which takes long at the first time; raises what `read` raises.

        Raises Stopped once Stop was pressed: the reading goes on then, for the next caller.
        """

        def keep_reading() -> T:
            try:
                return read()
            except BaseException as error:
                if self.stopped():
                    log.info("tables that nobody waits for were not read: %s", type(error).__name__)
                raise

        woken = Event()
        self.stopping.runs(woken.set)
        found = run_detached(partial(copy_context().run, keep_reading), woken, "reading tables")
        if not found.done():
            self.stopping.require_going_on()
        return found.result()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that were chosen from a menu, or typed with commas."""
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

    def pressed(self, *answers: str) -> bool:
        """Return whether a button with one of these answers was pressed, or its word typed as a reply to its card."""
        given, quoted = self.incoming.input, self.incoming.quoted
        if isinstance(given, Said):
            return quoted is not None and bool(quoted.turn) and self.word(*answers) is not None
        return isinstance(given, Pressed) and given.answer in answers

    def take_filled(self, names: Collection[str]) -> bool:
        """Have the fields of these names be the answer to the question that stands; return whether there are some."""
        given = {name: self.filled.pop(name) for name in tuple(self.filled) if name in names}
        if not any(given.values()):
            return False
        self.field_at_hand = next(name for name, value in given.items() if value)
        self.incoming = replace(self.incoming, input=Filled(given, self.memory.turn))
        return True

    def unclear(self, said: str = NO_ANSWER) -> Literal["unclear"]:
        """Return the word for an input that is no answer here; `said` tells the person so, with the question again."""
        self.refusal = said
        return "unclear"

    def note(self, text: str, tone: Any = "plain") -> None:
        """Show a sentence above the next question, once."""
        if not any(isinstance(card, Text) and card.body == text for card in self.notes):
            self.notes.append(Text(text, tone))

    def answers(self, category: str) -> None:
        """Note that a sentence was answered at once, as one of a category: what stands above it is not shown again."""
        self.answered, self.answered_as = True, category

    def progress(self, text: str, step: int | None = None, /) -> None:
        """Show what is being done, as part of the step at hand or of another; raises Stopped once Stop was pressed."""
        self.stopping.require_going_on()
        if step is not None:
            self.step = step
        self.post(Reply((Progress(text, step=self.step, steps=SQL_STEPS if self.step else 0),), working=True))

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

        job = self.services.jobs.run(replace(request, people=(self.owner, approver)), tell, self.stopping)
        match job.state:
            case JobState.DONE:
                return job
            case JobState.CANCELLED:
                raise Stopped(job.error if undone in job.error else f"{job.error} {undone}")
            case JobState.UNSURE:
                raise Unsure(job.error)
        raise JobFailed(job.error)

    def record(self, event: Happening, **fields: Any) -> None:
        """Write into the audit trail what happened in this thread."""
        self.services.audit.add(
            AuditEntry(event, str(self.incoming.key), self.owner.id, connection=self.memory.place.connection, **fields)
        )

    @property
    def requester(self) -> Requester:
        """The person of this turn, as one who waits for a model."""
        return Requester(self.user.id, self.progress, self.stopped)

    def stopped(self) -> bool:
        """Return whether this turn is to end."""
        return self.stopping.asked.is_set()


# News of a job: told once more if the question below it is asked again, so that no kill hides them.


def remember_notes(turn: Turn) -> None:
    """Remember what is noted so far, until the next question stands."""
    turn.memory.news = News(turn.memory.turn + 1, tuple(card for card in turn.notes if isinstance(card, Text)))


def repeat_notes(turn: Turn) -> None:
    """Note what came with the question that stands, which is asked once more."""
    news = turn.memory.news
    if news and news.turn == turn.memory.turn:
        for text in news.said:
            turn.note(text.body, text.tone)
        turn.memory.news = replace(news, turn=news.turn + 1)
