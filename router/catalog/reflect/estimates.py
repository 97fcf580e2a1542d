"""What only a server's own catalog tells: how many rows its tables have, and types that SQLAlchemy does not know."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.engine.reflection import Inspector

from router.sql.dialect import Name

ROWS: dict[Name, str] = {
    # Partitions are left out, as their parent is what people ask; so is what this user may not select from.
    "postgres": """SELECT c.relname, CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = :schema AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
        AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')""",
    "oracle": "SELECT table_name, num_rows FROM all_tables WHERE owner = :schema",
    "tsql": """SELECT t.name, SUM(p.rows) FROM sys.tables t JOIN sys.schemas s ON s.schema_id = t.schema_id
        JOIN sys.partitions p ON p.object_id = t.object_id AND p.index_id IN (0, 1)
        WHERE s.name = :schema GROUP BY t.name""",
}

TYPES: dict[Name, str] = {
    "postgres": """SELECT c.relname, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod)
        FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = :schema AND a.attnum > 0 AND NOT a.attisdropped""",
    "oracle": "SELECT table_name, column_name, data_type FROM all_tab_columns WHERE owner = :schema",
    "tsql": "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = :schema",
}


def row_estimates(inspector: Inspector, dialect: Name, schema: str) -> Mapping[str, int | None]:
    """Return the rows of each table as the database last counted them, None where it has not."""
    return {name: None if rows is None else int(rows) for name, rows in _ask(inspector, ROWS[dialect], schema)}


def column_types(inspector: Inspector, dialect: Name, schema: str) -> Mapping[tuple[str, str], str]:
    """Return the type of each (table, column) of the schema in the database's own words."""
    return {(table, column): type for table, column, type in _ask(inspector, TYPES[dialect], schema)}


def _ask(inspector: Inspector, sql: str, schema: str) -> list[tuple[Any, ...]]:
    link = inspector.bind
    assert isinstance(link, Connection), "the inspector works on one connection"
    return [tuple(row) for row in link.execute(text(sql), {"schema": schema})]
