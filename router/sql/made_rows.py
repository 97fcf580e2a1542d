"""The rows that a query makes, and how they come together; the limits of what a statement may make."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from router.sql.bounds import TABLE_ROWS, Bound, hull

TEXT_MAX_BYTES = 10_000_000
"""Of a text or a list that a statement makes of its own."""

STATEMENT_MAX_BYTES = 4 * TEXT_MAX_BYTES
"""Of all such texts of a statement together, of which a planner may hold each."""

SERIES_MAX_ROWS = 10_000_000
STEPS_OF_DATES = 20_000
"""Steps of a recursion that ends at a date."""

STEPS_OF_TABLES = 100
"""Steps of a recursion over a table: the levels of a hierarchy."""


class StatementTooLarge(Exception):
    """The statement makes too much; says so in a sentence."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a query or a table: the columns whose bounds are known, and how many rows there are.

    `made` is how many of them the statement makes; what tables add to that is not known.
    """

    columns: Mapping[str, Bound] = field(default_factory=dict)
    made: float = 1.0
    of_table: bool = False

    @property
    def count(self) -> float:
        """Return how many rows there are, as far as that is ordinary."""
        return max(self.made, TABLE_ROWS) if self.of_table else self.made

    @property
    def bounds(self) -> list[Bound]:
        """Return the bounds of the columns that are known."""
        return list(self.columns.values())

    def named(self, names: list[str]) -> "Rows":
        """Return the rows with other names of their first columns."""
        bounds = self.bounds
        if bounds and len(bounds) < len(names):
            bounds = [hull(bounds)] * len(names)
        return replace(
            self, columns={**dict(zip(names, bounds, strict=False)), **dict(list(self.columns.items())[len(names) :])}
        )

    def beside(self, other: "Rows") -> "Rows":
        """Return the rows of two sources, each with each."""
        return Rows({**self.columns, **other.columns}, self.made * other.made, self.of_table or other.of_table)


def one_after_another(found: list[Rows]) -> Rows:
    """Return the rows of queries that are put together."""
    return Rows(side_by_side(found), sum(each.made for each in found), any(each.of_table for each in found))


def side_by_side(found: list[Rows]) -> dict[str, Bound]:
    """Return the columns of queries of which one follows the other, by the names of the first."""
    names = list(found[0].columns)
    if not all(len(rows.columns) == len(names) for rows in found):
        return dict.fromkeys(names, hull([bound for rows in found for bound in rows.bounds]))
    columns = zip(*(rows.bounds for rows in found), strict=True)
    return {name: hull(list(column)) for name, column in zip(names, columns, strict=False)}


# Refusals.


def require_bytes(size: float, what: str) -> None:
    """Refuse a text that is too long, or of which nobody knows how long it gets."""
    if math.isinf(size):
        raise StatementTooLarge(
            f"How long {what} gets cannot be told from this SQL; it may burden the database, so it does not run."
        )
    if size > TEXT_MAX_BYTES:
        raise StatementTooLarge(
            f"A text of more than {TEXT_MAX_BYTES:,} characters would burden the database, so it does not run."
        )


def require_looks(count: float, what: str) -> None:
    """Refuse what looks at something too often: some servers do not look at the clock meanwhile."""
    if count > TEXT_MAX_BYTES:
        raise StatementTooLarge(
            f"{what} would look at more than {TEXT_MAX_BYTES:,} pairs of signs or parts of a document; that would "
            "burden the database, so it does not run."
        )


def require_together(total: float) -> None:
    """Refuse texts that are too long together."""
    if total > STATEMENT_MAX_BYTES:
        raise StatementTooLarge(
            f"Texts of more than {STATEMENT_MAX_BYTES:,} characters together would burden the database, "
            "so this SQL does not run."
        )


def require_rows(made: float) -> None:
    """Refuse a series that is too long."""
    if made > SERIES_MAX_ROWS:
        raise StatementTooLarge(
            f"A series of more than {SERIES_MAX_ROWS:,} values would burden the database, so it does not run."
        )
