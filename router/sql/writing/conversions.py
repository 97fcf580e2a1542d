"""A value of any type as a column of one kind takes it: never changed, refused where it would have to be.

A time without a zone that goes into a column with one is taken for UTC, and one with a zone that goes into a column
without is written in UTC; a number becomes the nearest float. Everything else keeps its exact value.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Context, Decimal, InvalidOperation
from math import isfinite
from struct import pack, unpack
from typing import Any, TypeVar
from uuid import UUID

from router.sql.cell_text import json_of, plain, shown
from router.sql.dialect import Name
from router.sql.text_values import number_in, truth_in
from router.sql.value_kinds import (
    DAY_MICROS,
    ExactTime,
    Interval,
    JsonText,
    interval_in,
    json_extents,
    nanoseconds_in,
    read_time,
    read_timestamp,
)
from router.sql.writing.changes import change_of
from router.sql.writing.column_types import holds
from router.sql.writing.nested import nested_conversion
from router.sql.writing.order import Kind, Refusal, ResultField, UnfitValue, nothing_written

V = TypeVar("V")

_WHOLE = re.compile(r"\s*[+-]?\d{1,400}\s*", re.ASCII)
_BITS = re.compile(r"[01]{1,10000}", re.ASCII)
_NUMBERED = re.compile(r"(?:enum|set)\(|year\b", re.IGNORECASE)
"""Types of MySQL that take a number, also as a text, for the place of a value, and 5 for 2005."""
_FAR = 10**300


def integer(value: Any, field: ResultField) -> int:
    """Return a whole number that has room in `field.length` bytes."""
    if isinstance(value, float | Decimal) and not _whole(value):
        raise UnfitValue("is no whole number")
    if not isinstance(value, int | float | Decimal) and not (isinstance(value, str) and _WHOLE.fullmatch(value)):
        raise UnfitValue("is no whole number")
    number = int(value)
    if field.length and not in_bytes(number, field.length):
        raise UnfitValue("is too large a number for it")
    return number


def _whole(number: Any) -> bool:
    return bool(abs(number) < _FAR and number == int(number))


def in_bytes(number: int, length: int) -> bool:
    """Tell whether a whole number has room in so many bytes, one bit of them for the sign."""
    edge = 1 << (8 * length - 1)
    return -edge <= number < edge


def _number(value: Any) -> int | float | Decimal:
    given = number_in(value) if isinstance(value, str) else value
    if not isinstance(given, int | float | Decimal):
        raise UnfitValue("is no number")
    return given


def decimal(value: Any, field: ResultField) -> Decimal:
    """Return the exact number; refuses one with more digits than `field` keeps."""
    given = _number(value)
    number = Decimal(repr(given) if isinstance(given, float) else given)
    if field.digits:
        _demand_digits(number, field)
    return number


def _demand_digits(number: Decimal, field: ResultField) -> None:
    if not number.is_finite():
        raise UnfitValue("is no number that it can hold")
    try:
        kept = Context(prec=field.digits).quantize(number, Decimal(1).scaleb(-field.scale))
    except InvalidOperation:
        raise UnfitValue(f"has more than {field.digits - field.scale} digits before the point") from None
    if kept != number:
        raise UnfitValue(f"has more than {field.scale} digits behind the point; round it in the query")


def floating(value: Any, field: ResultField) -> float:
    """Return the nearest float."""
    given = _number(value)
    try:
        number = float(given)
    except (OverflowError, ValueError):
        raise UnfitValue("is too large a number for it") from None
    if (
        number in (float("inf"), float("-inf"))
        and not isinstance(given, float)
        and abs(Decimal(given)) < Decimal("inf")
    ):
        raise UnfitValue("is too large a number for it")
    if field.length == 4 and isfinite(number) and _single_float(number, field.digits) != number:
        raise UnfitValue("has more digits than it keeps; round it in the query")
    return number


def _single_float(number: float, digits: int) -> float | None:
    """Return the number that is read of a float of 4 bytes, of which at most so many digits are shown."""
    try:
        kept = pack("f", number)
        texts = (f"{unpack('f', kept)[0]:.{places}g}" for places in range(1, digits + 1))
        return next((float(text) for text in texts if pack("f", float(text)) == kept), None)
    except OverflowError:
        return None


def text(value: Any, field: ResultField) -> str:
    """Return the value's text, whole; a blob is none."""
    if isinstance(value, bytes):
        raise UnfitValue("is a blob, not a text")
    written = plain(value)
    if _NUMBERED.match(field.native) and _WHOLE.fullmatch(written) and not _is_own(written, field.native):
        raise UnfitValue("would be taken for the number of another value")
    if field.length and len(written) > field.length:
        raise UnfitValue(f"has {len(written):,} characters, it takes {field.length:,}")
    return written


