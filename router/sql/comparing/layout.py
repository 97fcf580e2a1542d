"""Differences as rows of a table, for a stored result, a file or a database."""

from collections.abc import Sequence

from router.sql.comparing.difference import Difference, Row
from router.sql.comparing.plan import Plan
from router.sql.databases import Described

STATUS, DIFFERING = "status", "differing"
"""The first column and the last one."""


def laid_columns(plan: Plan) -> tuple[Described, ...]:
    """Return the columns: the status, the key, both values of every other pair, and the names of those that differ."""
    keys = [Described(plan.names[place], "text") for place in plan.keys]
    others = [
        Described(f"{plan.names[place]} ({side})", "text") for place in _others(plan) for side in ("left", "right")
    ]
    return (Described(STATUS, "text"), *keys, *others, Described(DIFFERING, "text"))


def laid_rows(plan: Plan, differences: Sequence[Difference]) -> list[Row]:
    """Return a row a difference, in those columns; the key is the left side's where both have one."""
    return [_laid(plan, each) for each in differences]


def _laid(plan: Plan, difference: Difference) -> Row:
    empty: Row = (None,) * len(plan.pairs)
    left, right = difference.left or empty, difference.right or empty
    told = left if difference.left is not None else right
    keys = [told[place] for place in plan.keys]
    others = [value for place in _others(plan) for value in (left[place], right[place])]
    return (difference.status, *keys, *others, ", ".join(plan.names[place] for place in difference.places) or None)


def _others(plan: Plan) -> list[int]:
    return [place for place in range(len(plan.pairs)) if place not in plan.keys]
