"""Oracle, MySQL and SQL Server without a server: what is sent to them, and what their errors become."""

from collections.abc import Callable
from datetime import timedelta
from ipaddress import ip_address
from threading import Event
from typing import Any

import oracledb
import pytest

from router.errors import JobFailed, Stopped
from router.sql.databases.server import ServerDatabase, plain_rows
from router.sql.databases.server_sql import SERVERS
from router.sql.scope import Scope
from router.sql.value_kinds import Interval
from router.sql.writing.link import Link
from tests.router.sql.databases.driver import Answer, Driver

ORACLE = "oracle+oracledb://reader:s3cret@db.example:1521/?service_name=SALES"
MYSQL = "mysql+pymysql://reader:s3cret@db.example/sales"
MSSQL = "mssql+pymssql://reader:s3cret@db.example/sales"
ROWS: list[tuple[Any, ...]] = [(1,), (2,), (3,)]


def read(url: str, driver: Driver, schema: str = "") -> list[list[tuple[Any, ...]]]:
    """Read `SELECT n FROM t` in batches of two."""
    database = ServerDatabase(url, 60, driver)
    with database.session(Scope.of(schema, ())) as session:
        batches = list(session.stream("SELECT n FROM t", batch=2)[1])
    database.close()
    return batches


def test_oracle_reads_in_a_read_only_transaction() -> None:
    """All that is sent for one query, in order; LOBs come as values and numbers as decimals."""
    driver = Driver({"SELECT n": ROWS})
    assert read(ORACLE, driver, 'SA"LES') == [[(1,), (2,)], [(3,)]]
    assert [sent for sent in driver.sent if not sent.startswith("close")] == [
        *SERVERS["oracle"].settings,
        'ALTER SESSION SET CURRENT_SCHEMA = "SA""LES"',
        "SET TRANSACTION READ ONLY",
        "parse: SELECT n FROM t",
        "SELECT n FROM t",
        "ROLLBACK",
        "ROLLBACK",
    ]
    assert driver.options == {"fetch_lobs": False, "fetch_decimals": True}


def test_mysql_reads_in_a_read_only_transaction_with_a_time_limit() -> None:
    """The server itself ends what takes too long."""
    driver = Driver({"SELECT n": ROWS})
    read(MYSQL, driver, "sales")
    assert [sent for sent in driver.sent if not sent.startswith(("close", "ROLLBACK"))] == [
        *SERVERS["mysql"].settings,
        "SELECT CONNECTION_ID(), VERSION()",
        "USE `sales`",
        "SET SESSION MAX_EXECUTION_TIME = 600000",
        "START TRANSACTION READ ONLY",
        "SELECT n FROM t",
    ]


def test_sql_server_rolls_back_whatever_it_was_asked() -> None:
    """It has no read-only transaction."""
    driver = Driver({"SELECT n": ROWS})
    read(MSSQL, driver)
    assert [sent for sent in driver.sent if not sent.startswith("close")] == [
        *SERVERS["mssql"].settings,
        "SET LOCK_TIMEOUT 5000",
        "SELECT n FROM t",
        "ROLLBACK",
        "ROLLBACK",
    ]


@pytest.mark.parametrize(
    ("url", "settings"),
    [
        (
            ORACLE,
            {
                "ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY-MM-DD HH24:MI:SS'",
                "ALTER SESSION SET NLS_NUMERIC_CHARACTERS = '.,'",
                "ALTER SESSION SET NLS_DATE_LANGUAGE = 'AMERICAN'",
            },
        ),
        (MYSQL, {"SET SESSION sql_select_limit = 18446744073709551615"}),
        (MSSQL, {"SET DATEFORMAT ymd"}),
    ],
)
def test_each_session_has_its_own_settings(url: str, settings: set[str]) -> None:
    """Texts of dates and numbers mean the same to those who read, who write and who look at rights."""
    connected: dict[str, Answer] = {"SELECT CONNECTION_ID": [(1, "8.0.36")], "SELECT VERSION": [("8.0.36",)]}
    reading, looking, writing = Driver(connected | {"SELECT n": ROWS}), Driver(connected), Driver(connected)
    read(url, reading)
    database = ServerDatabase(url, 60, looking)
    database.excess(lambda schema, table: True)
    database.close()
    Link(url, 60, Event(), writing).close()
    for driver in (reading, looking, writing):
        known = SERVERS[url.partition("+")[0]].settings
        sent = [each for each in driver.sent if each in known]
        assert tuple(sent) == known
        assert settings <= set(sent)


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        (ORACLE, "parse: SELECT 'a' FROM t"),
        (MYSQL, "PREPARE icc_bot FROM 'SELECT ''a'' FROM t'"),
        (MSSQL, "EXEC sp_describe_first_result_set @tsql = N'SELECT ''a'' FROM t'"),
    ],
)
def test_a_dry_run_runs_nothing(url: str, asked: str) -> None:
    """`check` has the server parse or plan the statement, not run it."""
    driver = Driver()
    database = ServerDatabase(url, 60, driver)
    with database.session() as session:
        session.check("SELECT 'a' FROM t")
    database.close()
    assert asked in driver.sent
    assert "SELECT 'a' FROM t" not in driver.sent


