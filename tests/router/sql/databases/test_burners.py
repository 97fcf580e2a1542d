"""Statements that ask for all the time or all the memory end in time, and leave the bot small."""

import os
import resource
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb
import pytest

from router.errors import Failed, JobFailed
from router.sql.databases.child import MEMORY_MAX_BYTES
from router.sql.databases.session import PooledDatabase, Session
from router.sql.dialect import DIALECTS, Name
from router.sql.opening import open_database
from tests.router.sql.statements import blocks
from tests.support.mysql import MysqlDatabase
from tests.support.peak_memory import gained
from tests.support.postgres import PostgresDatabase

LIMIT_SECONDS = 1.0
OVER_MAX_SECONDS = 4.0
"""A burner that nobody ends takes longer by far; to end one takes a busy server its time."""
GAINED_MAX_MB = 300
TABLES = "CREATE TABLE customers AS SELECT 1 AS id, 'Anna' AS name"


@contextmanager
def opened(url: str, dialect: Name) -> Iterator[PooledDatabase]:
    """Open a database as the bot does, with the limit of these tests."""
    database = open_database(url, DIALECTS[dialect], LIMIT_SECONDS)
    yield database
    database.close()


def took(session: Session, step: str, sql: str) -> float:
    """Return how many seconds a dry run, or the reading of all rows, took until it ended, be it by a refusal."""
    began = time.monotonic()
    try:
        if step == "check":
            session.check(sql)
        else:
            for _ in session.stream(sql)[1]:
                if time.monotonic() - began > LIMIT_SECONDS + OVER_MAX_SECONDS:
                    break  # rows that come are the reader's business, and limited by it
    except Failed:
        pass
    return time.monotonic() - began


def longest(url: str, dialect: Name, kind: str, most: str = "") -> float:
    """Run the statements of a list without the guard, and return the longest time of one."""
    found = [0.0]
    with opened(url, dialect) as database:
        for sql in blocks(kind, dialect)[: int(most) if most else None]:
            for step in ("check", "stream"):
                with database.session() as session:
                    found.append(took(session, step, sql))
    return max(found)


@contextmanager
def halted(process: int) -> Iterator[None]:
    """Let a process stand still: a server that computes one long function answers as little."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


@pytest.mark.parametrize("step", ["check", "stream"])
def test_postgresql_is_hung_up_on_where_it_does_not_end(postgres: PostgresDatabase, step: str) -> None:
    """The answer comes in time, and the next session has another connection."""
    with opened(postgres.reader_url, "postgres") as database:
        with database.session() as session:
            [[(process,)]] = list(session.stream("SELECT pg_backend_pid()")[1])
            with halted(process):
                assert took(session, step, "SELECT 1") < LIMIT_SECONDS + OVER_MAX_SECONDS
        with database.session() as session:
            assert list(session.stream("SELECT pg_backend_pid()")[1]) != [[(process,)]]


def test_stop_does_not_wait_for_a_server_that_does_not_end(postgres: PostgresDatabase) -> None:
    """Nor does it wait for the limit."""
    database = open_database(postgres.reader_url, DIALECTS["postgres"], 60)
    with closing(database), database.session() as session:
        [[(process,)]] = list(session.stream("SELECT pg_backend_pid()")[1])
        with halted(process):
            threading.Timer(0.2, session.cancel).start()
            assert took(session, "stream", "SELECT 1") < 0.2 + OVER_MAX_SECONDS


def read_large_row(url: str) -> str:
    """Return why a row of 90 MB was not read."""
    database = open_database(url, DIALECTS["postgres"], 30)
    with closing(database), database.session() as session:
        try:
            list(session.stream("SELECT repeat('x', 90000000)")[1])
        except JobFailed as error:
            return str(error)
    return ""


def test_postgresql_stops_reading_a_row_that_is_too_large(postgres: PostgresDatabase) -> None:
    """While it comes, so that little of it is held."""
    megabytes, said = gained(read_large_row, postgres.reader_url)
    assert "A row of the result has more than 32 MB" in said
    assert megabytes < 150


def test_mariadb_is_hung_up_on_where_it_does_not_end(mysql: MysqlDatabase) -> None:
    """Neither a dry run nor a query waits for a server that stands still."""
    [(place,)] = mysql.rows("SELECT @@pid_file")
    process = int(Path(place).read_text())
    with opened(mysql.reader_url, "mysql") as database:
        for step in ("check", "stream"):
            with database.session() as session:
                assert took(session, step, "SELECT 1") < LIMIT_SECONDS
                with halted(process):
                    assert took(session, step, "SELECT 1") < LIMIT_SECONDS + OVER_MAX_SECONDS


@pytest.mark.parametrize(
    ("kind", "most"),
    [("heavy", "1"), *(pytest.param(kind, "", marks=pytest.mark.thorough) for kind in ("heavy", "burners"))],
)
def test_postgresql_burners_end(postgres: PostgresDatabase, kind: str, most: str) -> None:
    """The guard refuses most of them; without it, they end all the same."""
    postgres.run(TABLES)
    megabytes, seconds = gained(longest, postgres.reader_url, "postgres", kind, most)
    assert seconds < LIMIT_SECONDS + OVER_MAX_SECONDS
    assert megabytes < GAINED_MAX_MB


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["heavy", "burners"])
def test_mariadb_burners_end(mysql: MysqlDatabase, kind: str) -> None:
    """By KILL QUERY, and by the largest packet that it sends."""
    mysql.run(TABLES)
    megabytes, seconds = gained(longest, mysql.reader_url, "mysql", kind)
    assert seconds < LIMIT_SECONDS + OVER_MAX_SECONDS
    assert megabytes < GAINED_MAX_MB


def file_of(dialect: Name, folder: Path) -> str:
    """Make a file, and return its URL."""
    path = folder / f"shop.{dialect}"
    with closing(sqlite3.connect(path) if dialect == "sqlite" else duckdb.connect(str(path))) as connection:
        connection.execute(TABLES)
        connection.commit()
    return f"{dialect}:///{path}"


@pytest.mark.parametrize(
    ("kind", "most"),
    [("heavy", "1"), *(pytest.param(kind, "", marks=pytest.mark.thorough) for kind in ("heavy", "burners"))],
)
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_burners_of_files_end(dialect: Name, kind: str, most: str, tmp_path: Path) -> None:
    """By the limits of the child that reads the file, which is started again after each: that takes time as well."""
    megabytes, seconds = gained(longest, file_of(dialect, tmp_path), dialect, kind, most)
    assert seconds < LIMIT_SECONDS + OVER_MAX_SECONDS
    assert megabytes < GAINED_MAX_MB


def peak_of_children(url: str) -> float:
    """Return the MB that the largest child held while it ran what the engine's own memory limit leaves out."""
    longest(url, "duckdb", "heavy")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000


@pytest.mark.thorough
def test_a_child_is_held_to_its_memory(tmp_path: Path) -> None:
    """Some aggregates of DuckDB do not count what they keep: the system does."""
    _, megabytes = gained(peak_of_children, file_of("duckdb", tmp_path))
    assert megabytes < MEMORY_MAX_BYTES / 10**6
