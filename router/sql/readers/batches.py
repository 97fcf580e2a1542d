"""Rows in batches that are limited in number and in bytes, whatever the rows hold."""

from collections.abc import Callable, Sequence
from typing import Any

from router.sql.cell_text import CELL_BYTES, SIGN_MAX_BYTES, bytes_of, cut
from router.sql.readers import wire
from router.sql.readers.wire import ReaderRefusal

Row = tuple[Any, ...]

BATCH_MAX_BYTES = 4 * 2**20
ROW_MAX_BYTES = 8 * 2**20

CELL_HEAD_BYTES = SIGN_MAX_BYTES + 20
"""Of each cell that was cut: what a message says of a value, and the sign."""

FETCHED_MAX_ROWS = 64
"""Rows that are asked of the engine at once: few, as each may be large."""

FETCHED_BYTES = 2**20
"""Bytes to ask for at once, as the rows before were."""

NESTED_WEIGHT = 8
"""Each little value in a list is an object of its own, which takes so many times the bytes it has in a message."""


class Batches:
    """The rows of one statement, packed; `fetch` returns at most so many, none at the end.

    With `cuts`, a row that no message may hold has its long cells cut, and is refused otherwise: rows that are compared
    have to be whole.
    """

    def __init__(self, fetch: Callable[[int], Sequence[Row]], nested: bool = False, cuts: bool = False) -> None:
        self._fetch, self._weight, self._cuts = fetch, NESTED_WEIGHT if nested else 1, cuts
        self._waiting: list[tuple[bytes, int, int]] = []
        """Rows that were fetched and did not fit: packed, how many, and what they weigh."""
        self._size, self._over = 8, False

    def next(self, most: int) -> tuple[list[bytes], bool]:
        """Return packed lists of at most `most` rows and about `BATCH_MAX_BYTES` in all, and whether more may follow.

        At least one row is in it, unless there are none left. Raises Refused for a row that no message may hold.
        """
        parts: list[bytes] = []
        rows = size = 0
        while rows < most and size < BATCH_MAX_BYTES:
            if not self._waiting:
                self._waiting = self._fetched(min(self._size, most - rows))
            if not self._waiting or (parts and size + self._waiting[0][2] > BATCH_MAX_BYTES):
                break
            part, count, weight = self._waiting.pop(0)
            parts.append(part)
            rows, size = rows + count, size + weight
        return parts, bool(self._waiting) or not self._over

    def _fetched(self, count: int) -> list[tuple[bytes, int, int]]:
        """Return the next rows: together, or one by one if they are large."""
        found = [] if self._over else self._fetch(count)
        if not found:
            self._over = True
            return []
        whole = _packed(found)
        size = len(whole) * self._weight if whole else FETCHED_BYTES * FETCHED_MAX_ROWS
        fitting = FETCHED_BYTES // (size // len(found) + 1)
        self._size = max(1, min(FETCHED_MAX_ROWS, fitting, self._size * 4))
        if size <= 2 * FETCHED_BYTES:
            return [(whole, len(found), size)]
        del whole  # its memory is needed for the rows, one by one
        return [*map(self._alone, found)]

    def _alone(self, row: Row) -> tuple[bytes, int, int]:
        long = sum(len(cell) for cell in row if isinstance(cell, str | bytes)) > ROW_MAX_BYTES
        part = b"" if long else _packed([row])
        size = len(part) * self._weight
        if not part or size > ROW_MAX_BYTES:  # as if each value were in a list: worth a closer look
            short = _short(row) if self._cuts else row
            part, size = part if short == row else _packed([short]), sum(map(_weighed, short))
        if not part and size <= ROW_MAX_BYTES:
            raise MemoryError
        if size > ROW_MAX_BYTES:
            raise ReaderRefusal(
                f"One row of the result has more than {ROW_MAX_BYTES // 2**20} MB, which is more than can be kept. "
                "Nothing was changed. Leave out its largest column, or take a part of it."
            )
        return part, 1, size


def _short(row: Row) -> Row:
    """Return the row with those cells cut that are too long for a result, or else for their share of the row."""
    weights = [*map(_weighed, row)]
    share = max(0, ROW_MAX_BYTES // len(row) - CELL_HEAD_BYTES)
    long = sum(min(weight, CELL_BYTES + CELL_HEAD_BYTES) for weight in weights) > ROW_MAX_BYTES
    most = share if long else CELL_BYTES
    return tuple(cut(cell, most) if weight > most else cell for cell, weight in zip(row, weights, strict=True))


def _weighed(cell: Any) -> int:
    """Return what a cell takes of a row."""
    if isinstance(cell, str):
        return bytes_of(cell) if len(cell) > ROW_MAX_BYTES else len(cell.encode(errors="replace")) + 5
    if isinstance(cell, bytes):
        return len(cell) + 5
    part = _packed([(cell,)])
    weight = NESTED_WEIGHT if isinstance(cell, list | tuple | dict) else 1
    return len(part) * weight if part else wire.MESSAGE_MAX_BYTES


def _packed(rows: Sequence[Row]) -> bytes:
    """Return the rows as a message, nothing if that would be too long, or take more memory than there is."""
    try:
        return wire.packed(rows)
    except (ValueError, MemoryError):
        return b""
