"""Two streams of rows in order: every row is counted once, in whatever pieces they come."""

from collections import Counter
from collections.abc import Iterator
from math import nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.memory.comparing import Form, Tolerances
from router.sql.comparing.merge import (
    ALIKE_ROWS_MAX,
    WAITING_ROWS_MAX,
    Leftovers,
    RowStream,
    Unordered,
    merge_by_key,
    merge_whole,
)
from router.sql.comparing.normal_form import RowKeys
from router.sql.comparing.plan import ComparedPair, ComparePlan, NullSink
from router.sql.comparing.report import Tally
from router.sql.comparing.spill import sorted_rows
from tests.router.sql.comparing import naive
from tests.router.sql.comparing.naive import Row

rows = st.lists(st.tuples(st.integers(0, 40), st.sampled_from("ab")), max_size=300)
sizes = st.sampled_from([1, 2, 3, 50, 1000])
TWO = (ComparedPair(0, 0), ComparedPair(1, 1))


def pieces(rows: list[Row], size: int) -> Iterator[list[Row]]:
    """Give the rows in lists of this size, and an empty one at the end."""
    for start in range(0, len(rows) + size, size):
        yield rows[start : start + size]


def streams(left: list[Row], right: list[Row], keys: RowKeys, sizes: tuple[int, int]) -> tuple[RowStream, RowStream]:
    """Return both sides, in pieces of their own sizes."""
    return RowStream("left", pieces(left, sizes[0]), keys), RowStream("right", pieces(right, sizes[1]), keys)


def drain(stream: RowStream) -> None:
    """Take all rows."""
    while stream.fill():
        stream.at = len(stream.rows)


@given(rows, rows, st.tuples(sizes, sizes), st.booleans())
def test_merging_by_a_key(left: list[Row], right: list[Row], sizes: tuple[int, int], all: bool) -> None:
    """The counts are those of a naive comparison, whether identical rows are told of or not."""
    tally = Tally(ComparePlan(("n", "t"), ("n", "t"), TWO, (0,), reporting="all" if all else "summary"), NullSink())
    keys = RowKeys((0,), ("number",), Tolerances())

    merge_by_key(*streams(sorted(left), sorted(right), keys, sizes), tally)

    counts = Counter(tally.counts) + Counter(duplicate_keys=tally.duplicates)
    counts += Counter({f"column {place}": column.differing for place, column in enumerate(tally.changes())})
    assert naive.by_key(left, right, (0,)) == +counts


@given(rows, rows, st.tuples(sizes, sizes))
def test_merging_whole_rows(left: list[Row], right: list[Row], sizes: tuple[int, int]) -> None:
    """Without a key, as many rows are identical as can be paired one to one."""
    tally = Tally(ComparePlan(("n", "t"), ("n", "t"), TWO), NullSink())
    keys = RowKeys((0, 1), ("number", "text"), Tolerances())

    merge_whole(*streams(sorted(left), sorted(right), keys, sizes), tally, Leftovers(tally, Tolerances()))

    assert naive.whole(left, right) == +Counter(tally.counts)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_stream_out_of_order_is_noticed(size: int) -> None:
    """Keys that go down are noticed wherever the pieces end, and the side is named."""
    stream = RowStream("right", pieces([(1,), (3,), (2,)], size), RowKeys((0,), ("number",), Tolerances()))

    with pytest.raises(Unordered, match="right"):
        drain(stream)


@given(rows, sizes)
def test_the_disk_gives_rows_in_order(rows: list[Row], size: int) -> None:
    """What was sorted on the disk is all there, in the order of its keys, in pieces as asked for."""
    keys = RowKeys((1, 0), ("text", "number"), Tolerances())

    found = list(sorted_rows(pieces(rows, 7), keys, size))

    assert sorted(rows, key=lambda row: (row[1], row[0])) == [row for piece in found for row in piece]
    assert all(len(piece) <= size for piece in found)


