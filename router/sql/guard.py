"""The third layer of safety: what may run is decided on the syntax tree, and what runs is rendered from that tree."""

from collections.abc import Iterable
from dataclasses import dataclass

from router.sql.dialect import Name


@dataclass(frozen=True, slots=True)
class Scope:
    """The tables that a query may name: pairs (schema, table) as the database spells them; `default` is the schema of bare names."""

    default: str
    tables: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, default: str, tables: Iterable[tuple[str, str]]) -> "Scope":
        """Build a scope from any iterable of pairs."""
        return cls(default, frozenset(tables))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The guard's answer: `sql` is what may run, rendered from the tree without comments ("" when refused)."""

    allowed: bool
    reason: str
    sql: str


def check(sql: str, dialect: Name, scope: Scope | None = None) -> Verdict:
    """Judge one SQL text; never raises, whatever the text."""
    raise NotImplementedError
