"""Which tables a statement reads, asked of DuckDB itself."""

import json
import re
from contextlib import suppress

import duckdb

from router.sql.readers.duckdb_foreign import foreign_name, foreign_view
from router.sql.readers.duckdb_plan import nodes_of
from router.sql.readers.mentions import mentions
from router.sql.scope import Scope

Table = tuple[str, str]

PART = re.compile(r'"(?:[^"]|"")*"|[^\s."(]+')
NAME = re.compile(rf"(?:{PART.pattern})(?:\.(?:{PART.pattern}))*")

REFUSAL = "The table {} may not be read here."

GIVING = frozenset({"generate_series", "json_each", "json_tree", "range", "repeat", "repeat_row", "unnest"})
"""The functions that make rows of their arguments alone."""

SOURCES = GIVING | {
    *("column_data_scan", "cte_scan", "delim_get", "delim_scan", "dummy_scan", "empty_result", "expression_scan"),
    *("rec_cte_scan", "rec_rec_cte_scan"),
}
"""Where a plan may begin besides a table: what DuckDB made itself of other parts of the plan."""


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
        # Written tables that are not read, like that of DESCRIBE. It fails where a column of a table is needed, as the
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
    """Return why `sql` may not run within `scope`, "" where it may; raises duckdb.Error for SQL that does not work.

    DuckDB names the tables below a view, not the view. A table outside the scope is therefore fine where a view of the
    scope reads it and the statement writes neither its name nor that of a view outside. With `pivots`, planning it
    reads values already.
    """
    if pivots and (name := foreign_name(planner.connection, sql, scope, GIVING)):
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
            quoted = ".".join('"' + part.replace('"', '""') + '"' for part in (schema, name))
            with suppress(duckdb.Error):  # a view whose table is gone reads none
                read |= planner.tables(f"SELECT * FROM {quoted}", scope.default)
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
        elif not node.get("children") and name not in SOURCES:
            found.add(("", name))
    return found


def table_of(written: str, default: str) -> Table:
    """Read `catalog.schema."a.table" AS alias`, or less of it."""
    found = NAME.match(written)
    parts = PART.findall(found[0]) if found else [written]
    names = [part[1:-1].replace('""', '"') if part.startswith('"') else part for part in parts]
    schema = names[-2] if len(names) > 1 else default or "main"
    return schema.lower(), names[-1].lower()
