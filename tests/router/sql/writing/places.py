"""A fresh database of each kind to write into, and a look at it past the code under test."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from router.sql.dialect import DIALECTS, Name
from router.sql.opening import open_target
from router.sql.writing.names import LOG_TABLE
from router.sql.writing.order import Mode, ResultField, WriteOrder
from router.sql.writing.target import Target
from tests.support.mysql import MysqlDatabase
from tests.support.postgres import PostgresDatabase

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """One kind of database; `rows` answers a query, `run` runs a script, both past the code under test."""

    name: Name
    url: str
    schema: str
    rows: Callable[[str], list[Row]]
    run: Callable[[str], None]

    @contextmanager
    def open(self, timeout: float = 10) -> Iterator[Target]:
        """Open it as a job does."""
        with closing(open_target(self.url, DIALECTS[self.name], timeout)) as target:
            yield target

    def write(
        self, rows: Iterable[Row], *fields: ResultField, mode: Mode = "create", table: str = "t", job: str = "job-1"
    ) -> int:
        """Write rows in batches of two, by a target of their own."""
        with self.open() as target:
            order = WriteOrder(job, self.schema, table, mode, fields)
            return target.write(order, batches(rows), lambda count: None)

    def content(self, table: str = "t") -> list[Row]:
        """Return the rows of a table in the order of its first column."""
        return self.rows(f'SELECT * FROM "{table}" ORDER BY 1')

    def log(self) -> list[Row]:
        """Return which jobs wrote how many rows into which table."""
        return self.rows(f'SELECT job, target, "rows" FROM {LOG_TABLE} ORDER BY job')


def batches(rows: Iterable[Row], size: int = 2) -> Iterator[list[Row]]:
    """Give the rows in lists, as a stored result does."""
    source = iter(rows)
    while batch := [row for _, row in zip(range(size), source, strict=False)]:
        yield batch


def sqlite_place(folder: Path) -> Place:
    """Make an empty SQLite file."""
    path = folder / "a shop é.sqlite"
    path.touch()

    def rows(sql: str) -> list[Row]:
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute(sql).fetchall()

    def run(script: str) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(script)

    return Place("sqlite", f"sqlite:///{path}", "main", rows, run)


def duckdb_place(folder: Path) -> Place:
    """Make an empty DuckDB file."""
    path = folder / "a shop é.duckdb"
    duckdb.connect(path).close()

    def rows(sql: str) -> list[Row]:
        with duckdb.connect(path) as connection:
            return connection.execute(sql).fetchall()

    def run(script: str) -> None:
        with duckdb.connect(path) as connection:
            connection.execute(script)

    return Place("duckdb", f"duckdb:///{path}", "main", rows, run)


def postgres_place(database: PostgresDatabase) -> Place:
    """Take a fresh PostgreSQL database."""

    def rows(sql: str) -> list[Row]:
        with database.connect() as connection:
            connection.execute("SET timezone = 'UTC'")
            return connection.execute(sql.encode()).fetchall()

    return Place("postgres", database.owner_url, "public", rows, database.run)


def mysql_place(database: MysqlDatabase) -> Place:
    """Take a fresh MariaDB database."""
    return Place("mysql", database.owner_url, database.name, database.rows, database.run)
