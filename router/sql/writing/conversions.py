"""A value of any type as a column of one kind takes it: never changed, refused if it would have to be.

A time without a zone that goes into a column with one is taken for UTC, and one with a zone that goes into a column
without is written in UTC; a number becomes the nearest float. Everything else keeps its exact value.
"""

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Context, Decimal, InvalidOperation
from math import isfinite, isinf
from struct import pack, unpack
from typing import Any, TypeVar
from uuid import UUID

from router.sql.cell_text import json_of, plain
from router.sql.text_values import is_usual, number_in, truth_in
from router.sql.value_kinds import (
    ExactTime,
    Interval,
    JsonText,
    interval_in,
    nanoseconds_in,
    read_time,
    read_timestamp,
)
from router.sql.writing.dialects import sqlite_decimal
from router.sql.writing.order import Kind, ResultField, UnfitValue

V = TypeVar("V")

_WHOLE = re.compile(r"\s*[+-]?\d{1,400}\s*", re.ASCII)
_CODE = re.compile(r"\s*[+-]?0\d")
_BITS = re.compile(r"[01]{1,10000}", re.ASCII)
_NUMBERED = re.compile(r"(?:enum|set)\(|year\b", re.IGNORECASE)
"""Types of MySQL that take a number, also as a text, for the place of a value, and 5 for 2005."""


def _number(value: Any) -> int | float | Decimal:
    """Return the number that a value is; a text such as 007 is a code, whose zeros a number would lose."""
    if isinstance(value, str) and _CODE.match(value):
        raise UnfitValue("begins with a zero, which a number would lose")
    given = number_in(value) if isinstance(value, str) else value
    if not isinstance(given, int | float | Decimal):
        raise UnfitValue("is no number")
    return given


def integer(value: Any, field: ResultField) -> int:
    """Return a whole number that has room in `field.length` bytes."""
    number = _number(value) if not isinstance(value, str) or _WHOLE.fullmatch(value) else None
    if isinstance(number, float | Decimal) and isfinite(number) and number == int(number):
        number = int(number)
    if not isinstance(number, int):
        raise UnfitValue("is no whole number")
    if field.length and not in_bytes(number, field.length):
        raise UnfitValue("is too large a number for it")
    return int(number)


def in_bytes(number: int, length: int) -> bool:
    """Return whether a whole number has room in so many bytes, one bit of them for the sign."""
    edge = 1 << (8 * length - 1)
    return -edge <= number < edge


def decimal(value: Any, field: ResultField) -> Decimal:
    """Return the exact number; refuses one with more digits than `field` keeps."""
    given = _number(value)
    number = Decimal(repr(given) if isinstance(given, float) else given)
    if not field.digits:
        return number
    if not number.is_finite():
        raise UnfitValue("is no number that it can hold")
    try:
        kept = Context(prec=field.digits).quantize(number, Decimal(1).scaleb(-field.scale))
    except InvalidOperation:
        raise UnfitValue(f"has more than {field.digits - field.scale} digits before the point") from None
    if kept != number:
        raise UnfitValue(f"has more than {field.scale} digits behind the point; round it in the query")
    return number


def floating(value: Any, field: ResultField) -> float:
    """Return the nearest float."""
    given = _number(value)
    try:
        number = float(given)
    except (OverflowError, ValueError):
        raise UnfitValue("is too large a number for it") from None
    if isinf(number) and isinstance(given, Decimal) and given.is_finite():
        raise UnfitValue("is too large a number for it")
    is_cut = field.scale and round(number, field.scale) != number
    if is_cut or (field.length == 4 and isfinite(number) and _single_float(number, field.digits) != number):
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
    if is_numbered(field) and _WHOLE.fullmatch(written) and not _is_own(written, field.native):
        raise UnfitValue("would be taken for the number of another value")
    if field.length and len(written) > field.length:
        raise UnfitValue(f"has {len(written):,} characters, it takes {field.length:,}")
    return written


def is_numbered(field: ResultField) -> bool:
    """Return whether a column takes a number for another value."""
    return _NUMBERED.match(field.native) is not None


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
    if type(value) is date:
        return value
    moment = _moment(value, "is no date of the form 2026-12-31")
    if isinstance(moment, ExactTime) and ":" not in moment.text:
        return moment
    if isinstance(moment, ExactTime) or moment.time() != time() or moment.tzinfo:
        raise UnfitValue("has a time of day, it takes dates only")
    return moment.date()


