"""What only MySQL and MariaDB have: one driver and one URL for two servers, and rows that come unasked."""

import threading
import time
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from router.errors import JobFailed, Stopped
from router.sql.databases.server import ServerDatabase
from router.sql.databases.session import PooledDatabase, Session
from router.sql.scope import Scope
from tests.support.mysql import MysqlDatabase

DIGITS = "CREATE TABLE digits (d integer); INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)"
LONG = "REPEAT('x', 2000)"


def rows_of(session: Session, sql: str) -> list[tuple[Any, ...]]:
    """Return all rows."""
    return [row for rows in session.stream(sql)[1] for row in rows]


def test_who_reads_slowly_is_not_timed_out(mysql: MysqlDatabase) -> None:
    """Only what the database works counts, though the server sends rows all the while and has a clock of its own."""
    mysql.run(DIGITS)
    database = ServerDatabase(mysql.reader_url, 2)
    with database.session(Scope.of(mysql.name, ())) as session:
        count = 0
        sql = f"SELECT {LONG} FROM digits a, digits b, digits c, digits d"
        for number, rows in enumerate(session.stream(sql, batch=1000)[1]):
            count += len(rows)
            if number < 4:
                time.sleep(0.8)
    database.close()
    assert count == 10_000


@pytest.mark.parametrize(
    "mode",
    [
        "",
        "ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES",
        "PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE",
        "ORACLE,EMPTY_STRING_IS_NULL",
        "ANSI,IGNORE_SPACE,NO_UNSIGNED_SUBTRACTION",
    ],
)
def test_sql_means_the_same_whatever_the_server_s_settings(mysql: MysqlDatabase, mode: str) -> None:
    """A session has the settings that the guard's parser assumes; no lower limit of the server leaves out rows."""
    mysql.run("CREATE TABLE t (first varchar(9), code char(5)); INSERT INTO t VALUES ('Ann', 'a')")
    mysql.run(DIGITS)
    sql = (
        """SELECT "first" AS a, first AS b, 1 || 0 AS c, 'it\\'s' AS d, NOT 1 BETWEEN -5 AND 5 AS e,"""
        """ LENGTH(code) AS f, '' IS NULL AS g, (SELECT LENGTH(GROUP_CONCAT(d SEPARATOR '          ')) FROM digits)"""
        " AS h FROM t"
    )
    with closing(mysql.server.connect()) as admin, admin.cursor() as cursor:
        cursor.execute("SELECT @@GLOBAL.sql_mode")
        before = cursor.fetchone()
        cursor.execute("SET GLOBAL sql_mode = %s", (mode,))
        try:
            database = ServerDatabase(mysql.reader_url, 5)
            with database.session(Scope.of(mysql.name, ())) as session:
                assert rows_of(session, sql) == [("first", "Ann", 1, "it's", 0, 1, 0, 100)]
                assert len(rows_of(session, "SELECT d FROM digits")) == 10
            assert database.excess(lambda schema, table: schema == mysql.name) == ()
            database.close()
        finally:
            cursor.execute("SET GLOBAL sql_mode = %s", before)


def test_nothing_runs_on_behind_a_time_out(mysql: MysqlDatabase) -> None:
    """A query that was given up is ended on the server too."""
    mysql.run(DIGITS)
    database = ServerDatabase(mysql.reader_url, 0.3)
    with database.session() as session, pytest.raises(JobFailed, match="longer than"):
        rows_of(session, "SELECT SLEEP(60)")
    database.close()
    until = time.monotonic() + 5
    asked = f"SELECT id FROM information_schema.processlist WHERE user = '{mysql.reader}'"
    while time.monotonic() < until and mysql.rows(asked):
        time.sleep(0.02)
    assert mysql.rows(asked) == []


@pytest.mark.parametrize("text", [r"'\''", r"'\\'", "'it''s'", "'a\\nb'", "'%s {x} ? --'", "'é株'", '"a"', '"it\'s"'])
def test_a_dry_run_reads_the_same_text(mysql: MysqlDatabase, text: str) -> None:
    """Whatever quotes and backslashes are in it."""
    database = ServerDatabase(mysql.reader_url, 5)
    with database.session() as session:
        session.check(f"SELECT {text} AS t")
        assert len(rows_of(session, f"SELECT {text} AS t")) == 1
        with pytest.raises(JobFailed, match="Unknown column 'nosuch'"):
            session.check(f"SELECT {text} AS t, nosuch")
    database.close()


def test_many_stops_at_once(mysql: MysqlDatabase) -> None:
    """Each Stop ends its own query and no other one."""
    mysql.run(DIGITS)
    database: PooledDatabase = ServerDatabase(mysql.reader_url, 30)
    ended: list[float] = []

    def read(stop_after: float) -> None:
        with database.session() as session:
            clock = threading.Timer(stop_after, session.cancel)
            begun = time.monotonic()
            clock.start()
            with pytest.raises(Stopped):
                rows_of(session, "SELECT SLEEP(20)")
            ended.append(time.monotonic() - begun - stop_after)
            clock.join()

    threads = [threading.Thread(target=read, args=(0.2 * number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    database.close()
    assert len(ended) == 4
    assert all(-0.01 < late < 1.5 for late in ended)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"password": "wrong"}, "The login was refused"),
        ({"port": 1}, "No database server answers"),
        ({"database": "nosuch"}, "There is no such database"),
    ],
)
def test_a_wrong_url_is_told(mysql: MysqlDatabase, change: dict[str, Any], said: str) -> None:
    """Each part of it has a sentence of its own, and no password is in any."""
    url = make_url(mysql.reader_url).set(**change)
    database = ServerDatabase(url.render_as_string(hide_password=False), 2)
    with pytest.raises(JobFailed, match=f"^{said}") as failed:
        database.ping()
    assert mysql.password not in str(failed.value)
    database.close()