def test_how_far_numbers_kept_as_text_are_apart() -> None:
    """The largest and the mean difference count what a column's texts say, on one side or on both."""
    tally = Tally(
        ComparePlan(("n", "t"), ("n", "t"), (ComparedPair(0, 0), ComparedPair(1, 1, "number")), (0,)), NullSink()
    )

    tally.pair((1, "10"), (1, "12"))
    tally.pair((2, "1.5"), (2, 7.5))

    assert (2, 6.0, 4.0) == (tally.changes()[1].differing, tally.changes()[1].largest, tally.changes()[1].mean)


def whole(left: list[Row], right: list[Row], near: tuple[int, ...], tolerances: Tolerances) -> dict[str, int]:
    """Return the counts of a comparison without a key, of rows whose columns are numbers and, last, a text."""
    width = len((left or right)[0])
    plan = ComparePlan(("n",) * width, ("n",) * width, tuple(ComparedPair(place, place) for place in range(width)))
    tally = Tally(plan, NullSink())
    forms: tuple[Form, ...] = (*(NUMBER,) * (width - 1), "text")
    keys = RowKeys(range(width), forms, tolerances)
    leftovers = Leftovers(tally, tolerances, near, forms)
    merge_whole(*streams(sorted(left), sorted(right), keys, (7, 50)), tally, leftovers)
    return +Counter(tally.counts)


numbers = st.lists(st.tuples(st.integers(-30, 30), st.sampled_from("ab")), max_size=60)


@given(numbers, numbers)
def test_as_many_rows_are_near_as_can_be(left: list[Row], right: list[Row]) -> None:
    """Equal rows are paired first; of the others, as many are paired as there is any way to."""
    tolerances = Tolerances(absolute=1)
    equal = naive.whole(left, right)["identical"]
    pairs = 0
    for letter in "ab":
        mine, others = (
            sorted((Counter(one) - Counter(other)).elements()) for one, other in ((left, right), (right, left))
        )
        rest = [n for n, t in others if t == letter]
        for number in (n for n, t in mine if t == letter):
            near = [n for n in rest if abs(n - number) <= 1]
            pairs += bool(near)
            if near:
                rest.remove(min(near))

    found = whole([*left, (99, "z")], [*right, (99, "z")], (0,), tolerances)

    assert equal + pairs + 1 == found["identical"]
    assert (len(left) - equal - pairs, len(right) - equal - pairs) == (
        found.get("only_left", 0),
        found.get("only_right", 0),
    )


def test_near_rows_in_any_column() -> None:
    """The last digits of any column may differ, many rows may be alike, and others may lie between."""
    left = [(0.1 + 0.2, n % 3, n + 1.0, f"{n % 40}") for n in range(400)]
    right = [(0.3, n % 3, nextafter(n + 1.0, 999), f"{n % 40}") for n in range(400)] + [(0.3, 7, 1.0, "new")] * 30

    assert {"identical": 400, "only_right": 30} == whole(left, right, (0, 2), Tolerances())
    assert {"only_left": 400, "only_right": 430} == whole(left, right, (2,), Tolerances())


def test_what_waits_is_bounded() -> None:
    """Rows for which no near one comes are told of, in whatever number; memory holds no more than some thousands."""
    left = [(0.5, n * 10.0, "a") for n in range(ALIKE_ROWS_MAX + 50)]
    assert {"identical": 1, "only_left": ALIKE_ROWS_MAX + 49} == whole(
        left, [(0.5, ALIKE_ROWS_MAX * 10.0 + 0.5, "a")], (0, 1), ROUGH
    )
    assert {"only_left": ALIKE_ROWS_MAX + 50, "only_right": 1} == whole(left, [(0.6, 0.5, "a")], (0, 1), ROUGH)
    left = [(n * 1e-5, f"{n}") for n in range(WAITING_ROWS_MAX + 50)]
    assert {"identical": 1, "only_left": WAITING_ROWS_MAX + 49} == whole(left, [(0.55, "60")], (0,), ROUGH)
    assert {"only_left": WAITING_ROWS_MAX + 50, "only_right": 1} == whole(left, [(0.55, "40")], (0,), ROUGH)


ROUGH = Tolerances(absolute=0.6)
NUMBER: Form = "number"
