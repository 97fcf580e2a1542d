"""The tables that a query may name."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """Pairs (schema, table) as the database spells them; `default` is the schema of bare names."""

    default: str
    tables: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, default: str, tables: Iterable[tuple[str, str]]) -> "Scope":
        """Build a scope from any iterable of pairs."""
        return cls(default, frozenset(tables))
