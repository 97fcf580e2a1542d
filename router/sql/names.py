"""The names of a statement: how each database compares them, which are its own, what they stand for at one place."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from string import ascii_lowercase, ascii_uppercase

from sqlglot import exp

from router.sql.dialect import DIALECTS, Name

# Names, compared as each database does.

_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_UPPER = str.maketrans(ascii_lowercase, ascii_uppercase)


def ascii_lower(name: str) -> str:
    """Return the name with its ASCII letters lowered; other letters stay, because Kelvin's K is no k to a database."""
    return name.translate(_LOWER)


def ascii_upper(name: str) -> str:
    """Return the name with its ASCII letters raised."""
    return name.translate(_UPPER)


def name_key(identifier: exp.Identifier, dialect: Name) -> str:
    """Return what the database looks for when it meets this name in a statement."""
    folds = DIALECTS[dialect].folds
    if folds == "none":
        return ascii_lower(identifier.name)
    if identifier.args.get("quoted"):
        return identifier.name
    return ascii_lower(identifier.name) if folds == "lower" else ascii_upper(identifier.name)


def known_key(name: str, dialect: Name) -> str:
    """Return the key of a name that the catalog has read.

    Oracle's catalog is read through SQLAlchemy, which spells names in lower case that Oracle keeps in upper case.
    """
    folds = DIALECTS[dialect].folds
    if folds == "none":
        return ascii_lower(name)
    return ascii_upper(name) if folds == "upper" and name == ascii_lower(name) else name


# The databases' own tables: users, settings, sessions, the list of all tables. Nobody reads them here.


@cache
def _system(dialect: Name) -> tuple[re.Pattern[str], re.Pattern[str]]:
    own = DIALECTS[dialect]
    return re.compile(own.system_schemas, re.DOTALL), re.compile(own.system_tables, re.DOTALL)


def is_nowhere(table: str, dialect: Name) -> bool:
    """Return whether a bare name is the table of one row that Oracle and MySQL give to everybody."""
    return table.lower() == DIALECTS[dialect].nowhere


def is_system(schema: str, table: str, dialect: Name) -> bool:
    """Return whether a table is the database's own; a bare name has the schema ""."""
    schemas, tables = _system(dialect)
    return bool(schemas.fullmatch(schema.lower()) or tables.fullmatch(table.lower()))


# The names that one place of a statement can use: a query's sources, its aliases, and the queries around it.


class Unresolved(Exception):
    """A name stands for nothing that may be read; the message is the sentence for people."""


Columns = dict[str, exp.Identifier]
"""By the key under which the database finds it, a column and how it is written."""
Own = tuple[str, list[exp.Identifier]]
"""The key of a WITH query's name, and the names that it gives to its columns."""


@dataclass(slots=True)
class NamedSource:
    """One thing that is read from, or a query's rows.

    `alias` is how it is named in front of a dot, None if nobody can name it.
    """

    columns: Columns
    open: bool = False
    alias: exp.Identifier | None = None
    key: str = ""
    schema: str = ""
    """Of a table without an alias: the key of its schema."""
    table: bool = False


@dataclass(slots=True)
class Level:
    """The names of one query: its sources, its aliases if they count, and the queries around it.

    `apart` are sources of the same FROM that are not seen at this place: a name that fits one is refused, because the
    database would look for it elsewhere.
    """

    outer: "Level | None" = None
    sources: list[NamedSource] = field(default_factory=list)
    apart: list[NamedSource] = field(default_factory=list)
    ctes: Mapping[str, NamedSource] = field(default_factory=dict)
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

    def seeing(self, lateral: "Level") -> "Level":
        """Return what an item of FROM sees of the others: those to its left, as they are now."""
        left = [] if lateral is self else lateral.sources
        return replace(self, sources=[*left, *self.sources])


def names_of(alias: exp.Expr) -> list[exp.Identifier]:
    """Return the names that an alias gives to columns."""
    given = [each.this if isinstance(each, exp.ColumnDef) else each for each in alias.args.get("columns") or ()]
    return [each for each in given if isinstance(each, exp.Identifier)]


def is_named(item: exp.Expr) -> bool:
    return isinstance(item.args.get("alias"), exp.Identifier)


def all_of(level: Level) -> list[NamedSource]:
    """Return everything that can be named at a place."""
    return [source for here in level.chain() for source in here.sources]


def is_star(item: exp.Expr) -> bool:
    """Return whether something that is selected is `*` or `q.*`."""
    return isinstance(star_of(item), exp.Star)


def star_of(item: exp.Expr) -> exp.Expr:
    """Return the star itself of `*` or `q.*`."""
    return item.this if isinstance(item, exp.Column) else item


def is_modified(item: exp.Expr) -> bool:
    """Return whether a star leaves out, changes or renames columns."""
    return any(star_of(item).args.get(part) for part in ("except_", "replace", "rename"))


def unknown_column(name: str, sources: Iterable[NamedSource], qualifier: str = "") -> Unresolved:
    """Return the refusal of a column."""
    names = {each.name.lower(): each.name for source in sources for each in source.columns.values()}
    near = get_close_matches(name.lower(), list(names)[:1_000], 1)
    advice = f" Did you mean {names[near[0]]}?" if near and near[0] != name.lower() else ""
    where = f"The table {qualifier[:60]} has" if qualifier else "The tables of this query have"
    return Unresolved(f"{where} no column {name[:80]} that may be read.{advice}")
