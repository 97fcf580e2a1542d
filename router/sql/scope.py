"""The tables and columns that a query may name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Key = tuple[str, str]
"""A schema and a table, as the database spells them."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Pairs (schema, table) as the database spells them; `default` is the schema of bare names.

    `columns` are the readable columns of a table in their order; a table without an entry is one whose columns nobody
    looked up. `hidden` are the tables that have columns which may not be read: those are not among `columns`.
    """

    default: str
    tables: frozenset[Key]
    columns: Mapping[Key, tuple[str, ...]] = field(default_factory=dict, hash=False)
    hidden: frozenset[Key] = frozenset()

    @classmethod
    def of(
        cls,
        default: str,
        tables: Iterable[Key],
        columns: Mapping[Key, tuple[str, ...]] | None = None,
        hidden: Iterable[Key] = (),
    ) -> "Scope":
        """Build a scope from any iterables of pairs."""
        return cls(default, frozenset(tables), dict(columns or {}), frozenset(hidden))
