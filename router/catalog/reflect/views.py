"""The texts of a schema's views, asked only where columns are hidden: what they read has to be followed."""

from collections.abc import Iterable, Mapping
from contextlib import suppress

from sqlalchemy import quoted_name
from sqlalchemy.exc import SQLAlchemyError

from router.catalog.connection import Connection
from router.catalog.reflect import duckdb, server
from router.sql.databases import Database
from router.sql.databases.sqlite import SqliteDatabase


def definitions(connection: Connection, database: Database, schema: str, views: Iterable[str]) -> Mapping[str, str]:
    """Return the texts of these views as far as this user may see them; raises JobFailed or a driver's error."""
    match connection.dialect.name:
        case "sqlite":
            assert isinstance(database, SqliteDatabase)
            return dict(database.views())
        case "duckdb":
            with database.session() as session:
                return duckdb.read_definitions(session, schema)
    found: dict[str, str] = {}
    with server.inspecting(connection) as inspector:
        place = quoted_name(schema, True)
        for view in views:
            with suppress(SQLAlchemyError, NotImplementedError):  # a view of which this user may not see the text
                found[view] = inspector.get_view_definition(quoted_name(view, True), place) or ""
    return found
