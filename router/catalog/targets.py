"""Databases as the user who may write to them."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager

from router.catalog.availability import demand_there
from router.catalog.connection import Connection, Connections, matches
from router.errors import NotAllowed
from router.sql.opening import open_target
from router.sql.writing.target import Target

Open = Callable[[str], AbstractContextManager[Target]]


def targets(connections: Connections) -> Open:
    """Return what opens the connection of a name for writing; it raises NotAllowed where nobody may, and JobFailed."""

    @contextmanager
    def open(name: str) -> Iterator[Target]:
        connection = connections.demand(name)
        if connection.away:
            demand_there(connection)
        if connection.write_url is None:
            raise NotAllowed(f"{connection.label} is read-only for everybody. Nothing was written.")
        demand_there(connection, connection.write_url)
        with closing(open_target(connection.write_url, connection.dialect, connection.timeout)) as target:
            yield target

    return open


def takes_rows(connection: Connection, schema: str) -> bool:
    """Tell whether rows may be written into this schema, by whoever may write at all."""
    return not connection.write_schemas or any(matches(pattern, schema) for pattern in connection.write_schemas)


def demand_schema(connection: Connection, schema: str) -> None:
    """Do nothing if rows may be written into this schema; raises NotAllowed."""
    if not takes_rows(connection, schema):
        raise NotAllowed(
            f'Rows may not be written into the schema "{schema}" of {connection.label}. Nothing was written. '
            "Your administrator can name it under `write_schemas` in connections.toml."
        )
