"""Two streams of rows in order: every row is counted once, in whatever pieces they come."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.memory.comparing import ComparedPair, Form, Tolerances
from router.sql.comparing.merge import WAITING_MAX_BYTES, WAITING_ROW_BYTES, RowStream, Unordered, merge
from router.sql.comparing.normal_form import RowKeys
from router.sql.comparing.plan import ComparePlan
from router.sql.comparing.report import Tally
from router.sql.comparing.spill import sorted_rows
from tests.router.sql.comparing import naive
from tests.router.sql.comparing.naive import Row

rows = st.lists(st.tuples(st.integers(0, 40), st.sampled_from("ab")), max_size=300)
sizes = st.sampled_from([1, 2, 3, 50, 1000])


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
        stream.take()


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


def whole(
    left: list[Row], right: list[Row], near: int, tolerances: Tolerances, forms: tuple[Form, ...]
) -> Counter[str]:
    """Return the counts of a comparison without a key, of rows whose last `near` columns need only be near."""
    width = len(forms)
    pairs = tuple(ComparedPair(place, place, form) for place, form in enumerate(forms))
    names = ("n",) * width
    tally = Tally(ComparePlan(names, names, pairs, (), tolerances), None, range(width - near, width))
    keys = RowKeys(range(width), forms, tolerances)
    one = RowStream("left", pieces(sorted(left), 7), keys, width - near)
    other = RowStream("right", pieces(sorted(right), 50), keys, width - near)
    merge(one, other, tally)
    return +Counter[str](tally.counts)


numbers = st.lists(st.tuples(st.sampled_from("ab"), st.integers(-30, 30)), max_size=60)


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
        rest = [n for t, n in others if t == letter]
        for number in (n for t, n in mine if t == letter):
            near = [n for n in rest if abs(n - number) <= 1]
            pairs += bool(near)
            if near:
                rest.remove(min(near))

    found = whole([*left, ("z", 99)], [*right, ("z", 99)], 1, tolerances, ("text", "number"))

    assert equal + pairs + 1 == found["identical"]
    assert (len(left) - equal - pairs, len(right) - equal - pairs) == (
        found.get("only_left", 0),
        found.get("only_right", 0),
    )


def test_what_waits_is_bounded() -> None:
    """Rows for which no near one comes are told of, in whatever number; memory holds some megabytes of them."""
    many = 2 * WAITING_MAX_BYTES // WAITING_ROW_BYTES
    left = [("a", n * 10.0) for n in range(many)]
    last = [("a", 10.0 * many - 9.5)]
    forms: tuple[Form, ...] = ("text", "number")

    assert {"identical": 1, "only_left": many - 1} == whole(left, last, 1, Tolerances(0.6), forms)
    assert {"only_left": many, "only_right": 1} == whole(left, last, 1, Tolerances(0.4), forms)
