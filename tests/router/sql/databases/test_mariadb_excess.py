"""What a MariaDB reader could do if the guard failed, on a real server: found, mended by what is printed, gone."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pymysql
import pytest

from router.sql.databases.excess import Excess
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from tests.support.mysql import MysqlDatabase


def excess(mysql: MysqlDatabase) -> tuple[Excess, ...]:
    """Return what the doctor is told, where people may read the table t."""
    with closing(open_database(mysql.reader_url, DIALECTS["mysql"], 30)) as database:
        return database.excess(lambda schema, table: (schema, table) == (mysql.name, "t"))


def as_root(mysql: MysqlDatabase, *statements: str) -> None:
    """Run the statements."""
    with closing(mysql.server.connect()) as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@pytest.fixture
def place(mysql: MysqlDatabase) -> Iterator[MysqlDatabase]:
    """A database with a table that may be read, and nothing else."""
    mysql.run("CREATE TABLE t (a int, b int)")
    yield mysql
    as_root(mysql, f"DROP ROLE IF EXISTS {mysql.name}_role")


GIVEN = [
    (["GRANT FILE, PROCESS, SUPER, RELOAD, SHUTDOWN ON *.* TO {who}"], "whole server: RELOAD, SHUTDOWN, PROCESS, FILE"),
    (["GRANT SELECT ON *.* TO {who}"], "may read what this connection does not name: mysql."),
    (["GRANT SELECT ON mysql.* TO {who}"], "may read what this connection does not name: mysql."),
    (["GRANT SELECT (user) ON mysql.db TO {who}"], "does not name: mysql.db."),
    (["GRANT INSERT, UPDATE (a) ON {db}.t TO {who} WITH GRANT OPTION"], "INSERT on `{db}`.`t`, UPDATE (`a`)"),
    (["GRANT ALL ON {db}.* TO {who} WITH GRANT OPTION"], "ALL PRIVILEGES on `{db}`.*, GRANT OPTION"),
    (["GRANT ALL ON *.* TO {who} WITH GRANT OPTION"], "on the whole server: ALL PRIVILEGES, GRANT OPTION."),
    (["GRANT CREATE TEMPORARY TABLES, LOCK TABLES ON {db}.* TO {who}"], "may make and lock tables: CREATE TEMPORARY"),
    (
        ["CREATE PROCEDURE {db}.p() SELECT 1", "GRANT EXECUTE ON PROCEDURE {db}.p TO {who}"],
        "may run routines: EXECUTE on PROCEDURE `{db}`.`p`.",
    ),
    (["CREATE ROLE {db}_role", "GRANT FILE ON *.* TO {db}_role", "GRANT {db}_role TO {who}"], "server: FILE."),
    (["GRANT INSERT ON {db}.t TO PUBLIC"], "may change what it reads: INSERT on `{db}`.`t`."),
    (["GRANT PROXY ON root@localhost TO {who}"], "may act as `root`@`localhost`."),
    (["CREATE TABLE {db}.hidden (a int)"], "does not name: {db}.hidden."),
]


@pytest.mark.parametrize(("given", "said"), GIVEN, ids=[given[-1] for given, _ in GIVEN])
def test_found_mended_gone(place: MysqlDatabase, given: list[str], said: str) -> None:
    """Each right is named; what is printed takes it away; the user still reads its table."""
    names: dict[str, Any] = {"who": f"{place.reader}@'%'", "db": place.name}
    assert excess(place) == ()
    as_root(place, *(statement.format(**names) for statement in given))
    found = excess(place)
    assert said.format(**names) in " ".join(each.sentence for each in found)
    as_root(place, *(remedy for each in found for remedy in each.remedies))
    assert excess(place) == ()
    with closing(place.connect_plainly()) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM t")
        assert cursor.fetchall() == ((0,),)


def test_the_reader_may_not_mend_it_itself(place: MysqlDatabase) -> None:
    """The statements are for the server's administrator."""
    as_root(place, f"GRANT INSERT ON {place.name}.t TO {place.reader}@'%'")
    (found,) = excess(place)
    with closing(place.connect_plainly()) as connection, connection.cursor() as cursor, pytest.raises(pymysql.Error):
        cursor.execute(found.remedies[0])
