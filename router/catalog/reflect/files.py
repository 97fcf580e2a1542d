"""Reflects the tables of SQLite and DuckDB files, each through a reading session of its kind."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from router.catalog.schema import ORPHANED, VIRTUAL, Column, ForeignKey, SchemaTable, compact_type
from router.sql.databases.file_database import SqliteDatabase
from router.sql.databases.session import Session

# SQLite is read in a child process: nothing of the file's is run in the bot itself.


def sqlite_tables(database: SqliteDatabase, schema: str, wanted: Callable[[str], bool]) -> tuple[SchemaTable, ...]:
    """Return the wanted tables and views of the file; virtual tables and their shadows are among those left out."""
    every = [table for table in database.tables() if wanted(table[0])]
    found = [table for table in every if table[1] in ("table", "view")]
    tables = [SchemaTable(table[0], schema, (), left_out=VIRTUAL) for table in every if table not in found]
    foreign: dict[str, Sequence[KeyRow]] = {}
    for (name, kind, _), (columns, keys, rows) in zip(found, database.described(found), strict=True):
        if columns is None:
            tables.append(SchemaTable(name, schema, (), left_out=ORPHANED))
            continue
        keyed = sorted((row[3], row[0]) for row in columns if row[3])
        table = SchemaTable(
            name=name,
            schema=schema,
            columns=tuple(Column(column, compact_type(type), not needed) for column, type, needed, _ in columns),
            primary_key=tuple(column for _, column in keyed),
            rows=rows,
            view=kind == "view",
        )
        tables.append(table)
        foreign[name] = keys
    by_name = {table.name.lower(): table for table in tables}
    return tuple(
        replace(table, foreign_keys=tuple(_foreign_keys(foreign.get(table.name, ()), by_name))) for table in tables
    )


KeyRow = tuple[int, str, str, str | None]
"""A key's number, its target, a column, and the column that this points to, None if that is of the primary key."""


def _foreign_keys(rows: Iterable[KeyRow], tables: Mapping[str, SchemaTable]) -> Iterator[ForeignKey]:
    """Yield the keys in the order of the table's text, with their targets spelled as the tables are, and complete."""
    keys: dict[int, list[KeyRow]] = defaultdict(list)
    for row in rows:
        keys[row[0]].append(row)
    for parts in keys.values():
        if target := tables.get(parts[0][1].lower()):
            columns = tuple(column for *_, column in parts if column) or target.primary_key
            if len(columns) == len(parts):
                # SQLite takes a declared key for a remark, unless each writer tells it otherwise.
                own = tuple(column for _, _, column, _ in parts)
                yield ForeignKey(own, target.name, columns, target.schema, checked=False)


SCHEMAS_SQL = """SELECT schema_name FROM duckdb_schemas()
    WHERE database_name = current_database() AND schema_name NOT IN ('information_schema', 'pg_catalog')
    ORDER BY schema_name"""
TABLES_SQL = """SELECT table_name, comment, estimated_size, false FROM duckdb_tables()
    WHERE database_name = current_database() AND schema_name = {schema} AND NOT internal
    UNION ALL SELECT view_name, comment, NULL, true FROM duckdb_views()
    WHERE database_name = current_database() AND schema_name = {schema} AND NOT internal ORDER BY 1"""
COLUMNS_SQL = """SELECT table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
    WHERE database_name = current_database() AND schema_name = {schema} AND NOT internal
    ORDER BY table_name, column_index"""
VIEWS_SQL = """SELECT view_name, sql FROM duckdb_views()
    WHERE database_name = current_database() AND schema_name = {schema} AND NOT internal"""
KEYS_SQL = """SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
    FROM duckdb_constraints() WHERE database_name = current_database() AND schema_name = {schema}
    AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') ORDER BY table_name, constraint_index"""


def read_schemas(session: Session) -> tuple[str, ...]:
    """Return the names of the schemas."""
    return tuple(row[0] for row in _fetch(session, SCHEMAS_SQL))


def duckdb_tables(session: Session, schema: str, wanted: Callable[[str], bool]) -> tuple[SchemaTable, ...]:
    """Return the wanted tables and views of the schema, by three queries."""
    columns: dict[str, list[Column]] = defaultdict(list)
    for table, name, type, nullable, comment in _fetch(session, COLUMNS_SQL, schema):
        columns[table].append(Column(name, compact_type(type), bool(nullable), comment or ""))
    primary: dict[str, tuple[str, ...]] = {}
    foreign: dict[str, list[ForeignKey]] = defaultdict(list)
    for table, kind, names, target, target_names in _fetch(session, KEYS_SQL, schema):
        if kind == "PRIMARY KEY":
            primary[table] = tuple(names)
        else:
            foreign[table].append(ForeignKey(tuple(names), target, tuple(target_names), schema))
    return tuple(
        SchemaTable(
            name=name,
            schema=schema,
            columns=tuple(columns[name]),
            primary_key=primary.get(name, ()),
            foreign_keys=tuple(foreign[name]),
            comment=comment or "",
            rows=rows,
            view=view,
        )
        for name, comment, rows, view in _fetch(session, TABLES_SQL, schema)
        if wanted(name)
    )


def read_definitions(session: Session, schema: str) -> dict[str, str]:
    """Return the text of each view of the schema."""
    return dict(_fetch(session, VIEWS_SQL, schema))


def _fetch(session: Session, sql: str, schema: str = "") -> list[tuple[Any, ...]]:
    literal = "'" + schema.replace("'", "''") + "'"
    _, batches = session.stream(sql.format(schema=literal))
    return [row for batch in batches for row in batch]
