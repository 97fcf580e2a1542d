"""What becomes of the rows of two queries, and where they are told of."""

from dataclasses import dataclass
from typing import Any, Literal, Protocol

Row = tuple[Any, ...]

Status = Literal["identical", "changed", "only_left", "only_right", "duplicate_left", "duplicate_right"]
"""A duplicate is a row whose key is there more than once on a side, and that no row of that key is equal to."""

Which = Literal["left", "right"]


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


class Nowhere:
    """A sink that keeps nothing."""

    def begin(self) -> None:
        """Have nothing to forget."""

    def add(self, rows: list[Difference]) -> None:
        """Let them go."""
