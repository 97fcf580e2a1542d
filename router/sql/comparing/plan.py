"""What is compared with what, by which key, and how exactly: the values that a person confirms and a job carries."""

from dataclasses import dataclass, field
from typing import Literal

from router.comparing import Blanks as Blanks
from router.comparing import Form as Form
from router.comparing import Precision as Precision
from router.comparing import Reporting as Reporting
from router.comparing import Tolerances as Tolerances
from router.comparing import names_of

FLOATS = 1e-15
"""The share by which two numbers may differ where one is a floating-point number: about its last digit."""


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
    tolerances: Tolerances = field(default_factory=Tolerances)
    reporting: Reporting = "summary"
    first: int = 20

    @property
    def names(self) -> tuple[str, ...]:
        """What each pair is called."""
        return names_of(self.pairs, self.left, self.right)

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
