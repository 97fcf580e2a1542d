"""Settings of writing for each kind of database: `[write]` in its file in `router/sql/dialects/`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from math import isfinite
from typing import Any, Literal

from router.sql.cell_text import plain
from router.sql.dialect import DIALECTS, Dialect, Name
from router.sql.value_kinds import ExactTime, Interval, duckdb_text
from router.sql.writing.order import UnfitValue

Bind = Callable[[Any], Any]
"""Makes of a value what the driver takes."""


@dataclass(frozen=True, slots=True)
class WriteDialect:
    """The statements that write to one kind of database; `mark` stands for a value, numbered if the driver wants that.

    `ddl_commits` says that a CREATE TABLE cannot be undone. `swap` puts the table {waiting} in the place of {name},
    which is there; what was there is then called {old}. `many` is the most rows of one INSERT; 0: the driver's own way.
    """

    name: Name
    label: str
    quote: str
    mark: str
    schemas: str
    table: str
    """Says of a table or view whether it is a view, and, if a name has no case, its schema and name as they are."""
    columns: str
    """Gives each column's name, type, and whether it takes NULL, has a value of its own, or is computed.

    Last may come the code page of a text that is none of Unicode.
    """
    log: str
    count: str
    rename: str = ""
    swap: tuple[str, ...] = ()
    ddl_commits: bool = False
    staged: Literal["always", "new", "never"] = "always"
    """The use of a table of the job's own, loaded first: always, for a new table only, or never."""
    log_first: bool = False
    """True if the log is made before the transaction: of two that make it at once, one would fail as a whole."""
    session: tuple[str, ...] = ()
    """Sent on each new connection; {limit} is the time of one statement in milliseconds."""
    begin: str = ""
    """Begins the transaction; "" if the driver does."""
    one_cursor: bool = False
    """True if the connection is its only cursor, and any other one a connection of its own."""
    readable: str = ""
    """Asks whether the rows of a table may be read; "" if a count of them says so."""
    utc: str = ""
    """Sent before moments are: columns that keep them without a zone take each in the zone of the session."""
    lock: str = ""
    """Keeps others from writing into the table {name}."""
    hold: str = ""
    """Waits for a lock of the bot's own, {key}, which ends with the connection; its row says whether it was had."""
    hold_missing: str = ""
    """The codes of a server that has no such locks, such as a cluster."""
    interrupt: str = "cancel"
    """The driver's own way to make the database abandon what a connection does, if it has one."""
    name_max: int = 0
    """The most that a name has; 0: no limit."""
    name_unit: Literal["bytes", "characters"] = "bytes"
    name_refused: str = "(?!)"
    """A pattern of what no name may have, besides what none may have anywhere."""
    many: int = 0
    marks: Mapping[str, str] = field(default_factory=dict)
    """Placeholders of values in an INSERT, by the kind of their column."""
    binds: Mapping[str, Bind] = field(default_factory=dict)
    """By the kind of a column; in the files, by the name in BINDS."""
    sizes: Mapping[str, str] = field(default_factory=dict)
    """The driver's type objects for native types that it would not find out by itself."""
    steps: Mapping[str, int] = field(default_factory=dict)
    """The smallest part of a time, in microseconds, that a type keeps which does not say its digits."""


def sqlite_decimal(value: Decimal) -> str:
    """Return a text, which a column of numbers makes a number of; what a float would change is refused."""
    if value.is_finite() and Decimal(repr(float(value))) != value:
        raise UnfitValue("has more digits than SQLite keeps in a column of numbers")
    return plain(value)


def finite(value: float) -> float:
    """Return a number that is one."""
    if not isfinite(value):
        raise UnfitValue("is no number that this database has")
    return value


def postgres_array(value: Any) -> str:
    """Return an array, or a value within one, as PostgreSQL reads it."""
    if isinstance(value, list):
        return f"{{{','.join(map(_array_item, value))}}}"
    return f"\\x{value.hex()}" if isinstance(value, bytes) else plain(value)


def _array_item(value: Any) -> str:
    if value is None or isinstance(value, list):
        return "NULL" if value is None else postgres_array(value)
    return '"' + postgres_array(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


BINDS: dict[str, Bind] = {
    "whole": int,
    "text": plain,
    "id_text": str,
    "finite": finite,
    "number_or_nan": lambda value: value if value == value else "NaN",
    "sqlite_decimal": sqlite_decimal,
    "duckdb_text": duckdb_text,
    "postgres_array": postgres_array,
    "exact_text": lambda value: str(value) if isinstance(value, ExactTime | Interval) else value,
    "hexadecimal": lambda value: "0x" + value.hex(),
    "iso_moment": lambda value: value.isoformat(" ", "microseconds"),
    "utc_text": lambda value: plain(value.replace(tzinfo=None) - value.utcoffset()),
    "length_of_time": lambda value: timedelta(value.days, microseconds=value.micros),
}


def _read(dialect: Dialect) -> WriteDialect:
    said = dict(dialect.write)
    binds = {kind: BINDS[name] for name, kinds in said.pop("binds").items() for kind in kinds.split()}
    return WriteDialect(dialect.name, dialect.label, binds=binds, **said)


WRITE_DIALECTS = {name: _read(dialect) for name, dialect in DIALECTS.items()}


def valued(sql: str, dialect: WriteDialect) -> str:
    """Return a part of a statement that has values beside it, in which the driver may take % for a mark."""
    return sql.replace("%", "%%") if dialect.mark == "%s" else sql
