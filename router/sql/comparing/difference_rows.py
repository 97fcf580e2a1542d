"""Differences as rows of a table, for a stored result, a file or a database."""

from collections.abc import Sequence
from dataclasses import dataclass

from router.sql.comparing.plan import ComparePlan, Difference, Row, Status
from router.sql.databases.session import Described


def of_side(column: str, side: str) -> str:
    """Return the name of a column, or of a query, with that of its side, which may have brackets of its own."""
    return f"{column} in {side}" if "(" in side else f"{column} ({side})"


@dataclass(frozen=True, slots=True)
class Layout:
    """The rows of a comparison by this plan, of two sides that are called `left` and `right`."""

    plan: ComparePlan
    left: str
    right: str

    def columns(self) -> tuple[Described, ...]:
        """Return the columns: the status, the key, both values of every other pair, and the names of what differs."""
        plan = self.plan
        names = ["status", *(plan.names[place] for place in plan.keys)]
        for place in plan.unkeyed:
            pair = plan.pairs[place]
            names += [of_side(plan.left[pair.left], self.left), of_side(plan.right[pair.right], self.right)]
        return tuple(Described(name, "text") for name in (*names, "differing"))

    def rows(self, differences: Sequence[Difference]) -> list[Row]:
        """Return a row a difference, in those columns; the key is the left side's if both have one."""
        words: dict[Status, str] = {
            "identical": "identical",
            "changed": "changed",
            "only_left": f"only in {self.left}",
            "only_right": f"only in {self.right}",
            "duplicate_left": f"key not unique, in {self.left}",
            "duplicate_right": f"key not unique, in {self.right}",
        }
        return [(words[each.status], *self._values(each)) for each in differences]

    def _values(self, difference: Difference) -> Row:
        plan, nothing = self.plan, (None,) * len(self.plan.pairs)
        left, right = difference.left or nothing, difference.right or nothing
        told = difference.left or right
        values = [told[place] for place in plan.keys]
        for place in plan.unkeyed:
            values += [left[place], right[place]]
        differing = ", ".join(plan.names[place] for place in difference.places)
        return (*values, differing or ("nothing" if difference.status == "identical" else "whole row"))
