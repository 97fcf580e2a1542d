"""Dates: periods that end before their last day's next, and days between dates where SQLite would subtract texts."""

from collections.abc import Sequence
from datetime import timedelta

from sqlglot import exp

from router.agents.periods import Period
from router.agents.repair.query import Query
from router.agents.repair.sources import column_of

_DATES = ("DATE", "TIME")


def mend_dates(query: Query, periods: Sequence[Period]) -> None:
    """Let a BETWEEN that means a period of the question end with its last day, and count days between dates."""
    for node in list(query.tree.find_all(exp.Between)):
        low, high = node.args["low"].name, node.args["high"].name
        for period in periods:
            ends = (period.end.isoformat(), (period.end - timedelta(days=1)).isoformat())
            if low == period.start.isoformat() and high in ends and isinstance(node.args["low"], exp.Literal):
                _open(query, node, period)
                break
    if query.dialect == "sqlite":
        for sub in list(query.tree.find_all(exp.Sub)):
            if _is_date(query, sub.this) and _is_date(query, sub.expression):
                for side in (sub.this, sub.expression):
                    side.replace(exp.Anonymous(this="JULIANDAY", expressions=[side.copy()]))
                query.note("days", "Dates are subtracted as days.")


def _open(query: Query, node: exp.Between, period: Period) -> None:
    start, end = exp.Literal.string(period.start.isoformat()), exp.Literal.string(period.end.isoformat())
    since = exp.GTE(this=node.this.copy(), expression=start)
    before = exp.LT(this=node.this.copy(), expression=end)
    both = exp.And(this=since, expression=before)
    joined = isinstance(node.parent, exp.And | exp.Where | exp.Join | exp.Having)
    node.replace(both if joined else exp.Paren(this=both))
    query.note(period.words, f"“{period.words}” is taken as {period.start} up to the day before {period.end}.")


def _is_date(query: Query, node: exp.Expr) -> bool:
    column = column_of(node, query.schema) if isinstance(node, exp.Column) else None
    return column is not None and any(word in column.type.upper() for word in _DATES)
