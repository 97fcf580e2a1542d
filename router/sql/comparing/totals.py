"""Totals of two queries: each database reckons its own, and two rows of numbers travel.

A measure is only asked for if it tells what a comparison row by row would tell: texts are counted, and sums, lowest
and highest values are those of columns that are numbers, or times, on both sides.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from sqlglot import exp

from router.memory.comparing import Tolerances
from router.sql.comparing.normal_form import Sameness
from router.sql.comparing.plan import ComparePlan, Side, naming_side
from router.sql.comparing.queries import column, columns_of, summed
from router.sql.comparing.report import Report, Total
from router.sql.comparing.told_values import brief, told_apart
from router.sql.databases.session import Kind

Measure = Literal["rows", "values", "lowest", "highest", "sum"]
"""The measures of a column; "values" are those that are not NULL."""

_Place = tuple[int, Measure]
"""The pair that a measure is of, -1 if it is of the whole, and its name."""


def compare_totals(left: Side, right: Side, plan: ComparePlan) -> Report:
    """Return the totals of both sides; raises JobFailed, Stopped."""
    kinds, others = _kinds(left, plan.left), _kinds(right, plan.right)
    places: list[_Place] = [(-1, "rows")]
    for number, pair in enumerate(plan.pairs):
        measures = _measures(kinds[pair.left], others[pair.right], _tolerances(plan, number))
        places += [(number, measure) for measure in measures]
    mine = _reckoned(left, len(kinds), _measures_of(left, places, [pair.left for pair in plan.pairs]))
    its = _reckoned(right, len(others), _measures_of(right, places, [pair.right for pair in plan.pairs]))
    found = zip(places, mine, its, strict=True)
    totals = tuple(_total(plan, *each) for each in found if each[1:] != (None, None))
    return Report(
        "aggregates",
        left.label,
        right.label,
        bool(plan.keys),
        int(mine[0]),
        int(its[0]),
        names=plan.names,
        totals=totals,
    )


def _kinds(side: Side, planned: Sequence[str]) -> tuple[Kind, ...]:
    """Return the kinds of a query's columns; SQLite tells them of values alone."""
    kinds = columns_of(side, planned)
    if side.dialect != "sqlite":
        return kinds
    types = (exp.func("TYPEOF", column(place), dialect="sqlite") for place in range(len(kinds)))
    texts = _reckoned(side, len(kinds), [exp.Sum(this=each.isin("text", "blob")) for each in types])
    return tuple("text" if found else "number" for found in texts)


def _measures(mine: Kind, its: Kind, tolerances: Tolerances) -> list[Measure]:
    """Return what can be asked of a column that is of these kinds on either side."""
    if "text" in (mine, its) and tolerances.empty:
        return []
    if mine != its or mine not in ("number", "date"):
        return ["values"]
    if mine == "date" or tolerances.absolute or tolerances.relative:  # of numbers that are near, the sum need not be
        return ["values", "lowest", "highest"]
    return ["values", "lowest", "highest", "sum"]


def _tolerances(plan: ComparePlan, place: int) -> Tolerances:
    """Return what does not count in a pair; counts, and the numbers of a key, are near nothing but themselves."""
    near = place >= 0 and place not in plan.keys
    return plan.tolerances if near else replace(plan.tolerances, absolute=0.0, relative=0.0)


def _measures_of(side: Side, places: Sequence[_Place], columns: Sequence[int]) -> list[exp.Expr]:
    return [_measure(name, column(columns[place]), side.dialect == "tsql") for place, name in places]


def _reckoned(side: Side, width: int, measures: Sequence[exp.Expr]) -> tuple[Any, ...]:
    """Return measures of a query's columns, as its database reckons them."""
    with naming_side(side):
        _, batches = side.session.stream(summed(side, width, measures), 1)
        (row,) = [row for batch in batches for row in batch]
    return tuple(row)


def _measure(name: Measure, value: exp.Expr, widened: bool) -> exp.Expr:
    """Return what is asked for; `widened`: a sum of integers would have to fit an integer."""
    match name:
        case "rows":
            return exp.Count(this=exp.Star())
        case "values":
            return exp.Count(this=value)
        case "lowest":
            return exp.Min(this=value)
        case "highest":
            return exp.Max(this=value)
        case "sum":
            return exp.Sum(this=exp.Mul(this=value, expression=exp.Literal.number("1.0")) if widened else value)


def _total(plan: ComparePlan, place: _Place, mine: Any, its: Any) -> Total:
    pair, measure = place
    counts = measure in ("rows", "values")
    same = Sameness(_tolerances(plan, -1 if counts else pair)).same(mine, its)
    told = (brief(mine), brief(its)) if same else told_apart(mine, its)
    return Total(plan.names[pair] if pair >= 0 else "", measure, *told, same)
