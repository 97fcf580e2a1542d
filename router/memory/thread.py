"""The memory of one thread: plain values that travel as JSON."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from router.cards import Head, Option, Text
from router.memory.comparing import Comparing, gone_back
from router.memory.draft import Approval, Draft, Place, User
from router.memory.recurrence import Repeating
from router.memory.stage import Stage
from router.memory.understanding import Understanding

RESULTS_REMEMBERED = 8
"""Results whose buttons still work."""

QUESTIONS_REMEMBERED = 12
"""Questions that are remembered of each kind."""


@dataclass(frozen=True, slots=True)
class Handoff:
    """A question that people were asked about: where, and how far that came; `id` is the same for the same question."""

    id: str
    about: str
    way: Literal["channel", "email"]
    where: str
    """As it is said: "in #data-help"."""
    at: datetime
    state: Literal["sending", "sent", "unsure"] = "sending"


@dataclass(frozen=True, slots=True)
class Attempts:
    """The question whose last try failed, and what was handed to people."""

    question: str = ""
    error: str = ""
    """The reason why that try failed; empty if it did not."""
    handed: tuple[Handoff, ...] = ()

    @property
    def sending(self) -> Handoff | None:
        """The question that was on its way to people when this was saved."""
        return next((each for each in self.handed if each.state == "sending"), None)

    def of(self, id: str) -> Handoff | None:
        """Return what became of a question that was handed over."""
        return next((each for each in self.handed if each.id == id), None)

    def asked_about(self, question: str) -> bool:
        """Return whether people were asked about a question."""
        return any(each.about == question for each in self.handed)

    def over(self) -> "Attempts":
        """Return what is left of it once there is a result, or another question."""
        return Attempts(handed=self.handed)

    def noting(self, handoff: Handoff) -> "Attempts":
        """Return it with how far a question came that is handed over."""
        return replace(self, handed=(*self.without(handoff.id).handed, handoff)[-QUESTIONS_REMEMBERED:])

    def without(self, id: str) -> "Attempts":
        """Return it without a question that did not reach anybody."""
        return replace(self, handed=tuple(each for each in self.handed if each.id != id))


@dataclass(frozen=True, slots=True)
class PendingDecision:
    """The lasting buttons that were shown last: words that `by` types answer them."""

    by: str
    options: tuple[Option, ...]


MEMORY_VERSION = 1
"""The shape in which threads are stored.

Defaults belong to it: a field that has its default is not stored.
"""


@dataclass(frozen=True, slots=True)
class ThreadKey:
    """One conversation; its string is the store's key."""

    platform: str
    team: str
    channel: str
    thread: str

    def __str__(self) -> str:
        return "/".join(part.replace("/", "%2F") for part in (self.platform, self.team, self.channel, self.thread))


def key_from(text: str) -> ThreadKey:
    """Return the key whose string this is."""
    platform, team, channel, thread = (part.replace("%2F", "/") for part in text.split("/"))
    return ThreadKey(platform, team, channel, thread)


@dataclass(frozen=True, slots=True)
class ResultRef:
    """A stored result: the rows lie in the result store under `id`."""

    id: str
    columns: tuple[Head, ...]
    total: int
    capped: bool
    seconds: float
    full: int = 0
    """The bytes that it may take, if there was no room for more rows."""
    shortened: int = 0
    """Cells that were too long to be kept whole."""
    unmatched: str = ""
    """Sentences on rows that joins left out of its counts and sums."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A result together with the query it came from, and the page that is shown of it."""

    draft: Draft
    connection: str
    result: ResultRef
    offset: int = 0
    sort: tuple[int, Literal["up", "down"]] | None = None
    shared: bool = False
    """True if a private result was shown to everybody."""
    others: tuple[str, ...] = ()
    """Further connections that the rows came from."""
    comparison: Comparing | None = None
    """The comparison that it reports on, if it has no query of its own; its approvals are used up."""
    approval: Approval | None = None
    """The Yes that the query was run by."""

    @property
    def compared(self) -> bool:
        """True for the report of a comparison."""
        return self.comparison is not None


Mode = Literal["create", "append", "truncate", "drop"]
"""The fate of a table that rows are written to: made, kept, emptied first, or dropped and made again."""


@dataclass(frozen=True, slots=True)
class TargetColumn:
    """A column of the table that is written to; `needed`: it takes no NULL and has no default."""

    name: str
    type: str
    needed: bool = False


