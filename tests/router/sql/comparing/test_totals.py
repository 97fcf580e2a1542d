"""Totals that each database reckons: they tell what a comparison by rows would tell, or are not asked for."""

from decimal import Decimal
from typing import Any

import pytest

from router.memory.comparing import ComparedPair, Form, Tolerances
from router.sql.comparing.compare import compare
from router.sql.comparing.plan import ComparePlan
from router.sql.comparing.report import Report
from router.sql.comparing.wording import report_sentences
from tests.router.sql.comparing.test_compare import ROWS, Places, planned, sides


@pytest.mark.parametrize(
    "names", [("sqlite", "postgres"), ("postgres", "duckdb"), ("texts", "postgres"), ("mysql", "postgres")]
)
def test_totals_move_no_rows(places: Places, names: tuple[str, str]) -> None:
    """Counts, sums and extremes of two databases are the same where the rows are, and tell where they are not."""
    for name in names:
        places[name].fill(ROWS)
    with sides(places, *names) as (left, right):
        plan = planned(left, right, reporting="aggregates")
        same = compare(left, right, plan)
        places[names[0]].fill([*ROWS, (12, "z", Decimal("1.00"), None, None, None)])
        other = compare(left, right, plan)

    assert "All totals are the same, and both have 4 rows. Single rows were not compared." == report_sentences(same)
    told = {(total.column, total.measure) for total in same.totals}
    assert told >= {("", "rows"), *((name, "values") for name in ("number", "text", "amount", "day", "flag", "code"))}
    if "texts" not in names:
        assert told >= {("amount", measure) for measure in ("lowest", "highest", "sum")}
    assert ("5", "4", False) == next((t.left, t.right, t.same) for t in other.totals if t.measure == "rows")
    assert report_sentences(other).endswith("more. Single rows were not compared.")


def table(*rows: tuple[str, str]) -> str:
    """Return a query that gives rows of a number and a value, which is SQL."""
    return " UNION ALL ".join(f"SELECT {number} AS id, {value} AS v" for number, value in rows)


def totals(
    places: Places, names: tuple[str, str], queries: tuple[str, str], form: Form, tolerances: Tolerances
) -> Report:
    """Return the totals of two queries of a number, which is the key, and a value."""
    pairs = (ComparedPair(0, 0, "number"), ComparedPair(1, 1, form))
    plan = ComparePlan(("id", "v"), ("id", "v"), pairs, (0,), tolerances, "aggregates")
    with sides(places, *names, *queries) as (left, right):
        return compare(left, right, plan)


NEAR = (table(("1", "1.0"), ("2", "1.0")), table(("1", "1.004"), ("2", "1.0")))
MOMENTS = tuple(
    table(("1", "TIMESTAMP '2026-01-01 08:00:00'"), ("2", f"TIMESTAMP '2026-01-01 08:00:00{part}'"))
    for part in ("", ".5")
)
PADDED = (table(("1", "'a  '"), ("2", "''")), table(("1", "'A'"), ("2", "NULL")))


@pytest.mark.parametrize("name", ["postgres", "duckdb", "mysql"])
@pytest.mark.parametrize(
    ("queries", "form", "tolerances", "told"),
    [
        (PADDED, "text", Tolerances(fold=True, empty=True), []),
        (NEAR, "number", Tolerances(absolute=0.01), ["values", "lowest", "highest"]),
        (NEAR, "number", Tolerances(relative=0.01), ["values", "lowest", "highest"]),
        (MOMENTS, "time", Tolerances(precision="second"), ["values", "lowest", "highest"]),
    ],
)
def test_what_does_not_count_makes_no_difference(
    places: Places, name: str, queries: tuple[str, str], form: Form, tolerances: Tolerances, told: list[str]
) -> None:
    """Rows that are the same have totals that are the same; those that need not be are not asked for."""
    report = totals(places, (name, name), queries, form, tolerances)

    assert [] == [total for total in report.totals if not total.same]
    assert told == [total.measure for total in report.totals if total.column == "v"]


def test_sums_of_fractions_round_on_their_way(places: Places) -> None:
    """Sums that databases add in orders of their own are the same within their roundings, and not within more."""
    numbers: list[Any] = [("1", "1e8"), *((f"{n}", f"0.1e0 * {n}") for n in range(2, 6))]
    for factor, same in (("0.1e0", True), ("0.11e0", False)):
        queries = table(*numbers), table(*reversed(numbers)).replace("0.1e0", factor)
        report = totals(places, ("postgres", "duckdb"), queries, "number", Tolerances())
        (found,) = [total for total in report.totals if (total.column, total.measure) == ("v", "sum")]
        assert same == found.same, found