def _is_own(digits: str, native: str) -> bool:
    """Return whether digits are a year in full, or one of the texts that an ENUM or SET lists."""
    return len(digits) == 4 if native.lower().startswith("year") else f"'{digits}'" in native


def boolean(value: Any, field: ResultField) -> bool:
    """Return true for 1 and "yes", false for 0 and "no"."""
    given = truth_in(value) if isinstance(value, str) else value
    if not isinstance(given, int | float | Decimal) or given not in (0, 1):
        raise UnfitValue("is neither true nor false")
    return bool(given)


def day(value: Any, field: ResultField) -> date | ExactTime:
    """Return the date; of a time only at midnight, so that nothing is lost."""
    if isinstance(value, str):
        value = _time_in(read_timestamp, value, "is no date of the form 2026-12-31")
    if isinstance(value, ExactTime) and ":" not in value.text:
        return value
    if isinstance(value, datetime):
        if value.time() != time() or value.tzinfo:
            raise UnfitValue("has a time of day, it takes dates only")
        return value.date()
    if not isinstance(value, date):
        raise UnfitValue("is no date")
    return value


def clock(value: Any, field: ResultField) -> time | ExactTime | Interval:
    """Return the time of day, which has no zone; of a length of time, what it is after midnight."""
    if isinstance(value, str):
        value = _time_in(read_time, value, "is no time of the form 23:59:59")
    if isinstance(value, Interval) and not value.extents and 0 <= value.micros < DAY_MICROS:
        value = (datetime(1, 1, 1) + timedelta(microseconds=value.micros)).time()  # noqa: DTZ001 — it has no zone
    if not isinstance(value, time | ExactTime | Interval) or getattr(value, "kind", "time") not in ("time", "timetz"):
        raise UnfitValue("is no time of day")
    if (isinstance(value, time) and value.tzinfo) or (isinstance(value, ExactTime) and value.zoned):
        raise UnfitValue("has a time zone, it takes none")
    return value


def timestamp(value: Any, field: ResultField) -> datetime | ExactTime:
    """Return date and time without a zone, in UTC where there was one."""
    moment = _moment(value)
    if isinstance(moment, ExactTime):
        if moment.zoned:
            raise UnfitValue("has a time zone, it takes none")
        return moment
    return _utc(moment).replace(tzinfo=None) if moment.tzinfo else moment


def timestamptz(value: Any, field: ResultField) -> datetime | ExactTime:
    """Return date and time with a zone, which is UTC where there was none."""
    moment = _moment(value)
    if isinstance(moment, ExactTime):
        return moment.in_utc()
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise UnfitValue("is beyond the years that it takes") from None


def _moment(value: Any) -> datetime | ExactTime:
    if isinstance(value, ExactTime) and value.kind not in ("time", "timetz"):
        return value
    if isinstance(value, str):
        return _time_in(read_timestamp, value, "is no time of the form 2026-12-31 23:59:59")
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)  # noqa: DTZ001 — a date has no zone
    raise UnfitValue("is no point in time")


def blob(value: Any, field: ResultField) -> bytes:
    """Return the bytes; a text is none."""
    if not isinstance(value, bytes):
        raise UnfitValue("is no blob")
    return value


