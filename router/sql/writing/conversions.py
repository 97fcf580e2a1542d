"""A value of any type as a column of one kind takes it: never changed, refused where it would have to be.

A time without a zone that goes into a column with one is taken for UTC, and one with a zone that goes into a column
without is written in UTC; a number becomes the nearest float. Everything else keeps its exact value.
"""

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Context, Decimal, InvalidOperation
from typing import Any, TypeVar
from uuid import UUID

from router.sql.writing.order import Field, Kind
from router.sql.writing.refusal import Clash
from router.sql.writing.texts import json_of, text_of

V = TypeVar("V")

_WHOLE = re.compile(r"\s*[+-]?\d{1,400}\s*", re.ASCII)
_NUMBER = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?\s*", re.ASCII)
_FAR = 10**300
_YES = frozenset({"1", "true", "t", "yes", "y"})
_NO = frozenset({"0", "false", "f", "no", "n"})


def integer(value: Any, field: Field) -> int:
    """Return a whole number that has room in `field.length` bytes."""
    if isinstance(value, float | Decimal) and not _whole(value):
        raise Clash("is no whole number")
    if not isinstance(value, int | float | Decimal) and not (isinstance(value, str) and _WHOLE.fullmatch(value)):
        raise Clash("is no whole number")
    number = int(value)
    if field.length and not in_bytes(number, field.length):
        raise Clash("is too large a number for it")
    return number


def _whole(number: Any) -> bool:
    return bool(abs(number) < _FAR and number == int(number))


def in_bytes(number: int, length: int) -> bool:
    """Tell whether a whole number has room in so many bytes, one bit of them for the sign."""
    edge = 1 << (8 * length - 1)
    return -edge <= number < edge


def decimal(value: Any, field: Field) -> Decimal:
    """Return the exact number; refuses one with more digits than `field` keeps."""
    match value:
        case Decimal():
            number = value
        case bool() | int():
            number = Decimal(int(value))
        case float():
            number = Decimal(repr(value))
        case str() if _NUMBER.fullmatch(value):
            number = Decimal(value.strip())
        case _:
            raise Clash("is no number")
    if field.digits:
        _demand_digits(number, field)
    return number


def _demand_digits(number: Decimal, field: Field) -> None:
    if not number.is_finite():
        raise Clash("is no number that it can hold")
    try:
        kept = Context(prec=field.digits).quantize(number, Decimal(1).scaleb(-field.scale))
    except InvalidOperation:
        raise Clash(f"has more than {field.digits - field.scale} digits before the point") from None
    if kept != number:
        raise Clash(f"has more than {field.scale} digits behind the point; round it in the query")


def floating(value: Any, field: Field) -> float:
    """Return the nearest float."""
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        raise Clash("is no number")
    if not isinstance(value, str | int | float | Decimal):
        raise Clash("is no number")
    try:
        number = float(value)
    except (OverflowError, ValueError):
        raise Clash("is too large a number for it") from None
    if (
        number in (float("inf"), float("-inf"))
        and not isinstance(value, float)
        and abs(Decimal(value)) < Decimal("inf")
    ):
        raise Clash("is too large a number for it")
    return number


def text(value: Any, field: Field) -> str:
    """Return the value's text, whole; a blob is none."""
    if isinstance(value, bytes):
        raise Clash("is a blob, not a text")
    try:
        written = text_of(value)
    except ValueError:
        raise Clash("holds a number that JSON does not have") from None
    if field.length and len(written) > field.length:
        raise Clash(f"has {len(written):,} characters, it takes {field.length:,}")
    return written


def boolean(value: Any, field: Field) -> bool:
    """Return true for 1 and "yes", false for 0 and "no"."""
    if isinstance(value, int | float | Decimal) and value in (0, 1):
        return bool(value)
    word = value.strip().lower() if isinstance(value, str) else ""
    if word not in _YES | _NO:
        raise Clash("is neither true nor false")
    return word in _YES


def day(value: Any, field: Field) -> date:
    """Return the date; of a time only at midnight, so that nothing is lost."""
    if isinstance(value, str):
        value = _read(datetime.fromisoformat, value, "is no date of the form 2026-12-31")
    if isinstance(value, datetime):
        if value.time() != time() or value.tzinfo:
            raise Clash("has a time of day, it takes dates only")
        return value.date()
    if not isinstance(value, date):
        raise Clash("is no date")
    return value


def clock(value: Any, field: Field) -> time:
    """Return the time of day, which has no zone."""
    if isinstance(value, str):
        value = _read(time.fromisoformat, value, "is no time of the form 23:59:59")
    if isinstance(value, timedelta) and timedelta() <= value < timedelta(days=1):
        value = (datetime(1, 1, 1) + value).time()  # noqa: DTZ001 — a time of day has no zone
    if not isinstance(value, time):
        raise Clash("is no time of day")
    if value.tzinfo:
        raise Clash("has a time zone, it has none")
    return value


def timestamp(value: Any, field: Field) -> datetime:
    """Return date and time without a zone, in UTC where there was one."""
    moment = _moment(value)
    return _utc(moment).replace(tzinfo=None) if moment.tzinfo else moment


def timestamptz(value: Any, field: Field) -> datetime:
    """Return date and time with a zone, which is UTC where there was none."""
    moment = _moment(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise Clash("is beyond the years that it takes") from None


def _moment(value: Any) -> datetime:
    if isinstance(value, str):
        return _read(datetime.fromisoformat, value, "is no time of the form 2026-12-31 23:59:59")
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)  # noqa: DTZ001 — a date has no zone
    raise Clash("is no point in time")


def blob(value: Any, field: Field) -> bytes:
    """Return the bytes; a text is none."""
    if not isinstance(value, bytes):
        raise Clash("is no blob")
    return value


def json_text(value: Any, field: Field) -> str:
    """Return the value as JSON; a text has to be JSON already."""
    try:
        if isinstance(value, str):
            json.loads(value, parse_constant=_no_constant)
            return value
        if isinstance(value, int | float | list | tuple | dict):
            return json_of(value)
    except (ValueError, RecursionError):
        pass
    else:
        if isinstance(value, Decimal) and value.is_finite():
            return text_of(value)
    raise Clash("is no JSON")


def _no_constant(name: str) -> None:
    raise ValueError(name)


def uuid(value: Any, field: Field) -> UUID:
    """Return the UUID, also out of its text."""
    if isinstance(value, UUID):
        return value
    return _read(UUID, value if isinstance(value, str) else "", "is no UUID")


def interval(value: Any, field: Field) -> timedelta:
    """Return the length of time."""
    if not isinstance(value, timedelta):
        raise Clash("is no length of time")
    return value


def anything(value: Any, field: Field) -> Any:
    """Return the value, or its text where it is neither number, text nor blob."""
    return value if isinstance(value, int | float | bytes) else text(value, field)


def _read(read: Callable[[str], V], text: str, words: str) -> V:
    try:
        return read(text.strip())
    except ValueError:
        raise Clash(words) from None


CONVERSIONS: dict[Kind, tuple[frozenset[type], Callable[[Any, Field], Any]]] = {
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
    "interval": (frozenset({timedelta}), interval),
    "any": (frozenset({int, str, bytes}), anything),
}
"""The types that a kind takes as they are, and what makes its values of all others."""
