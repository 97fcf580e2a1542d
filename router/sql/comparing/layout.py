"""Differences as rows of a table, for a stored result, a file or a database."""

from collections.abc import Sequence
from dataclasses import dataclass

from router.sql.comparing.difference import Difference, Row, Status
from router.sql.comparing.plan import Plan
from router.sql.databases import Described

STATUS, DIFFERING = "status", "differing"
"""The first column and the last one."""

_NOTHING, _ALL = "nothing", "whole row"


@dataclass(frozen=True, slots=True)
class Layout:
    """The rows of a comparison by this plan, of two sides that are called `left` and `right`."""

    plan: Plan
    left: str
    right: str

    def columns(self) -> tuple[Described, ...]:
        """Return the columns: the status, the key, both values of every other pair, and the names of what differs."""
        names = self.plan.names
        keys = [Described(names[place], "text") for place in self.plan.keys]
        sides = self.left, self.right
        others = [Described(f"{names[place]} ({side})", "text") for place in _others(self.plan) for side in sides]
        return (Described(STATUS, "text"), *keys, *others, Described(DIFFERING, "text"))

    def rows(self, differences: Sequence[Difference]) -> list[Row]:
        """Return a row a difference, in those columns; the key is the left side's where both have one."""
        words = statuses(self.left, self.right)
        return [(words[each.status], *_laid(self.plan, each)) for each in differences]


def statuses(left: str, right: str) -> dict[Status, str]:
    """Return what is said of a row, with the names of the sides."""
    return {
        "identical": "identical",
        "changed": "changed",
        "only_left": f"only in {left}",
        "only_right": f"only in {right}",
        "duplicate_left": f"key not unique, in {left}",
        "duplicate_right": f"key not unique, in {right}",
    }


def _laid(plan: Plan, difference: Difference) -> Row:
    empty: Row = (None,) * len(plan.pairs)
    left, right = difference.left or empty, difference.right or empty
    told = left if difference.left is not None else right
    keys = [told[place] for place in plan.keys]
    others = [value for place in _others(plan) for value in (left[place], right[place])]
    differing = ", ".join(plan.names[place] for place in difference.places)
    return (*keys, *others, differing or (_NOTHING if difference.status == "identical" else _ALL))


def _others(plan: Plan) -> list[int]:
    return [place for place in range(len(plan.pairs)) if place not in plan.keys]
