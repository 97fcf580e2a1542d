"""The weight of rows, and batches that are made by it."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.sql.databases.row_weight import BATCH_BYTES, UNWEIGHED_ROWS, Scale, gathered, pieces, row_weight, weight

LONG = "x" * 3_000_000


def test_what_is_long_weighs_so() -> None:
    """Also inside of lists and objects, and numbers of many digits."""
    for value in (LONG, LONG.encode(), [LONG], {"a": [{"b": LONG}]}, 1 << 24_000_001):
        assert weight(value) > 3_000_000
    for value in (None, 7, 2.5, True, "short", [1, 2], {}):
        assert weight(value) < 100


@pytest.mark.thorough
@given(st.lists(st.tuples(st.text(), st.none() | st.binary(), st.decimals(), st.integers())))
def test_a_scale_weighs_no_less_than_the_long_values(rows: list[tuple[Any, ...]]) -> None:
    """It looks at the columns that it was told of, and NULL weighs little."""
    scale = Scale(4, flat=(0, 1), long=(2,), deep=(3,))
    assert scale.of(rows) >= sum(len(text) + len(blob or b"") for text, blob, *_ in rows)
    assert scale.of([(LONG, None, Decimal(1), 2)]) > 3_000_000
    assert scale.of([("", b"", Decimal(1), {"a": LONG})]) > 3_000_000


@given(st.lists(st.tuples(st.text(max_size=50))), st.integers(1, 200))
def test_pieces_are_all_rows_in_order(rows: list[tuple[Any, ...]], most: int) -> None:
    """Each weighs at most what was asked for, or is one row."""
    found = list(pieces(rows, most))
    assert [row for piece in found for row in piece] == rows
    assert all(piece and (len(piece) == 1 or sum(map(row_weight, piece)) <= most) for piece in found)


def test_wide_rows_are_gathered_few_at_a_time() -> None:
    """A batch ends soon after it is full; narrow rows fill it to the number that was asked for."""

    def fetcher(rows: Iterator[tuple[str]]) -> Any:
        return lambda count: [row for _, row in zip(range(count), rows, strict=False)]

    scale = Scale(1, flat=(0,))
    wide = fetcher(iter([(LONG,)] * 100))
    assert len(gathered(wide, scale, 1000)) <= UNWEIGHED_ROWS
    narrow = fetcher(iter([("x",)] * 2500))
    assert [len(gathered(narrow, scale, 1000)) for _ in range(4)] == [1000, 1000, 500, 0]
    turning = fetcher(iter([("x",)] * 500 + [(LONG,)] * 100))
    batch = gathered(turning, scale, 1000)
    assert 500 < len(batch) <= 500 + 2 * UNWEIGHED_ROWS
    assert BATCH_BYTES < scale.of(batch)
