"""One stored result, opened for reading: pages of it in any order, and all its rows in a stream."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, Final, Literal, Protocol

from pydantic import TypeAdapter

from router.cards import Head, Table
from router.errors import JobFailed
from router.jobs.results.codec import decode
from router.memory.draft import User
from router.memory.thread import ResultRef
from router.sql.cell_text import decimal_key, json_of, plain
from router.sql.databases.row_weight import gathered
from router.sql.databases.session import Kind as Driven
from router.sql.value_kinds import ExactTime, Extent, Interval, JsonText, TimeKind, json_extents, nanoseconds_of
from router.sql.writing.order import Kind, ResultField

# The order of values when a result is sorted by a column: numbers, then times, then texts, then blobs.

_SMALLEST = 2**110  # makes every count of nanoseconds positive


def folded(text: str | None) -> str | None:
    """Return the key of a column that holds texts only: no difference between "Éva" and "éva"."""
    return None if text is None else text.casefold()


def sort_key(stored: Any) -> bytes | None:
    """Return bytes that compare as the values do, None for NULL; times with a zone compare as moments."""
    match decode(stored):
        case None:
            return None
        case bool() | int() | float() | Decimal() as number:
            return b"1" + decimal_key(Decimal(number))
        case date() | time() | ExactTime() | Interval() as when:
            return b"2" + (nanoseconds_of(when) + _SMALLEST).to_bytes(14, "big")
        case bytes() as blob:
            return b"4" + blob
        case str() as text:
            return b"3" + text.casefold().encode("utf-8", "surrogatepass")
        case other:
            return b"3" + plain(other).casefold().encode("utf-8", "surrogatepass")


# Statistics of a column, taken while it is stored: enough to make a table for it without a second look.

ZONED = "+zone"
"""The end of a type's name where its values have a time zone."""

_TYPE_NAMES: dict[TimeKind, str] = {
    "date": "date",
    "time": "time",
    "timetz": f"time{ZONED}",
    "timestamp": "datetime",
    "timestamptz": f"datetime{ZONED}",
}
"""The type that a time would be of, if Python had room for it."""

_INT64 = 2**63


Form = Literal["number", "text", "any"]
"""The stored form of a column: only int and float, only str, or anything; NULL may be in each."""


@dataclass(slots=True)
class ColumnStats:
    """Statistics of a column on its way to the disk: the names of its values' types, NULL aside ("datetime+zone").

    `whole` and `scale` are the most digits before and behind the point that a decimal has, or an integer over 64 bits;
    `numbers` is false if a decimal is infinite or not a number.
    """

    types: set[str] = field(default_factory=set)
    whole: int = 0
    scale: int = 0
    numbers: bool = True
    wide: bool = False
    """True if an integer has more than 64 bits."""
    beyond: set[Extent] = field(default_factory=set)
    """Extents of times and intervals beyond the types of Python, or beyond a time of day."""
    encoded: bool = False
    """True if values are stored as `encode` gives them."""

    @property
    def form(self) -> Form:
        """The form in which it is stored."""
        if not self.encoded and self.types <= {"int", "float"}:
            return "number"
        return "text" if not self.encoded and self.types <= {"str"} else "any"

    def add(self, types: set[type], column: tuple[Any, ...]) -> None:
        """Look at some values of these types; only numbers, times and JSON are looked at one by one."""
        for kind in types - {type(None)}:
            values: list[Any] = [value for value in column if type(value) is kind] if kind in _LOOKED_AT else []
            match kind.__name__:
                case "Decimal":
                    self._add_digits(values)
                case "int" if large := [value for value in values if not -_INT64 <= value < _INT64]:
                    self.wide = True
                    self._add_digits([Decimal(max(large, key=abs))])
                case "float" if not isfinite(sum(values)):
                    self.beyond.add("infinity")
                case "Interval" | "ExactTime":
                    self.beyond.update(*(value.extents for value in set(values)))
                case "JsonText" | "list" | "tuple" | "dict":
                    self.beyond.update(*(json_extents(json_of(value)) for value in values))
            self.types |= {_type_name(value) for value in values} if kind in _TIMES else {kind.__name__}

    def _add_digits(self, values: list[Decimal]) -> None:
        exponents = {value.as_tuple().exponent for value in values}
        self.numbers &= all(isinstance(exponent, int) for exponent in exponents)
        self.scale = max(self.scale, *(-exponent for exponent in exponents if isinstance(exponent, int)), 0)
        self.whole = max(self.whole, *(value.adjusted() + 1 for value in values))


