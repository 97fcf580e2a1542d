"""Names in a statement that are outside its scope, where the plan does not tell all that is read, or by which way."""

import re

import duckdb

from router.sql.readers.mentions import mentions
from router.sql.scope import Scope

CALLED = re.compile(r'(\w+)"?\s*\(')

INFORMATION = "information_schema"
"""Its views are called as columns often are: nobody finds them without its name."""

BY_NAME = frozenset({"query", "query_table"})
"""The functions that read a table by a name, which may be put together."""

TABLES = "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal"
VIEWS = "SELECT schema_name, view_name FROM duckdb_views()"
MACROS = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT internal"


def foreign_view(connection: duckdb.DuckDBPyConnection, sql: str, scope: Scope) -> str:
    """Return a view outside the scope that `sql` writes, or a function of the file that it calls, "" for none.

    Such a one may read the very table that a view of the scope reads, and which is therefore no sign of anything.
    """
    return _written(connection, VIEWS, sql, scope) or _called(connection, MACROS, sql, frozenset())


def foreign_name(connection: duckdb.DuckDBPyConnection, sql: str, scope: Scope, harmless: frozenset[str]) -> str:
    """Return a name that `sql`, which pivots, writes and may not, "" where there is none.

    The values of a pivot may come from a query of their own (`ON city IN (SELECT …)`), which runs before there is a
    plan of the whole, and is no part of that. Therefore such a statement may not even write the name of a table or a
    view outside the scope, nor call a function of the file, or one that gives rows and is not `harmless`.
    """
    functions = f"{MACROS} OR function_type IN ('table', 'table_macro', 'pragma')"
    return _written(connection, f"{TABLES} UNION ALL {VIEWS}", sql, scope) or _called(
        connection, functions, sql, harmless
    )


def _written(connection: duckdb.DuckDBPyConnection, query: str, sql: str, scope: Scope) -> str:
    """Return a table or view of `query` that is outside the scope and may be meant by a word of `sql`."""
    allowed = {(schema.lower(), name.lower()) for schema, name in scope.tables}
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
    """Return a function of `query` that may be called in `sql`; one with an odd name, where that is written at all."""
    called = {name.lower() for name in CALLED.findall(sql)} - harmless
    names = {str(name) for (name,) in connection.execute(query).fetchall()} | BY_NAME
    return next(
        (name for name in names if (name.lower() in called if name.isidentifier() else mentions(sql, name))), ""
    )
