"""The order to write rows into a table, and the check of the table that is there."""

import dataclasses
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from router.errors import JobFailed
from router.sql.value_kinds import Extent

Mode = Literal["create", "append", "truncate", "drop"]
"""A new table; more rows in a table; other rows in a table; "drop": a new table in the place of an old one, if any."""

Kind = Literal[
    "integer",
    "decimal",
    "float",
    "text",
    "bool",
    "date",
    "time",
    "timestamp",
    "timestamptz",
    "blob",
    "json",
    "uuid",
    "interval",
    "array",
    "bits",
    "any",
    "unwritten",
]
"""The type of a column; "timestamp" is without a time zone, "any" is a column of SQLite that takes any value.

Only columns that are there are arrays (of PostgreSQL or DuckDB), bits of MySQL, or of a type that takes no rows.
"""


@dataclass(frozen=True, slots=True)
class ResultField:
    """A column of what is written; 0 means without a limit, or that it is not known.

    `digits` are all digits of a decimal, `scale` those behind the point; of a text that is none of Unicode, `digits` is
    the number of its code page. `length` is that of a text in characters, or
    of an integer in bytes. `native` is the database's own name of the type, "" if none was chosen yet.
    """

    name: str
    kind: Kind
    digits: int = 0
    scale: int = 0
    length: int = 0
    native: str = ""
    beyond: tuple[Extent, ...] = ()
    """Extents of its values that not every database holds in a column of the kind."""


@dataclass(frozen=True, slots=True)
class ExistingColumn:
    """A column of a table that is there; `filled` says that the database has a value if none is given."""

    field: ResultField
    nullable: bool = True
    filled: bool = False
    generated: bool = False
    """True if the database alone computes it."""


@dataclass(frozen=True, slots=True)
class Existing:
    """A table that is there; with `more`, it has more rows than `rows`, which were not counted to the end."""

    schema: str
    name: str
    columns: tuple[ExistingColumn, ...]
    rows: int
    more: bool = False
    view: bool = False

    @property
    def seen(self) -> int:
        """The rows as far as they were counted, and one if there are more."""
        return self.rows + self.more


Hidden = Callable[[str], bool]
"""Return whether a column of the table, by its name, may be neither read nor written by anybody."""


@dataclass(frozen=True, slots=True)
class WriteOrder:
    """Rows for a table: `job` is the id under which they are written once, `fields` the columns of a row, in order.

    `seen` are the rows that a person was told will be deleted; if there are others now, nothing is. -1: whatever is.
    """

    job: str
    schema: str
    table: str
    mode: Mode
    fields: tuple[ResultField, ...]
    seen: int = -1
    hidden: Hidden = dataclasses.field(default=lambda name: False, compare=False)

    @property
    def makes(self) -> bool:
        """True if a new table is made."""
        return self.mode in ("create", "drop")

    @property
    def deletes(self) -> bool:
        """True if rows that a person was told of are deleted."""
        return self.seen >= 0 and self.mode in ("truncate", "drop")


# Refusals.


class Refusal(JobFailed):
    """A sentence for the person; `bare` is the same without any value of a row, for logs and trails."""

    def __init__(self, sentence: str, bare: str = "") -> None:
        super().__init__(sentence)
        self.bare = bare or sentence


class ConnectionLost(JobFailed):
    """The connection broke: whether the last step was done, only the log of written jobs can say."""


class UnfitValue(ValueError):
    """A value that a column cannot take; the words go on after "the value"."""


def nothing_written(why: str, advice: str = "", bare: str = "") -> Refusal:
    """Return the refusal for `why`, a sentence without its full stop; `bare` is the same sentence without values."""
    rest = f". Nothing was written.{' ' if advice else ''}{advice}"
    return Refusal(why + rest, bare and bare + rest)


def column_without_value(name: str, order: WriteOrder | None) -> Refusal:
    """Return the refusal for a column that must have a value; one that the order does not write is not named."""
    written = order is not None and name.casefold() in {field.name.casefold() for field in order.fields}
    column = f'The column "{name}"' if written else "A column of the table"
    return nothing_written(f"{column} must have a value, and one of the rows has none", CHANGE_ROWS)


TRY_LATER = "Please try again in a moment."
CHANGE_ROWS = "Change the query, or the table."
TELL_ADMINISTRATOR = "Tell your administrator."


# The check of an order against the table that is there.

COUNTED_ROWS_MAX = 1_000_000
"""Rows of a table beyond which nobody counts on."""


