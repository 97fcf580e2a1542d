"""DuckDB in the child: a file opened read-only without access to anything outside it, with limits of its own."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb

from router.sql.readers.batches import Batches
from router.sql.readers.duckdb_scope import Planner, estimate_of, refusal_of
from router.sql.readers.wire import Bounds, ReaderRefusal, scope_of
from router.sql.scope import Scope

# DuckDB makes two statements of a PIVOT without a list of columns: it reads the values first, then it selects.

QUERY = re.compile(r"[\s(]*(?:SELECT|WITH|FROM|PIVOT|PIVOT_WIDER)\b", re.IGNORECASE)
"""The beginning of a text that is a query, and nothing that keeps or changes something."""

DESCRIBING_QUERY = re.compile(r"\(\s*(?:SHOW|DESCRIBE|DESC|SUMMARIZE)\b", re.IGNORECASE)
"""A query that tells of tables instead of reading them."""


def pivots(sql: str) -> bool:
    """Say whether `sql`, of which DuckDB makes several statements, does no more than to pivot."""
    data, tokens = sql.encode(), duckdb.tokenize(sql)
    if DESCRIBING_QUERY.search(sql) or any(
        kind == duckdb.token_type.comment for _, kind in tokens
    ):  # a comment parts f from (x)
        return False
    return bool(QUERY.match(sql)) and any(
        kind == duckdb.token_type.keyword and data[at : at + 5].lower() == b"pivot" for at, kind in tokens
    )


# Types as kinds of columns.

DUCKDB_KINDS = {
    "boolean": "bool",
    "blob": "blob",
    **dict.fromkeys(("tinyint", "smallint", "integer", "bigint", "hugeint", "bignum"), "number"),
    **dict.fromkeys(("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint"), "number"),
    **dict.fromkeys(("float", "double", "decimal"), "number"),
    **dict.fromkeys(
        ("date", "time", "time with time zone", "time_ns", "timestamp", "timestamp with time zone"), "date"
    ),
    **dict.fromkeys(("timestamp_s", "timestamp_ms", "timestamp_ns"), "date"),
}

NESTED = frozenset({"list", "array", "struct", "map", "union", "variant"})


def kind_of(column_type: Any) -> str:
    """Return the kind of a column by its type in the description."""
    return DUCKDB_KINDS.get(column_type.id, "text")


def nested(column_type: Any) -> bool:
    """Say whether values of the type hold other values."""
    return column_type.id in NESTED


Config = dict[str, str | bool | int | float | list[str]]

LOCKED_UP: Config = {
    "enable_external_access": "false",  # no other file, no network, no ATTACH, no COPY
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",  # a name in the SQL never means a variable of this program
    "lock_configuration": "true",
}

LIMITED: Config = {
    "memory_limit": "512MB",
    "max_temp_directory_size": "2GB",
    "threads": 2,
}


class DuckReader:
    """At most one open DuckDB file, and at most one statement on it; nobody can write the file while it is open."""

    errors = (duckdb.Error, RuntimeError, UnicodeError)
    memory_errors = (MemoryError, duckdb.OutOfMemoryException)
    threads = 2

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._planner: Planner | None = None
        self._scope: Scope | None = None
        self._batches: Batches | None = None

    def open(self, path: str, scope: Bounds | None) -> None:
        """Open the file, to read the tables of `scope` only, as DuckDB's own binder names them; all for None."""
        self.close()
        own: Config = {"temp_directory": str(Path(self._folder, "spilled")), "lock_configuration": "false"}
        self._connection = duckdb.connect(path, read_only=True, config=LOCKED_UP | LIMITED | own)
        self._planner = Planner(self._connection.cursor())
        self._connection.execute("SET lock_configuration = true")  # from here on, for every cursor
        self._scope = scope_of(scope)
        if self._scope and self._scope.default:
            for connection in (self._connection, self._planner.connection):
                _look_first_in(connection, self._scope.default)

    def check(self, sql: str) -> tuple[int | None, str]:
        """Plan `sql` and return the planner's expectation."""
        connection, _ = self._only_select(sql)
        row = connection.execute(f"EXPLAIN (FORMAT JSON) {sql}").fetchone()
        return estimate_of(row[1]) if row else (None, "")

    def stream(self, sql: str, cuts: bool = False) -> list[tuple[str, str]]:
        """Start `sql` and return its columns; its rows are computed when asked for, and `Batches` tells of `cuts`."""
        connection, statement = self._only_select(sql)
        connection.execute(statement)
        described = connection.description or []
        self._batches = Batches(connection.fetchmany, any(nested(column[1]) for column in described), cuts)
        return [(str(column[0]), kind_of(column[1])) for column in described]

    def rows(self, most: int) -> tuple[list[bytes], bool]:
        """Return packed lists of the next rows, and whether more may follow."""
        assert self._batches is not None
        return self._batches.next(most)

    def interrupt(self) -> None:
        """Have the engine abandon what it does; called by another thread."""
        for connection in self._connections():
            with suppress(duckdb.Error):  # it was closed meanwhile
                connection.interrupt()

    def close(self) -> None:
        """Close the file, for others to write it."""
        connections = self._connections()
        self._connection = self._planner = self._batches = None
        for connection in connections:
            connection.close()

    def _connections(self) -> list[duckdb.DuckDBPyConnection]:
        connection, planner = self._connection, self._planner
        return [each for each in (planner and planner.connection, connection) if each]

    def _only_select(self, sql: str) -> tuple[duckdb.DuckDBPyConnection, duckdb.Statement]:
        """Return the one SELECT that `sql` is, within the scope; raises Refused."""
        assert self._connection is not None
        assert self._planner is not None
        self._batches = None
        statements = self._connection.extract_statements(sql)
        if len(statements) != 1:
            raise ReaderRefusal(f"DuckDB was given {len(statements)} statements; one SELECT may run at a time.")
        several = statements[0].type == duckdb.StatementType.MULTI
        if not (pivots(sql) if several else statements[0].type == duckdb.StatementType.SELECT):
            raise ReaderRefusal("This session only reads tables: the statement was refused.")
        if self._scope and (refusal := refusal_of(self._planner, sql, self._scope, several)):
            raise ReaderRefusal(refusal)
        return self._connection, statements[0]


def _look_first_in(connection: duckdb.DuckDBPyConnection, schema: str) -> None:
    """Make `schema` the one of bare names; the setting is locked, but USE is not one."""
    row = connection.execute("SELECT current_database(), current_schema()").fetchone()
    if row and row[1] != schema:
        connection.execute("USE " + ".".join('"' + part.replace('"', '""') + '"' for part in (row[0], schema)))