def clock(value: Any, field: ResultField) -> time | ExactTime | Interval:
    """Return the time of day, which has no zone; of a length of time, what it is after midnight."""
    if isinstance(value, str):
        value = _time_in(read_time, value, "is no time of the form 23:59:59")
    if not isinstance(value, time | ExactTime | Interval) or getattr(value, "kind", "time") not in ("time", "timetz"):
        raise UnfitValue("is no time of day")
    if getattr(value, "tzinfo", None) or getattr(value, "zoned", False):
        raise UnfitValue("has a time zone, it takes none")
    return value


def timestamp(value: Any, field: ResultField) -> datetime | ExactTime:
    """Return date and time without a zone, in UTC if there was one."""
    moment = _moment(value)
    if isinstance(moment, ExactTime):
        if moment.zoned:
            raise UnfitValue("has a time zone, it takes none")
        return moment
    try:
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    except OverflowError:
        raise UnfitValue("is beyond the years that it takes") from None


def timestamptz(value: Any, field: ResultField) -> datetime | ExactTime:
    """Return date and time with a zone, which is UTC if there was none."""
    moment = _moment(value)
    if isinstance(moment, ExactTime):
        return moment.in_utc()
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _moment(value: Any, words: str = "is no time of the form 2026-12-31 23:59:59") -> datetime | ExactTime:
    """Return a point in time; a date is its midnight."""
    if isinstance(value, str):
        return _time_in(read_timestamp, value, words)
    if isinstance(value, datetime) or (isinstance(value, ExactTime) and value.kind not in ("time", "timetz")):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)  # noqa: DTZ001 — a date has no zone
    raise UnfitValue(words)


def _time_in(read: Callable[[str], V], text: str, words: str) -> V:
    """Return a time that a text is, also one that Python has no type for; one without a date is none of a calendar."""
    value = read(text.strip())
    if isinstance(value, ExactTime) and not (value.extents and nanoseconds_in(value.text) is not None):
        raise UnfitValue(words)
    return value


def interval(value: Any, field: ResultField) -> Interval:
    """Return the length of time; of a time of day, since midnight."""
    found = interval_in(plain(value)) if isinstance(value, str | time | ExactTime) else value
    if not isinstance(found, Interval):
        raise UnfitValue("is no length of time")
    return found


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
        parsed(value, "is no JSON")
        return value
    if isinstance(value, int | list | tuple | dict) or (isinstance(value, float | Decimal) and isfinite(value)):
        return json_of(value)
    raise UnfitValue("is no JSON")


def parsed(text: str, words: str) -> Any:
    """Return what JSON holds; NaN and Infinity are none."""
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise UnfitValue(words) from None


def _no_constant(name: str) -> None:
    raise ValueError(name)


def uuid(value: Any, field: ResultField) -> UUID:
    """Return the UUID, also out of its text."""
    try:
        return value if isinstance(value, UUID) else UUID(value.strip())
    except (AttributeError, ValueError):
        raise UnfitValue("is no UUID") from None


def bits(value: Any, field: ResultField) -> str:
    """Return so many digits 0 and 1 as the column has; a number is none, as 101 may be five."""
    digits = str(int(value)) if isinstance(value, bool) else value
    if not isinstance(digits, str) or not _BITS.fullmatch(digits):
        raise UnfitValue("is no row of bits, such as 0101")
    if len(digits.lstrip("0")) > field.length:
        raise UnfitValue(f"has more than {field.length} bits")
    return digits


def anything(value: Any, field: ResultField) -> Any:
    """Return the value, or its text if it is neither number, text nor blob.

    A column of SQLite with a type that is none of its texts makes a number of a text that looks like one.
    """
    if isinstance(value, int | float | bytes):
        return value
    written = text(value, field)
    number = number_in(written) if field.native else None
    if number is None:
        return written
    if isinstance(value, str) and not is_usual(written):
        raise UnfitValue("would become another number in it")
    return sqlite_decimal(Decimal(number))


def unwritten(value: Any, field: ResultField) -> Any:
    """Refuse the value: a column of this type would change it, or need more than drivers send."""
    raise UnfitValue("cannot be written into a column of this type; leave the column out")


CONVERSIONS: dict[Kind, Callable[[Any, ResultField], Any]] = {
    "integer": integer,
    "decimal": decimal,
    "float": floating,
    "text": text,
    "bool": boolean,
    "date": day,
    "time": clock,
    "timestamp": timestamp,
    "timestamptz": timestamptz,
    "blob": blob,
    "json": json_text,
    "uuid": uuid,
    "interval": interval,
    "bits": bits,
    "any": anything,
    "unwritten": unwritten,
}
"""Converters to each kind of value; arrays are made of their items."""

TAKEN_AS_IS: dict[Kind, type] = {
    "integer": int,
    "decimal": Decimal,
    "float": float,
    "text": str,
    "bool": bool,
    "date": date,
    "blob": bytes,
    "uuid": UUID,
}
"""The type whose values a kind takes as they are."""
