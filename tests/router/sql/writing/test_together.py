"""Jobs that meet, wait, or are stopped."""

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import duckdb
import psycopg
import pytest

from router.errors import JobFailed, Stopped
from router.sql.dialect import DIALECTS
from router.sql.opening import open_target
from router.sql.writing.dialects import WRITE_DIALECTS
from router.sql.writing.order import Mode, Refusal, ResultField, WriteOrder
from router.sql.writing.target import Target
from tests.router.sql.writing.places import Place, Row
from tests.support.mysql import MysqlServer
from tests.support.postgres import READER, PostgresDatabase

FIELDS = (ResultField("job", "integer"), ResultField("n", "integer"))
BATCHES = 20


def rows_of(number: int, size: int = 500) -> Iterator[list[Row]]:
    """Give the rows of one job."""
    for batch in range(BATCHES):
        yield [(number, batch * size + each) for each in range(size)]


def write(place: Place, number: int, mode: Mode, table: str = "t", job: str = "") -> int | str:
    """Write as one of several at once; return the rows or the sentence."""
    order = WriteOrder(job or f"job-{number}", place.schema, table, mode, FIELDS)
    try:
        with place.open(20) as target:
            return target.write(order, rows_of(number), lambda rows: None)
    except Refusal as refusal:
        return str(refusal)


def at_once(place: Place, mode: Mode, jobs: tuple[str, ...]) -> list[int | str]:
    """Write as many jobs as there are names into one table at once."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        started = [pool.submit(write, place, number, mode, "t", job) for number, job in enumerate(jobs)]
        return [each.result() for each in started]


@pytest.mark.parametrize("mode", ["append", "truncate", "drop"])
def test_two_jobs_into_one_table(place: Place, mode: Mode) -> None:
    """Both are written whole; where one replaces the rows of the other, the later one's are there in the end."""
    place.run("CREATE TABLE t (job integer, n integer)")
    told = at_once(place, mode, ("first", "second"))
    assert told == [BATCHES * 500] * 2
    counted = place.rows("SELECT job, count(*), count(DISTINCT n) FROM t GROUP BY job ORDER BY job")
    assert all(row[1:] == (BATCHES * 500, BATCHES * 500) for row in counted)
    assert len(counted) == (2 if mode == "append" else 1)


def test_two_jobs_make_one_table(place: Place) -> None:
    """One makes the table, the other is told that there is one."""
    told = at_once(place, "create", ("first", "second"))
    assert BATCHES * 500 in told
    (sentence,) = [said for said in told if isinstance(said, str)]
    assert "Nothing was written" in sentence
    assert place.rows("SELECT count(*), count(DISTINCT job) FROM t") == [(BATCHES * 500, 1)]


@pytest.mark.parametrize("mode", ["create", "append", "truncate", "drop"])
def test_one_job_in_two_processes(place: Place, mode: Mode) -> None:
    """A job that is started twice at once is written once, and both are told its rows."""
    if mode != "create":
        place.run("CREATE TABLE t (job integer, n integer)")
    told = at_once(place, mode, ("same", "same"))
    assert told == [BATCHES * 500] * 2
    assert place.rows("SELECT count(*), count(DISTINCT job) FROM t") == [(BATCHES * 500, 1)]


@pytest.mark.parametrize("mode", ["create", "append", "truncate", "drop"])
def test_stop_in_the_middle(place: Place, mode: Mode) -> None:
    """Stop ends a writing with nothing written, from any thread; the same job may then be written."""
    if mode != "create":
        place.run("CREATE TABLE t (job integer, n integer); INSERT INTO t VALUES (7, 7)")
    order = WriteOrder("job-1", place.schema, "t", mode, FIELDS)
    with place.open() as target:

        def stopping() -> Iterator[list[Row]]:
            for number, rows in enumerate(rows_of(1)):
                if number == BATCHES // 2:
                    stop = threading.Thread(target=target.cancel)
                    stop.start()
                    stop.join()
                yield rows

        with pytest.raises(Stopped, match=r"Stopped\. Nothing was written\."):
            target.write(order, stopping(), lambda rows: None)
    with place.open() as target:
        there = target.table(place.schema, "t")
        assert target.written(place.schema, "job-1") is None
        assert (there.rows if there else None) == (None if mode == "create" else 1)
    assert write(place, 1, mode) == BATCHES * 500


