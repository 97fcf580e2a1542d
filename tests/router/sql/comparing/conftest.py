"""Four databases with one table of the same columns, each in the types and the collation that it would have there."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from router.sql.comparing.plan import Side
from router.sql.databases.session import PooledDatabase
from router.sql.dialect import DIALECTS, Name
from router.sql.opening import open_database
from tests.support.mysql import MISSING, MysqlServer, fresh_mysql, installed, run
from tests.support.postgres import PostgresServer, fresh_database

Row = tuple[Any, ...]
Fill = Callable[[Sequence[Row]], None]


@dataclass(frozen=True, slots=True)
class Place:
    """A database; `fill` puts rows of (number, text, amount, day, flag, code) into its table t, in place of others."""

    name: Name
    database: PooledDatabase
    fill: Fill
    run: Callable[[str], None]

    @contextmanager
    def side(self, sql: str = "SELECT * FROM t", label: str = "") -> Iterator[Side]:
        """Lend one side of a comparison that runs this query here."""
        with self.database.session() as session:
            yield Side(label or f"t in {DIALECTS[self.name].label}", self.name, sql, session)


class Places(dict[str, Place]):
    """The databases by name; a test that asks for one that is not here is skipped."""

    def __missing__(self, name: str) -> Place:
        pytest.skip(MISSING)


@pytest.fixture(scope="module")
def places(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer
) -> Iterator[dict[str, Place]]:
    """SQLite twice, once with numbers kept as text and in UTF-16; DuckDB; PostgreSQL twice; MariaDB if it is."""
    folder = tmp_path_factory.mktemp("comparing")
    with ExitStack() as stack:
        found: dict[str, Place] = Places()
        found |= {
            "sqlite": _sqlite(folder / "one.sqlite", "UTF-8", "number INTEGER, text TEXT COLLATE NOCASE, amount REAL"),
            "texts": _sqlite(folder / "two.sqlite", "UTF-16le", "number TEXT, text TEXT, amount TEXT"),
            "duckdb": _duckdb(folder / "three.duckdb"),
            "postgres": _postgres(stack, postgres_server),
            "another": _postgres(stack, postgres_server),
        }
        if installed() or request.config.getoption("--mysql"):
            found["mysql"] = _mysql(stack, request.getfixturevalue("mysql_server"))
        yield found
        for place in found.values():
            place.database.close()


def _sqlite(path: Path, encoding: str, columns: str) -> Place:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(f"PRAGMA encoding = '{encoding}'")
    connection.execute(f"CREATE TABLE t ({columns}, day TEXT, flag INTEGER, code TEXT)")
    connection.execute("CREATE INDEX by_number ON t (number)")

    def fill(rows: Sequence[Row]) -> None:
        plain = [(n, t, a if a is None else str(a), d and d.isoformat(), f, c) for n, t, a, d, f, c in rows]
        connection.execute("BEGIN")
        connection.execute("DELETE FROM t")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", plain)
        connection.execute("COMMIT")

    return Place(
        "sqlite", open_database(f"sqlite:///{path}", DIALECTS["sqlite"]), fill, lambda sql: _run(connection, sql)
    )


def _run(connection: sqlite3.Connection, script: str) -> None:
    connection.executescript(script)


def _duckdb(path: Path) -> Place:
    with duckdb.connect(path) as connection:
        connection.execute(
            "CREATE TABLE t (number BIGINT, text VARCHAR COLLATE NOCASE, amount DECIMAL(18, 2), day TIMESTAMP, "
            "flag BOOLEAN, code VARCHAR)"
        )

    def fill(rows: Sequence[Row]) -> None:
        with duckdb.connect(path) as connection:
            connection.execute("DELETE FROM t")
            if rows:
                connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows)

    def run(script: str) -> None:
        with duckdb.connect(path) as connection:
            connection.execute(script)

    return Place("duckdb", open_database(f"duckdb:///{path}", DIALECTS["duckdb"]), fill, run)


def _postgres(stack: ExitStack, server: PostgresServer) -> Place:
    database = stack.enter_context(fresh_database(server))
    connection = stack.enter_context(database.connect())
    connection.execute(
        'CREATE TABLE t (number bigint, text text COLLATE "pg_c_utf8", amount numeric(18, 2), day date, '
        "flag boolean, code char(6))"
    )

    def fill(rows: Sequence[Row]) -> None:
        with connection.transaction(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM t")
            cursor.executemany("INSERT INTO t VALUES (%s, %s, %s, %s, %s, %s)", rows)

    return Place("postgres", open_database(database.owner_url, DIALECTS["postgres"]), fill, database.run)


def _mysql(stack: ExitStack, server: MysqlServer) -> Place:
    database = stack.enter_context(fresh_mysql(server))
    connection = stack.enter_context(closing(database.connect()))
    run(
        connection,
        "CREATE TABLE t (number bigint, text longtext COLLATE utf8mb4_general_ci, amount decimal(18, 2), day date, "
        "flag boolean, code char(6), INDEX (number))",
    )

    def fill(rows: Sequence[Row]) -> None:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("DELETE FROM t")
            cursor.executemany("INSERT INTO t VALUES (%s, %s, %s, %s, %s, %s)", rows)
            cursor.execute("COMMIT")

    return Place("mysql", open_database(database.owner_url, DIALECTS["mysql"]), fill, database.run)
