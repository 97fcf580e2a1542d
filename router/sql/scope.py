"""The tables and columns that a query may name."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Key = tuple[str, str]
"""A schema and a table, as the database spells them."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Pairs (schema, table) as the database spells them; `default` is the schema of bare names.

    `columns` are the readable columns of a table in their order; a table without an entry is one whose columns nobody
    looked up. `hidden` are the columns of a table that may not be read: those are not among `columns`.
    """

    default: str
    tables: frozenset[Key]
    columns: Mapping[Key, tuple[str, ...]] = field(default_factory=dict, hash=False)
    hidden: Mapping[Key, tuple[str, ...]] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def of(
        cls,
        default: str,
        tables: Iterable[Key],
        columns: Mapping[Key, tuple[str, ...]] | None = None,
        hidden: Mapping[Key, tuple[str, ...]] | None = None,
    ) -> "Scope":
        """Build a scope from any iterable of pairs; of `hidden`, only tables that have such columns are kept."""
        return cls(default, frozenset(tables), dict(columns or {}), {k: v for k, v in (hidden or {}).items() if v})


def mentions(sql: str, name: str) -> bool:
    """Return whether `name` is written in `sql` as a word, quoted in whatever way."""
    # A quote inside a quoted name is written twice, or once within quotes of another kind.
    spellings = "|".join(re.escape(word) for word in {name, re.sub("[\"'`]", "", name)})
    word = re.compile(rf"(?<![\w$])(?:{spellings})(?![\w$])", re.IGNORECASE)
    without_doubled_quotes = re.sub("\"\"|``|''", "", sql)
    return bool(word.search(sql) or word.search(without_doubled_quotes))
