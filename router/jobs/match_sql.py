"""The look at two queries before they are compared: which columns belong together, and what tells the rows apart."""

from collections.abc import Callable
from dataclasses import dataclass

from router.catalog.schema import Schema
from router.errors import JobFailed
from router.jobs.compared_queries import PairJob, Queried, approved, row_of
from router.memory.comparing import Reporting, Tolerances
from router.memory.draft import User
from router.sql.comparing.plan import ComparedPair, ComparePlan, Side
from router.sql.comparing.proposals import (
    KeyProposal,
    ProposedMatch,
    match_columns,
    paired,
    propose_key,
    suggest,
)
from router.sql.comparing.queries import Sample, sample
from router.sql.comparing.query_keys import grouped_places, plain_table
from router.sql.databases.session import Described

MATCHED_ROWS = 500
"""The number of rows of each query that are looked at."""

Chosen = tuple[tuple[int, int], ...]
"""Columns that a person put together: the places of the left and the right one, counted from 0."""


@dataclass(frozen=True, slots=True)
class MatchSql(PairJob):
    """One look at both queries; `pairs` are those that a person chose, None where they are to be proposed."""

    pairs: Chosen | None = None

    @classmethod
    def of(
        cls, left: Queried, right: Queried, person: User, *, pairs: Chosen | None = None, thread: str = ""
    ) -> "MatchSql":
        """Return the look that this person wants."""
        return approved(cls(left, right, person, *row_of(left, person), "", pairs, thread=thread))

    @property
    def choices(self) -> object:
        """The pairs."""
        return self.pairs


@dataclass(frozen=True, slots=True)
class QueryLikeness:
    """The findings in the first rows of both queries; no value of a row is in it.

    `pairs` are those that were chosen, else those of the proposals in `matched`, each with how its texts are read;
    `key` and `tolerances` go with them. `rows` were looked at on each side; `whole`: these were all.
    """

    left: tuple[Described, ...]
    right: tuple[Described, ...]
    matched: tuple[ProposedMatch, ...]
    pairs: tuple[ComparedPair, ...]
    key: KeyProposal
    tolerances: Tolerances
    rows: tuple[int, int]
    whole: tuple[bool, bool]

    def plan(self, reporting: Reporting = "summary") -> ComparePlan:
        """Return the comparison that is proposed."""
        left, right = (tuple(column.name for column in side) for side in (self.left, self.right))
        return ComparePlan(left, right, self.pairs, self.key.places, self.tolerances, reporting)


def match_sql(job: MatchSql, left: Side, right: Side, schema_of: Callable[[Queried], Schema]) -> QueryLikeness:
    """Return what the first rows of both sides say; raises JobFailed, also where a chosen column is not there; Stopped.

    `schema_of` gives the schema of a side's tables, whose primary keys may tell the rows apart.
    """
    first, second = sample(left, MATCHED_ROWS), sample(right, MATCHED_ROWS)
    matched = match_columns(first, second)
    if job.pairs is None:
        pairs = tuple(proposal.pair for proposal in matched)
    else:
        if not all(0 <= a < len(first.columns) and 0 <= b < len(second.columns) for a, b in job.pairs):
            raise JobFailed("A matched column is not there. Match the columns again.")
        pairs = tuple(paired(first, second, here, there) for here, there in job.pairs)
    keys = (_declared_key(left, first, schema_of(job.left)), _declared_key(right, second, schema_of(job.right)))
    grouped = tuple(
        grouped_places(each.sql, each.dialect, found.names) for each, found in ((left, first), (right, second))
    )
    return QueryLikeness(
        first.columns,
        second.columns,
        matched,
        pairs,
        propose_key(first, second, pairs, *keys, grouped),
        suggest(first, second, pairs, (left.dialect, right.dialect)),
        (len(first.rows), len(second.rows)),
        (first.whole, second.whole),
    )


def _declared_key(side: Side, found: Sample, schema: Schema) -> tuple[int, ...]:
    """Return where a query has the primary key of the table that it reads row by row; empty where it does not."""
    plain = plain_table(side.sql, side.dialect, found.names)
    if plain is None or plain.schema.casefold() not in ("", schema.name.casefold()):
        return ()
    keys = (table.primary_key for table in schema.tables if table.name.casefold() == plain.name.casefold())
    key = next(keys, ())
    return plain.places(key) if key else ()
