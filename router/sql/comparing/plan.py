"""The plan of a comparison: the pairs, the key and the tolerances that a person confirms and a job carries."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from router.errors import JobFailed
from router.memory.comparing import ComparedPair, Reporting, Tolerances, names_of
from router.sql.databases.session import Session
from router.sql.dialect import Name
from router.sql.scope import Scope

# Compared rows, and where they are reported.

Row = tuple[Any, ...]

Status = Literal["identical", "changed", "only_left", "only_right", "duplicate_left", "duplicate_right"]
"""A duplicate is a row whose key is there more than once on a side, and that no row of that key is equal to."""

Which = Literal["left", "right"]

OPPOSITE: dict[Which, Which] = {"left": "right", "right": "left"}


@dataclass(frozen=True, slots=True)
class Difference:
    """One row with its status; the values are in the order of the plan's pairs, `places` are those that differ."""

    status: Status
    left: Row | None
    right: Row | None
    places: tuple[int, ...] = ()


class Sink(Protocol):
    """Takes the rows that are reported, in the order of their keys.

    Without a key, rows that waited for a near one come later than their place.
    """

    def begin(self) -> None:
        """Forget what was added: it is told again from the beginning."""

    def add(self, rows: list[Difference]) -> None:
        """Take the next rows."""


# The two sides of a comparison.


@dataclass(frozen=True, slots=True)
class Side:
    """An approved query and the session it is run in; `label` is what people call it, such as "orders in Production".

    Each side needs a session of its own, also if both are on one database.
    """

    label: str
    dialect: Name
    sql: str
    session: Session
    scope: Scope | None = None


@contextmanager
def naming_side(side: Side, rows: Callable[[], int] = lambda: 0) -> Iterator[None]:
    """Have a failure say whose it is, and that there is no report."""
    try:
        yield
    except JobFailed as error:
        after = f" after {rows():,} rows" if rows() else ""
        raise JobFailed(f"Reading {side.label} failed{after}, so there is no report. The reason: {error}") from error


class BothSessions:
    """The two sessions of a comparison as one thing that can be stopped, from any thread."""

    def __init__(self, left: Session, right: Session) -> None:
        self._sessions = (left, right)

    def cancel(self) -> None:
        """Have both databases abandon their query, now."""
        for session in self._sessions:
            session.cancel()


@dataclass(frozen=True, slots=True)
class ComparePlan:
    """A comparison that a person confirmed.

    `left` and `right` are the names of all columns of the queries, so that one that changed meanwhile is noticed.
    `keys` are places in `pairs`; without any, whole rows are compared. `first` differences are kept for the report.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    pairs: tuple[ComparedPair, ...]
    keys: tuple[int, ...] = ()
    tolerances: Tolerances = field(default_factory=Tolerances)
    reporting: Reporting = "summary"
    first: int = 20

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each pair."""
        return names_of(self.pairs, self.left, self.right)

    @property
    def unkeyed(self) -> tuple[int, ...]:
        """The places of the pairs that are not in the key."""
        return tuple(place for place in range(len(self.pairs)) if place not in self.keys)

    def columns(self, which: Which) -> tuple[str, ...]:
        """Return the names of all columns of a side."""
        return self.left if which == "left" else self.right

    def places(self, which: Which) -> tuple[int, ...]:
        """Return the place of each pair in the columns of a side."""
        return tuple(pair.left if which == "left" else pair.right for pair in self.pairs)

    def problem(self) -> str:
        """Return why nothing can be compared by this plan, "" if something can."""
        if not self.pairs:
            return "No columns are matched, so there is nothing to compare. Match at least one."
        if not all(0 <= p.left < len(self.left) and 0 <= p.right < len(self.right) for p in self.pairs):
            return "A matched column is not there. Match the columns again."
        if len({p.left for p in self.pairs}) < len(self.pairs) or len({p.right for p in self.pairs}) < len(self.pairs):
            return "A column is matched twice. Match the columns again."
        if len(set(self.keys)) < len(self.keys) or not all(0 <= place < len(self.pairs) for place in self.keys):
            return "The key is not among the matched columns. Choose the key again."
        return ""
