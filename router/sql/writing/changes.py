"""Silent changes of values by a column: databases round, cut and fill up, and make "?" of letters."""

import re
from collections.abc import Callable
from typing import Any

from router.sql.writing.column_types import type_parts
from router.sql.writing.dialects import WriteDialect
from router.sql.writing.order import ResultField

Change = Callable[[Any], str]
"""Returns what would be changed in a value, as words that go on after "the value"; "" if nothing."""

_TIMES = frozenset({"time", "timestamp", "timestamptz", "interval"})
_DIGITS = re.compile(r"\((\d)\)(?!.*\()")
_FIXED = re.compile(r"(?:character|n?char|bpchar|binary) ?\((\d+)\)", re.IGNORECASE)
_KEPT_THOUSANDTHS = (0, 3, 7)
"""The last digits of the milliseconds that a DATETIME of SQL Server keeps."""


def change_of(field: ResultField, dialect: WriteDialect) -> Change | None:
    """Return what says how a column would change a value of its kind, None if it keeps each as it is, or refuses it."""
    if dialect.name == "sqlite":
        return None
    if field.kind in _TIMES:
        return _time_change(field, dialect)
    if field.kind == "text" and dialect.name == "mysql":
        ends = "ends with a blank, which it drops"
        return (lambda value: ends if value.endswith(" ") else "") if _FIXED.match(field.native) else None
    if field.kind in ("text", "blob"):
        fixed, code_page = _FIXED.match(field.native), field.digits if field.kind == "text" else 0
        length = int(fixed[1]) if fixed else 0
        if length or code_page:
            return lambda value: _letter_change(value, code_page) or _length_change(value, length)
    return None


def _time_change(field: ResultField, dialect: WriteDialect) -> Change | None:
    """Return what says that a time has smaller parts than a column keeps."""
    base, digits = type_parts(field.native)[0], _DIGITS.search(field.native)
    step = 10 ** (6 - min(6, int(digits[1]))) if digits else dialect.steps.get(base, 1)
    by_thousandths = (dialect.name, base) == ("tsql", "datetime")

    def change(value: Any) -> str:
        micros = getattr(value, "second", 0) * 10**6 + getattr(value, "microsecond", 0)
        micros = getattr(value, "micros", micros)
        if micros % step or (by_thousandths and micros // 1000 % 10 not in _KEPT_THOUSANDTHS):
            return "has smaller parts of a second than it keeps; round it in the query"
        return ""

    return change if step > 1 else None


def _length_change(value: str | bytes, length: int) -> str:
    return f"would be filled up to {length:,}; fill it up in the query" if len(value) < length else ""


def _letter_change(value: Any, code_page: int) -> str:
    """Return whether a text has letters that would be others, or "?", in the code page of its column."""
    if not code_page:
        return ""
    try:
        kept = value.encode(f"cp{code_page}").decode(f"cp{code_page}")
    except UnicodeError:
        kept = ""
    return "" if kept == value else f"has letters that the column's code page (cp{code_page}) has not"
