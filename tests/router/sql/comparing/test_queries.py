"""What is run for a comparison passes the guard wherever the query itself does, in every dialect."""

import sqlite3
from collections import Counter
from typing import Any, cast

import pytest
import sqlglot
from sqlglot import exp

from router.sql.comparing.plan import Side
from router.sql.comparing.queries import ordered, sampled
from router.sql.databases.session import Session
from router.sql.dialect import DIALECTS, Name
from router.sql.guard import check
from tests.router.sql.statements import good, shop

NO_SESSION = cast(Session, None)  # nothing is run


def side(dialect: Name, sql: str) -> Side:
    """Return a side with the text that may run."""
    verdict = check(sql, dialect, shop(dialect))
    return Side("it", dialect, verdict.sql, NO_SESSION, shop(dialect))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_may_run_may_be_compared(dialect: Name) -> None:
    """Whatever query passes the guard passes it in order too: with WITH, groups, limits and unions of its own."""
    for sql in [*good(dialect)[::15], *BRACKETS]:
        approved = side(dialect, sql)
        text = ordered(approved, ["text", "number"], [1, 0], [0, 1])
        more = Counter(parts(text, dialect)) - Counter(parts(approved.sql, dialect))
        less = Counter(parts(approved.sql, dialect)) - Counter(parts(text, dialect))

        assert ({"CTE": 1, "Table": 1}, {}) == (more, less), sql


BRACKETS = (
    "(SELECT id, name FROM customers ORDER BY id) LIMIT 3",
    "((SELECT id, name FROM customers)) OFFSET 2",
    "WITH customers AS (SELECT 1 AS id, 'x' AS name) (SELECT id, name FROM customers) LIMIT 100",
)


def parts(sql: str, dialect: Name) -> list[str]:
    """Return the parts of a text that say which rows there are."""
    tree = sqlglot.parse_one(sql, dialect=dialect)
    return [type(each).__name__ for each in tree.find_all(*CHOOSING)]


CHOOSING = (exp.Limit, exp.Offset, exp.Fetch, exp.Where, exp.Having, exp.Distinct, exp.CTE, exp.Table, exp.Join)


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("sqlite", "ORDER BY icc_bot_0 COLLATE BINARY ASC, icc_bot_1 ASC"),
        ("duckdb", 'ORDER BY CAST(icc_bot_0 AS TEXT) COLLATE "binary" ASC NULLS FIRST, icc_bot_1 ASC NULLS FIRST'),
        ("postgres", 'ORDER BY CAST(icc_bot_0 AS TEXT) COLLATE "C" ASC NULLS FIRST, icc_bot_1 ASC NULLS FIRST'),
        ("oracle", "ORDER BY NLSSORT(icc_bot_0, 'NLS_SORT=BINARY') ASC NULLS FIRST, icc_bot_1 ASC NULLS FIRST"),
        ("mysql", "ORDER BY CAST(CAST(icc_bot_0 AS CHAR) AS BINARY) ASC, icc_bot_1 ASC"),
        ("tsql", "ORDER BY CAST(icc_bot_0 AS NVARCHAR(4000)) COLLATE Latin1_General_BIN2 ASC, icc_bot_1 ASC"),
    ],
)
def test_the_order_of_letters_is_forced(dialect: Name, expected: str) -> None:
    """Texts are in the order of their letters' numbers, NULLs first, whatever the database is used to."""
    text = ordered(side(dialect, "SELECT name, id FROM customers ORDER BY name"), ["text", "number"], [0, 1], [0, 1])

    words = " ".join(text.split())
    assert expected == words[words.index("ORDER BY") :]
    assert 1 == words.count("ORDER BY")


def test_an_order_that_chooses_rows_stays() -> None:
    """The order of a query with a limit is kept, as it says which rows there are."""
    text = sampled(side("sqlite", "SELECT id FROM customers ORDER BY name LIMIT 3"), 10)

    assert "ORDER BY name LIMIT 3 ) SELECT * FROM icc_bot_side LIMIT 10" in " ".join(text.split())


def test_a_primary_key_needs_no_sorting() -> None:
    """SQLite reads a table by its key where the comparison is by that key: nothing is sorted."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)")
    text = ordered(side("sqlite", "SELECT id, name FROM customers"), ["text", "text"], [0, 1], [0])
    plan: list[Any] = database.execute(f"EXPLAIN QUERY PLAN {text}").fetchall()
    database.close()

    assert ["SCAN customers"] == [row[3] for row in plan]
