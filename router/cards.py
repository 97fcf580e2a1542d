"""Cards, the closed set of frozen values that the bot can show; each platform draws them in its own way."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Text:
    """A short paragraph; `code` and *bold* are its only markup. Platforms escape everything else in it."""

    body: str
    tone: Literal["plain", "problem", "quiet"] = "plain"
    connection: str = ""
    """The connection of the rows that it tells of; empty where it tells of none."""


@dataclass(frozen=True, slots=True)
class Code:
    """Source text, shown highlighted; `caption` says what it is."""

    body: str
    caption: str = ""
    language: str = "sql"
    connection: str = ""
    """The connection of the SQL, where that is not the one at hand."""


@dataclass(frozen=True, slots=True)
class Head:
    """A table's column: `kind` decides alignment and sorting."""

    name: str
    kind: Literal["text", "number", "date", "bool", "blob"] = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """One page of a result: cells are text (None is NULL); `total` rows were stored, `capped` when there were more.

    `offset` is the number of rows before this page; `result` names the stored result, for downloads and sorting;
    `sort` is the column's index and direction that the page is sorted by.
    """

    columns: tuple[Head, ...]
    rows: tuple[tuple[str | None, ...], ...]
    total: int
    offset: int = 0
    capped: bool = False
    seconds: float = 0.0
    result: str = ""
    sort: tuple[int, Literal["up", "down"]] | None = None
    connection: str = ""
    """The origin of the rows: who may not read there (any more) may not see them."""
    full: int = 0
    """The bytes that the result may take, where there was no room for more rows."""
    shortened: int = 0
    """Cells of the result that were too long to be kept whole."""


@dataclass(frozen=True, slots=True)
class Series:
    """A column of numbers in a chart; None leaves a gap."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A result as a picture: the values of each series belong to the labels, in their order."""

    title: str
    kind: Literal["bar", "line"]
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    result: str = ""
    connection: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """A button or an entry of a menu: `answer` comes back, `label` is read by the person.

    `aside`: where there is no room for all buttons, others have theirs first.
    """

    answer: str
    label: str
    style: Literal["plain", "primary", "danger"] = "plain"
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Buttons:
    """A question with a few answers; `lasting`: they can be pressed whatever was asked since."""

    prompt: str
    options: tuple[Option, ...]
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A menu; with `many`, several entries may be chosen, and `chosen` are ticked already; `lasting` as of buttons."""

    prompt: str
    options: tuple[Option, ...]
    many: bool = False
    chosen: tuple[str, ...] = ()
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """One input of a form; a menu's `value` is the answer of one of its `options`."""

    name: str
    label: str
    kind: Literal["line", "text", "code", "menu"] = "line"
    value: str = ""
    optional: bool = False
    problem: str = ""
    """The fault of the value that was sent last."""
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """Inputs that are sent together; what is typed into the chat instead answers the first field."""

    title: str
    fields: tuple[Field, ...]
    submit: str = "OK"


@dataclass(frozen=True, slots=True)
class File:
    """A file on the bot's own disk that the platform hands over to the person."""

    name: str
    path: Path
    mime: str
    connection: str = ""
    result: str = ""
    """The result that it was made of; empty where it is a text."""


@dataclass(frozen=True, slots=True)
class Link:
    """A way to somewhere else, which a person opens by its label; `url` is one that the bot itself made."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The work being done right now; it takes the place of the one before, with a Stop button if `stoppable`."""

    text: str
    stoppable: bool = True


Card = Text | Code | Table | Chart | Buttons | Choice | Form | File | Link | Progress


@dataclass(frozen=True, slots=True)
class Reply:
    """Cards that are shown together.

    `turn` numbers the question they ask; buttons send it back. `working`: more is to come in this turn.
    `replace`: shown in place of the last question, such as the next page of a table.
    `beside`: an answer beside the question that stands, whose card stays as it is.
    `to`: the id of the only person who may see this; empty for everybody in the thread.
    `refused`: why the input was not taken, where it was not; the cards say it too.
    `sensitivity`: how the rows or the SQL in it are labelled, such as "Confidential".
    `suggestions`: questions that the person may begin with, for platforms that offer some.
    """

    cards: tuple[Card, ...] = field(default=())
    turn: int = 0
    working: bool = False
    replace: bool = False
    beside: bool = False
    to: str = ""
    refused: str = ""
    sensitivity: str = ""
    suggestions: tuple[str, ...] = ()
