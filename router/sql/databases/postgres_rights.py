"""Whether a PostgreSQL user can write: the first layer, proved."""

import secrets
from typing import Any

import psycopg
from psycopg import sql

Connection = psycopg.Connection[tuple[Any, ...]]

SUPERUSER = "SELECT current_user::text FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolsuper"

SCHEMAS = """
SELECT nspname::text FROM pg_catalog.pg_namespace
WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(oid, 'USAGE')
ORDER BY nspname
"""

TABLE = """
SELECT n.nspname::text, c.relname::text, p.privilege
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
CROSS JOIN (VALUES ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE')) AS p (privilege)
WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, p.privilege)
ORDER BY 1, 2, 3 LIMIT 1
"""

POWERS = """
SELECT rolname::text FROM pg_catalog.pg_roles
WHERE rolname IN ('pg_write_server_files', 'pg_execute_server_program', 'pg_write_all_data')
  AND pg_catalog.pg_has_role(current_user, oid, 'MEMBER')
ORDER BY 1 LIMIT 1
"""


def writes_of(connection: Connection) -> str | None:
    """Return a sentence on the first thing that the user could write, or None; nothing stays written.

    A table is really created, in a transaction that is rolled back; the rights on tables are read, because even a
    DELETE of no row would run the triggers of somebody's table.
    """
    if row := connection.execute(SUPERUSER).fetchone():
        return f"The reading user {row[0]} is a superuser: it can write everywhere."
    for (schema,) in connection.execute(SCHEMAS).fetchall():
        if _creates_table(connection, schema):
            return f"The reading user created a table in the schema {schema} (it was rolled back)."
    if row := connection.execute(TABLE).fetchone():
        return f"The reading user has the right to {row[2]} on {row[0]}.{row[1]}."
    if row := connection.execute(POWERS).fetchone():
        return f"The reading user is a member of {row[0]}, which can write."
    return None


def _creates_table(connection: Connection, schema: str) -> bool:
    name = f"icc_bot_{secrets.token_hex(8)}"
    try:
        with connection.transaction(force_rollback=True):
            connection.execute("SET LOCAL lock_timeout = 5000; SET LOCAL statement_timeout = 10000")
            connection.execute("SET TRANSACTION READ WRITE")
            connection.execute(sql.SQL("CREATE TABLE {} ()").format(sql.Identifier(schema, name)))
    except psycopg.Error:
        return False
    return True
