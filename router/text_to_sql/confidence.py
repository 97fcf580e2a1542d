"""The likelihood that a statement is right, from what it looks like, what was mended in it and what the critic says.

A logistic regression: `tests/bench/fit_confidence.py` finds its weights in the answers of `icc-bot eval`, and
docs/sql-quality.md tells how well they hold on databases that they were not found on.
"""

from collections.abc import Iterator, Mapping
from math import exp as power

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.sql.dialect import Name

DOUBTFUL = 0.62
"""Below this likelihood a person is told where to look."""

WEIGHTS: Mapping[str, float] = {
    "always": 2.33,
    "signs": -0.82,
    "columns": -0.48,
    "groups": -0.70,
    "length": -0.36,
    "conditions": -0.44,
}


def features(sql: str, dialect: Name, signs: int) -> dict[str, float]:
    """Return what tells right statements from wrong ones, by the names of WEIGHTS; counts are limited."""
    tree = _read(sql, dialect)
    select = tree.find(exp.Select)
    return {
        "always": 1.0,
        "signs": float(signs > 0),
        "columns": float(select is not None and len(select.expressions) > 2),
        "groups": float(tree.find(exp.Group) is not None),
        "length": min(len(sql.split()) / 20, 3.0),
        "conditions": float(min(len(list(tree.find_all(exp.Predicate))), 4)),
    }


def confidence(sql: str, dialect: Name, signs: int) -> float:
    """Return the likelihood, from 0 to 1, that a statement gives the right rows."""
    found = features(sql, dialect, signs)
    return 1 / (1 + power(-sum(WEIGHTS[name] * value for name, value in found.items())))


SPOTS_MAX = 1
"""Places that a person is sent to where nothing in particular speaks against a statement."""


def spots(sql: str, dialect: Name) -> tuple[str, ...]:
    """Return where a statement is most likely wrong, in sentences: its joins, its groups, its conditions."""
    return tuple(_spots(_read(sql, dialect), dialect))[:SPOTS_MAX]


def _spots(tree: exp.Expr, dialect: Name) -> Iterator[str]:
    on = [equal for join in tree.find_all(exp.Join) for equal in join.find_all(exp.EQ)]
    if on:
        joined = " and ".join(f"`{equal.sql(dialect=dialect)}`" for equal in on[:3])
        yield f"tables are joined by {joined}."
    group = tree.find(exp.Group)
    if group and group.expressions:
        keys = " and ".join(f"`{key.sql(dialect=dialect)}`" for key in group.expressions[:3])
        yield f"there is a row for each {keys}."
    where = tree.find(exp.Where)
    if where:
        yield f"only rows count with `{where.this.sql(dialect=dialect)[:200]}`."


def _read(sql: str, dialect: Name) -> exp.Expr:
    try:
        return parse_one(sql, read=dialect)
    except SqlglotError:
        return exp.Select()