class Holding:
    """A connection to MariaDB that runs statements."""

    def __init__(self, server: MysqlServer, database: str) -> None:
        self._connection = server.connect(database)
        self.close = self._connection.close

    def execute(self, sql: str) -> None:
        """Run one."""
        self._connection.query(sql)


def test_stop_while_mariadb_works(maria: Place, mysql_server: MysqlServer) -> None:
    """So it is there: a second connection ends the statement."""
    maria.run("CREATE TABLE t (job integer, n integer)")
    with closing(Holding(mysql_server, maria.schema)) as other, maria.open(30) as target:
        other.execute("LOCK TABLES t WRITE")
        timer = threading.Timer(0.3, target.cancel)
        timer.start()
        with pytest.raises(Stopped):
            target.write(WriteOrder("job-1", maria.schema, "t", "append", FIELDS), rows_of(1), lambda rows: None)
        timer.join()
    assert maria.rows("SELECT table_name FROM information_schema.tables WHERE table_name = 'icc_bot_job-1'") == []


def test_stop_while_the_database_works(pg: Place) -> None:
    """A Stop is heard while the server waits for somebody else."""
    pg.run("CREATE TABLE t (job integer, n integer)")
    with psycopg.connect(pg.url.replace("+psycopg", "")) as other, pg.open(30) as target:
        other.execute("LOCK TABLE t")
        timer = threading.Timer(0.3, target.cancel)
        timer.start()
        with pytest.raises(Stopped):
            target.write(WriteOrder("job-1", "public", "t", "append", FIELDS), rows_of(1), lambda rows: None)
        timer.join()


@pytest.mark.parametrize("mode", ["append", "truncate", "drop"])
def test_a_lock_that_is_not_let_go(request: pytest.FixtureRequest, place: Place, mode: Mode) -> None:
    """Who waits too long for somebody else is told so, and nothing is written."""
    place.run("CREATE TABLE t (job integer, n integer)")
    order = WriteOrder("job-1", place.schema, "t", mode, FIELDS)
    path = place.url.partition("///")[2]
    match place.name:
        case "sqlite":
            holder = closing(sqlite3.connect(path, isolation_level=None))
            take = "BEGIN IMMEDIATE"
        case "duckdb":
            holder = closing(duckdb.connect(path))
            take = "BEGIN"  # having it open is enough
        case "mysql":
            holder = closing(Holding(request.getfixturevalue("mysql_server"), place.schema))  # type: ignore[assignment]
            take = "LOCK TABLES t READ"
        case _:
            holder = closing(psycopg.connect(place.url.replace("+psycopg", "")))  # type: ignore[assignment]
            take = "LOCK TABLE t IN ACCESS SHARE MODE" if mode == "drop" else "LOCK TABLE t"
    with holder as other:
        other.execute(take)
        with (
            pytest.raises(Refusal, match=r"free in time( \(.*\))?\. Nothing was written") as refusal,
            place.open(0.3) as target,
        ):
            target.write(order, rows_of(1), lambda rows: None)
    assert str(refusal.value).endswith("Please try again in a moment.")
    assert write(place, 1, mode) == BATCHES * 500


def test_readers_go_on(pg: Place) -> None:
    """While rows are replaced, others read the old ones until all new ones are there."""
    pg.run("CREATE TABLE t (job integer, n integer); INSERT INTO t VALUES (7, 7)")
    seen = []

    def looking() -> Iterator[list[Row]]:
        for rows in rows_of(1):
            seen.append(pg.rows("SELECT * FROM t"))
            yield rows

    with pg.open() as target:
        target.write(WriteOrder("job-1", "public", "t", "truncate", FIELDS), looking(), lambda rows: None)
    assert seen == [[(7, 7)]] * BATCHES
    assert pg.rows("SELECT count(*) FROM t") == [(BATCHES * 500,)]


