"""The first rows of a query, for a look at its columns before all rows are compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from router.errors import JobFailed
from router.sql.comparing.difference import Row
from router.sql.comparing.side import Side, blamed
from router.sql.comparing.wrapping import sampled
from router.sql.databases import Described
from router.sql.databases.weight import rows_weight

LOOKED_AT = 1000
"""How many rows are looked at."""

SAMPLE_BYTES = 8_000_000
"""Of wide rows, so many bytes are looked at."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The columns of a query, and its first rows; `whole` tells whether these are all."""

    columns: tuple[Described, ...]
    rows: tuple[Row, ...]
    whole: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)


def sample(side: Side, rows: int = LOOKED_AT) -> Sample:
    """Return the first rows of a side's query; raises JobFailed, Stopped."""
    with blamed(side):
        columns, batches = side.session.stream(sampled(side, rows + 1), rows + 1)
        found: list[Row] = []
        weighed, whole = 0, True
        for batch in batches:
            found += batch
            weighed += rows_weight(batch)
            if weighed > SAMPLE_BYTES:
                whole = next(batches, None) is None
                break
    return Sample(columns, tuple(found[:rows]), whole and len(found) <= rows)


def names_of(side: Side) -> tuple[Described, ...]:
    """Return the columns of a side's query, without reading a row."""
    columns, batches = side.session.stream(sampled(side, 0), 1)
    for _ in batches:
        pass  # there are none; a session would have them read before the next statement
    return columns


def demand_columns(side: Side, columns: Sequence[Described], planned: Sequence[str]) -> None:
    """Do nothing if a side's columns are still those of the plan; raises JobFailed."""
    if [column.name for column in columns] != list(planned):
        raise JobFailed("Its columns are no longer those that were matched. Match the columns again.")
