"""DuckDB in the child: a file opened read-only without access to anything outside it, with limits of its own."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb

from router.sql.cell_text import json_of
from router.sql.readers.batches import Batches
from router.sql.readers.wire import ReaderRefusal
from router.sql.scope import Scope, mentions
from router.sql.value_kinds import READERS, Reader

# DuckDB makes two statements of a PIVOT without a list of columns: it reads the values first, then it selects.

QUERY = re.compile(r"[\s(]*(?:SELECT|WITH|FROM|PIVOT|PIVOT_WIDER)\b", re.IGNORECASE)
"""The beginning of a text that is a query, and nothing that keeps or changes something."""

DESCRIBING_QUERY = re.compile(r"\(\s*(?:SHOW|DESCRIBE|DESC|SUMMARIZE)\b", re.IGNORECASE)
"""A query that tells of tables instead of reading them."""


def pivots(sql: str) -> bool:
    """Return whether `sql`, of which DuckDB makes several statements, does no more than to pivot."""
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

NESTED = frozenset({"list", "array", "struct", "tuple", "map", "union", "variant"})


def kind_of(column_type: Any) -> str:
    """Return the kind of a column by its type."""
    return DUCKDB_KINDS.get(column_type.id, "text")


def is_nested(column_type: Any) -> bool:
    """Return whether values of the type hold other values."""
    return column_type.id in NESTED


# Values of types that the driver does not hold exactly: the engine casts them to texts, also within other values.

Casting = tuple[str, Reader | None]
"""The type that a column is cast to, and what makes its values of what the driver then gives; None: they are values."""


def casting_of(column_type: Any) -> Casting:
    """Return how values of a type are read exactly."""
    name = "json" if str(column_type) == "JSON" else column_type.id
    if reader := READERS["duckdb"].get(name):
        return "JSON" if name in ("json", "variant") else "VARCHAR", _or_null(reader)
    if name in ("list", "array"):
        return _list_casting(column_type)
    if name == "map":
        return _map_casting(column_type)
    if name == "struct":
        return _struct_casting(column_type)
    if name in ("union", "tuple") and any(casting_of(each)[1] for _, each in column_type.children):
        return "VARCHAR", _or_null(str)
    return str(column_type), None


def _or_null(reader: Reader) -> Reader:
    return lambda value: None if value is None else reader(value)


def _list_casting(column_type: Any) -> Casting:
    children = dict(column_type.children)
    cast, read = casting_of(children["child"])
    if read is None:
        return str(column_type), None
    size = str(children.get("size", ""))
    return f"{cast}[{size}]", _or_null(lambda values: [read(value) for value in values])


def _map_casting(column_type: Any) -> Casting:
    """Read a map whose keys Python cannot hash, which the driver gives as two lists, by the texts of its keys."""
    (_, key), (_, value) = column_type.children
    (key_cast, read_key), (value_cast, read_value) = casting_of(key), casting_of(value)
    if read_key is None and read_value is None and not is_nested(key):
        return str(column_type), None

    def read(values: dict[Any, Any]) -> dict[Any, Any]:
        pairs = zip(values["key"], values["value"], strict=True) if is_nested(key) else values.items()
        made = ((read_key(k) if read_key else k, read_value(v) if read_value else v) for k, v in pairs)
        return {json_of(k) if is_nested(key) else k: v for k, v in made}

    return f"MAP({key_cast}, {value_cast})", _or_null(read)


def _struct_casting(column_type: Any) -> Casting:
    castings = {name: casting_of(child) for name, child in column_type.children}
    if not any(read for _, read in castings.values()):
        return str(column_type), None
    readers = {name: read for name, (_, read) in castings.items() if read}

    def read(values: dict[str, Any]) -> dict[str, Any]:
        return {name: readers[name](value) if name in readers else value for name, value in values.items()}

    fields = ", ".join(f"{_quoted(name)} {cast}" for name, (cast, _) in castings.items())
    return f"STRUCT({fields})", _or_null(read)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def exact_query(sql: str, types: Sequence[Any]) -> tuple[str, dict[int, Reader]]:
    """Return `sql` with its columns cast to what the driver holds, and what reads the cast ones, by their places."""
    castings = [casting_of(each) for each in types]
    readers = {place: read for place, (_, read) in enumerate(castings) if read}
    if not readers:
        return sql, {}
    names = [f"icc_bot_{place}" for place in range(len(castings))]
    cells = [f"CAST({name} AS {castings[place][0]})" if place in readers else name for place, name in enumerate(names)]
    return f"SELECT {', '.join(cells)} FROM (\n{sql}\n) AS icc_bot_rows({', '.join(names)})", readers


Config = dict[str, str | bool | int | float | list[str]]

SANDBOX_CONFIG: Config = {
    "enable_external_access": "false",  # no other file, no network, no ATTACH, no COPY
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",  # a name in the SQL never means a variable of this program
    "lock_configuration": "true",
}

LIMITED: Config = {
    "memory_limit": "200MB",
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

    def open(self, path: str, scope: Scope | None) -> None:
        """Open the file, to read the tables of `scope` only, as DuckDB's own binder names them; all for None."""
        self.close()
        own: Config = {"temp_directory": str(Path(self._folder, "spilled")), "lock_configuration": "false"}
        self._connection = duckdb.connect(path, read_only=True, config=SANDBOX_CONFIG | LIMITED | own)
        self._planner = Planner(self._connection.cursor())
        self._connection.execute("SET lock_configuration = true")  # from here on, for every cursor
        self._scope = scope
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
        planned = connection.query(sql)  # binds it, and reads nothing
        types = list(planned.types)
        exact, readers = exact_query(sql.rstrip("; \t\r\n"), types)
        connection.execute(exact if readers else statement)

        def fetch(count: int) -> list[tuple[Any, ...]]:
            columns = list(zip(*connection.fetchmany(count), strict=True))
            for place, read in readers.items() if columns else ():
                columns[place] = tuple(map(read, columns[place]))
            return list(zip(*columns, strict=True))

        self._batches = Batches(fetch if readers else connection.fetchmany, any(map(is_nested, types)), cuts)
        return [(str(name), kind_of(each)) for name, each in zip(planned.columns, types, strict=True)]

    def rows(self, most: int) -> tuple[list[bytes], bool]:
        """Return packed lists of the next rows, and whether more may follow."""
        assert self._batches is not None
        return self._batches.next(most)

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
        connection.execute(f"USE {_quoted(row[0])}.{_quoted(schema)}")


