"""Equality of two results: the same rows as often, in the same order where that was asked for."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import sqlglot
from sqlglot.errors import SqlglotError

Rows = Sequence[Sequence[Any]]

COMPARED_DIGITS = 6
"""Digits to which numbers are compared."""


def same_rows(right: Rows, found: Rows, in_order: bool) -> bool:
    """Tell whether both hold the same rows; columns are compared by place, numbers to six digits."""
    ours, theirs = [_row(row) for row in right], [_row(row) for row in found]
    return ours == theirs if in_order else Counter(ours) == Counter(theirs)


def ordered(sql: str, dialect: str) -> bool:
    """Tell whether a query ends in ORDER BY, so that the order of its rows is part of the answer."""
    try:
        return sqlglot.parse_one(sql, dialect=dialect).args.get("order") is not None
    except SqlglotError:
        return False


def _row(row: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(_value(value) for value in row)


def _value(value: Any) -> Any:
    """Return a value as it is compared: 1, 1.0, True and Decimal(1) are one number, dates are texts."""
    match value:
        case bool() | int() | float() | Decimal():
            number = float(value)
            return float(f"{number:.{COMPARED_DIGITS}g}") if number == number else "nan"
        case datetime() | date() | time():
            return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
        case bytes() | bytearray() | memoryview():
            return bytes(value)
        case None:
            return None
    return str(value)
