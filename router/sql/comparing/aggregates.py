"""A comparison by totals alone: each database reckons its own, and two rows of numbers travel."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from sqlglot import exp

from router.sql.comparing.difference import Which
from router.sql.comparing.plan import Form, Plan
from router.sql.comparing.report import Report, Total, brief
from router.sql.comparing.sameness import Sameness
from router.sql.comparing.sampling import demand_columns, names_of
from router.sql.comparing.side import Side, blamed
from router.sql.comparing.wrapping import column, lettered, summed
from router.sql.databases import Kind
from router.sql.dialect import Name

Measure = Literal["rows", "values", "different", "lowest", "highest", "sum"]
"""What is counted, in this order; "values" are those that are not NULL."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One measure of one side."""

    pair: int
    measure: Measure
    tree: exp.Expr


def compare_totals(left: Side, right: Side, plan: Plan) -> Report:
    """Return the totals of both sides; raises JobFailed, Stopped."""
    first, second = _found(left, plan, "left"), _found(right, plan, "right")
    sameness = Sameness(plan.tolerances)
    totals = [
        Total(
            plan.names[pair] if pair >= 0 else "",
            measure,
            brief(value),
            brief(second[pair, measure]),
            sameness.same(value, second[pair, measure]),
        )
        for (pair, measure), value in first.items()
        if (pair, measure) in second and (value, second[pair, measure]) != (None, None)
    ]
    rows = int(first[-1, "rows"]), int(second[-1, "rows"])
    return Report("aggregates", left.label, right.label, bool(plan.keys), *rows, names=plan.names, totals=tuple(totals))


def _found(side: Side, plan: Plan, which: Which) -> dict[tuple[int, Measure], Any]:
    """Return a side's measures by pair (-1: of the whole) and name; one that its types do not have is left out."""
    with blamed(side):
        columns = names_of(side)
        demand_columns(side, columns, plan.columns(which))
        asked = [_Asked(-1, "rows", exp.Count(this=exp.Star()))]
        for pair, place in enumerate(plan.places(which)):
            value, kind = _read_as(column(place), columns[place].kind, plan.pairs[pair].form, side.dialect)
            measures = _measures(value, kind, side.dialect)
            asked += [_Asked(pair, measure, tree) for measure, tree in measures]
        _, batches = side.session.stream(summed(side, len(columns), [each.tree for each in asked]), 1)
        (row,) = [row for batch in batches for row in batch]
    return {(each.pair, each.measure): value for each, value in zip(asked, row, strict=True)}


def _read_as(value: exp.Expr, kind: Kind, form: Form, dialect: Name) -> tuple[exp.Expr, Kind]:
    """Return a column as it is reckoned with: as numbers where these are kept as texts."""
    if form == "number" and kind == "text":
        return exp.cast(value, "DECIMAL" if dialect in ("sqlite", "postgres") else "DOUBLE"), "number"
    return value, kind


def _measures(value: exp.Expr, kind: Kind, dialect: Name) -> Iterator[tuple[Measure, exp.Expr]]:
    yield "values", exp.Count(this=value.copy())
    if kind == "blob":
        return
    plain = lettered(value.copy(), dialect) if kind == "text" else value.copy()
    if kind == "bool":  # of which PostgreSQL knows no lowest
        plain = exp.cast(plain, "INT")
    yield "different", exp.Count(this=exp.Distinct(expressions=[plain.copy()]))
    yield "lowest", exp.Min(this=plain.copy())
    yield "highest", exp.Max(this=plain.copy())
    if kind in ("number", "bool") or dialect == "sqlite":
        yield "sum", exp.Sum(this=_summand(plain if kind == "bool" else value.copy(), dialect))


def _summand(value: exp.Expr, dialect: Name) -> exp.Expr:
    if dialect == "sqlite":  # where columns have no types, and a text adds 0
        number = exp.func("TYPEOF", value.copy(), dialect=dialect).isin("integer", "real")
        return exp.Case(ifs=[exp.If(this=number, true=value)])
    if dialect == "tsql":  # where a sum of integers must itself fit an integer
        return exp.Mul(this=value, expression=exp.Literal.number("1.0"))
    return value
