"""SQLite itself keeps hidden columns, whatever the statement looks like."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from router.errors import JobFailed
from router.sql.databases.session import PooledDatabase
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from router.sql.scope import Scope

TABLES = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, Pay INTEGER, dept INTEGER);
INSERT INTO people VALUES (1, 'Ann', 9000, 1), (2, 'Bob', 7000, 1);
CREATE TABLE depts (dept INTEGER, Pay INTEGER);
INSERT INTO depts VALUES (1, 9000);
CREATE TABLE wages (pay INTEGER);
CREATE INDEX by_pay ON people (Pay);
CREATE VIEW grades AS SELECT id, Pay > 8000 AS high FROM people;
CREATE VIEW partly AS SELECT id, Pay FROM people;
CREATE VIEW everything AS SELECT * FROM people;
"""

SCOPE = Scope.of(
    "main",
    [("main", "people"), ("main", "depts"), ("main", "grades"), ("main", "partly")],
    {("main", "people"): ("id", "name", "dept"), ("main", "depts"): ("dept", "Pay")},
    {("main", "people"): ("Pay",), ("main", "partly"): ("pay",)},
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[PooledDatabase]:
    """People whose pay is hidden, and a view that tells of it what it may."""
    with sqlite3.connect(tmp_path / "a.sqlite") as file:
        file.executescript(TABLES)
    file.close()
    database = open_database(f"sqlite:///{tmp_path / 'a.sqlite'}", DIALECTS["sqlite"], 10)
    yield database
    database.close()


def read(database: PooledDatabase, sql: str, scope: Scope | None = SCOPE) -> list[tuple[object, ...]]:
    """Return all rows."""
    with database.session(scope) as session:
        return [row for rows in session.stream(sql)[1] for row in rows]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT pay FROM people",
        "SELECT * FROM people",
        "SELECT name FROM people WHERE PAY > 8000",
        "SELECT name FROM people ORDER BY pay",
        "SELECT count(pay) FROM people",
        "SELECT p.[Pay] FROM people AS p",
        "SELECT name FROM people JOIN depts USING (dept, pay)",
        "SELECT name FROM people NATURAL JOIN depts",
        "SELECT count(*) FROM people NATURAL JOIN depts",
        'SELECT count(*) FROM "people" JOIN depts USING (dept, [Pay])',
        "SELECT count(*) FROM depts NATURAL JOIN wages",
        "SELECT count(*) FROM depts JOIN wages USING (pay)",
        "WITH x AS (SELECT * FROM people) SELECT id FROM x",
        "WITH grades AS (SELECT * FROM people) SELECT * FROM grades",
        "SELECT p.id FROM people AS p, grades AS g WHERE p.pay = g.high",
        "SELECT (SELECT max(pay) FROM people) FROM depts",
        "SELECT name FROM people GROUP BY pay",
        "SELECT name FROM people GROUP BY name HAVING max(pay) > 1",
        "SELECT sum(id) OVER (ORDER BY pay) FROM people",
        "SELECT * FROM everything",
        "SELECT name FROM everything",
        "SELECT pay FROM partly",
        "SELECT * FROM partly",
        "SELECT count(*) FROM partly NATURAL JOIN depts",
    ],
)
def test_a_hidden_column_is_not_read(database: PooledDatabase, sql: str) -> None:
    """Neither shown nor compared, sorted by or counted, by whatever way."""
    with pytest.raises(JobFailed, match="may not be read here"):
        read(database, sql)
    with database.session(SCOPE) as session, pytest.raises(JobFailed, match="may not be read here"):
        session.check(sql)


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT id, NAME FROM people WHERE dept = 1 ORDER BY name", [(1, "Ann"), (2, "Bob")]),
        ("SELECT count(*) FROM people", [(2,)]),
        ("SELECT pay FROM depts", [(9000,)]),
        ("SELECT id FROM partly ORDER BY id", [(1,), (2,)]),
        ("SELECT name FROM people JOIN depts USING (dept) ORDER BY name", [("Ann",), ("Bob",)]),
        ("SELECT name FROM people WHERE name <> 'natural' AND id = 1", [("Ann",)]),
        ("SELECT high FROM grades ORDER BY id", [(1,), (0,)]),
    ],
)
def test_all_else_is(database: PooledDatabase, sql: str, rows: list[tuple[object, ...]]) -> None:
    """Other columns, a column of the same name elsewhere, and a view that was made to tell of it."""
    assert rows == read(database, sql)


def test_the_bot_s_own_reads_have_no_hidden_columns(database: PooledDatabase) -> None:
    """Without a scope, all is readable."""
    assert [(16000,)] == read(database, "SELECT sum(pay) FROM people", None)
