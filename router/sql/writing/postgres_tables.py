"""What lies in PostgreSQL's tables, out of its own catalog."""

from typing import Any

import psycopg

from router.sql.writing.names import quoted
from router.sql.writing.natives import field_of
from router.sql.writing.order import Column, Existing
from router.sql.writing.presence import MOST_COUNTED

SCHEMAS = """
SELECT nspname::text FROM pg_namespace n
WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(oid, 'USAGE')
  AND (has_schema_privilege(oid, 'CREATE') OR EXISTS (
    SELECT 1 FROM pg_class WHERE relnamespace = n.oid AND relkind IN ('r', 'p') AND has_table_privilege(oid, 'INSERT')))
ORDER BY nspname COLLATE "C"
"""

TABLE = """
SELECT c.oid, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND c.relname = %s AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
"""

COLUMNS = """
SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), t.typnotnull OR a.attnotnull,
       a.attidentity <> '' OR a.atthasdef OR t.typdefault IS NOT NULL, a.attgenerated <> ''
FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""


def schemas_of(connection: psycopg.Connection[Any]) -> tuple[str, ...]:
    """Return the schemas in which this user may create tables or write some."""
    return tuple(row[0] for row in connection.execute(SCHEMAS))


def existing_of(connection: psycopg.Connection[Any], schema: str, table: str, counted: bool) -> Existing | None:
    """Return what lies in a table; its rows only if they are to be `counted`, which locks it, and may be read."""
    found = connection.execute(TABLE, (schema, table)).fetchone()
    if found is None:
        return None
    number, relation = found
    columns = tuple(
        Column(field_of(name, native, "postgres"), not required, filled, generated)
        for name, native, required, filled, generated in connection.execute(COLUMNS, (number,))
    )
    rows, more = 0, True
    readable = connection.execute("SELECT has_table_privilege(%s::oid, 'SELECT')", (number,)).fetchone()
    if counted and readable and readable[0]:
        asked = f"SELECT count(*) FROM (SELECT FROM {quoted(schema, table)} LIMIT {MOST_COUNTED + 1}) q"
        row = connection.execute(asked.encode()).fetchone()
        rows = min(row[0], MOST_COUNTED) if row else 0
        more = bool(row and row[0] > MOST_COUNTED)
    return Existing(schema, table, columns, rows, more, relation in ("v", "m"))
