"""The weight of rows, and batches that are made by it."""

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from router.sql.databases.row_weight import BATCH_BYTES, UNWEIGHED_ROWS, gathered, rows_weight

LONG = "x" * 3_000_000


@given(st.lists(st.tuples(st.text(), st.none() | st.binary(), st.decimals(), st.integers())))
def test_rows_weigh_no_less_than_their_long_values(rows: list[tuple[Any, ...]]) -> None:
    """NULL weighs little; what is in a list or an object weighs as well."""
    assert rows_weight(rows) >= sum(len(text) + len(blob or b"") for text, blob, *_ in rows)
    assert rows_weight([(LONG, None)]) > 3_000_000
    assert rows_weight([("", {"a": LONG})]) > 3_000_000


def test_wide_rows_are_gathered_few_at_a_time() -> None:
    """A batch ends soon after it is full; narrow rows fill it to the number that was asked for."""

    def fetcher(rows: Iterator[tuple[str]]) -> Any:
        return lambda count: [row for _, row in zip(range(count), rows, strict=False)]

    wide = fetcher(iter([(LONG,)] * 100))
    assert len(gathered(wide, 1000)) <= UNWEIGHED_ROWS
    narrow = fetcher(iter([("x",)] * 2500))
    assert [len(gathered(narrow, 1000)) for _ in range(4)] == [1000, 1000, 500, 0]
    turning = fetcher(iter([("x",)] * 500 + [(LONG,)] * 100))
    batch = gathered(turning, 1000)
    assert 500 < len(batch) <= 500 + 2 * UNWEIGHED_ROWS
    assert BATCH_BYTES < rows_weight(batch)
