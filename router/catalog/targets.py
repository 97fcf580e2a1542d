"""Databases as the user who may write to them."""

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, closing, contextmanager

from router.catalog.availability import require_there
from router.catalog.connection import Connection, Connections, allows_table, matches, names_column
from router.errors import NotAllowed
from router.sql.opening import open_target
from router.sql.writing.order import Hidden
from router.sql.writing.target import Target

Open = Callable[[str], AbstractContextManager[Target]]


def target_opener(connections: Connections) -> Open:
    """Return what opens the connection of a name for writing; it raises NotAllowed if nobody may, and JobFailed."""

    @contextmanager
    def open(name: str) -> Iterator[Target]:
        connection = connections.require(name)
        if connection.away:
            require_there(connection)
        if connection.write_url is None:
            raise NotAllowed(f"{connection.label} is read-only for everybody. Nothing was written.")
        require_there(connection, connection.write_url)
        with closing(open_target(connection.write_url, connection.dialect, connection.timeout)) as target:
            yield target

    return open


def takes_rows(connection: Connection, schema: str) -> bool:
    """Return whether rows may be written into this schema, by people who may write at all."""
    return not connection.write_schemas or any(matches(pattern, schema) for pattern in connection.write_schemas)


def require_target(connection: Connection, schemas: Collection[str], schema: str, table: str) -> None:
    """Raise NotAllowed unless rows may be written into a table of this name, there or not.

    What may not be read is not written either: `schemas` are those that may be read. The name alone is judged, so that
    nobody learns what there is besides.
    """
    if schema not in schemas or not takes_rows(connection, schema):
        raise NotAllowed(
            f'Rows may not be written into the schema "{schema}" of {connection.label}. Nothing was written. '
            "Your administrator can name it under `write_schemas` in connections.toml."
        )
    if not allows_table(connection.tables, schema, table):
        raise NotAllowed(
            f'Rows may not be written into a table "{table}" of {connection.label}, be it there or not: its name is '
            "none of those that may be read. Nothing was written. Choose another name, or ask your administrator to "
            "add it to `tables` in connections.toml."
        )


def hidden_in(connection: Connection, schema: str, table: str) -> Hidden:
    """Return what tells the columns of a table that nobody may read or write."""
    return lambda column: names_column(connection.columns_hidden, schema, table, column)
