"""What the bot remembers of one thread: plain values that travel as JSON."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from router.cards import Head, Text
from router.comparing import Comparing
from router.draft import Approval as Approval
from router.draft import Draft as Draft
from router.draft import Place as Place
from router.draft import User as User
from router.offer import Offer
from router.repeating import Repeating
from router.stage import Stage as Stage
from router.struggle import Struggle
from router.understanding import Chosen, Message, Understanding


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
    """The bytes that it may take, where there was no room for more rows."""
    shortened: int = 0
    """Cells that were too long to be kept whole."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A result together with the query it came from, and the page that is shown of it."""

    draft: Draft
    connection: str
    result: ResultRef
    offset: int = 0
    sort: tuple[int, Literal["up", "down"]] | None = None
    shared: bool = False
    """Whether a private result was shown to everybody."""
    others: tuple[str, ...] = ()
    """Further connections that the rows came from."""
    comparison: Comparing | None = None
    """What it is the report of, where it has no query of its own; its approvals are used up."""
    approval: Approval | None = None
    """The Yes that the query was run by."""

    @property
    def compared(self) -> bool:
        """Whether it is the report of a comparison."""
        return self.comparison is not None


Mode = Literal["create", "append", "truncate", "drop"]
"""What becomes of a table that rows are written to: made, kept, emptied first, or dropped and made anew."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of the table that is written to; `needed`: it takes no NULL and has no default."""

    name: str
    type: str
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """Which column of the table takes which column of the result."""

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
    columns: tuple[TableColumn, ...] | None = None
    """Those of the table that is there; empty where there is none, None where nobody looked."""
    present: int | None = None
    """The rows that are in the table now; with `more`, there are more of them."""
    more: bool = False
    pairs: tuple[Pair, ...] | None = None
    approval: Approval | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Written:
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
    asked: bool = False
    """Whether it was asked which rows are sent."""
    place: Place | None = None
    """Where the next question goes, where a query on another database's table was run for this."""
    approval: Approval | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Meant:
    """What a person said that words mean in a schema: a value, or a column; without either, what the model thinks.

    Where a column is reached in several ways, it is meant as that of `owner`, whose column `through` leads there.
    """

    words: str
    connection: str
    schema: str
    table: str = ""
    column: str = ""
    value: str = ""
    owner: str = ""
    through: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A question that was asked, as `back` needs it."""

    stage: Stage
    place: Place
    draft: Draft
    answer: Answer | None
    writing: Writing | None = None
    mailing: Mailing | None = None
    repeating: Repeating | None = None
    comparing: Comparing | None = None


@dataclass(frozen=True, slots=True)
class News:
    """What a job told above a question: `turn` is its number."""

    turn: int
    said: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The last question that was decided by a button: `turn` is its number."""

    turn: int
    by: User
    at: datetime


@dataclass(slots=True)
class Memory:
    """One thread's state; loaded afresh for every turn, saved before an answer is sent."""

    version: int = 1
    stage: Stage = Stage.START
    turn: int = 0
    """The number of the question that stands; buttons carry it."""
    asked: datetime | None = None
    owner: User | None = None
    place: Place = field(default_factory=Place)
    choosing: Literal["", "database", "tables", "columns", "reporting"] = ""
    """The menu that the person asked for."""
    form: str = ""
    """The kind of file that the person asked for."""
    draft: Draft = field(default_factory=Draft)
    answer: Answer | None = None
    writing: Writing | None = None
    mailing: Mailing | None = None
    repeating: Repeating | None = None
    comparing: Comparing | None = None
    written: Written | None = None
    struggle: Struggle = field(default_factory=Struggle)
    """What was tried without a result, and what people were asked about."""
    meant: list[Meant] = field(default_factory=list)
    """What was asked about words of questions, so that no word is asked about twice."""
    understanding: Understanding = field(default_factory=Understanding)
    """What is known of the message that is being understood."""
    conversation_history: list[Message] = field(default_factory=list)
    """The last lines of the talk, the latest last: for a person who wants to know what they asked before."""
    intended: list[Chosen] = field(default_factory=list)
    """What the person said that sentences ask for."""
    sentence: str = ""
    """What was typed about writing or e-mailing, to be read by a model."""
    trail: list[Step] = field(default_factory=list)
    decided: Decision | None = None
    news: News | None = None
    offer: Offer | None = None
    seen: list[str] = field(default_factory=list)
    """Ids of the latest events that were worked on, so that none is worked on twice."""
