"""Rows of megabytes: batches of few of them, in little memory, whatever came before."""

from typing import Any

import pytest

from router.sql.databases.server import ServerDatabase
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from router.sql.scope import Scope
from tests.router.sql.databases.driver import Driver
from tests.support.peak_memory import gained
from tests.support.postgres import PostgresDatabase

WIDE = "SELECT n, repeat('x', 3000000) AS t FROM generate_series(1, 100) AS g(n)"
TURNING = "SELECT n, repeat('x', CASE WHEN n < 3000 THEN 1 ELSE 3000000 END) AS t FROM generate_series(1, 3040) AS g(n)"
NESTED = "SELECT json_build_object('a', json_build_array(repeat('x', 1000000))) AS j FROM generate_series(1, 100)"
BLOBS = "SELECT decode(repeat('00', 2000000), 'hex') AS b FROM generate_series(1, 60)"
DIGITS = "SELECT repeat('7', 100000)::numeric AS d FROM generate_series(1, 1500)"
NULLS = "SELECT CASE WHEN n % 2 = 0 THEN repeat('x', 3000000) END AS t FROM generate_series(1, 100) AS g(n)"


def sizes_of(url: str, sql: str) -> list[int]:
    """Read all rows as the bot does, and return how many came in each batch."""
    database = open_database(url, DIALECTS["postgres"], 300)
    with database.session(Scope.of("public", ())) as session:
        sizes = [len(rows) for rows in session.stream(sql)[1]]
    database.close()
    return sizes


@pytest.mark.parametrize(
    ("sql", "rows", "largest"),
    [
        (WIDE, 100, 10),
        pytest.param(NESTED, 100, 10, marks=pytest.mark.thorough),
        pytest.param(BLOBS, 60, 10, marks=pytest.mark.thorough),
        pytest.param(DIGITS, 1500, 100, marks=pytest.mark.thorough),
        pytest.param(NULLS, 100, 20, marks=pytest.mark.thorough),
    ],
)
def test_a_batch_of_wide_rows_has_few(postgres: PostgresDatabase, sql: str, rows: int, largest: int) -> None:
    """Each of some megabytes, so that the bot never holds more than some tens of them."""
    megabytes, sizes = gained(sizes_of, postgres.reader_url, sql)
    assert (sum(sizes), max(sizes) <= largest) == (rows, True)
    assert megabytes < 80


def test_what_is_left_of_wide_rows_is_not_waited_for(postgres: PostgresDatabase) -> None:
    """The next statement of the session works, and the connection is used again."""
    database = open_database(postgres.reader_url, DIALECTS["postgres"], 300)
    with database.session() as session:
        _, batches = session.stream(TURNING)
        assert any("xx" in rows[-1][1] for rows in batches)
        assert list(session.stream("SELECT pg_backend_pid()")[1]) == [[(first := _pid(session),)]]
    with database.session() as session:
        assert _pid(session) == first
    database.close()


def _pid(session: Any) -> int:
    [[(number,)]] = list(session.stream("SELECT pg_backend_pid()")[1])
    return int(number)


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        ([("DB_TYPE_NUMBER", None)] * 3, 1000),
        ([("DB_TYPE_VARCHAR", 4000)] * 2, 500),
        ([("DB_TYPE_NUMBER", None), ("DB_TYPE_CLOB", None)], 4),
        ([("DB_TYPE_BLOB", None)] * 9, 1),
    ],
)
def test_oracle_fetches_by_the_sizes_of_its_columns(columns: list[tuple[str, int | None]], rows: int) -> None:
    """Its driver fetches as many rows as it was told before the statement ran."""
    driver = Driver({"SELECT n": [(1,)]})
    driver.columns = [("N", getattr(driver, name), None, size, None, None, None) for name, size in columns]
    database = ServerDatabase("oracle+oracledb://reader:s3cret@db.example:1521/?service_name=SALES", 60, driver)
    with database.session() as session:
        session.stream("SELECT n FROM t")
    database.close()
    assert driver.arraysize == rows
