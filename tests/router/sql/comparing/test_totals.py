"""Totals that each database reckons: they tell what a comparison by rows would tell, or are left out."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, cast

import pytest

from router.memory.comparing import Form, Tolerances
from router.sql.comparing.compare import compare, compare_totals
from router.sql.comparing.plan import ComparedPair, ComparePlan, Side
from router.sql.comparing.queries import Measured, column, summed
from router.sql.comparing.wording import report_sentences
from router.sql.databases.session import Session
from router.sql.dialect import DIALECTS, Name
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

    assert [] == [total for total in same.totals if not total.same]
    told = {(total.column, total.measure) for total in same.totals}
    measures = ("values", "different", "lowest", "highest")
    whole = ("number", "amount", "day", "flag") if "texts" in names else ("number", "text", "amount", "day", "flag")
    assert told >= {(name, measure) for name in whole for measure in measures}
    assert told >= {("", "rows"), ("number", "sum"), ("amount", "sum"), ("flag", "sum")}
    # A file in UTF-16 has another lowest text, where some are Chinese.
    out = " Some totals of text and code were left out: they would not tell what differs." if "texts" in names else ""
    assert f"All totals are the same, and both have 4 rows.{out} Single rows were not compared." == report_sentences(
        same
    )
    assert bool(out) == (("text", "lowest") not in told)
    assert ("5", "4", False) == next((t.left, t.right, t.same) for t in other.totals if t.measure == "rows")
    assert report_sentences(other).endswith(f"more.{out} Single rows were not compared.")


def table(*rows: tuple[str, str]) -> str:
    """Return a query that gives rows of a number and a value, which is SQL."""
    return " UNION ALL ".join(f"SELECT {number} AS id, {value} AS v" for number, value in rows)


WORDS = table(("1", "'yes'"), ("2", "'N'"), ("3", "NULL"), ("4", "'yes'"))
FLAGS = table(("1", "TRUE"), ("2", "FALSE"), ("3", "NULL"), ("4", "TRUE"))
SOME = table(("1", "'1.50'"), ("2", "'n/a'"), ("3", "' 007'"), ("4", "'12'"))
NUMBERED = table(("1", "1.5"), ("2", "7"), ("3", "12"), ("4", "NULL"))


@pytest.mark.parametrize("others", ["postgres", "duckdb", "sqlite", "mysql"])
@pytest.mark.parametrize(("form", "one", "other"), [("bool", WORDS, FLAGS), ("number", SOME, NUMBERED)])
def test_texts_are_reckoned_as_what_they_say(places: Places, others: str, form: Form, one: str, other: str) -> None:
    """Words for yes and no are 1 and 0, numbers kept as text are numbers, and what is neither is no 0."""
    pairs = (ComparedPair(0, 0, "number"), ComparedPair(1, 1, form))
    plan = ComparePlan(("id", "v"), ("id", "v"), pairs, (0,), reporting="aggregates")
    for name, sql in ((others, one), ("sqlite", one), ("duckdb", one)):
        with sides(places, name, others, sql, other) as (left, right):
            report = compare_totals(left, right, plan)

        found = {t.measure: (t.left, t.right) for t in report.totals if t.column == "v"}
        apart = [measure for measure, (mine, theirs) in found.items() if float(mine or 0) != float(theirs or 0)]
        assert (["values"] if form == "number" else []) == apart, found
        assert ["values", "different", "lowest", "highest", "sum"] == list(found)


@pytest.mark.parametrize("native", ["JSON", "JSONB"])
def test_totals_of_json_are_those_of_the_rows(places: Places, native: str) -> None:
    """JSON that a text has in another way is the same by rows and by totals."""
    one = table(("1", "'[1, 2]'"), ("2", '\'{"b": 1, "a": 2}\''))
    other = table(("1", f"CAST('[1,2]' AS {native})"), ("2", f'CAST(\'{{"a":2,"b":1}}\' AS {native})'))
    with sides(places, "sqlite", "postgres", one, other) as (left, right):
        plan = planned(left, right)
        found = [compare(left, right, replace(plan, reporting=each)).same for each in ("summary", "aggregates")]

    assert [True, True] == found


LOOSE_TEXT = (table(("1", "'A'"), ("2", "'a '")), table(("1", "'a'"), ("2", "'a'")))
NEAR = (table(("1", "1.0"), ("2", "1.0")), table(("1", "1.004"), ("2", "1.0")))
MOMENTS = (
    table(("1", "'2026-01-01 08:00:00'"), ("2", "'2026-01-01 08:00:00'")),
    table(("1", "'2026-01-01 08:00:00.5'"), ("2", "'2026-01-01T08:00:00'")),
)
PADDED = (table(("1", "'a  '"), ("2", "'a'"), ("3", "''")), table(("1", "'a'"), ("2", "'a'"), ("3", "NULL")))


@pytest.mark.parametrize("name", ["sqlite", "postgres", "duckdb", "mysql"])
@pytest.mark.parametrize(
    ("queries", "form", "tolerances", "left_out"),
    [
        (LOOSE_TEXT, "text", Tolerances(fold=True), {"different", "lowest", "highest"}),
        (LOOSE_TEXT, "text", Tolerances(fold=True, blanks="around"), {"different", "lowest", "highest"}),
        (NEAR, "number", Tolerances(absolute=0.01), {"different", "sum"}),
        (NEAR, "number", Tolerances(relative=0.01), {"different", "sum"}),
        (MOMENTS, "time", Tolerances(precision="second"), {"different"}),
        (PADDED, "text", Tolerances(empty=True), set()),
    ],
)
def test_what_does_not_count_makes_no_difference(
    places: Places, name: str, queries: tuple[str, str], form: Form, tolerances: Tolerances, left_out: set[str]
) -> None:
    """Rows that are the same have totals that are the same; those that cannot be are left out, and this is said."""
    plan = ComparePlan(
        ("id", "v"),
        ("id", "v"),
        (ComparedPair(0, 0, "number"), ComparedPair(1, 1, form)),
        (0,),
        tolerances,
        "aggregates",
    )
    with sides(places, name, name, *queries) as (left, right):
        report = compare_totals(left, right, plan)

    every = {"values", "different", "lowest", "highest", *(["sum"] if form == "number" else [])}
    assert [] == [total for total in report.totals if not total.same]
    assert every - left_out == {total.measure for total in report.totals if total.column == "v"}
    assert "id" not in report.untold
    assert bool(left_out) == (
        "totals of v were left out: they would not tell what differs. Single" in report_sentences(report)
    )


def test_tolerances_are_for_values_and_not_for_counts(places: Places) -> None:
    """How many rows and values there are is counted exactly, and so are the numbers of a key."""
    one, other = table(("1", "5"), ("2", "5"), ("3", "5.4")), table(("1", "5"), ("4", "NULL"))
    plan = ComparePlan(
        ("id", "v"),
        ("id", "v"),
        (ComparedPair(0, 0, "number"), ComparedPair(1, 1, "number")),
        (0,),
        Tolerances(absolute=1),
    )
    with sides(places, "sqlite", "sqlite", one, other) as (left, right):
        report = compare_totals(left, right, plan)

    same = {(total.column, total.measure): total.same for total in report.totals}
    assert {("", "rows"): False, ("v", "values"): False, ("v", "lowest"): True, ("v", "highest"): True} == {
        each: said for each, said in same.items() if each[0] != "id"
    }
    assert (True, False) == (same["id", "lowest"], same["id", "highest"])


def test_sums_of_fractions_round_on_their_way(places: Places) -> None:
    """Sums that databases add in orders of their own are the same within their roundings, and not within more."""
    many = "FROM (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) AS a"
    forth = f"SELECT 0.1e0 * n AS v {many} UNION ALL SELECT 1e8"
    back = f"SELECT 1e8 AS v UNION ALL SELECT 0.1e0 * n AS v {many}"
    plan = ComparePlan(("v",), ("v",), (ComparedPair(0, 0, "number"),), reporting="aggregates")
    for other, same in ((back, True), (back.replace("0.1e0", "0.11e0"), False)):
        with sides(places, "postgres", "duckdb", forth, other) as (left, right):
            report = compare_totals(left, right, plan)
        (found,) = [total for total in report.totals if total.measure == "sum"]
        assert same == found.same, found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_measure_may_run(dialect: Name) -> None:
    """In every dialect, of every kind and form, what is asked for is judged as harmless."""
    side = Side("it", dialect, "SELECT a FROM t", cast(Session, None))
    forms: tuple[Form, ...] = ("auto", "text", "number", "time", "bool", "uuid", "bytes", "json")
    kinds: tuple[Any, ...] = ("text", "number", "date", "bool", "blob")
    for kind in kinds:
        for form in forms:
            for tolerances in (Tolerances(), Tolerances(blanks="around", empty=True)):
                measured = Measured(column(0), kind, form, dialect, tolerances)
                text = summed(side, 1, [tree for _, tree in measured.measures()])
                assert text.startswith("WITH icc_bot_side")


def test_dates_and_flags_of_other_databases(places: Places) -> None:
    """A day is the lowest whether it is a date or a text."""
    rows = [(1, "a", None, date(2026, 1, 31), True, "x"), (2, "b", None, date(1999, 12, 31), False, None)]
    for name in ("texts", "duckdb"):
        places[name].fill(rows)
    with sides(places, "texts", "duckdb") as (left, right):
        report = compare(left, right, planned(left, right, reporting="aggregates"))

    assert report.same
    assert ("1999-12-31", "1999-12-31 00:00:00") == next(
        (total.left, total.right) for total in report.totals if (total.column, total.measure) == ("day", "lowest")
    )


@pytest.mark.parametrize(
    "names", [("sqlite", "postgres"), ("texts", "sqlite"), ("texts", "duckdb"), ("mysql", "sqlite")]
)
def test_forms_that_nobody_told(places: Places, names: tuple[str, str]) -> None:
    """Where a plan does not say how texts are read, the first rows do; a column with both is left out."""
    rows = [(number, "a", Decimal("1.50"), date(2026, 1, number), number % 2 == 0, "x") for number in (2, 9, 10)]
    for name in names:
        places[name].fill(rows)
    with sides(places, *names) as (left, right):
        plan = planned(left, right, reporting="aggregates")
        report = compare(left, right, replace(plan, pairs=tuple(replace(pair, form="auto") for pair in plan.pairs)))
    assert report.same
    assert [2.0, 10.0] == [
        float(total.left or 0)
        for total in report.totals
        if total.column == "number" and total.measure in ("lowest", "highest")
    ]

    plan = ComparePlan(("id", "v"), ("id", "v"), (ComparedPair(0, 0), ComparedPair(1, 1)), (0,))
    mixed, other = table(("1", "7"), ("2", "'007'")), table(("1", "'7'"), ("2", "'007'"))
    with sides(places, "sqlite", "sqlite", mixed, other) as (left, right):
        report = compare_totals(left, right, plan)
    assert (True, ("v",)) == (report.same, report.untold)
