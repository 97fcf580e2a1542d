"""A schema: its tables, columns and keys, as they are known."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from router.catalog.caches import weakly_cached
from router.language.wording import and_list, truncate
from router.sql.dialect import Name
from router.sql.scope import Scope

ALL_SCHEMAS = "*"
"""Stands in place of a schema's name for all those of a connection that may be read, the default one first."""

SCHEMAS_TOGETHER_MAX = 8
"""Schemas of a connection that one query may join; of more, each stands alone."""

TYPE_MAX_CHARS = 80
"""Types longer than this (a struct, an enum of hundreds) are cut."""


def compact_type(type: str) -> str:
    """Return the type as the database writes it, without needless blanks, collations and "without time zone"."""
    text = re.sub(r"\s+", " ", type).strip()
    text = re.sub(r" (COLLATE|CHARACTER SET) (\"[^\"]*\"|\S+)", "", text, flags=re.IGNORECASE)
    text = re.sub(r" without time zone", "", text, flags=re.IGNORECASE)
    text = re.sub(r" ?([(),]) ?", r"\1", text)
    text = re.sub(r"\)(?=\w)", ") ", text)
    return truncate(text, TYPE_MAX_CHARS)


def are_together(schemas: Sequence[str]) -> bool:
    """Return whether one query may join the tables of a connection's schemas, of which there are several."""
    return 1 < len(schemas) <= SCHEMAS_TOGETHER_MAX


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `samples` are its values if it has few and the connection lets a model see them.

    `values` are texts that were seen in it, for finding what a question names; `whole` tells whether these are all.
    `shown`: they may be offered to a model and to people. Others serve to spell what a person typed, in this process.
    """

    name: str
    type: str
    nullable: bool = True
    comment: str = ""
    samples: tuple[str, ...] = ()
    values: frozenset[str] = field(default=frozenset(), repr=False)
    whole: bool = False
    shown: bool = True


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """`columns` of this table point to `target_columns` of `target` (in `target_schema`).

    `sure` is 1 if it is declared, below that if it was inferred. `checked`: the database sees to it that it leads
    to a row.
    """

    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]
    target_schema: str = ""
    sure: float = 1.0
    checked: bool = True


@dataclass(frozen=True, slots=True)
class SchemaTable:
    """A table or view; `rows` is an estimate, None if the database has none."""

    name: str
    schema: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    comment: str = ""
    rows: int | None = None
    view: bool = False
    hidden: tuple[str, ...] = field(default=(), repr=False)
    """The names of columns that may not be read; they are not among `columns`."""
    judged: frozenset[str] = frozenset()
    """Columns of which values or a person have said whether they point to another table; of others, names say it."""
    denied: tuple[str, ...] = ()
    """The names of columns that the reading user has no right to; they are not among `columns`."""
    left_out: str = ""
    """The reason why a table cannot be asked about, "" if it can."""

    def column(self, name: str) -> Column | None:
        """Return the column of this name, as `named` does."""
        return named(self.columns, name)


Named = TypeVar("Named", Column, SchemaTable)


def named(among: Iterable[Named], name: str) -> Named | None:
    """Return the one of exactly this name, or else one whose name differs in upper and lower case only."""
    alike = [each for each in among if each.name.lower() == name.lower()]
    return next((each for each in alike if each.name == name), alike[0] if alike else None)


LEFT_OUT_NAMED_MAX = 10
"""Names of what is left out that are told of a reason."""

NO_RIGHT = "the reading user has no right to it"
VIRTUAL = "a virtual table, as of a full-text search, or a part of one"
ORPHANED = "a view that cannot be read, as a table or column that it needs is gone"
"""The reason why a view is left out."""


def _more(names: list[str]) -> str:
    more = len(names) - LEFT_OUT_NAMED_MAX
    return f" and {more:,} more" if more > 0 else ""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Schema:
    """The readable tables of one schema of one connection, in alphabetical order; or of all its schemas.

    Then `name` is the default schema, which bare names are looked up in. `beside` are the tables of the other schemas
    that may be read: SQL may name them, and no model is shown them. Schemas are told apart by identity.
    """

    connection: str
    dialect: Name
    name: str
    tables: tuple[SchemaTable, ...]
    read_at: datetime
    beside: tuple[SchemaTable, ...] = ()
    left_out: tuple[SchemaTable, ...] = ()
    """The tables that exist, and that nobody can ask about."""

    @property
    def left_out_sentence(self) -> str:
        """Return a sentence on what is left out of the schema, and why; "" if nothing is."""
        names: dict[str, list[str]] = {}
        for table in self.left_out:
            names.setdefault(table.left_out, []).append(table.name)
        for table in self.tables:
            for column in table.denied:
                names.setdefault(NO_RIGHT, []).append(f"{table.name}.{column}")
        parts = [f"{and_list(some[:LEFT_OUT_NAMED_MAX])}{_more(some)} ({why})" for why, some in names.items()]
        return f"Left out: {'; '.join(parts)}." if parts else ""

    def table(self, name: str) -> SchemaTable | None:
        """Return the table of exactly this name, or else one whose name differs in upper and lower case only."""
        return named(_by_name(self).get(name.lower(), ()), name)

    def only(self, names: tuple[str, ...]) -> "Schema":
        """Return the schema cut down to the tables named; all of them if `names` is empty."""
        if not names:
            return self  # the same object, for which much has been worked out already
        wanted = {name.lower() for name in names}
        return replace(self, tables=tuple(table for table in self.tables if table.name.lower() in wanted))

    def without_values(self) -> "Schema":
        """Return the schema as it may leave this process: without the texts that were seen in its columns."""
        return replace(
            self,
            tables=tuple(map(_without_values, self.tables)),
            beside=tuple(map(_without_values, self.beside)),
        )

    @property
    def others(self) -> frozenset[str]:
        """The schemas of its tables whose names have to stand before those of the tables."""
        return frozenset(table.schema for table in self.tables) - {self.name}

    @property
    def scope(self) -> Scope:
        """The tables and their columns as the guard wants them."""
        return _scope(self)


def _without_values(table: SchemaTable) -> SchemaTable:
    columns = (replace(column, values=frozenset(), whole=False, shown=True) for column in table.columns)
    return replace(table, columns=tuple(columns))


@weakly_cached
def _by_name(schema: Schema) -> dict[str, list[SchemaTable]]:
    """Return the tables by their names in lower case."""
    found: dict[str, list[SchemaTable]] = {}
    for table in schema.tables:
        found.setdefault(table.name.lower(), []).append(table)
    return found


@weakly_cached
def _scope(schema: Schema) -> Scope:
    """Return the tables and their columns as the guard wants them."""
    tables = (*schema.tables, *schema.beside)
    columns = {(table.schema, table.name): tuple(column.name for column in table.columns) for table in tables}
    return Scope.of(schema.name, columns, columns, {(t.schema, t.name): t.hidden for t in tables})