def require_mode(order: WriteOrder, there: Existing | None) -> None:
    """Raise Refusal unless the order can go on with what is there."""
    name = f'"{order.table}"' + (f' in the schema "{order.schema}"' if order.schema else "")
    if there is None:
        if order.mode in ("append", "truncate"):
            raise nothing_written(f"There is no table {name} (any more)", "Choose another one, or create it.")
    elif order.mode == "create":
        raise taken(order)
    elif there.view:
        raise nothing_written(f"{name} is a view, and only tables are written", "Choose a table, or another name.")
    elif order.mode in ("truncate", "drop") and shown_of(there, order.hidden) != there:
        raise nothing_written(
            f"{name} holds more than may be read here, which would be deleted with its rows",
            "Add rows to it, or choose another table.",
        )


def require_columns(order: WriteOrder) -> None:
    """Raise Refusal unless people may write the columns of the order, as if there were none of the name."""
    for each in order.fields:
        if order.hidden(each.name):
            raise no_column(order, each)


def no_column(order: WriteOrder, column: ResultField) -> Refusal:
    """Return the refusal for a column that is not there, and for one that nobody may read or write, word for word."""
    return nothing_written(f'"{order.table}" takes no column "{column.name}" (any more)', "Choose the columns again.")


def shown_of(there: Existing, hidden: Hidden) -> Existing:
    """Return a table with the columns that may be read and written."""
    return replace(there, columns=tuple(column for column in there.columns if not hidden(column.field.name)))


def require_seen(order: WriteOrder, there: Existing | None) -> None:
    """Raise Refusal unless the rows to be deleted are those that a person saw; `there` was counted."""
    if order.deletes and there is not None and there.seen != order.seen:
        raise nothing_written(
            f'"{order.table}" has other rows than when this was approved: {there.seen:,} now, {order.seen:,} then',
            "Look at it again.",
        )


def taken(order: WriteOrder) -> Refusal:
    """Return the refusal for a new table whose name somebody else has."""
    return nothing_written(
        f'There is a table or view "{order.table}" already',
        "Choose another name, or add the rows to it, or replace it.",
    )


def chosen(order: WriteOrder, there: Existing, caseless: bool = False) -> tuple[ResultField, ...]:
    """Return the columns of the table that the order names, as they are now; raises Refusal for one that is not there.

    Also for a column that nobody gives a value and that must have one.
    """
    columns = {_key(column.field.name, caseless): column for column in there.columns}
    fields: list[ResultField] = []
    for wanted in order.fields:
        column = columns.pop(_key(wanted.name, caseless), None)
        if column is None or order.hidden(column.field.name):
            raise no_column(order, wanted)
        if column.generated:
            raise nothing_written(
                f'The column "{column.field.name}" is computed by the database', "Leave it out of what is written."
            )
        fields.append(column.field)
    for column in columns.values():
        if is_unfilled(column) and order.hidden(column.field.name):
            raise nothing_written(f'"{order.table}" takes no rows from here', "Choose another table.")
        if is_unfilled(column):
            raise nothing_written(
                f'The column "{column.field.name}" must have a value, and none of the columns is written into it',
                "Choose one for it.",
            )
    return tuple(fields)


def is_unfilled(column: ExistingColumn) -> bool:
    """Return whether a column must be given a value, as neither NULL nor the database fills it."""
    return not (column.nullable or column.filled or column.generated)


def _key(name: str, caseless: bool) -> str:
    return name.casefold() if caseless else name


# Matching the result's columns with those of the table.

_JOINTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\s_.\-]+")


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs of a source's place and a column of the table; what is left over on either side; what stands in the way."""

    pairs: tuple[tuple[int, ResultField], ...]
    unplaced: tuple[str, ...]
    """Names of the source's columns that found none."""
    empty: tuple[str, ...]
    """Names of the table's columns that stay without a value, or get their default."""
    problems: tuple[str, ...]


def matched(source: Sequence[ResultField], existing: Sequence[ExistingColumn]) -> Matching:
    """Return the columns paired by name: exactly first, then without regard to case, underscores and blanks."""
    free = {column.field.name: column for column in existing if not column.generated}
    found: dict[int, ResultField] = {}
    for key in (str, _folded):
        names = [key(name) for name in free]
        asked = [key(field.name) for place, field in enumerate(source) if place not in found]
        for place, field in enumerate(source):
            wanted = key(field.name)
            if place in found or names.count(wanted) != 1 or asked.count(wanted) != 1:
                continue  # which of two is meant, only a person can say
            name = next(name for name in free if key(name) == wanted)
            found[place] = free.pop(name).field
    problems = tuple(
        f'The column "{column.field.name}" of the table must have a value, and no column of the result goes into it.'
        for column in free.values()
        if is_unfilled(column)
    )
    return Matching(
        tuple(sorted(found.items())),
        tuple(field.name for place, field in enumerate(source) if place not in found),
        tuple(free),
        problems,
    )


def _folded(name: str) -> str:
    return _JOINTS.sub("", name).casefold()
