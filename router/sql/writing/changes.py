"""What a column would change in a value without a word: databases round, cut and fill up, and make "?" of letters."""

import re
from collections.abc import Callable
from typing import Any

from router.sql.dialect import Name
from router.sql.writing.column_types import type_parts
from router.sql.writing.order import Kind, ResultField

Change = Callable[[Any], str]
"""Returns what would be changed in a value, as words that go on after "the value"; "" if nothing."""

_TIMES: frozenset[Kind] = frozenset({"time", "timestamp", "timestamptz", "interval"})
_DIGITS = re.compile(r"\((\d)\)(?!.*\()")
_FIXED = re.compile(r"(?:character|n?char|bpchar|binary) ?\((\d+)\)", re.IGNORECASE)
_PLACES = re.compile(r"(?:float|double|real)\(\d+, *(\d+)\)", re.IGNORECASE)
_CUT_BYTES = {"name": 63, '"char"': 1}
"""Types of PostgreSQL that cut off what is longer."""

_ROUND = "round it in the query"


def change_of(field: ResultField, dialect: Name) -> Change | None:
    """Return what says how a column would change a value of its kind, None if it keeps each as it is, or refuses it."""
    if dialect == "sqlite":
        return None
    if field.kind in _TIMES:
        return _time_change(field, dialect)
    if dialect == "mysql" and (places := _PLACES.match(field.native)):
        digits = int(places[1])
        words = f"has more than {digits} digits behind the point; {_ROUND}"
        return lambda value: words if round(value, digits) != value else ""
    if field.kind == "text" and field.digits:
        return lambda value: _length_change(value, field, dialect) or _letter_change(value, f"cp{field.digits}")
    if field.native in _CUT_BYTES or _FIXED.match(field.native):
        return lambda value: _length_change(value, field, dialect)
    return None


def _time_change(field: ResultField, dialect: Name) -> Change | None:
    base = type_parts(field.native)[0] if dialect == "tsql" else ""
    step = 60 * 10**6 if base == "smalldatetime" else 10 ** (6 - _second_digits(field, dialect))
    if step == 1:
        return None
    small = f"has smaller parts of {'a minute' if step > 10**6 else 'a second'} than it keeps; {_ROUND}"

    def change(value: Any) -> str:
        micros = getattr(value, "second", 0) * 10**6 + getattr(value, "microsecond", 0)
        micros = getattr(value, "micros", micros)
        if micros % step:
            return small
        if base == "datetime" and micros // 1000 % 10 not in (0, 3, 7):
            return f"has thousandths of a second that do not end in 0, 3 or 7, as those it keeps; {_ROUND}"
        return ""

    return change


def _second_digits(field: ResultField, dialect: Name) -> int:
    """Return how many digits of a second a column keeps."""
    if found := _DIGITS.search(field.native):
        return min(6, int(found[1]))
    base = type_parts(field.native)[0]
    if base == "timestamp_s" or (dialect == "oracle" and base == "date"):
        return 0
    if base == "timestamp_ms" or (dialect == "tsql" and base == "datetime"):
        return 3
    return 0 if dialect == "mysql" else 6


def _length_change(value: str | bytes, field: ResultField, dialect: Name) -> str:
    """Return how a text or blob would become longer or shorter; MySQL fills up blobs, and texts only until it reads."""
    if dialect == "postgres" and (most := _CUT_BYTES.get(field.native, 0)):
        long = isinstance(value, str) and len(value.encode("utf-8", "replace")) > most
        return f"has more than {most:,} bytes, and it cuts off the rest" if long else ""
    if isinstance(value, str) and dialect == "mysql":
        return "ends with a blank, which it drops" if value.endswith(" ") else ""
    fixed = _FIXED.match(field.native)
    if fixed is None or len(value) == int(fixed[1]):
        return ""
    return f"would be filled up to {int(fixed[1]):,}; fill it up in the query"


def _letter_change(value: str, code_page: str) -> str:
    try:
        kept = value.encode(code_page).decode(code_page)
    except UnicodeError:
        kept = ""
    return "" if kept == value else f"has letters that the column's code page ({code_page}) has not"
