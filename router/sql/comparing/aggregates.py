"""A comparison by totals alone: each database reckons its own, and two rows of numbers travel."""

from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from router.sql.comparing.difference import Which
from router.sql.comparing.matching import paired
from router.sql.comparing.measures import LETTER, Measure, Measured
from router.sql.comparing.plan import Form, Plan, Tolerances
from router.sql.comparing.report import Report, Total, brief
from router.sql.comparing.sameness import Sameness
from router.sql.comparing.sampling import demand_columns, names_of, sample
from router.sql.comparing.side import Side, blamed
from router.sql.comparing.wrapping import column, summed

_ROUNDED = 2.0**-53
"""The share that one addition of floating-point numbers may be off by."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A side's measures by pair (-1: of the whole) and name, and those of them that would not tell the truth."""

    values: dict[tuple[int, Measure], Any]
    untrue: frozenset[tuple[int, Measure]]


def compare_totals(left: Side, right: Side, plan: Plan) -> Report:
    """Return the totals of both sides; raises JobFailed, Stopped."""
    plan = _formed(left, right, plan)
    first, second = _found(left, plan, "left"), _found(right, plan, "right")
    untrue = first.untrue | second.untrue
    rows = int(first.values[-1, "rows"]), int(second.values[-1, "rows"])
    most = max(rows)
    totals = []
    for (pair, measure), value in first.values.items():
        other = second.values.get((pair, measure))
        if (pair, measure) in second.values and (pair, measure) not in untrue and (value, other) != (None, None):
            of_column = measure in ("lowest", "highest", "sum")
            form: Form = plan.pairs[pair].form if of_column else "auto"
            tolerances = _tolerances(plan, pair if of_column else -1)
            if measure == "sum" and (isinstance(value, float) or isinstance(other, float)):
                # Each addition rounds, and databases add in orders of their own.
                tolerances = replace(tolerances, relative=max(tolerances.relative, most * _ROUNDED))
            same = Sameness(tolerances).same(value, other, form)
            totals.append(Total(plan.names[pair] if pair >= 0 else "", measure, brief(value), brief(other), same))
    places = sorted({pair for pair, _ in untrue})
    return Report(
        "aggregates",
        left.label,
        right.label,
        bool(plan.keys),
        *rows,
        names=plan.names,
        totals=tuple(totals),
        untold=tuple(plan.names[place] for place in places),
    )


def _formed(left: Side, right: Side, plan: Plan) -> Plan:
    """Return the plan with a form for each pair: where one has none, the first rows of both tell it."""
    if all(pair.form != "auto" for pair in plan.pairs):
        return plan
    mine, others = sample(left), sample(right)
    for side, found, names in ((left, mine, plan.left), (right, others, plan.right)):
        with blamed(side):
            demand_columns(side, found.columns, names)
    known = (each if each.form != "auto" else paired(mine, others, each.left, each.right) for each in plan.pairs)
    return replace(plan, pairs=tuple(known))


def _tolerances(plan: Plan, place: int) -> Tolerances:
    """Return what does not count in a pair; counts, and the numbers of a key, are near nothing but themselves."""
    near = place >= 0 and place not in plan.keys
    return plan.tolerances if near else replace(plan.tolerances, absolute=0.0, relative=0.0)


def _found(side: Side, plan: Plan, which: Which) -> _Found:
    """Return what a side's database reckons; a measure that its types do not have is left out."""
    with blamed(side):
        columns = names_of(side)
        demand_columns(side, columns, plan.columns(which))
        asked: list[tuple[int, Measure, exp.Expr]] = [(-1, "rows", exp.Count(this=exp.Star()))]
        measured = [
            Measured(
                column(place),
                columns[place].kind,
                plan.pairs[number].form,
                side.dialect,
                _tolerances(plan, number),
            )
            for number, place in enumerate(plan.places(which))
        ]
        for place, each in enumerate(measured):
            asked += [(place, name, tree) for name, tree in each.measures() if name not in each.untrue()]
        trees = [tree for _, _, tree in asked] + ([LETTER.copy()] if side.dialect == "sqlite" else [])
        _, batches = side.session.stream(summed(side, len(columns), trees), 1)
        (row,) = [row for batch in batches for row in batch]
    wide = row[len(asked) :] not in ((), ("61",))
    return _Found(
        {(place, name): value for (place, name, _), value in zip(asked, row, strict=False)},
        frozenset((place, name) for place, each in enumerate(measured) for name in each.untrue(wide)),
    )
