"""Databases as the user who may write to them."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager

from router.catalog.connection import Connections
from router.errors import NotAllowed
from router.sql.writing import Target
from router.sql.writing.opening import open_target

Open = Callable[[str], AbstractContextManager[Target]]


def targets(connections: Connections) -> Open:
    """Return what opens the connection of a name for writing; it raises NotAllowed where nobody may, and JobFailed."""

    @contextmanager
    def open(name: str) -> Iterator[Target]:
        connection = connections.demand(name)
        if connection.write_url is None:
            raise NotAllowed(f"{connection.label} is read-only for everybody. Nothing was written.")
        with closing(open_target(connection.write_url, connection.dialect, connection.timeout)) as target:
            yield target

    return open