def json_text(value: Any, field: ResultField) -> str:
    """Return the value as JSON; a text has to be JSON already."""
    if isinstance(value, JsonText):
        return value.text
    if isinstance(value, str):
        try:
            json.loads(value, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise UnfitValue("is no JSON") from None
        return value
    if isinstance(value, int | list | tuple | dict) or (isinstance(value, float | Decimal) and isfinite(value)):
        return json_of(value)
    raise UnfitValue("is no JSON")


def _no_constant(name: str) -> None:
    raise ValueError(name)


def uuid(value: Any, field: ResultField) -> UUID:
    """Return the UUID, also out of its text."""
    if isinstance(value, UUID):
        return value
    return _read(UUID, value if isinstance(value, str) else "", "is no UUID")


def interval(value: Any, field: ResultField) -> Interval:
    """Return the length of time; of a time of day, since midnight."""
    found = interval_in(plain(value)) if isinstance(value, str | time | ExactTime) else value
    if not isinstance(found, Interval):
        raise UnfitValue("is no length of time")
    return found


def bits(value: Any, field: ResultField) -> str:
    """Return so many digits 0 and 1 as the column has; a number is none, as 101 may be five."""
    digits = str(int(value)) if isinstance(value, bool) else value
    if not isinstance(digits, str) or not _BITS.fullmatch(digits):
        raise UnfitValue("is no row of bits, such as 0101")
    if len(digits.lstrip("0")) > field.length:
        raise UnfitValue(f"has more than {field.length} bits")
    return digits


def variant(value: Any, field: ResultField) -> Any:
    """Return a value of its own type, JSON as what it holds; what would become a text is refused."""
    if isinstance(value, ExactTime | Interval):
        raise UnfitValue("would become a text in it")
    if isinstance(value, str) and field.native.upper().startswith("UNION"):
        raise UnfitValue("may be a text or another member of the union")
    if isinstance(value, JsonText):
        value = json.loads(value.text, parse_float=_variant_number, parse_int=_variant_number)
        if value is None:
            raise UnfitValue("would become NULL in it")
    if isinstance(value, list | tuple):
        if len({_shape(each) for each in value if each is not None}) > 1:
            raise UnfitValue("is a list of values of several types")
        return [variant(each, field) for each in value]
    if isinstance(value, dict):
        return {plain(key): variant(each, field) for key, each in value.items()}
    return _variant_number(value) if isinstance(value, Decimal) else value


def _shape(value: Any) -> Any:
    """Return the types of a value and of those within it, of which DuckDB makes one type for all of a list."""
    if isinstance(value, list | tuple):
        return ("list", frozenset(map(_shape, value)))
    if isinstance(value, dict):
        return ("dict", frozenset((plain(key), _shape(each)) for key, each in value.items()))
    return type(value)


_VARIANT_DIGITS_MAX = 38
"""DuckDB makes a float of a number with more digits."""


def _variant_number(digits: str | Decimal) -> int | Decimal:
    number = Decimal(digits)
    if len(number.as_tuple().digits) > _VARIANT_DIGITS_MAX:
        raise UnfitValue("has more digits than it keeps; round it in the query")
    return int(number) if str(number).lstrip("-").isdigit() else number


_IN_64_BITS = ResultField("", "integer", length=8)


def anything(value: Any, field: ResultField) -> Any:
    """Return the value, or its text where it is neither number, text nor blob.

    A column of SQLite with a type that is none of its texts makes a number of a text that looks like one.
    """
    if isinstance(value, int | float | bytes):
        return value
    written = text(value, field)
    if field.native and number_in(written) is not None:
        number = integer(written, _IN_64_BITS) if _WHOLE.fullmatch(written) else float(written)
        if Decimal(str(number)) != Decimal(written) or (isinstance(value, str) and plain(number) != written):
            raise UnfitValue("would become another number in it")
    return written


def _time_in(read: Callable[[str], V], text: str, words: str) -> V:
    """Return a time that a text is, also one that Python has no type for; one without a date is none of a calendar."""
    value = read(text.strip())
    if isinstance(value, ExactTime) and not (value.extents and nanoseconds_in(value.text) is not None):
        raise UnfitValue(words)
    return value


def _read(read: Callable[[str], V], text: str, words: str) -> V:
    try:
        return read(text.strip())
    except ValueError:
        raise UnfitValue(words) from None


CONVERSIONS: dict[Kind, tuple[frozenset[type], Callable[[Any, ResultField], Any]]] = {
    "integer": (frozenset({int}), integer),
    "decimal": (frozenset({Decimal}), decimal),
    "float": (frozenset({float}), floating),
    "text": (frozenset({str}), text),
    "bool": (frozenset({bool}), boolean),
    "date": (frozenset({date}), day),
    "time": (frozenset(), clock),
    "timestamp": (frozenset(), timestamp),
    "timestamptz": (frozenset(), timestamptz),
    "blob": (frozenset({bytes}), blob),
    "json": (frozenset(), json_text),
    "uuid": (frozenset({UUID}), uuid),
    "interval": (frozenset(), interval),
    "array": (frozenset(), lambda value, field: value),
    "bits": (frozenset(), bits),
    "any": (frozenset({int, bytes}), anything),
    "variant": (frozenset(), variant),
}
"""The types that a kind takes as they are, and what makes its values of all others."""


# Batches of rows as the columns of a table take them; what fits already costs a look at the types of each column.

Row = tuple[Any, ...]
Bind = Callable[[Any], Any]

_MEND = "Change the query, or choose another column for it."


class RowFitter:
    """Counts the rows in `total` as it goes; `binds` make of a kind's values what the driver takes, after all else."""

    def __init__(self, fields: Sequence[ResultField], dialect: Name, binds: Mapping[Kind, Bind] = {}) -> None:
        self.total = 0
        self._fits = [_ColumnFitter(field, dialect, binds) for field in fields]

    def fit(self, rows: list[Row]) -> list[Row]:
        """Return the rows with every value of its column's kind; raises Refusal for the first that cannot be."""
        columns = list(zip(*rows, strict=True))
        changed = False
        for place, fit in enumerate(self._fits):
            if not fit.passes(columns[place]):
                columns[place] = self._converted(fit, columns[place])
                changed = True
        self.total += len(rows)
        return list(zip(*columns, strict=True)) if changed else rows

    def _converted(self, fit: "_ColumnFitter", column: Row) -> Row:
        made: list[Any] = []
        try:
            for value in column:
                made.append(None if value is None else fit.convert(value))
        except UnfitValue as clash:
            number = self.total + len(made) + 1
            raise unfit_refusal(fit.field, number, column[len(made)], str(clash)) from None
        return tuple(made)

    def culprit(self, rows: list[Row], nulls: bool) -> Refusal | None:
        """Return the refusal for a text that no database takes: half a character or, with `nulls`, a null character."""
        for number, row in enumerate(rows, self.total - len(rows) + 1):
            for fit, value in zip(self._fits, row, strict=True):
                if isinstance(value, str | list | dict | JsonText) and (
                    words := unwritable(value if isinstance(value, str) else plain(value), nulls)
                ):
                    return unfit_refusal(fit.field, number, value, words)
        return None


class _ColumnFitter:
    """One column: what it takes as it is, and what becomes of the rest."""

    def __init__(self, field: ResultField, dialect: Name, binds: Mapping[Kind, Bind]) -> None:
        as_is, convert = CONVERSIONS[field.kind]
        bind = binds.get(field.kind)
        if field.kind == "array":
            fitted = nested_conversion(field.native, dialect, lambda each: _ColumnFitter(each, dialect, binds).convert)

            def convert(value: Any, field: ResultField) -> Any:
                return fitted(value)

        self.field, self._dialect = field, dialect
        self._convert, self._bind, self._change = convert, bind, change_of(field, dialect)
        whole = bind is None and self._change is None and not (field.kind == "decimal" and field.digits)
        whole = whole and not (field.kind == "float" and field.length) and not _NUMBERED.match(field.native)
        self._as_is = as_is | {type(None)} if whole else frozenset({type(None)})

    def passes(self, column: Row) -> bool:
        """Tell whether the driver takes this column as it is."""
        if not set(map(type, column)) <= self._as_is:
            return False
        if self.field.length == 0:
            return True
        if self.field.kind == "integer":
            numbers = list(filter(None, column))
            return not numbers or all(in_bytes(edge, self.field.length) for edge in (min(numbers), max(numbers)))
        return max(map(len, filter(None, column)), default=0) <= self.field.length

    def convert(self, value: Any) -> Any:
        """Return what the driver takes for this value; raises UnfitValue."""
        value = self._convert(value, self.field)
        extents = json_extents(value) if self.field.kind == "json" else getattr(value, "extents", frozenset())
        if extents and not holds(self._dialect, self.field, extents):
            raise UnfitValue("is beyond what it takes")
        if self._change and (words := self._change(value)):
            raise UnfitValue(words)
        return value if self._bind is None else self._bind(value)


def unwritable(text: str, nulls: bool) -> str:
    """Return what is wrong with a text that cannot be written, "" where nothing is."""
    if nulls and "\x00" in text:
        return "holds a null character, which this database does not take"
    try:
        text.encode("utf-8", "surrogateescape").decode()
    except UnicodeEncodeError:
        return "holds half a character, which no database takes"
    except UnicodeDecodeError:
        return "holds bytes that are no text, which no other database takes"
    return ""


def unfit_refusal(field: ResultField, number: int, value: Any, words: str) -> Refusal:
    """Return the refusal for one value of row `number`; `words` go on after the value."""
    takes = f" ({field.native})" if field.native else ""
    where = f'Row {number:,} does not fit the column "{field.name}"{takes}: '
    return nothing_written(f'{where}"{shown(value)}" {words}', _MEND, f"{where}the value {words}")
