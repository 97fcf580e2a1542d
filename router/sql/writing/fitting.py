"""Batches of rows as the columns of a table take them; what fits already costs a look at the types of each column."""

from collections.abc import Callable, Sequence
from typing import Any

from router.sql.cell_text import plain, shown
from router.sql.value_kinds import JsonText, json_extents
from router.sql.writing.changes import change_of
from router.sql.writing.column_types import field_of, holds, kind_of
from router.sql.writing.conversions import CONVERSIONS, TAKEN_AS_IS, in_bytes, is_numbered, parsed
from router.sql.writing.dialects import WriteDialect
from router.sql.writing.order import Refusal, ResultField, UnfitValue, nothing_written

Row = tuple[Any, ...]

_TEXTS = (str, list, dict, JsonText)
"""Types of values that may hold a character that a database does not take."""

_MEND = "Change the query, or choose another column for it."


class RowFitter:
    """Makes rows fit into the columns of a table, and counts them in `total` as it goes."""

    def __init__(self, fields: Sequence[ResultField], dialect: WriteDialect) -> None:
        self.total = 0
        self._columns = [_ColumnFitter(field, dialect) for field in fields]

    def fit(self, rows: list[Row]) -> list[Row]:
        """Return the rows with every value of its column's kind; raises Refusal for the first that cannot be."""
        columns = list(zip(*rows, strict=True))
        changed = False
        for place, fitter in enumerate(self._columns):
            if not fitter.passes(columns[place]):
                columns[place] = self._converted(fitter, columns[place])
                changed = True
        self.total += len(rows)
        return list(zip(*columns, strict=True)) if changed else rows

    def _converted(self, fitter: "_ColumnFitter", column: Row) -> Row:
        made: list[Any] = []
        try:
            for value in column:
                made.append(None if value is None else fitter.convert(value))
        except UnfitValue as clash:
            number = self.total + len(made) + 1
            raise unfit_refusal(fitter.field, number, column[len(made)], str(clash)) from None
        return tuple(made)


class _ColumnFitter:
    """One column: what it takes as it is, and what becomes of the rest."""

    def __init__(self, field: ResultField, dialect: WriteDialect) -> None:
        self.field, self._dialect = field, dialect
        self._bind = dialect.binds.get(field.kind)
        self._change = change_of(field, dialect)
        self._make = CONVERSIONS.get(field.kind) or _list_conversion(field.native, dialect)
        self._as_is = {type(None)}
        has_limits = field.kind in ("decimal", "float") and (field.digits or field.scale)
        if field.kind in TAKEN_AS_IS and not (self._bind or self._change or has_limits or is_numbered(field)):
            self._as_is.add(TAKEN_AS_IS[field.kind])

    def passes(self, column: Row) -> bool:
        """Return whether the driver takes this column as it is."""
        types = set(map(type, column))
        if not types <= self._as_is:
            return False
        if str in types and unwritable("".join(filter(None, column)), self._dialect):
            return False
        if self.field.length == 0:
            return True
        if self.field.kind == "integer":
            numbers = list(filter(None, column))
            return not numbers or all(in_bytes(edge, self.field.length) for edge in (min(numbers), max(numbers)))
        return max(map(len, filter(None, column)), default=0) <= self.field.length

    def convert(self, value: Any) -> Any:
        """Return what the driver takes for this value; raises UnfitValue."""
        if isinstance(value, _TEXTS):  # before `plain` writes such bytes as digits
            words = unwritable(value if isinstance(value, str) else plain(value), self._dialect)
            if words:
                raise UnfitValue(words)
        value = self._make(value, self.field)
        extents = json_extents(value) if self.field.kind == "json" else getattr(value, "extents", frozenset())
        if extents and not holds(self._dialect.name, self.field, extents):
            raise UnfitValue("is beyond what it takes")
        if self._change and (words := self._change(value)):
            raise UnfitValue(words)
        return value if self._bind is None else self._bind(value)


def _list_conversion(native: str, dialect: WriteDialect) -> Callable[[Any, ResultField], Any]:
    """Return what makes lists of a type, each item as a column of its type takes it.

    The type of an array of PostgreSQL is the same for any number of dimensions. What is in one of an enum, or of rows,
    comes as a text, as PostgreSQL writes and reads it.
    """
    inner = native[: native.rindex("[")]
    item = _ColumnFitter(field_of("", inner, dialect.name), dialect)
    is_deep = dialect.name == "postgres"
    takes_texts = is_deep and kind_of(inner, dialect.name) is None

    def convert(value: Any, field: ResultField) -> Any:
        if takes_texts and isinstance(value, str):
            return value
        if isinstance(value, str | JsonText):
            value = parsed(plain(value), "is no array, and no JSON of one")
        if not isinstance(value, list | tuple):
            raise UnfitValue("is no array")
        return [each if each is None else convert_item(each, field) for each in value]

    def convert_item(each: Any, field: ResultField) -> Any:
        return convert(each, field) if is_deep and isinstance(each, list | tuple) else item.convert(each)

    return convert


def unwritable(text: str, dialect: WriteDialect) -> str:
    """Return what is wrong with a text that the database does not take, "" if nothing is."""
    if "\x00" in text and dialect.name == "postgres":
        return "holds a null character, which this database does not take"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "holds a character that is none: half of one, or bytes that are no text"
    return ""


def unfit_refusal(field: ResultField, number: int, value: Any, words: str) -> Refusal:
    """Return the refusal for one value of row `number`; `words` go on after the value."""
    takes = f" ({field.native})" if field.native else ""
    where = f'Row {number:,} does not fit the column "{field.name}"{takes}: '
    return nothing_written(f'{where}"{shown(value)}" {words}', _MEND, f"{where}the value {words}")
