"""Which tables a statement reads, asked of DuckDB itself."""

import re

import duckdb

from router.sql.readers.mentions import mentions
from router.sql.scope import Scope

Table = tuple[str, str]

PART = re.compile(r'"(?:[^"]|"")*"|[^\s."(]+')
NAME = re.compile(rf"(?:{PART.pattern})(?:\.(?:{PART.pattern}))*")


def refusal_of(connection: duckdb.DuckDBPyConnection, sql: str, scope: Scope) -> str:
    """Return why `sql` may not run within `scope`, "" where it may; raises duckdb.Error for SQL that does not work.

    DuckDB names the tables below a view, not the view. A table outside the scope is therefore fine where a view of the
    scope reads it and the statement does not write its name. System tables are not named: the guard refuses them.
    """
    allowed = {(schema.lower(), name.lower()) for schema, name in scope.tables}
    outside = tables_of(connection, sql, scope.default) - allowed
    if not outside:
        return ""
    connection.execute(f"EXPLAIN {sql}")  # a table that does not exist is better told in DuckDB's words
    hidden = outside - behind_views(connection, scope)
    hidden |= {table for table in outside if mentions(sql, table[1])}
    return f"The table {min(hidden)[1]} may not be read here." if hidden else ""


def behind_views(connection: duckdb.DuckDBPyConnection, scope: Scope) -> set[Table]:
    """Return the tables that the scope's views read."""
    views = connection.execute(
        "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal AND database_name = current_database()"
    ).fetchall()
    allowed = {(schema.lower(), name.lower()) for schema, name in scope.tables}
    read: set[Table] = set()
    for schema, name in views:
        if (schema.lower(), name.lower()) in allowed:
            quoted = ".".join('"' + part.replace('"', '""') + '"' for part in (schema, name))
            read |= tables_of(connection, f"SELECT * FROM {quoted}", scope.default)
    return read


def tables_of(connection: duckdb.DuckDBPyConnection, sql: str, default: str) -> set[Table]:
    """Return the pairs (schema, table) that `sql` reads, in lower case, as DuckDB compares them."""
    tables = {table_of(written, default) for written in connection.get_table_names(sql, qualified=True)}
    # The qualified answer is text to be taken apart; a name that got lost there is outside every scope.
    lost = {name.lower() for name in connection.get_table_names(sql)} - {name for _, name in tables}
    return tables | {("", name) for name in lost}


def table_of(written: str, default: str) -> Table:
    """Read `catalog.schema."a.table" AS alias`, or less of it."""
    found = NAME.match(written)
    parts = PART.findall(found[0]) if found else [written]
    names = [part[1:-1].replace('""', '"') if part.startswith('"') else part for part in parts]
    schema = names[-2] if len(names) > 1 else default or "main"
    return schema.lower(), names[-1].lower()
