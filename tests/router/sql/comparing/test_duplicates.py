"""Rows whose key is there more than once: equal ones belong together, whatever their order and their number."""

import pytest

from router.memory.comparing import ComparedPair, Form, Tolerances
from router.sql.comparing.compare import compare
from router.sql.comparing.merge import WAITING_MAX_BYTES, WAITING_ROW_BYTES, RowStream, merge
from router.sql.comparing.normal_form import RowKeys
from router.sql.comparing.plan import ComparePlan
from router.sql.comparing.report import Tally
from router.sql.comparing.wording import report_sentences
from tests.router.sql.comparing.naive import Row
from tests.router.sql.comparing.test_compare import ROWS, Places, planned, sides

FORMS: tuple[Form, ...] = ("number", "text", "number")
PAIRS = tuple(ComparedPair(place, place, form) for place, form in enumerate(FORMS))


def counted(left: list[Row], right: list[Row], tolerances: Tolerances) -> dict[str, int]:
    """Return the counts of rows of one key."""
    tally = Tally(ComparePlan(("k", "t", "n"), ("k", "t", "n"), PAIRS, (0,), tolerances), None, (1, 2))
    keys = RowKeys((0,), ("number",), tolerances)
    streams = RowStream("left", iter([left]), keys), RowStream("right", iter([right]), keys)
    merge(*streams, tally, RowKeys(range(3), FORMS, tolerances))
    return {status: count for status, count in tally.counts.items() if count}


@pytest.mark.parametrize("key", [(4,), (5,), (4, 5)])
def test_a_table_is_the_same_as_itself(places: Places, key: tuple[int, ...]) -> None:
    """Also by a key that is there more than once, which is said."""
    rows = [*ROWS, ROWS[0], (7, *ROWS[0][1:])]
    for name in ("sqlite", "postgres"):
        places[name].fill(rows)
        with sides(places, "sqlite", name) as (left, right):
            report = compare(left, right, planned(left, right, key))

        assert (True, 6, 0, 0) == (report.same, report.identical, report.duplicate_left, report.duplicate_right)
        assert (
            "No difference: the first and the second have the same 6 rows. "
            "1 key is there more than once, with the same rows in both." == report_sentences(report)
        )


def test_what_waits_is_bounded() -> None:
    """Of many rows of one key, an equal one is found among some megabytes; memory holds no more of them."""
    many = WAITING_MAX_BYTES // WAITING_ROW_BYTES
    left: list[Row] = [(1, "a", n) for n in range(many + 10)]

    assert {"identical": 2, "duplicate_left": many + 8} == counted(left, [left[0], left[many - 1]], Tolerances())
    late: list[Row] = [*((1, "b", n) for n in range(many + 5)), left[3], left[many]]
    assert {"identical": 1, "duplicate_left": many + 9, "duplicate_right": many + 6} == counted(
        left, late, Tolerances()
    )
