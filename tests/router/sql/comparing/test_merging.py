"""Two streams of rows in order: every row is counted once, in whatever pieces they come."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.sql.comparing.difference import Nowhere
from router.sql.comparing.keys import Keys
from router.sql.comparing.merging import merge_by_key, merge_whole
from router.sql.comparing.plan import Pair, Plan, Tolerances
from router.sql.comparing.spill import sorted_rows
from router.sql.comparing.stream import Stream, Unordered
from router.sql.comparing.tally import Tally
from tests.router.sql.comparing import naive
from tests.router.sql.comparing.naive import Row

rows = st.lists(st.tuples(st.integers(0, 40), st.sampled_from("ab")), max_size=300)
sizes = st.sampled_from([1, 2, 3, 50, 1000])
TWO = (Pair(0, 0), Pair(1, 1))


def pieces(rows: list[Row], size: int) -> Iterator[list[Row]]:
    """Give the rows in lists of this size, and an empty one at the end."""
    for start in range(0, len(rows) + size, size):
        yield rows[start : start + size]


def streams(left: list[Row], right: list[Row], keys: Keys, sizes: tuple[int, int]) -> tuple[Stream, Stream]:
    """Return both sides, in pieces of their own sizes."""
    return Stream("left", pieces(left, sizes[0]), keys), Stream("right", pieces(right, sizes[1]), keys)


def drain(stream: Stream) -> None:
    """Take all rows."""
    while stream.fill():
        stream.at = len(stream.rows)


@given(rows, rows, st.tuples(sizes, sizes), st.booleans())
def test_merging_by_a_key(left: list[Row], right: list[Row], sizes: tuple[int, int], all: bool) -> None:
    """The counts are those of a naive comparison, whether identical rows are told of or not."""
    tally = Tally(Plan(("n", "t"), ("n", "t"), TWO, (0,), reporting="all" if all else "summary"), Nowhere())
    keys = Keys((0,), ("number",), Tolerances())

    merge_by_key(*streams(sorted(left), sorted(right), keys, sizes), tally)

    counts = Counter(tally.counts) + Counter(duplicate_keys=tally.duplicates)
    counts += Counter({f"column {place}": column.differing for place, column in enumerate(tally.changes())})
    assert naive.by_key(left, right, (0,)) == +counts


@given(rows, rows, st.tuples(sizes, sizes))
def test_merging_whole_rows(left: list[Row], right: list[Row], sizes: tuple[int, int]) -> None:
    """Without a key, as many rows are identical as can be paired one to one."""
    tally = Tally(Plan(("n", "t"), ("n", "t"), TWO), Nowhere())
    keys = Keys((0, 1), ("number", "text"), Tolerances())

    merge_whole(*streams(sorted(left), sorted(right), keys, sizes), tally)

    assert naive.whole(left, right) == +Counter(tally.counts)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_stream_out_of_order_is_noticed(size: int) -> None:
    """Keys that go down are noticed wherever the pieces end, and the side is named."""
    stream = Stream("right", pieces([(1,), (3,), (2,)], size), Keys((0,), ("number",), Tolerances()))

    with pytest.raises(Unordered, match="right"):
        drain(stream)


@given(rows, sizes)
def test_the_disk_gives_rows_in_order(rows: list[Row], size: int) -> None:
    """What was sorted on the disk is all there, in the order of its keys, in pieces as asked for."""
    keys = Keys((1, 0), ("text", "number"), Tolerances())

    found = list(sorted_rows(pieces(rows, 7), keys, size))

    assert sorted(rows, key=lambda row: (row[1], row[0])) == [row for piece in found for row in piece]
    assert all(len(piece) <= size for piece in found)


def test_how_far_numbers_kept_as_text_are_apart() -> None:
    """The largest and the mean difference count what a column's texts say, on one side or on both."""
    tally = Tally(Plan(("n", "t"), ("n", "t"), (Pair(0, 0), Pair(1, 1, "number")), (0,)), Nowhere())

    tally.pair((1, "10"), (1, "12"))
    tally.pair((2, "1.5"), (2, 7.5))

    assert (2, 6.0, 4.0) == (tally.changes()[1].differing, tally.changes()[1].largest, tally.changes()[1].mean)
