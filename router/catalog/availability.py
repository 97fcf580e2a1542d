"""Connections that cannot be used now: one of them is away, and all others are at work."""

import logging
from collections.abc import Iterable

from router.catalog.connection import Connection
from router.errors import JobFailed
from router.sql.databases.files import file_of

log = logging.getLogger("icc_bot")


def why_away(connection: Connection, url: str | None = None) -> str:
    """Return why a connection cannot be used, for administrators; "" if it can, as far as is known unasked.

    `url`: the one that is to be used, by default that for reading.
    """
    if connection.away:
        return connection.away
    used = url or connection.url  # which is not known where other processes open the database
    if connection.dialect.is_file and used:
        path = file_of(used, connection.dialect)
        if not path.is_file():
            return f"the file {path} does not exist; put it there, or correct the connection's URL."
    return ""


def require_there(connection: Connection, url: str | None = None) -> None:
    """Raise JobFailed unless a connection can be used, which says nothing of where its database is."""
    if why_away(connection, url):
        raise JobFailed(
            f"{connection.label} is away: I cannot open its database. Nothing was done, and everything so far is kept. "
            "Choose another database, or tell your administrator."
        )


def log_away(connections: Iterable[Connection]) -> None:
    """Log each connection that is away, for administrators."""
    for connection in connections:
        if why := why_away(connection):
            log.warning("the connection %s is away: %s", connection.name, why)
