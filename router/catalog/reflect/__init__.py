"""Reading a database's own description of its tables, cut down to what the connection lets people read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from logging import getLogger

from sqlalchemy.exc import SQLAlchemyError

from router.catalog.allowed import allows_table, matches
from router.catalog.connection import Connection
from router.catalog.reflect import duckdb, mysql, server, sqlite
from router.catalog.reflect.hidden import without_hidden_columns
from router.catalog.reflect.views import definitions
from router.catalog.samples import with_samples
from router.catalog.schema import Schema, Table
from router.errors import JobFailed
from router.sql.databases import Database
from router.sql.databases.sqlite import SqliteDatabase
from router.sql.writing.names import OURS

log = getLogger(__name__)


def read_schemas(connection: Connection, database: Database) -> tuple[str, ...]:
    """Return the allowed schemas that exist: the default one, then in the order of the patterns; raises JobFailed."""
    with _explained(connection):
        existing, default = _existing(connection, database)
    patterns = connection.schemas or (default,)
    found = [
        name
        for pattern in patterns
        for name in sorted(existing)
        if matches(pattern, name) and ("*" not in pattern or name.lower() not in server.SYSTEM)
    ]
    return tuple(dict.fromkeys(sorted(found, key=lambda name: name != default)))


def read_schema(connection: Connection, database: Database, schema: str, now: datetime) -> Schema:
    """Return the readable tables of a schema that `read_schemas` gave; raises JobFailed."""
    with _explained(connection):
        found = _tables(connection, database, schema)
        tables = sorted(found, key=lambda table: (table.name.lower(), table.name))
    readable = tuple(_without_hidden_targets(connection, table) for table in tables)
    if connection.samples or connection.knows_values:
        readable = with_samples(readable, connection, database)
    return Schema(connection.name, connection.dialect.name, schema, readable, now)


def _existing(connection: Connection, database: Database) -> tuple[tuple[str, ...], str]:
    match connection.dialect.name:
        case "sqlite":
            return ("main",), "main"
        case "duckdb":
            with database.session() as session:
                return duckdb.read_schemas(session), "main"
    with server.inspecting(connection) as inspector:
        return server.read_schemas(inspector)


def _tables(connection: Connection, database: Database, schema: str) -> tuple[Table, ...]:
    def wanted(table: str) -> bool:
        return allows_table(connection.tables, schema, table) and not table.lower().startswith(OURS)

    if not connection.columns_hidden:
        return _described(connection, database, schema, wanted)
    every = _described(connection, database, schema, lambda _: True)  # views may read what nobody else may
    views = [table.name for table in every if table.view]
    texts = definitions(connection, database, schema, views) if views else {}
    shown = without_hidden_columns(every, connection.columns_hidden, connection.dialect.name, texts)
    return tuple(table for table in shown if wanted(table.name))


def _described(
    connection: Connection, database: Database, schema: str, wanted: Callable[[str], bool]
) -> tuple[Table, ...]:
    match connection.dialect.name:
        case "sqlite":
            assert isinstance(database, SqliteDatabase)
            try:
                return sqlite.read_tables(database, schema, wanted)
            except JobFailed as error:
                raise _unread(connection, str(error)) from None
        case "duckdb":
            with database.session() as session:
                return duckdb.read_tables(session, schema, wanted)
    with server.inspecting(connection) as inspector:
        if connection.dialect.name == "mysql":
            return mysql.read_tables(server.link_of(inspector), schema, wanted)
        return server.read_tables(inspector, connection.dialect.name, schema, wanted)


def _without_hidden_targets(connection: Connection, table: Table) -> Table:
    """Return the table without the keys that lead to what may not be read, as even a name tells something."""
    keys = tuple(
        key
        for key in table.foreign_keys
        if allows_table(connection.tables, key.target_schema, key.target)
        and (
            key.target_schema == table.schema
            or any(matches(pattern, key.target_schema) for pattern in connection.schemas)
        )
    )
    return replace(table, foreign_keys=keys)


@contextmanager
def _explained(connection: Connection) -> Iterator[None]:
    """Turn a driver's error, whose text may hold the URL, into a sentence that names the connection only."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        cause = getattr(error, "orig", None) or error
        raise _unread(connection, type(cause).__name__) from None


def _unread(connection: Connection, reason: str) -> JobFailed:
    log.warning("The tables of %s could not be read: %s", connection.name, reason)
    return JobFailed(
        f"The database of {connection.label} ({connection.name}) does not answer as it should, so its tables "
        "could not be read. Nothing was changed. Try again, or tell whoever runs this bot."
    )