def test_a_connection_that_is_lost(pg: Place, postgres: PostgresDatabase) -> None:
    """Where the server ends the connection in the middle, nothing is written, and the next try writes all."""
    pg.run("CREATE TABLE t (job integer, n integer)")

    def torn() -> Iterator[list[Row]]:
        for number, rows in enumerate(rows_of(1, 5000)):
            if number == BATCHES // 2:
                with postgres.connect("postgres") as other:
                    other.execute(
                        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )
            yield rows

    with pg.open() as target:
        with pytest.raises(JobFailed, match=r"The connection to the database was lost\. Nothing was written"):
            target.write(WriteOrder("job-1", "public", "t", "append", FIELDS), torn(), lambda rows: None)
        assert pg.content() == []
        assert (
            target.write(WriteOrder("job-1", "public", "t", "append", FIELDS), rows_of(1), lambda rows: None) == 10_000
        )


def test_a_user_without_rights(postgres: PostgresDatabase, pg: Place) -> None:
    """Who lacks a right is told which, and what to ask for."""
    pg.run(f"CREATE TABLE t (job integer, n integer); GRANT SELECT ON t TO {READER}")
    with closing(open_target(postgres.reader_url, DIALECTS["postgres"], 10)) as target:
        assert target.schemas() == ()
        with pytest.raises(Refusal) as create:
            target.write(WriteOrder("job-1", "public", "u", "create", FIELDS), rows_of(1), lambda rows: None)
        assert str(create.value) == (
            "The user of this connection lacks a right (42501). Nothing was written. "
            'It needs CREATE on the schema "public" for a new table, and once for icc_bot_jobs, where the bot keeps '
            "which jobs were written. Tell your administrator."
        )
        pg.write([(1, 1)], *FIELDS, table="makes_the_log")
        pg.run(f"GRANT SELECT, INSERT ON icc_bot_jobs TO {READER}")
        with pytest.raises(Refusal, match=r"lacks a right \(42501\). Nothing was written"):
            target.write(WriteOrder("job-2", "public", "t", "append", FIELDS), rows_of(1), lambda rows: None)
        pg.run(f"GRANT INSERT ON t TO {READER}")
        assert (
            target.write(WriteOrder("job-2", "public", "t", "append", FIELDS), rows_of(1), lambda rows: None) == 10_000
        )


def test_a_full_disk(sqlite: Place) -> None:
    """Where the file cannot grow, nothing is written."""
    sqlite.run("CREATE TABLE t (job integer, n integer)")
    with sqlite.open() as target:
        target._link._connection.execute("PRAGMA max_page_count = 10")
        with pytest.raises(Refusal, match=r"is full\. Nothing was written\. Make room on it"):
            target.write(WriteOrder("job-1", "main", "t", "append", FIELDS), rows_of(1), lambda rows: None)
    assert sqlite.content() == []


@pytest.mark.parametrize(("missing", "goes_on"), [("1235", True), ("1064", False)])
def test_a_lock_that_cannot_be_had(maria: Place, missing: str, goes_on: bool) -> None:
    """A server that says that it has no such locks is left to its own; any other failure ends the job."""
    asked = f"SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = {missing}"
    with closing(Target(maria.url, 10, dialect=replace(WRITE_DIALECTS["mysql"], hold=asked))) as target:
        order = WriteOrder("job-1", maria.schema, "t", "create", FIELDS)
        if goes_on:
            assert target.write(order, rows_of(1), lambda rows: None) == BATCHES * 500
        else:
            with pytest.raises(Refusal, match="Nothing was written"):
                target.write(order, rows_of(1), lambda rows: None)
            assert target.table(maria.schema, "t") is None
