"""Cells of a result that are too long to be kept whole: their beginning, and a sign that says how long they were."""

from typing import Any

from router.jobs.cells import plain
from router.jobs.codec import encode
from router.sql.databases.weight import Row, weight

CELL_BYTES = 5_000_000
"""So much of one cell is kept, where a result has room for it."""

_BLOBS = (bytes, bytearray, memoryview)


def shortened(row: Row, most: int) -> tuple[Row, int]:
    """Return the row with cells of about `most` bytes at most, and how many of them were cut."""
    cells = tuple(cell if _length(cell) <= most else _cut(cell, most) for cell in row)
    return cells, sum(mine is not its for mine, its in zip(cells, row, strict=True))


def stored_bytes(row: Row) -> int:
    """Return how many bytes a row takes in a result's file, but for what SQLite adds."""
    return sum(map(_stored, row))


def _cut(cell: Any, most: int) -> Any:
    if isinstance(cell, _BLOBS):
        return bytes(cell[:most]) + f"… (cut: {len(cell):,} bytes in all)".encode()
    text = plain(cell)  # of a list or an object, what an export would show
    beginning = text[:most] if text.isascii() else text[:most].encode(errors="replace")[:most].decode(errors="ignore")
    return f"{beginning}… (cut: {len(text):,} characters in all)"


def _length(cell: Any) -> int:
    """Return a cell's bytes in UTF-8, or more."""
    return 4 * len(cell) if isinstance(cell, str) and not cell.isascii() else weight(cell)


def _stored(cell: Any) -> int:
    kept = encode(cell)
    if isinstance(kept, str):
        return len(kept) if kept.isascii() else len(kept.encode())
    return len(kept) if isinstance(kept, bytes) else 9
