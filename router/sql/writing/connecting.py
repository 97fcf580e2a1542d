"""Connections for writing to each kind of database, one a job."""

import math
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

from router.sql.databases.server import connect_server
from router.sql.databases.server_sql import SERVERS
from router.sql.dialect import Name
from router.sql.writing.order import nothing_written


@dataclass(frozen=True, slots=True)
class Access:
    """Parts of a connection for writing; `file` is the path of a database that is one, `wait` is in seconds."""

    url: str
    file: Path | None
    module: Any
    timeout: float
    wait: float


def sqlite_connection(access: Access) -> Any:
    """Open an SQLite file; a constraint holds here even if other programs do not ask for it."""
    assert access.file is not None
    database = sqlite3.connect(
        f"{access.file.as_uri()}?mode=rw",
        uri=True,
        timeout=access.wait,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()  # undoes what a killed writer left
    except BaseException:
        database.close()
        raise
    return database


def duckdb_connection(access: Access) -> Any:
    """Open a DuckDB file, which nobody else can open as long as this is open."""
    from router.sql.readers.duckdb import SANDBOX_CONFIG

    return access.module.connect(access.file, config=SANDBOX_CONFIG)


def postgres_connection(access: Access) -> Any:
    """Connect to PostgreSQL, with a transaction only from its BEGIN on."""
    from router.sql.databases.postgres import MEANINGS, parameters_of, reason_of

    try:
        connection = access.module.connect(**parameters_of(access.url), autocommit=True, prepare_threshold=None)
        connection.execute(";".join(f"SET {name} = {value}" for name, value in MEANINGS.items()))
    except access.module.Error as error:
        raise nothing_written(f"The database cannot be reached: {reason_of(error)}") from error
    return connection


def server_connection(access: Access) -> Any:
    """Connect through the driver of a server."""
    parts = make_url(access.url)
    server = SERVERS.get(parts.get_backend_name())
    if server is None:
        return access.module.connect(database=parts.database)
    return connect_server(parts, server, access.module, access.timeout)


CONNECT: dict[Name, Callable[[Access], Any]] = {
    "sqlite": sqlite_connection,
    "duckdb": duckdb_connection,
    "postgres": postgres_connection,
}
"""The ways of their own; the others are servers."""


def milliseconds(seconds: float) -> int:
    """Return the whole milliseconds that are no less than so many seconds."""
    return math.ceil(seconds * 1000)
