"""The look at two queries before they are compared: which columns belong together, and what tells the rows apart."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from router.catalog.schema import Schema
from router.jobs.compared_queries import PairJob, Queried
from router.memory.comparing import ComparedPair, Reporting, Tolerances
from router.sql.comparing.plan import ComparePlan, Side
from router.sql.comparing.proposals import match_columns, propose_key, suggest
from router.sql.comparing.queries import Sample, sample
from router.sql.comparing.query_keys import KeyProposal, declared_key


@dataclass(frozen=True, slots=True)
class MatchSql(PairJob):
    """One look at both queries."""


@dataclass(frozen=True, slots=True)
class QueryLikeness:
    """The findings in the first rows of both queries; no value of a row is in it.

    The names of both queries' columns, which of them belong together, the key and the tolerances that go with that,
    and how many rows were looked at on each side.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    pairs: tuple[ComparedPair, ...]
    key: KeyProposal
    tolerances: Tolerances
    rows: tuple[int, int]

    def plan(self, reporting: Reporting = "summary") -> ComparePlan:
        """Return the comparison that is proposed."""
        return ComparePlan(self.left, self.right, self.pairs, self.key.places, self.tolerances, reporting)


def match_sql(job: MatchSql, left: Side, right: Side, schema_of: Callable[[Queried], Schema]) -> QueryLikeness:
    """Return what the first rows of both sides say; raises JobFailed, Stopped.

    `schema_of` gives the schema of a side's tables, whose primary keys may tell the rows apart.
    """
    first, second = sample(left), sample(right)
    pairs = match_columns(first, second)
    declared = _key_of(left, first, schema_of(job.left)), _key_of(right, second, schema_of(job.right))
    return QueryLikeness(
        first.names,
        second.names,
        pairs,
        propose_key(first, second, pairs, declared),
        suggest(first, second, pairs, (left.dialect, right.dialect)),
        (len(first.rows), len(second.rows)),
    )


def _key_of(side: Side, found: Sample, schema: Schema) -> KeyProposal:
    """Return where a query has the columns that tell its rows apart, as far as its text and the schema say."""

    def primary_key(table: exp.Table) -> tuple[str, ...]:
        known = schema.table(table.name) if table.db.casefold() in ("", schema.name.casefold()) else None
        return known.primary_key if known else ()

    return declared_key(side.sql, side.dialect, found.names, primary_key)
