"""The same tables in three kinds of database."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from router.catalog.catalog import Catalog
from router.catalog.connection import Connection, Connections
from router.sql.dialect import DIALECTS, Name
from tests.fixtures_postgres import postgres, postgres_server

__all__ = ["postgres", "postgres_server"]

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


def connected(dialect: Name, url: str, **limits: Any) -> Catalog:
    return Catalog(Connections([Connection("A", 1, "Company", DIALECTS[dialect], url, **limits)]))


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def build(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Build]:
    """Build the same script in each kind of database."""
    catalogs: list[Catalog] = []

    def build(script: str, **limits: Any) -> Catalog:
        if request.param == "postgres":
            database = request.getfixturevalue("postgres")
            database.run(script)
            url = database.reader_url
        else:
            url = (build_sqlite if request.param == "sqlite" else build_duckdb)(tmp_path, script)
        catalogs.append(connected(request.param, url, **limits))
        return catalogs[-1]

    yield build
    for catalog in catalogs:
        catalog.close()