@dataclass(frozen=True, slots=True)
class ColumnPair:
    """A column of the result, and the column of the table that takes it."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Writing:
    """A result on its way into a table, as far as it is known where to; `key` is that of the job that does it."""

    connection: str = ""
    schema: str = ""
    table: str = ""
    mode: Mode | Literal[""] = ""
    name: str = ""
    columns: tuple[TargetColumn, ...] | None = None
    """Those of the table that is there; empty if there is none, None if nobody looked."""
    present: int | None = None
    """The rows that are in the table now; with `more`, there are more of them."""
    more: bool = False
    pairs: tuple[ColumnPair, ...] | None = None
    approval: Approval | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """The table that a result was written to last, which e-mails and comparisons may use."""

    connection: str
    schema: str
    table: str
    rows: int


@dataclass(frozen=True, slots=True)
class Mailing:
    """A result on its way to people, as far as it is known to whom; `key` is that of the job that sends it."""

    to: str = ""
    """The recipients as they were typed."""
    recipients: tuple[str, ...] = ()
    subject: str = ""
    body: str = ""
    form: Literal["", "table", "csv", "xlsx"] = ""
    problem: tuple[str, str] = ("", "")
    """The field that is wrong, and why."""
    of_table: bool = False
    """True if the rows of the table are sent that the result was written to."""
    place: Place | None = None
    """The place of the next question, if a query on another database's table was run for this."""
    approval: Approval | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Tasks:
    """Tasks besides a query that were begun and are not over."""

    writing: Writing | None = None
    mailing: Mailing | None = None
    repeating: Repeating | None = None
    comparing: Comparing | None = None

    @property
    def recipients(self) -> tuple[str, ...]:
        """Return the people who get something by e-mail."""
        both = (self.mailing, self.repeating)
        return tuple(each for task in both if task is not None for each in task.recipients)

    def gone_back(self, before: "Tasks") -> "Tasks":
        """Return them as they were one question before; of the same comparison, what was chosen since is kept."""
        return replace(before, comparing=gone_back(self.comparing, before.comparing))


@dataclass(frozen=True, slots=True)
class Step:
    """A question that was asked, as `back` needs it."""

    stage: Stage
    place: Place
    draft: Draft
    answer: Answer | None
    tasks: Tasks = Tasks()


@dataclass(frozen=True, slots=True)
class PastResult:
    """A result that was shown, as its buttons need it: they work from every copy of its card."""

    answer: Answer
    place: Place


@dataclass(frozen=True, slots=True)
class News:
    """The sentences that a job told above a question: `turn` is its number."""

    turn: int
    said: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The last question that was decided by a button: `turn` is its number."""

    turn: int
    by: User
    at: datetime


@dataclass(frozen=True, slots=True)
class TakenQuestion:
    """A message that was taken as a question: its event, its words, and where the talk was before it.

    `settled`: its SQL was approved, so that it cannot be taken back. `withdrawn`: the person took it back.
    """

    event: str
    text: str
    by: str
    before: Step
    settled: bool = False
    withdrawn: bool = False


@dataclass(slots=True)
class Memory:
    """One thread's state; loaded afresh for every turn, saved before an answer is sent."""

    version: int = MEMORY_VERSION
    stage: Stage = Stage.START
    turn: int = 0
    """The number of the question that stands; buttons carry it."""
    asked: datetime | None = None
    owner: User | None = None
    place: Place = field(default_factory=Place)
    choosing: Literal["", "database", "tables", "columns", "reporting"] = ""
    """The menu that the person asked for."""
    form: str = ""
    """The kind of file or chart that the person asked for."""
    draft: Draft = field(default_factory=Draft)
    answer: Answer | None = None
    view: str = ""
    """The page of the result that was shown last: it is not shown again while it stands."""
    results: list[PastResult] = field(default_factory=list)
    """The latest results, the last one last."""
    tasks: Tasks = Tasks()
    written: WrittenTable | None = None
    done: list[str] = field(default_factory=list)
    """The digests of the latest e-mails that were sent and of the latest writes: none is done again unasked."""
    struggle: Attempts = field(default_factory=Attempts)
    """The tries without a result, and the questions that people were asked about."""
    understanding: Understanding = field(default_factory=Understanding)
    """The message that is being understood, with all that is known of it."""
    sentence: str = ""
    """The sentence that was typed about writing or e-mailing, to be read by a model."""
    trail: list[Step] = field(default_factory=list)
    decided: Decision | None = None
    news: News | None = None
    offer: PendingDecision | None = None
    awaits: list[str] = field(default_factory=list)
    """The digests of the approvals that the question which stands waits for."""
    rewritten: bool = False
    """True while a step is done again that a stopped process left behind."""
    questions: list[TakenQuestion] = field(default_factory=list)
    """The latest messages that were taken as questions, the last one last."""
    seen: list[str] = field(default_factory=list)
    """Ids of the latest events that were worked on, so that none is worked on twice."""


def step_of(memory: Memory) -> Step:
    """Return where a talk stands."""
    return Step(memory.stage, memory.place, memory.draft, memory.answer, memory.tasks)