_TIMES: Final = frozenset({datetime, time, ExactTime})
_LOOKED_AT: Final = _TIMES | {Decimal, int, float, Interval, JsonText, list, tuple, dict}


def _type_name(value: datetime | time | ExactTime) -> str:
    if isinstance(value, ExactTime):
        return _TYPE_NAMES[value.kind]
    return type(value).__name__ + ZONED * (value.tzinfo is not None)


Sort = tuple[int, Literal["up", "down"]]
Row = tuple[Any, ...]

_KEYS: dict[Form, str] = {"number": "c{}", "text": "folded(c{})", "any": "sort_key(c{})"}


@dataclass(frozen=True, slots=True)
class ResultMetadata:
    """The metadata in a result's file: its reference, and what was seen of each column."""

    ref: ResultRef
    seen: tuple[ColumnStats, ...]


METADATA_FORM = TypeAdapter(ResultMetadata)
"""Reads and writes it as JSON."""


class ResultReader:
    """A complete result file; used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        # Nobody changes a complete file, so SQLite needs no locks and no journal to read it.
        self.database = sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True, check_same_thread=False)
        try:
            self.database.create_function("folded", 1, folded, deterministic=True)
            self.database.create_function("sort_key", 1, sort_key, deterministic=True)
            about = METADATA_FORM.validate_json(self.database.execute("SELECT json FROM about").fetchone()[0])
        except BaseException:
            self.database.close()
            raise
        self.ref, self.seen = about.ref, about.seen
        self.forms = tuple(each.form for each in self.seen)

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()

    def page(
        self, offset: int, limit: int, sort: Sort | None, read_cell: Callable[[Any], Any] = decode
    ) -> Iterator[Row]:
        """Give `limit` rows after the first `offset` in this order; NULL comes last, and equal rows stay as read.

        With `glimpse`, they are for a look: of long lists and objects, there is only the beginning of their text.
        """
        query = "SELECT * FROM rows WHERE rowid > ? ORDER BY rowid LIMIT ?"
        rows = self._sorted(sort, offset, limit) if sort else self.database.execute(query, (offset, limit))
        for row in rows:
            yield tuple(map(read_cell, row))

    def _sorted(self, sort: Sort, offset: int = 0, limit: int = -1) -> Iterator[Row]:
        # Only the numbers of the rows are sorted, so that SQLite holds little in memory: what is more lies on the disk.
        order = f"SELECT rowid FROM rows ORDER BY {self._order(*sort)}, rowid LIMIT ? OFFSET ?"
        one, row = "SELECT * FROM rows WHERE rowid = ?", self.database.cursor()
        for number in self.database.execute(order, (limit, offset)):
            yield row.execute(one, number).fetchone()

    def _order(self, place: int, direction: Literal["up", "down"]) -> str:
        if not 0 <= place < len(self.forms):
            raise JobFailed(f"The result cannot be sorted by column {place + 1}: there is none.")
        key = _KEYS[self.forms[place]].format(place)
        return f"c{place} IS NULL, {key} {'ASC' if direction == 'up' else 'DESC'}"

    def rows(self, batch: int, sort: Sort | None = None) -> Iterator[list[Row]]:
        """Give all rows in this order, else in that they were read in, as the values that the database gave.

        They come in lists of at most `batch`, and of few if they are wide.
        """
        encoded = [place for place, form in enumerate(self.forms) if form == "any"]
        for rows in self.stored(batch, sort):
            if encoded:
                columns = list(zip(*rows, strict=True))
                for place in encoded:
                    columns[place] = tuple(map(decode, columns[place]))
                rows = list(zip(*columns, strict=True))
            yield rows

    def stored(self, batch: int, sort: Sort | None = None) -> Iterator[list[Row]]:
        """Give all rows as `rows` does, in the form in which they are stored."""
        selected = self._sorted(sort) if sort else self.database.execute("SELECT * FROM rows")
        while rows := gathered(lambda count: list(islice(selected, count)), batch):
            yield rows


# Results as stages use them, whether this process stored them or another one.

Progress = Callable[[int], None]
"""Is told the number of rows so far, now and then."""


def ignore_progress(rows: int) -> None:
    """Ignore the progress."""


class PersonalResults(Protocol):
    """Results as one person may see them; every method raises JobFailed once the rows expired."""

    def ref(self, result: ResultRef | str) -> ResultRef:
        """Return the reference that was stored with the rows."""

    def page(self, result: ResultRef | str, offset: int = 0, limit: int = 20, sort: Sort | None = None) -> Table:
        """Return `limit` rows after the first `offset` as a table of text."""

    def rows(self, result: ResultRef | str, batch: int = 1000, sort: Sort | None = None) -> Iterator[list[Row]]:
        """Give all rows in this order in lists of at most `batch`, as values equal to those that were stored."""

    def fields(self, result: ResultRef | str) -> tuple[ResultField, ...]:
        """Return a field a column of the result, as a table can keep it."""

    def file(
        self, result: ResultRef | str, form: str, progress: Progress = ignore_progress, sort: Sort | None = None
    ) -> Path:
        """Return the result in this order as a file of this form, which is deleted when its rows are."""


class ResultAccess(Protocol):
    """All results."""

    def seen_by(self, user: User) -> PersonalResults:
        """Return the results as this person may see them."""

    def delete(self, result: str) -> None:
        """Delete a result and its files."""


# The fields of a table for a stored result.

_DRIVEN_KINDS: dict[Driven, Kind] = {
    "number": "float",
    "date": "timestamp",
    "bool": "bool",
    "blob": "blob",
    "text": "text",
}
_FIELD_KINDS: tuple[tuple[Kind, frozenset[str]], ...] = (
    ("bool", frozenset({"bool"})),
    ("integer", frozenset({"int", "bool"})),
    ("decimal", frozenset({"Decimal", "int", "bool"})),
    ("float", frozenset({"float", "Decimal", "int", "bool"})),
    ("date", frozenset({"date"})),
    ("timestamp", frozenset({"datetime", "date"})),
    ("timestamptz", frozenset({f"datetime{ZONED}", "datetime", "date"})),
    ("time", frozenset({"time"})),
    ("interval", frozenset({"Interval", "time"})),
    ("blob", frozenset({"bytes", "bytearray", "memoryview"})),
    ("json", frozenset({"list", "tuple", "dict", "JsonText"})),
    ("uuid", frozenset({"UUID"})),
)
_INT64_DIGITS = 19


def fields_of(reader: ResultReader) -> tuple[ResultField, ...]:
    """Return a field a column of the result, in its order.

    The kinds are those of the values that were seen while they were stored. A column of several kinds is one of texts.
    """
    fields = tuple(_field(head, each) for head, each in zip(reader.ref.columns, reader.seen, strict=True))
    return _with_lengths(fields, reader)


def _field(head: Head, seen: ColumnStats) -> ResultField:
    types, beyond = seen.types, tuple(sorted(seen.beyond))
    if not types:
        return ResultField(head.name, _DRIVEN_KINDS[head.kind])
    kind: Kind = next((kind for kind, allowed in _FIELD_KINDS if types <= allowed), "text")
    if seen.wide and kind == "integer":
        kind = "decimal"
    if kind == "text" and types != {"str"}:
        return ResultField(head.name, kind, beyond=("mixed", *beyond))
    if kind != "decimal":
        return ResultField(head.name, kind, beyond=beyond)
    if not seen.numbers:
        return ResultField(head.name, kind)
    whole = max(seen.whole, _INT64_DIGITS if "int" in types and not seen.wide else 1)
    return ResultField(head.name, kind, whole + seen.scale, seen.scale)


def _with_lengths(fields: tuple[ResultField, ...], reader: ResultReader) -> tuple[ResultField, ...]:
    """Measure the texts, which SQLite does by itself; a column that was all encoded stays without a length."""
    places = [place for place, field in enumerate(fields) if field.kind == "text" and reader.forms[place] == "text"]
    if not places:
        return fields
    lengths = reader.database.execute(f"SELECT {', '.join(f'max(length(c{place}))' for place in places)} FROM rows")
    longest = dict(zip(places, lengths.fetchone(), strict=True))
    return tuple(
        replace(field, length=longest.get(place) or 0) if field.kind == "text" else field
        for place, field in enumerate(fields)
    )
