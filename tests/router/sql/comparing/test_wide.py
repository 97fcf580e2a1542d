"""Rows of megabytes on both sides: whatever becomes of them, few are in memory."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from router.memory.comparing import ComparedPair, Tolerances
from router.sql.comparing.compare import compare
from router.sql.comparing.merge import WAITING_MAX_BYTES, KeyGroup
from router.sql.comparing.normal_form import RowKeys
from router.sql.comparing.plan import ComparePlan, Difference, Side
from router.sql.comparing.report import Tally
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from tests.support.peak_memory import gained
from tests.support.postgres import PostgresDatabase

WIDE = "CREATE TABLE wide AS SELECT n, repeat('x', 2000000) || n AS t FROM generate_series(1, 60) AS g(n)"

QUERIES = {
    # a key, and the same rows; another text in each row; one key for all; no key, and nothing equal; only near
    "same": ("n", "t", "n", "t"),
    "changed": ("n", "t", "n", "t || 'y'"),
    "duplicates": ("1", "t", "1", "t || 'y'"),
    "keyless": ("n", "t", "n", "t || 'y'"),
    "near": ("CAST(n AS double precision)", "t", "n + CAST(0.25 AS double precision)", "t"),
}


class Sink:
    """Counts the rows, and lets them go."""

    def __init__(self) -> None:
        self.count = 0

    def begin(self) -> None:
        self.count = 0

    def add(self, rows: list[Difference]) -> None:
        self.count += len(rows)


def compared(url: str, case: str, reporting: str) -> list[int]:
    """Compare 60 rows of 2 MB with others; return the rows that were told, and those that are the same."""
    number, text, other_number, other_text = QUERIES[case]
    queries = [f"SELECT {a} AS k, {b} AS t FROM wide" for a, b in ((number, text), (other_number, other_text))]
    keys = () if case in ("keyless", "near") else (0,)
    tolerances = Tolerances(absolute=0.5) if case == "near" else Tolerances()
    plan = ComparePlan(
        ("k", "t"), ("k", "t"), (ComparedPair(0, 0, "number"), ComparedPair(1, 1, "text")), keys, tolerances, reporting
    )  # type: ignore[arg-type]
    one, other = (open_database(url, DIALECTS["postgres"], 120) for _ in range(2))
    sink = Sink()
    with one.session() as mine, other.session() as its, TemporaryDirectory() as folder:
        left, right = (Side("t", "postgres", sql, ses) for sql, ses in zip(queries, (mine, its), strict=True))
        report = compare(left, right, plan, sink=sink, folder=Path(folder))
    one.close()
    other.close()
    return [sink.count, report.identical]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("case", "reporting", "told", "same"),
    [
        ("same", "summary", 0, 60),
        pytest.param("changed", "all", 60, 0, marks=pytest.mark.thorough),
        pytest.param("duplicates", "differences", 120, 0, marks=pytest.mark.thorough),
        pytest.param("keyless", "differences", 120, 0, marks=pytest.mark.thorough),
        pytest.param("near", "all", 60, 60, marks=pytest.mark.thorough),
    ],
)
def test_a_comparison_of_wide_rows_takes_little(
    postgres: PostgresDatabase, case: str, reporting: str, told: int, same: int
) -> None:
    """120 MB on each side pass through a few batches."""
    postgres.run(WIDE)
    megabytes, found = gained(compared, postgres.owner_url, case, reporting)
    assert found == [told, same]
    assert megabytes < 130


def test_rows_that_wait_for_an_equal_one_have_a_bound_in_bytes() -> None:
    """Of narrow rows thousands wait, of wide ones a few; none is lost."""
    sink = Sink()
    plan = ComparePlan(
        ("k", "t"),
        ("k", "t"),
        (ComparedPair(0, 0, "number"), ComparedPair(1, 1, "text")),
        (0,),
        reporting="differences",
    )
    tally = Tally(plan, sink, (1,))
    size = WAITING_MAX_BYTES // 4
    group = KeyGroup(tally, RowKeys((0, 1), ("number", "text"), Tolerances()))
    for number in range(12):
        group.add("left", (1, f"{number:05}" + "x" * size), ())
        group.add("right", (1, f"{number:05}" + "y" * size), ())
    group.finish()
    tally.finish()
    assert (sink.count, tally.counts["duplicate_left"], tally.counts["duplicate_right"]) == (24, 12, 12)
    first = tally.report("l", "r", {"left": 12, "right": 12}).first
    assert all(len(cell or "") <= 200 for told in first for cell in (told.left or told.right or ()))
