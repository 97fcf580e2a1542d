"""Whole comparisons in real databases: true reports, and clear sentences where there is none."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from pydantic import TypeAdapter

from router.errors import JobFailed
from router.memory.comparing import ComparedPair, Reporting, Tolerances
from router.sql.comparing.compare import compare
from router.sql.comparing.plan import ComparePlan, Side
from router.sql.comparing.proposals import match_columns
from router.sql.comparing.queries import sample
from router.sql.comparing.report import Changes, Report, ShownDifference
from router.sql.comparing.wording import report_sentences
from tests.router.sql.comparing.conftest import Place, Row
from tests.router.sql.comparing.test_engines import Listed

Places = dict[str, Place]

ROWS: list[Row] = [
    (1, "Zoë", Decimal("12.50"), date(2026, 1, 31), True, "DE"),
    (2, "株式会社", Decimal("7.25"), None, False, "FR"),
    (3, None, None, None, None, None),
    (10, "a%s 'b'", Decimal("-1.00"), date(1999, 12, 31), True, "x"),
]


@contextmanager
def sides(
    places: Places, left: str, right: str, one: str = "SELECT * FROM t", other: str = ""
) -> Iterator[tuple[Side, Side]]:
    """Lend both sides of a comparison."""
    with ExitStack() as stack:
        yield (
            stack.enter_context(places[left].side(one, "the first")),
            stack.enter_context(places[right].side(other or one, "the second")),
        )


def planned(left: Side, right: Side, keys: tuple[int, ...] = (0,), reporting: Reporting = "summary") -> ComparePlan:
    """Return a plan of what is proposed."""
    mine, others = sample(left), sample(right)
    pairs = match_columns(mine, others)
    return ComparePlan(mine.names, others.names, pairs, keys, reporting=reporting)


@pytest.mark.parametrize(
    "names",
    [("sqlite", "postgres"), ("postgres", "texts"), ("duckdb", "texts"), ("duckdb", "postgres"), ("mysql", "sqlite")],
)
@pytest.mark.parametrize("keys", [(0,), ()])
def test_the_same_rows_are_the_same_in_other_types(
    places: Places, names: tuple[str, str], keys: tuple[int, ...]
) -> None:
    """Dates, numbers and flags kept as text, decimals as floats, padded codes: nothing differs."""
    for name in names:
        places[name].fill(ROWS)

    with sides(places, *names) as (left, right):
        report = compare(left, right, planned(left, right, keys))

    assert Report("summary", "the first", "the second", bool(keys), 4, 4, identical=4) == Report(
        *(getattr(report, name) for name in ("reporting", "left", "right", "keyed", "left_rows", "right_rows")),
        identical=report.identical,
    )
    assert "No difference: the first and the second have the same 4 rows." == report_sentences(report)


def test_what_differs_is_told(places: Places) -> None:
    """A changed, a missing, an added and a doubled row are each told as what they are, by column too.

    Of a doubled row, one is the same as that of the other side, and one has no partner.
    """
    places["sqlite"].fill(ROWS)
    places["postgres"].fill(
        [
            ROWS[0],
            (2, "株式会社", Decimal("9.25"), date(2026, 2, 1), False, "FR"),
            ROWS[3],
            ROWS[3],
            (11, "new", None, None, None, None),
        ]
    )
    sink = Listed()

    with sides(places, "sqlite", "postgres") as (left, right):
        report = compare(left, right, planned(left, right, reporting="differences"), sink=sink)

    assert ["changed", "only_left", "duplicate_right", "only_right"] == [row.status for row in sink.rows]
    assert (2, 3) == sink.rows[0].places
    assert Changes("amount", 1, largest=2.0, mean=2.0) == report.columns[2]
    assert Changes("day", 1, only_left_null=1) == report.columns[3]
    assert ShownDifference("only_left", ("3", None, None, None, None, None), None) == report.first[1]
    assert (
        "1 row differs (amount in 1, day in 1), 2 are the same, 1 is only in the first and 1 only in the second. "
        "1 key is there more than once: 1 row of the second has no equal one there."
    ) == report_sentences(report)
    assert report == TypeAdapter(Report).validate_json(TypeAdapter(Report).dump_json(report))


def test_other_columns_than_were_matched(places: Places) -> None:
    """A query whose columns are no longer those of the plan is not compared."""
    with sides(places, "sqlite", "postgres", "SELECT text, number FROM t") as (left, right):
        plan = ComparePlan(("number", "text"), ("text", "number"), (ComparedPair(0, 1),), (0,))
        with pytest.raises(JobFailed, match="columns are no longer those that were matched"):
            compare(left, right, plan)


@pytest.mark.parametrize(
    "names", [("sqlite", "sqlite"), ("sqlite", "postgres"), ("texts", "duckdb"), ("mysql", "postgres")]
)
@pytest.mark.parametrize(
    ("tolerances", "expected"),
    [(Tolerances(), (1, 2, 2)), (Tolerances(0.01), (2, 1, 1)), (Tolerances(relative=0.01), (2, 1, 1))],
)
def test_numbers_are_near_without_a_key_too(
    places: Places, names: tuple[str, str], tolerances: Tolerances, expected: tuple[int, ...]
) -> None:
    """The last digits of floating-point numbers, and what a person lets pass, make no rows different."""
    one = "SELECT 0.1e0 + 0.2e0 AS x, 'p' AS n UNION ALL SELECT 100.0e0, 'q' UNION ALL SELECT 5, 'r'"
    other = "SELECT 0.3e0 AS x, 'p' AS n UNION ALL SELECT 100.005e0, 'q' UNION ALL SELECT 5, 'x'"
    with sides(places, *names, one, other) as (left, right):
        report = compare(left, right, replace(planned(left, right, ()), tolerances=tolerances))

    assert expected == (report.identical, report.only_left, report.only_right)


@pytest.mark.parametrize("names", [("sqlite", "postgres"), ("duckdb", "sqlite"), ("postgres", "duckdb")])
@pytest.mark.parametrize("keys", [(0,), ()])
def test_sums_of_floats_are_no_differences(places: Places, names: tuple[str, str], keys: tuple[int, ...]) -> None:
    """Floats within a billionth are one sum added up in another order; cents and whole numbers are differences."""
    pairs = (
        ("593282.2000000033e0", "593282.2000000026e0"),
        ("5.551115123125783e-17", "0.0e0"),
        ("1.0e0", "1.0000000005e0"),
        ("1.0e0", "1.000000002e0"),
        ("12345678.12e0", "12345678.13e0"),
        ("9007199254740863.0e0", "9007199254740864.0e0"),
    )
    one, other = (
        " UNION ALL ".join(
            f"SELECT {number} AS id, CAST({pair[side]} AS DOUBLE PRECISION) AS x" for number, pair in enumerate(pairs)
        )
        for side in (0, 1)
    )
    with sides(places, *names, one, other) as (left, right):
        report = compare(left, right, planned(left, right, keys))

    alone = 0 if keys else 3
    assert (3, 3 - alone, alone, alone) == (report.identical, report.changed, report.only_left, report.only_right)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (ComparePlan(("a",), ("a",), ()), "No columns are matched"),
        (ComparePlan(("a",), ("a",), (ComparedPair(0, 1),)), "is not there"),
        (ComparePlan(("a", "b"), ("a", "b"), (ComparedPair(0, 0), ComparedPair(0, 1))), "matched twice"),
        (ComparePlan(("a",), ("a",), (ComparedPair(0, 0),), (1,)), "The key is not among"),
    ],
)
def test_a_plan_that_cannot_be(places: Places, plan: ComparePlan, words: str) -> None:
    """A plan that makes no sense is refused in a sentence, before anything is read."""
    with sides(places, "sqlite", "sqlite") as (left, right), pytest.raises(JobFailed, match=words):
        compare(left, right, plan)
