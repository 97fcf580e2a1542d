"""The places to write into: each test runs once in each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.router.sql.writing.places import Place, duckdb_place, mysql_place, postgres_place, sqlite_place
from tests.support.mysql import MysqlDatabase, fresh_mysql
from tests.support.postgres import PostgresDatabase, fresh_database


@pytest.fixture(params=["sqlite", "duckdb", "postgres", "mysql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A fresh database of each kind in turn."""
    match request.param:
        case "sqlite":
            yield sqlite_place(tmp_path)
        case "duckdb":
            yield duckdb_place(tmp_path)
        case "mysql":
            with fresh_mysql(request.getfixturevalue("mysql_server")) as mysql:
                yield mysql_place(mysql)
        case _:
            with fresh_database(request.getfixturevalue("postgres_server")) as database:
                yield postgres_place(database)


@pytest.fixture
def sqlite(tmp_path: Path) -> Place:
    """An empty SQLite file."""
    return sqlite_place(tmp_path)


@pytest.fixture
def duck(tmp_path: Path) -> Place:
    """An empty DuckDB file."""
    return duckdb_place(tmp_path)


@pytest.fixture
def pg(postgres: PostgresDatabase) -> Place:
    """An empty PostgreSQL database."""
    return postgres_place(postgres)


@pytest.fixture
def maria(mysql: MysqlDatabase) -> Place:
    """An empty MariaDB database."""
    return mysql_place(mysql)
