"""The same tables in four kinds of database."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import duckdb
import pytest

from router.catalog.catalog import Catalog
from router.catalog.connection import Connection, Connections
from router.sql.dialect import DIALECTS, Name
from tests.support.mysql import MysqlDatabase
from tests.support.postgres import PostgresDatabase, postgres, postgres_server

__all__ = ["postgres", "postgres_server"]

Connect = Callable[..., Catalog]
"""Returns the catalog of a connection "A" with this dialect and URL; more arguments limit the connection."""

Build = Callable[..., Catalog]
"""Runs a script and returns the catalog of a connection "A" to what it built; more arguments limit the connection."""


def build_sqlite(folder: Path, script: str) -> str:
    with sqlite3.connect(folder / "a b.db") as file:
        file.executescript(f"BEGIN; {script}; COMMIT;")
    file.close()
    return f"sqlite:///{folder / 'a b.db'}"


def build_duckdb(folder: Path, script: str) -> str:
    with duckdb.connect(folder / "a b.duckdb") as file:
        file.execute(script)
    return f"duckdb:///{folder / 'a b.duckdb'}"


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Return the catalog of one connection "A"; it is closed after the test."""
    with ExitStack() as stack:

        def connect(dialect: Name, url: str, **limits: Any) -> Catalog:
            catalog = Catalog(Connections([Connection("A", 1, "Company", DIALECTS[dialect], url, **limits)]))
            stack.callback(catalog.close)
            return catalog

        yield connect


@pytest.fixture(params=["sqlite", "duckdb", "postgres", "mysql"])
def build(request: pytest.FixtureRequest, tmp_path: Path, connect: Connect) -> Build:
    """Build the same script in each kind of database."""
    if request.param == "postgres":
        postgres: PostgresDatabase = request.getfixturevalue("postgres")
    if request.param == "mysql":
        mysql: MysqlDatabase = request.getfixturevalue("mysql")

    def build(script: str, **limits: Any) -> Catalog:
        match request.param:
            case "sqlite":
                url = build_sqlite(tmp_path, script)
            case "duckdb":
                url = build_duckdb(tmp_path, script)
            case "mysql":
                mysql.run(script)
                url = mysql.reader_url
            case _:
                postgres.run(script)
                url = postgres.reader_url
        return connect(request.param, url, **limits)

    return build
