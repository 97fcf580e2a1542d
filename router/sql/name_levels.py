"""The names that one place of a statement can use: a query's sources, its aliases, and the queries around it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp


class Unresolved(Exception):
    """A name stands for nothing that may be read; the message is the sentence for people."""


Columns = dict[str, exp.Identifier]
"""By the key under which the database finds it, a column and how it is written."""
Own = tuple[str, list[exp.Identifier]]
"""The key of a WITH query's name, and the names that it gives to its columns."""


@dataclass(slots=True)
class NamedSource:
    """One thing that is read from; `alias` is how it is named in front of a dot, None where nobody can name it."""

    alias: exp.Identifier | None
    key: str
    columns: Columns
    open: bool = False
    schema: str = ""
    """Of a table without an alias: the key of its schema."""
    table: bool = False
    hidden: frozenset[str] = frozenset()
    """Keys without case of columns that may not be read."""
    merged: frozenset[str] = frozenset()
    """Keys of columns that stand in a source to the left already, by USING."""


@dataclass(slots=True)
class QueryOutput:
    """The columns of a query's rows."""

    columns: Columns
    open: bool = False


@dataclass(slots=True)
class Level:
    """The names of one query: its sources, its aliases where they count, and the queries around it.

    `apart` are sources of the same FROM that are not seen at this place: a name that fits one is refused, because the
    database would look for it elsewhere.
    """

    outer: "Level | None" = None
    sources: list[NamedSource] = field(default_factory=list)
    apart: list[NamedSource] = field(default_factory=list)
    ctes: Mapping[str, QueryOutput] = field(default_factory=dict)
    aliases: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    """Parameters of lambdas."""
    later: list[exp.Expr] | None = None
    """Of a query in SQLite: conditions of joins, which see the whole FROM."""

    def chain(self) -> Iterator["Level"]:
        """Yield the names of this query, and of those around it from the nearest one."""
        level: Level | None = self
        while level is not None:
            yield level
            level = level.outer


def names_of(alias: exp.Expr) -> list[exp.Identifier]:
    """Return the names that an alias gives to columns."""
    given = [each.this if isinstance(each, exp.ColumnDef) else each for each in alias.args.get("columns") or ()]
    return [each for each in given if isinstance(each, exp.Identifier)]


def is_named(item: exp.Expr) -> bool:
    return isinstance(item.args.get("alias"), exp.Identifier)


def all_of(level: Level) -> list[NamedSource]:
    """Return everything that can be named at a place."""
    return [source for here in level.chain() for source in here.sources]
