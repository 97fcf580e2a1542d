"""Comparisons that come to no report: a query that fails, and Stop."""

import pytest

from router.errors import JobFailed, Stopped
from router.memory.comparing import ComparedPair
from router.sql.comparing.compare import compare
from router.sql.comparing.plan import BothSessions, ComparePlan
from tests.router.sql.comparing.test_compare import ROWS, Places, planned, sides

HALF = "SELECT number, abs(-9223372036854775807 - (number = 10)) AS text FROM t"
"""Gives rows as they are asked for, by an index, up to one whose number overflows."""


def test_a_query_that_fails_half_way(places: Places) -> None:
    """A failure names the side and the reason, and nothing is reported."""
    for name in ("sqlite", "postgres"):
        places[name].fill(ROWS)

    with sides(places, "sqlite", "postgres", HALF, "SELECT number, text FROM t") as (left, right):
        plan = ComparePlan(("number", "text"), ("number", "text"), (ComparedPair(0, 0), ComparedPair(1, 1)), (0,))
        with pytest.raises(JobFailed) as failed:
            compare(left, right, plan, batch=1)

    assert (
        "Reading the first failed after 2 rows, so there is no report. "
        "The reason: SQLite refused the statement: integer overflow."
    ) == str(failed.value)


ENDLESS = "WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up) SELECT max(n) AS number FROM up"


def test_a_failure_does_not_wait_for_the_other_side(places: Places) -> None:
    """Where one query fails before its first row, the other is abandoned: it might go on for hours."""
    for name in ("sqlite", "postgres"):
        places[name].fill(ROWS)
    failing = "SELECT 1 / (number - 1) AS number FROM t"

    with sides(places, "sqlite", "postgres", ENDLESS, failing) as (left, right):
        with pytest.raises(JobFailed, match=r"Reading the second failed.*division by zero"):
            compare(left, right, ComparePlan(("number",), ("number",), (ComparedPair(0, 0),), (0,)))
        with pytest.raises(Stopped):
            left.session.check("SELECT 1")


def test_stopping(places: Places) -> None:
    """Stop ends a comparison, whether it is raised between two batches or told to the databases."""
    for name in ("sqlite", "postgres"):
        places[name].fill(ROWS)
    read: list[tuple[int, int]] = []

    def progress(*rows: int) -> None:
        read.append((rows[0], rows[1]))
        if len(read) > 2:
            raise Stopped("Stopped.")

    with sides(places, "sqlite", "postgres") as (left, right):
        plan = planned(left, right)
        with pytest.raises(Stopped):
            compare(left, right, plan, progress=progress, batch=1)
        BothSessions(left.session, right.session).cancel()
        with pytest.raises(Stopped):
            compare(left, right, plan)
    assert 3 == len(read)
