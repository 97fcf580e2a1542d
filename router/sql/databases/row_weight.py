"""The weight of rows in memory: by it batches are made, so that wide rows come few at a time.

A value of fixed size weighs `VALUE_MIN_BYTES`, a text or a blob as many more as it is long. That is no exact measure:
what matters is that a thousand rows of megabytes are told from a thousand short ones, at little cost for those.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from sys import getsizeof
from typing import Any
from uuid import UUID

from router.sql.value_kinds import ExactTime, Interval, JsonText

Row = tuple[Any, ...]

BATCH_BYTES = 4_000_000
"""So much a batch weighs at most, but for one row that weighs more by itself."""

VALUE_MIN_BYTES = 16
"""The least weight of a value, in bytes."""

UNWEIGHED_ROWS = 16
"""Rows that are fetched unweighed, after short ones, if a driver hands them over one by one."""

LONG_ROW_BYTES = BATCH_BYTES // 1000
"""Bytes from which a row is long: of such rows, a thousand are more than a batch."""

_FLAT = (str, bytes, bytearray, memoryview)
_SHORT = frozenset({type(None), bool, float, date, datetime, time, UUID, Interval, ExactTime})
_TEXTS = frozenset({type(None), str, bytes})
_NUMBERS = frozenset({type(None), int, Decimal})


def weight(value: Any) -> int:
    """Return about how many bytes a value takes, with all that is in it."""
    kind = type(value)
    if kind in _SHORT:
        return VALUE_MIN_BYTES
    if kind in _NUMBERS:
        return getsizeof(value)
    if isinstance(value, _FLAT):
        return VALUE_MIN_BYTES + len(value)
    if isinstance(value, JsonText):
        return VALUE_MIN_BYTES + len(value.text)
    if isinstance(value, dict):
        return VALUE_MIN_BYTES + sum(weight(key) + weight(each) for key, each in value.items())
    if isinstance(value, list | tuple):
        return VALUE_MIN_BYTES + sum(map(weight, value))
    return VALUE_MIN_BYTES


def rows_weight(rows: Sequence[Row]) -> int:
    """Return about how many bytes the rows take."""
    total = 0
    for column in zip(*rows, strict=True):
        types = set(map(type, column))
        if types <= _SHORT:
            total += VALUE_MIN_BYTES * len(column)
        elif types <= _TEXTS:
            total += VALUE_MIN_BYTES * len(column) + sum(map(len, filter(None, column)))
        elif types <= _NUMBERS:
            total += sum(map(getsizeof, column))
        else:
            total += sum(map(weight, column))
    return total


def row_weight(row: Row) -> int:
    """Return about how many bytes a row takes."""
    return sum(map(weight, row))


def sampled_weight(rows: Sequence[Row], turn: int) -> int:
    """Return about how many bytes rows take that are alike, by one of them: another one at each turn."""
    return len(rows) * row_weight(rows[turn % len(rows)])


def gathered(fetch: Callable[[int], Sequence[Row]], batch: int) -> list[Row]:
    """Return the next rows of a driver that hands them over one by one: at most `batch`, and about BATCH_BYTES.

    An empty list says that there are no more.
    """
    rows: list[Row] = []
    total, step, turn = 0, 1, 0
    while len(rows) < batch and total < BATCH_BYTES:
        some = fetch(min(step, batch - len(rows)))
        if not some:
            break
        rows += some
        size = sampled_weight(some, turn)
        total, turn = total + size, turn + 1
        step = 1 if size > LONG_ROW_BYTES * len(some) else min(UNWEIGHED_ROWS, 2 * step)
    return rows
