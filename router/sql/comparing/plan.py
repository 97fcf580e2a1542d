"""What is compared with what, by which key, and how exactly: the values that a person confirms and a job carries."""

from dataclasses import dataclass, replace
from typing import Literal

from router.sql.dialect import Name

Form = Literal["auto", "text", "number", "time", "bool", "uuid", "bytes", "json"]
"""How texts of a column are read: as they are, or as what the other side's values are; "auto": each as the row says."""

Reporting = Literal["summary", "columns", "differences", "all", "aggregates"]
"""Counts; counts by column too; the rows that differ; every row with its status; totals of both databases, no rows."""

Blanks = Literal["count", "end", "around"]
"""Whether blanks count, do not at the end of a text, or at neither end."""

Precision = Literal["microsecond", "millisecond", "second", "minute", "day"]

FLOATS = 1e-9
"""The share by which two numbers may differ where at least one of them is a floating-point number."""


@dataclass(frozen=True, slots=True)
class Tolerances:
    """What does not count as a difference.

    Two numbers are the same within `absolute`, or within the share `relative` of the larger one. With `fold`, upper
    and lower case are the same. Times count down to `precision`. With `empty`, an empty text is no value (NULL).
    The numbers of a key must be equal; without a key, near ones are found among the next 2,000 that have no equal row.
    """

    absolute: float = 0.0
    relative: float = 0.0
    blanks: Blanks = "end"
    fold: bool = False
    precision: Precision = "microsecond"
    empty: bool = False

    def between(self, left: Name, right: Name) -> "Tolerances":
        """Return what is fair between two kinds of databases: Oracle knows no empty text."""
        return replace(self, empty=self.empty or "oracle" in (left, right))


@dataclass(frozen=True, slots=True)
class Pair:
    """A column of the left query and the one of the right that is compared with it: their places, counted from 0."""

    left: int
    right: int
    form: Form = "auto"


@dataclass(frozen=True, slots=True)
class Plan:
    """A comparison that a person confirmed.

    `left` and `right` are the names of all columns of the queries, so that one that changed meanwhile is noticed.
    `keys` are places in `pairs`; without any, whole rows are compared. `first` differences are kept for the report.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    pairs: tuple[Pair, ...]
    keys: tuple[int, ...] = ()
    tolerances: Tolerances = Tolerances()
    reporting: Reporting = "summary"
    first: int = 20

    @property
    def names(self) -> tuple[str, ...]:
        """What each pair is called: the left name, and the right one where that is another."""
        both = ((self.left[pair.left], self.right[pair.right]) for pair in self.pairs)
        return tuple(left if left == right else f"{left} / {right}" for left, right in both)

    def columns(self, which: Literal["left", "right"]) -> tuple[str, ...]:
        """Return the names of all columns of a side."""
        return self.left if which == "left" else self.right

    def places(self, which: Literal["left", "right"]) -> tuple[int, ...]:
        """Return the place of each pair in the columns of a side."""
        return tuple(pair.left if which == "left" else pair.right for pair in self.pairs)

    def problem(self) -> str:
        """Return why nothing can be compared by this plan, "" where something can."""
        if not self.pairs:
            return "No columns are matched, so there is nothing to compare. Match at least one."
        if not all(0 <= p.left < len(self.left) and 0 <= p.right < len(self.right) for p in self.pairs):
            return "A matched column is not there. Match the columns again."
        if len({p.left for p in self.pairs}) < len(self.pairs) or len({p.right for p in self.pairs}) < len(self.pairs):
            return "A column is matched twice. Match the columns again."
        if len(set(self.keys)) < len(self.keys) or not all(0 <= place < len(self.pairs) for place in self.keys):
            return "The key is not among the matched columns. Choose the key again."
        return ""
