"""Rows in batches that are limited in number and in bytes, whatever the rows hold."""

from collections.abc import Callable, Sequence
from typing import Any

from router.sql.readers import wire
from router.sql.readers.refused import Refused

Row = tuple[Any, ...]

BATCH_MAX_BYTES = 4 * 2**20
ROW_MAX_BYTES = 8 * 2**20

FETCHED_MAX_ROWS = 64
"""Rows that are asked of the engine at once: few, as each may be large."""

FETCHED_BYTES = 2**20
"""Bytes to ask for at once, as the rows before were."""

NESTED_WEIGHT = 8
"""Each little value in a list is an object of its own, which takes so many times the bytes it has in a message."""


class Batches:
    """The rows of one statement, packed; `fetch` returns at most so many, none at the end."""

    def __init__(self, fetch: Callable[[int], Sequence[Row]], nested: bool = False) -> None:
        self._fetch, self._weight = fetch, NESTED_WEIGHT if nested else 1
        self._waiting: list[tuple[bytes, int]] = []
        """Single rows that were fetched and did not fit."""
        self._size, self._over = 8, False

    def next(self, most: int) -> tuple[list[bytes], bool]:
        """Return packed lists of at most `most` rows and about `BATCH_MAX_BYTES` in all, and whether more may follow.

        At least one row is in it, unless there are none left. Raises Refused for a row that no message may hold.
        """
        parts: list[bytes] = []
        rows = size = 0
        while rows < most and size < BATCH_MAX_BYTES:
            if not self._waiting and not self._fetched(min(self._size, most - rows)):
                break
            while self._waiting and rows < most and (not parts or size + self._weighed(0) <= BATCH_MAX_BYTES):
                part, count = self._waiting.pop(0)
                parts.append(part)
                rows, size = rows + count, size + len(part) * self._weight
            if self._waiting:
                break
        return parts, bool(self._waiting) or not self._over

    def _weighed(self, place: int) -> int:
        return len(self._waiting[place][0]) * self._weight

    def _fetched(self, count: int) -> bool:
        """Fetch rows to wait; say whether there were any."""
        found = [] if self._over else self._fetch(count)
        if not found:
            self._over = True
            return False
        whole = _packed(found)
        size = len(whole) * self._weight if whole else FETCHED_BYTES * FETCHED_MAX_ROWS
        self._waiting = [(whole, len(found))] if size <= 2 * FETCHED_BYTES else [(self._alone(row), 1) for row in found]
        fitting = FETCHED_BYTES // (size // len(found) + 1)
        self._size = max(1, min(FETCHED_MAX_ROWS, fitting, self._size * 4))
        return True

    def _alone(self, row: Row) -> bytes:
        part = _packed([row])
        if not part or len(part) * self._weight > ROW_MAX_BYTES:
            raise Refused(
                f"One row of the result has more than {ROW_MAX_BYTES // 2**20} MB, which is more than can be kept. "
                "Nothing was changed. Leave out its largest column, or take a part of it."
            )
        return part


def _packed(rows: Sequence[Row]) -> bytes:
    """Return the rows as a message, nothing where that would be too long."""
    try:
        return wire.packed(rows)
    except ValueError:
        return b""
