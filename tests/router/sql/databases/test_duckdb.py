"""What is DuckDB's own: one writer or many readers, nothing outside the file, names in any schema."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from router.errors import JobFailed
from router.sql.databases.session import PooledDatabase
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from router.sql.readers.duckdb import table_of
from router.sql.scope import Scope


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small file with two schemas."""
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute(
            'CREATE TABLE orders AS SELECT 1 AS id; CREATE SCHEMA "Odd""one";'
            'CREATE TABLE "Odd""one"."a.b" AS SELECT 2 AS id; CREATE TABLE "Odd""one".orders AS SELECT 3 AS id'
        )
    return path


@contextmanager
def opened(path: Path, timeout: float = 10) -> Iterator[PooledDatabase]:
    """Open it as the bot does."""
    database = open_database(f"duckdb:///{path}", DIALECTS["duckdb"], timeout)
    yield database
    database.close()


def read(database: PooledDatabase, sql: str, scope: Scope | None = None) -> list[tuple[object, ...]]:
    """Return all rows."""
    with database.session(scope) as session:
        return [row for rows in session.stream(sql)[1] for row in rows]


def test_a_file_that_is_being_written_is_said_to_be(path: Path) -> None:
    """In this process and in another one, the sentence says to try again."""
    said = "The DuckDB file shop.duckdb is open for writing elsewhere"
    with opened(path) as database:
        with duckdb.connect(path), pytest.raises(JobFailed, match=said):
            database.ping()
        program = f"import duckdb; c = duckdb.connect({str(path)!r}); print('open', flush=True); input()"
        with subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "open\n"
            with pytest.raises(JobFailed, match=said):
                database.ping()
            other.communicate("\n")
        database.ping()


def test_the_file_is_free_while_nobody_reads(path: Path) -> None:
    """A nightly load can write while the bot is idle, and its rows are seen."""
    with opened(path) as database:
        assert read(database, "SELECT count(*) FROM orders") == [(1,)]
        with duckdb.connect(path) as writer:
            writer.execute("INSERT INTO orders VALUES (2)")
        assert read(database, "SELECT count(*) FROM orders") == [(2,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/*')",
        "FROM outside",
        "SELECT getenv('HOME')",
        "COPY orders TO '/tmp/icc-bot-never-written.csv'",
        "EXPORT DATABASE '/tmp/icc-bot-never-written'",
        "ATTACH '/tmp/icc-bot-never-written.duckdb'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "PRAGMA version",
        "CREATE TEMP MACRO f(a) AS a",
    ],
)
def test_nothing_outside_the_file_is_reached(path: Path, sql: str) -> None:
    """No other file, no extension, no setting, no variable of this program."""
    outside = duckdb.sql("SELECT 1 AS a")
    with opened(path) as database, pytest.raises(JobFailed):
        read(database, sql)
    assert outside.fetchall() == [(1,)]


def test_bare_names_are_looked_up_in_the_scope_s_schema(path: Path) -> None:
    """And the scope tells tables of one name in two schemas apart."""
    odd = Scope.of('Odd"one', [('Odd"one', "orders"), ('Odd"one', "a.b")])
    with opened(path) as database:
        assert read(database, "SELECT o.id FROM orders AS o (id)", odd) == [(3,)]
        assert read(database, 'SELECT id FROM "a.b"', odd) == [(2,)]
        assert read(database, "SELECT id FROM orders") == [(1,)]
        with pytest.raises(JobFailed, match="The table orders may not be read"):
            read(database, "SELECT id FROM main.orders", odd)


@pytest.mark.parametrize(
    ("written", "table"),
    [
        ("orders", ("main", "orders")),
        ("Sales.Orders", ("sales", "orders")),
        ('shop.sales."a.b"', ("sales", "a.b")),
        ('"a ""quoted"" one" AS x(a, b)', ("main", 'a "quoted" one')),
        ("sales.orders AS o", ("sales", "orders")),
    ],
)
def test_a_written_table_is_taken_apart(written: str, table: tuple[str, str]) -> None:
    """DuckDB answers with the text of a FROM item, alias and all."""
    assert table_of(written, "main") == table


def test_a_file_that_may_be_written_is_told_to_doctor(path: Path) -> None:
    """DuckDB has no users, so the operating system would have to be the first layer."""
    with opened(path) as database:
        assert database.can_write() == (
            "DuckDB has no users: this process may write the file shop.duckdb. "
            "Make the file read-only for it to have the first layer, too."
        )
