"""Rows in batches that are limited in number and in bytes."""

import marshal
import tracemalloc
from collections.abc import Sequence
from typing import Any

import pytest

from router.sql.cell_text import CELL_BYTES, SIGN_MAX_BYTES
from router.sql.readers import wire
from router.sql.readers.batches import BATCH_MAX_BYTES, ROW_MAX_BYTES, Batches
from router.sql.readers.wire import ReaderRefusal


class Engine:
    """Gives rows, and remembers the most that it was asked for at once."""

    def __init__(self, rows: Sequence[Any]) -> None:
        self.rows, self.most = list(rows), 0

    def fetch(self, count: int) -> list[Any]:
        """Return the next rows."""
        self.most = max(self.most, count)
        found, self.rows = self.rows[:count], self.rows[count:]
        return found


def drained(engine: Engine, most: int, nested: bool = False) -> list[list[Any]]:
    """Return all batches."""
    batches, found, more = Batches(engine.fetch, nested), [], True
    while more:
        parts, more = batches.next(most)
        assert len(parts) <= 1 or sum(map(len, parts)) <= BATCH_MAX_BYTES + 2**21
        found.append([row for part in parts for row in marshal.loads(part[wire.HEAD.size :])])
    return found


def test_small_rows_fill_a_batch() -> None:
    """As many as were asked for, and the rest; few are asked of the engine at once."""
    engine = Engine([(n,) for n in range(2500)])
    assert [1000, 1000, 500] == [len(rows) for rows in drained(engine, 1000)]
    assert engine.most == 64


@pytest.mark.parametrize("most", [1, 7, 1000])
def test_no_row_is_lost_or_moved(most: int) -> None:
    """Large ones among small ones, whatever the limits."""
    rows = [(n, b"x" * (3_000_000 if n % 50 > 46 else 5)) for n in range(200)]
    found = drained(Engine(rows), most)
    assert rows == [row for batch in found for row in batch]
    assert all(len(batch) <= most for batch in found)
    assert all(sum(len(body) for _, body in batch) <= BATCH_MAX_BYTES for batch in found)


def test_fewer_rows_are_fetched_where_they_are_large() -> None:
    """The engine is not asked for more than the rows before suggest."""
    engine = Engine([(b"x" * 2**20,)] * 30)
    batches = Batches(engine.fetch)
    batches.next(1000)
    batches.next(1000)
    engine.most = 0
    batches.next(1000)
    assert engine.most <= 2


@pytest.mark.parametrize(
    ("row", "nested"), [(b"x" * ROW_MAX_BYTES, False), ([None] * (ROW_MAX_BYTES // 8), True), (b"x" * 2**26, False)]
)
def test_a_row_that_is_too_large_is_refused(row: Any, nested: bool) -> None:
    """With a sentence; a list weighs what its values take in memory."""
    with pytest.raises(ReaderRefusal, match="more than 8 MB"):
        Batches(Engine([(row,)]).fetch, nested).next(10)


def test_a_row_that_is_too_large_takes_little_more_to_find_out() -> None:
    """It is packed once at most: a child that has little memory left says that the row is too large, not itself."""
    rows = Engine([("x" * 20_000_000,)])
    tracemalloc.start()
    try:
        with pytest.raises(ReaderRefusal, match="more than 8 MB"):
            Batches(rows.fetch).next(10)
        assert tracemalloc.get_traced_memory()[1] < 45_000_000
    finally:
        tracemalloc.stop()


def one_row(row: tuple[Any, ...], nested: bool = False) -> tuple[Any, ...]:
    """Return the one row of a result as it comes where cells may be cut."""
    parts, _ = Batches(Engine([row]).fetch, nested, cuts=True).next(10)
    (found,) = [row for part in parts for row in wire.unpacked(part[:1], memoryview(part)[wire.HEAD.size :])]
    assert sum(map(len, parts)) <= ROW_MAX_BYTES
    return tuple(found)


@pytest.mark.parametrize(
    ("cell", "beginning", "end"),
    [
        ("x" * 9_000_000, "xxx", "x… (cut: 9,000,000 characters in all)"),
        ("é" * 70_000_000, "ééé", "é… (cut: 70,000,000 characters in all)"),
        (b"x" * 70_000_000, b"xxx", "x… (cut: 70,000,000 bytes in all)".encode()),
        (["x" * 9_000_000], '["xxx', "… (cut: 9,000,004 characters in all)"),
        ([None] * 2**21, "[null, ", "… (cut: 12,582,912 characters in all)"),
    ],
)
def test_a_cell_that_is_too_long_is_cut(cell: Any, beginning: Any, end: Any) -> None:
    """As in a result, with its sign, and what stands beside it stays as it is."""
    date, found, short = one_row((None, cell, [1, "short"]), nested=True)
    assert (date, short) == (None, [1, "short"])
    assert found.startswith(beginning)
    assert found.endswith(end)
    size = len(found if isinstance(found, bytes) else found.encode())
    assert CELL_BYTES <= size <= CELL_BYTES + SIGN_MAX_BYTES
