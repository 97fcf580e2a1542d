"""What is known of a database's tables."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from router.catalog.kept import kept
from router.sql.dialect import Name
from router.sql.guard import Scope


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `samples` are its values where it has few and the connection lets a model see them.

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
    """`columns` of this table point to `target_columns` of `target` (in `target_schema`)."""

    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]
    target_schema: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view; `rows` is an estimate, None where the database has none."""

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


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Schema:
    """The readable tables of one schema of one connection, in alphabetical order."""

    connection: str
    dialect: Name
    name: str
    tables: tuple[Table, ...]
    read_at: datetime

    def table(self, name: str) -> Table | None:
        """Return the table of exactly this name, or else one whose name differs in upper and lower case only."""
        alike = _by_name(self).get(name.lower(), [])
        return next((table for table in alike if table.name == name), alike[0] if alike else None)

    def only(self, names: tuple[str, ...]) -> "Schema":
        """Return the schema cut down to the tables named; all of them where `names` is empty."""
        if not names:
            return self  # the same object, for which much has been worked out already
        wanted = {name.lower() for name in names}
        return replace(self, tables=tuple(table for table in self.tables if table.name.lower() in wanted))

    def without_values(self) -> "Schema":
        """Return the schema as it may leave this process: without the texts that were seen in its columns."""
        tables = (
            replace(
                table,
                columns=tuple(replace(column, values=frozenset(), whole=False, shown=True) for column in table.columns),
            )
            for table in self.tables
        )
        return replace(self, tables=tuple(tables))

    @property
    def scope(self) -> Scope:
        """The tables and their columns as the guard wants them."""
        return _scope(self)


@kept
def _by_name(schema: Schema) -> dict[str, list[Table]]:
    """Return the tables by their names in lower case."""
    found: dict[str, list[Table]] = {}
    for table in schema.tables:
        found.setdefault(table.name.lower(), []).append(table)
    return found


@kept
def _scope(schema: Schema) -> Scope:
    """Return the tables and their columns as the guard wants them."""
    columns = {(table.schema, table.name): tuple(column.name for column in table.columns) for table in schema.tables}
    return Scope.of(schema.name, columns, columns, {(t.schema, t.name): t.hidden for t in schema.tables})