@pytest.mark.parametrize("url", [ORACLE, MYSQL, MSSQL])
@pytest.mark.parametrize(
    "sql", ["DELETE FROM t", "COMMIT", "DROP TABLE t", "BEGIN f(); END;", "", "/* x */ DELETE FROM t"]
)
def test_what_is_no_select_is_never_sent(url: str, sql: str) -> None:
    """Oracle would run a CREATE TABLE that is only parsed, so even `check` sends nothing."""
    driver = Driver()
    database = ServerDatabase(url, 60, driver)
    with database.session() as session:
        before = list(driver.sent)
        asks: tuple[Callable[[str], object], ...] = (session.check, session.stream)
        for ask in asks:
            with pytest.raises(JobFailed, match="only reads tables"):
                ask(sql)
        assert driver.sent == before
    database.close()


def test_oracle_is_stopped_by_its_driver() -> None:
    """`cancel` breaks the running call; what the driver raises then is a Stop, not a failure."""
    driver = Driver()
    database = ServerDatabase(ORACLE, 60, driver)
    with database.session() as session:

        def cancelled() -> Exception:
            session.cancel()  # as another thread does while the call waits
            assert driver.cancelled.wait(60)
            return oracledb.DatabaseError("ORA-01013: user requested cancel of current operation")

        driver.answers["SELECT n"] = cancelled
        with pytest.raises(Stopped):
            session.stream("SELECT n FROM t")
    database.close()
    assert driver.sent.count("cancel") == 1


def test_mysql_is_stopped_from_a_second_connection() -> None:
    """KILL QUERY names the session that reads."""
    driver = Driver({"SELECT n": ROWS})
    database = ServerDatabase(MYSQL, 60, driver)
    with database.session() as session:
        session.cancel()
    session.cancel()
    database.close()
    assert (driver.sent.count("KILL QUERY 77"), len(driver.opened)) == (1, 2)


def test_mysql_s_unread_rows_end_with_the_connection() -> None:
    """MySQL sends all rows before it listens again: a reader who leaves early has the query killed."""
    driver = Driver({"SELECT n": ROWS})
    database = ServerDatabase(MYSQL, 60, driver)
    with database.session() as session:
        next(session.stream("SELECT n FROM t", batch=1)[1])
    assert driver.sent.count("KILL QUERY 77") == 1
    assert driver.sent.count("close connection") >= 2
    database.close()


@pytest.fixture
def oracle(request: pytest.FixtureRequest) -> ServerDatabase:
    """A real Oracle, where one is named on the command line."""
    url = request.config.getoption("--oracle", None)
    if not url:
        pytest.skip("needs pytest --oracle URL")
    return ServerDatabase(url, 5)


def test_a_real_oracle_reads_checks_and_refuses(oracle: ServerDatabase) -> None:
    """Run this once at your site: reading, the dry run, the read-only transaction and the error's number."""
    with oracle.session() as session:
        session.check("SELECT 1 AS n FROM dual")
        assert [int(row[0]) for rows in session.stream("SELECT 1 AS n FROM dual")[1] for row in rows] == [1]
        with pytest.raises(JobFailed, match="ORA-00942"):
            session.check("SELECT * FROM icc_bot_no_such_table")
    oracle.close()


def test_values_that_only_a_driver_knows_become_plain() -> None:
    """Downstream sees plain values: Oracle's intervals are ours."""
    kept = (1, None, b"x")
    assert plain_rows([kept]) == [kept]
    lengths = (oracledb.IntervalYM(1, 2), timedelta(days=-1, seconds=-5), ip_address("10.0.0.1"))
    assert plain_rows([(*lengths, *kept)]) == [(Interval(14), Interval(0, -1, -5_000_000), "10.0.0.1", *kept)]
