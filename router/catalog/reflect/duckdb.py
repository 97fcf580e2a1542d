"""What DuckDB says about its tables. Asked through a reading session: one process cannot open a file in two ways."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from router.catalog.reflect.types import compact_type
from router.catalog.schema import Column, ForeignKey, Table
from router.sql.databases import Session

SCHEMAS = """SELECT schema_name FROM duckdb_schemas()
    WHERE database_name = current_database() AND schema_name NOT IN ('information_schema', 'pg_catalog')
    ORDER BY schema_name"""
TABLES = """SELECT table_name, comment, estimated_size, false FROM duckdb_tables()
    WHERE database_name = current_database() AND schema_name = {schema} AND NOT internal
    UNION ALL SELECT view_name, comment, NULL, true FROM duckdb_views()
    WHERE database_name = current_database() AND schema_name = {schema} AND NOT internal ORDER BY 1"""
COLUMNS = """SELECT table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
    WHERE database_name = current_database() AND schema_name = {schema} AND NOT internal
    ORDER BY table_name, column_index"""
DEFINITIONS = """SELECT view_name, sql FROM duckdb_views()
    WHERE database_name = current_database() AND schema_name = {schema} AND NOT internal"""
KEYS = """SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
    FROM duckdb_constraints() WHERE database_name = current_database() AND schema_name = {schema}
    AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') ORDER BY table_name, constraint_index"""


def read_schemas(session: Session) -> tuple[str, ...]:
    """Return the names of the schemas."""
    return tuple(row[0] for row in _fetch(session, SCHEMAS))


def read_tables(session: Session, schema: str, wanted: Callable[[str], bool]) -> tuple[Table, ...]:
    """Return the wanted tables and views of the schema, by three queries."""
    columns: dict[str, list[Column]] = defaultdict(list)
    for table, name, type, nullable, comment in _fetch(session, COLUMNS, schema):
        columns[table].append(Column(name, compact_type(type), bool(nullable), comment or ""))
    primary: dict[str, tuple[str, ...]] = {}
    foreign: dict[str, list[ForeignKey]] = defaultdict(list)
    for table, kind, names, target, target_names in _fetch(session, KEYS, schema):
        if kind == "PRIMARY KEY":
            primary[table] = tuple(names)
        else:
            foreign[table].append(ForeignKey(tuple(names), target, tuple(target_names), schema))
    return tuple(
        Table(
            name=name,
            schema=schema,
            columns=tuple(columns[name]),
            primary_key=primary.get(name, ()),
            foreign_keys=tuple(foreign[name]),
            comment=comment or "",
            rows=rows,
            view=view,
        )
        for name, comment, rows, view in _fetch(session, TABLES, schema)
        if wanted(name)
    )


def read_definitions(session: Session, schema: str) -> dict[str, str]:
    """Return the text of each view of the schema."""
    return dict(_fetch(session, DEFINITIONS, schema))


def _fetch(session: Session, sql: str, schema: str = "") -> list[tuple[Any, ...]]:
    literal = "'" + schema.replace("'", "''") + "'"
    _, batches = session.stream(sql.format(schema=literal))
    return [row for batch in batches for row in batch]
