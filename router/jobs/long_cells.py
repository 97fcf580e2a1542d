"""Cells of a result that are too long to be kept whole."""

from typing import Any

from router.jobs.codec import encode
from router.sql.databases.weight import Row, weight
from router.sql.long_cells import SIGN_MAX_BYTES, bytes_of, cut, sign_of


def shortened(row: Row, most: int) -> tuple[Row, int]:
    """Return the row with cells of about `most` bytes at most, and how many of them are cut, here or before."""
    cells = tuple(_short(cell, most) for cell in row)
    return cells, sum(mine is not its or bool(sign_of(its)) for mine, its in zip(cells, row, strict=True))


def stored_bytes(row: Row) -> int:
    """Return how many bytes a row takes in a result's file, but for what SQLite adds."""
    return sum(map(_stored, row))


def _short(cell: Any, most: int) -> Any:
    if _length(cell) <= most or (_length(cell) <= most + SIGN_MAX_BYTES and sign_of(cell)):
        return cell
    return cut(cell, most)


def _length(cell: Any) -> int:
    return bytes_of(cell) if isinstance(cell, str) else weight(cell)


def _stored(cell: Any) -> int:
    kept = encode(cell)
    if isinstance(kept, str):
        return len(kept) if kept.isascii() else len(kept.encode())
    return len(kept) if isinstance(kept, bytes) else 9
