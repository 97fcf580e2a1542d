"""The same small database in SQLite, DuckDB, PostgreSQL and MariaDB, for tests that hold for all of them."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from router.sql.databases.session import PooledDatabase
from router.sql.dialect import DIALECTS, Name
from router.sql.opening import open_database
from router.sql.scope import Scope
from tests.support.mysql import MysqlDatabase, fresh_mysql
from tests.support.postgres import PostgresDatabase, fresh_database

TABLES = """
CREATE TABLE orders (id integer, customer varchar(40), amount decimal(10, 2), paid_on date);
INSERT INTO orders VALUES
    (1, 'Zoë', 12.50, '2026-01-31'),
    (2, '株式会社', 7.25, NULL), (3, NULL, NULL, NULL), (4, 'a%s ''b'' {c} :d', -1.00, NULL);
CREATE TABLE salaries (person varchar(40), pay integer);
INSERT INTO salaries VALUES ('Ann', 9000);
CREATE VIEW open_orders AS SELECT id, customer FROM orders WHERE paid_on IS NULL;
CREATE VIEW pay_total AS SELECT sum(pay) AS pay FROM salaries;
CREATE TABLE digits (d integer);
CREATE TABLE people (name varchar(200), team integer);
INSERT INTO people VALUES ('Zaphod"x" ''y'' (z)', 1);
CREATE VIEW shown AS SELECT p.name FROM people p LEFT JOIN digits t ON t.d = p.team WHERE p.team > 0;
INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
"""

CONTENTS = ("SELECT * FROM orders ORDER BY id", "SELECT * FROM salaries", "SELECT * FROM digits ORDER BY d")


@dataclass(frozen=True, slots=True)
class Place:
    """One kind of database with the tables above; `contents` reads them past the code under test."""

    name: Name
    url: str
    contents: Callable[[], Any]
    schema: str = "main"

    @property
    def scope(self) -> Scope:
        """Everything but the salaries."""
        tables = ("orders", "open_orders", "pay_total", "digits")
        return Scope.of(self.schema, ((self.schema, table) for table in tables))

    def open(self, timeout: float = 30) -> PooledDatabase:
        """Open it as the bot does."""
        return open_database(self.url, DIALECTS[self.name], timeout)


@pytest.fixture(params=["sqlite", "duckdb", "postgres", "mysql"], scope="module")
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Each kind in turn. Servers are read as the tables' owner: what is refused, the session refuses."""
    folder = tmp_path_factory.mktemp("place")
    match request.param:
        case "sqlite":
            yield _sqlite(folder / "a shop?#é.sqlite")
        case "duckdb":
            yield _duckdb(folder / "a shop é.duckdb")
        case "mysql":
            with fresh_mysql(request.getfixturevalue("mysql_server")) as mysql:
                yield _mysql(mysql)
        case _:
            with fresh_database(request.getfixturevalue("postgres_server")) as postgres:
                yield _postgres(postgres)


@pytest.fixture
def database(place: Place) -> Iterator[PooledDatabase]:
    """The place, opened."""
    database = place.open()
    yield database
    database.close()


def _sqlite(path: Path) -> Place:
    connection = sqlite3.connect(path)
    connection.executescript(TABLES)
    connection.close()
    return Place("sqlite", f"sqlite:///{path}".replace("?", "%3F"), path.read_bytes)


def _duckdb(path: Path) -> Place:
    with duckdb.connect(path) as connection:
        connection.execute(TABLES)
    return Place("duckdb", f"duckdb:///{path}", path.read_bytes)


def _postgres(postgres: PostgresDatabase) -> Place:
    postgres.run(TABLES)

    def contents() -> list[Any]:
        with postgres.connect() as connection:
            tables = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1"
            return [connection.execute(query.encode()).fetchall() for query in (*CONTENTS, tables)]

    return Place("postgres", postgres.owner_url, contents, "public")


def _mysql(mysql: MysqlDatabase) -> Place:
    mysql.run(TABLES)
    return Place("mysql", mysql.owner_url, lambda: [mysql.rows(sql) for sql in CONTENTS], mysql.name)


def many(digits: int) -> str:
    """Return a query of 10 ** digits rows: a number and a short text."""
    number = " + ".join(f"t{i}.d * {10**i}" for i in range(digits))
    tables = ", ".join(f"digits t{i}" for i in range(digits))
    return f"SELECT {number} AS n, CAST(t0.d AS char(9)) AS words FROM {tables}"


ENDLESS = "SELECT count(*) FROM " + ", ".join(f"digits t{i}" for i in range(15)) + " WHERE t0.d + t7.d + t14.d < 99"
"""A query that takes days."""