# Checks the tables that a statement reads, as DuckDB itself tells them.


# The planner's estimate, in words.

NOTED_SCAN_ROWS = 10_000_000
"""Rows from which reading a whole table is worth a word."""


def estimate_of(explained: str) -> tuple[int | None, str]:
    """Read the JSON of EXPLAIN: the rows of the whole, and a note on big tables that are read in full, or ""."""
    nodes = list(nodes_of(json.loads(explained)))
    rows = next((count for node in nodes if (count := rows_of(node)) is not None), None)
    scanned = {
        str(node["extra_info"]["Table"]).rsplit(".", 1)[-1].strip('"')
        for node in nodes
        if node.get("name", "").strip() == "SEQ_SCAN"
        and "Table" in node["extra_info"]
        and (rows_of(node) or 0) >= NOTED_SCAN_ROWS
    }
    note = f"It reads all of {' and '.join(sorted(scanned))}, which is big: this may take a while." if scanned else ""
    return rows, note


def rows_of(node: dict[str, Any]) -> int | None:
    """Return the rows the planner expects from this node, None if it says nothing."""
    count = str(node.get("extra_info", {}).get("Estimated Cardinality", ""))
    return int(count) if count.isdigit() else None


def nodes_of(plan: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the nodes and all below them."""
    for node in plan:
        yield node
        yield from nodes_of(node.get("children", []))


# Names outside the scope, for statements whose plan does not tell all that is read, or by which way.

CALLED = re.compile(r'(\w+)"?\s*\(')

INFORMATION = "information_schema"
"""Its views are called as columns often are: nobody finds them without its name."""

BY_NAME = frozenset({"query", "query_table"})
"""The functions that read a table by a name, which may be put together."""

FOREIGN_TABLES_SQL = "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal"
VIEWS = "SELECT schema_name, view_name FROM duckdb_views()"
MACROS = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT internal"


def foreign_view(connection: duckdb.DuckDBPyConnection, sql: str, scope: Scope) -> str:
    """Return a view outside the scope that `sql` writes, or a function of the file that it calls, "" for none.

    Such a one may read the very table that a view of the scope reads, and which is therefore no sign of anything.
    """
    return _written(connection, VIEWS, sql, scope) or _called(connection, MACROS, sql, frozenset())


def foreign_name(connection: duckdb.DuckDBPyConnection, sql: str, scope: Scope, harmless: frozenset[str]) -> str:
    """Return a name that `sql`, which pivots, writes and may not, "" if there is none.

    The values of a pivot may come from a query of their own (`ON city IN (SELECT …)`), which runs before there is a
    plan of the whole, and is no part of that. Therefore such a statement may not even write the name of a table or a
    view outside the scope, nor call a function of the file, or one that gives rows and is not `harmless`.
    """
    functions = f"{MACROS} OR function_type IN ('table', 'table_macro', 'pragma')"
    return _written(connection, f"{FOREIGN_TABLES_SQL} UNION ALL {VIEWS}", sql, scope) or _called(
        connection, functions, sql, harmless
    )


def _written(connection: duckdb.DuckDBPyConnection, query: str, sql: str, scope: Scope) -> str:
    """Return a table or view of `query` that is outside the scope and may be meant by a word of `sql`."""
    allowed = _allowed(scope)
    alike = {name for _, name in allowed}
    default = (scope.default or "main").lower()
    for schema, table in connection.execute(query).fetchall():
        name = str(INFORMATION if schema == INFORMATION else table)
        if (schema.lower(), name.lower()) in allowed or not mentions(sql, name):
            continue
        if name.lower() not in alike or schema.lower() == default or mentions(sql, schema):
            return name
    return ""


def _called(connection: duckdb.DuckDBPyConnection, query: str, sql: str, harmless: frozenset[str]) -> str:
    """Return a function of `query` that may be called in `sql`; one with an odd name only if that is written in it."""
    called = {name.lower() for name in CALLED.findall(sql)} - harmless
    names = {str(name) for (name,) in connection.execute(query).fetchall()} | BY_NAME
    return next(
        (name for name in names if (name.lower() in called if name.isidentifier() else mentions(sql, name))), ""
    )


Table = tuple[str, str]

PART = re.compile(r'"(?:[^"]|"")*"|[^\s."(]+')
QUALIFIED_NAME = re.compile(rf"(?:{PART.pattern})(?:\.(?:{PART.pattern}))*")

REFUSAL = "The table {} may not be read here."

GENERATING_OPERATORS = frozenset(
    {"generate_series", "json_each", "json_tree", "range", "repeat", "repeat_row", "unnest"}
)
"""The functions that make rows of their arguments alone."""

SOURCE_OPERATORS = GENERATING_OPERATORS | {
    *("column_data_scan", "cte_scan", "delim_get", "delim_scan", "dummy_scan", "empty_result", "expression_scan"),
    *("rec_cte_scan", "rec_rec_cte_scan"),
}
"""The operators with which a plan may begin besides a table: what DuckDB made itself of other parts of the plan."""


class Planner:
    """A cursor that plans and never runs: its plans are those before the optimizer, which takes out what it can.

    To be made before the configuration is locked.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        connection.execute("PRAGMA disable_optimizer")
        connection.execute("SET explain_output = 'all'")

    def tables(self, sql: str, default: str) -> set[Table]:
        """Return the pairs (schema, table) that `sql` reads, in lower case, as DuckDB compares them.

        What gives rows and is neither a table nor one of `SOURCES` stands among them under its own name, without a
        schema. Raises duckdb.Error for SQL that does not work.
        """
        # A subquery of a join's condition is in none but the later plans.
        plans = self.connection.execute(f"EXPLAIN (FORMAT JSON) {sql}").fetchall()
        found = {table for _, plan in plans for table in _read(plan, default)}
        # Written tables that are not read, like that of DESCRIBE. It fails if a column of a table is needed, as the
        # tables have none here, and does not know all places of a subquery: the plans do.
        with suppress(duckdb.Error):
            found |= self._written(sql, default)
        return found

    def _written(self, sql: str, default: str) -> set[Table]:
        tables = {table_of(written, default) for written in self.connection.get_table_names(sql, qualified=True)}
        # The qualified answer is text to be taken apart; a name that got lost there is outside every scope.
        lost = {name.lower() for name in self.connection.get_table_names(sql)} - {name for _, name in tables}
        return tables | {("", name) for name in lost}


def refusal_of(planner: Planner, sql: str, scope: Scope, pivots: bool = False) -> str:
    """Return why `sql` may not run within `scope`, "" if it may; raises duckdb.Error for SQL that does not work.

    DuckDB names the tables below a view, not the view. A table outside the scope is therefore fine if a view of the
    scope reads it and the statement writes neither its name nor that of a view outside. With `pivots`, planning it
    reads values already.
    """
    if pivots and (name := foreign_name(planner.connection, sql, scope, GENERATING_OPERATORS)):
        return REFUSAL.format(name)
    outside = planner.tables(sql, scope.default) - _allowed(scope)
    if not outside:
        return ""
    hidden = outside - behind_views(planner, scope)
    hidden |= {table for table in outside if mentions(sql, table[1])}
    name = min(hidden)[1] if hidden else foreign_view(planner.connection, sql, scope)
    return REFUSAL.format(name) if name else ""


def behind_views(planner: Planner, scope: Scope) -> set[Table]:
    """Return the tables that the scope's views read."""
    views = planner.connection.execute(
        "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal AND database_name = current_database()"
    ).fetchall()
    allowed = _allowed(scope)
    read: set[Table] = set()
    for schema, name in views:
        if (schema.lower(), name.lower()) in allowed:
            with suppress(duckdb.Error):  # a view whose table is gone reads none
                read |= planner.tables(f"SELECT * FROM {_quoted(schema)}.{_quoted(name)}", scope.default)
    return read


def _allowed(scope: Scope) -> set[Table]:
    return {(schema.lower(), name.lower()) for schema, name in scope.tables}


def _read(plan: str, default: str) -> set[Table]:
    """Return the tables of a plan, and where else it begins."""
    found: set[Table] = set()
    for node in nodes_of(json.loads(plan)):
        table = node.get("extra_info", {}).get("Table")
        name = node["name"].strip().lower()
        if table is not None:
            found.add(table_of(str(table), default))
        elif not node.get("children") and name not in SOURCE_OPERATORS:
            found.add(("", name))
    return found


def table_of(written: str, default: str) -> Table:
    """Read `catalog.schema."a.table" AS alias`, or less of it."""
    found = QUALIFIED_NAME.match(written)
    parts = PART.findall(found[0]) if found else [written]
    names = [part[1:-1].replace('""', '"') if part.startswith('"') else part for part in parts]
    schema = names[-2] if len(names) > 1 else default or "main"
    return schema.lower(), names[-1].lower()
