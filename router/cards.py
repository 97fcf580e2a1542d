"""Cards, the closed set of frozen values that the bot can show; each platform draws them in its own way."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Text:
    """A short paragraph; `code` and *bold* are its only markup. Platforms escape everything else in it.

    The tone `title` is a heading: it is drawn bold, without markup of its own.
    """

    body: str
    tone: Literal["plain", "problem", "quiet", "title"] = "plain"
    connection: str = ""
    """The connection of the rows that it tells of; empty if it tells of none."""


@dataclass(frozen=True, slots=True)
class Code:
    """Source text, shown highlighted; `caption` says what it is.

    `steps` are short sentences on what it does, read before it. `folded`: closed until a person opens it, with its
    steps, if the platform can fold.
    """

    body: str
    caption: str = ""
    language: str = "sql"
    steps: tuple[str, ...] = ()
    folded: bool = False
    connection: str = ""
    """The connection of the SQL, if that is not the one at hand."""


@dataclass(frozen=True, slots=True)
class Head:
    """A table's column: `kind` decides alignment and sorting."""

    name: str
    kind: Literal["text", "number", "date", "bool", "blob"] = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """One page of a result: cells are text (None is NULL); `total` rows were stored, `capped` when there were more.

    `offset` is the number of rows before this page; `result` names the stored result, for downloads and sorting;
    `sort` is the column's index and direction that the page is sorted by. `title` says what the rows are, and `source`
    names the database that they came from.
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
    """The bytes that the result may take, if there was no room for more rows."""
    shortened: int = 0
    """Cells of the result that were too long to be kept whole."""
    unmatched: str = ""
    """Sentences on rows that joins left out of the counts and sums of the result."""
    title: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """A column of numbers in a chart; None leaves a gap."""

    name: str
    values: tuple[float | None, ...]


ChartKind = Literal["bar", "line", "pie"]
"""The ways to draw a result."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A result as a picture: the values of each series belong to the labels, in their order."""

    title: str
    kind: ChartKind
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    result: str = ""
    connection: str = ""
    sort: tuple[int, Literal["up", "down"]] | None = None
    """The column's index and direction that the rows are sorted by, as in the table above it."""


@dataclass(frozen=True, slots=True)
class Option:
    """A button or an entry of a menu: `answer` comes back, `label` is read by the person.

    `overflow`: an entry of the platform's own menu for further actions, not a button in sight. Buttons of one `group`
    are one menu of that name, such as Download. `confirm`: asked by the platform itself before the press is sent.
    `only`: the people who may see it, as a connection lists them, and by their ids once a platform has found them all;
    empty for everybody. `form`: what the press is sent with, if the
    platform can ask for it at once; elsewhere the press leads to a question with the same form.
    """

    answer: str
    label: str
    style: Literal["plain", "primary", "danger"] = "plain"
    overflow: bool = False
    group: str = ""
    confirm: str = ""
    only: tuple[str, ...] = ()
    form: "Form | None" = None


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
    """One input of a form.

    The `value` of a menu or of radio buttons is the answer of one of its `options`; that of a time is "HH:MM"; that of
    people are e-mail addresses with commas between, picked if the platform can and typed elsewhere; that of a
    channel is the platform's id of a conversation, for platforms that have some.
    """

    name: str
    label: str
    kind: Literal["line", "text", "code", "menu", "radio", "time", "people", "channel"] = "line"
    value: str = ""
    optional: bool = False
    problem: str = ""
    """The fault of the value that was sent last."""
    options: tuple[Option, ...] = ()
    hint: str = ""
    """A few words below or in the empty input: "Several with commas"."""
    when: tuple[str, tuple[str, ...]] = ("", ())
    """Another field and the values of it with which this one applies; it is shown then alone, if that can be."""


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
    """The result that it was made of; empty if it is a text."""


@dataclass(frozen=True, slots=True)
class Link:
    """A way to somewhere else, which a person opens by its label; `url` is one that the bot itself made."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Approver:
    """Somebody whose Yes is waited for: `identity` is how a connection lists them, an address or a platform's id.

    `id` and `name` are the platform's, once it has found them.
    """

    identity: str
    id: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The people of whom one has to say Yes; platforms mention those that they know.

    `what` says to what, if the card tells of several things: "what is read of Shop".
    """

    people: tuple[Approver, ...]
    what: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """The work being done right now; it takes the place of the one before, with a Stop button if `stoppable`.

    `step` is its number among the `steps` of what was asked for; 0 if it is none of several.
    """

    text: str
    stoppable: bool = True
    step: int = 0
    steps: int = 0


Card = Text | Code | Table | Chart | Buttons | Choice | Form | File | Link | Waiting | Progress


@dataclass(frozen=True, slots=True)
class Reply:
    """Cards that are shown together.

    `turn` numbers the question they ask; buttons send it back. `working`: more is to come in this turn.
    `replace`: shown in place of the last question, such as the next page of a table.
    `beside`: an answer beside the question that stands, whose card stays as it is.
    `to`: the id of the only person who may see this; empty for everybody in the thread.
    `refused`: why the input was not taken, if it was not; the cards say it too. `refused_field`: the name of the
    form's field that this is about, if it is about one.
    `sensitivity`: how the rows or the SQL in it are labelled, such as "Confidential".
    `closes`: the id of what was decided; cards whose buttons are about it, and about nothing else, are answered by it.
    `suggestions`: questions that the person may begin with, for platforms that offer some.
    """

    cards: tuple[Card, ...] = field(default=())
    turn: int = 0
    working: bool = False
    replace: bool = False
    beside: bool = False
    to: str = ""
    refused: str = ""
    refused_field: str = ""
    sensitivity: str = ""
    suggestions: tuple[str, ...] = ()
    closes: str = ""
