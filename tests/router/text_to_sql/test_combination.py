"""Statements of parts become one, which gives what each of them gives; run on real databases."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from router.catalog.schema import Column, ForeignKey, Schema, SchemaTable
from router.sql.dialect import DIALECTS, Name
from router.sql.guard import check
from router.text_to_sql.combination import combine
from tests.support.hypothesis_examples import examples
from tests.support.postgres import PostgresDatabase
from tests.support.trade import trade

MADE = ("CREATE TABLE sales (place TEXT, amount INTEGER)", "CREATE TABLE visits (place TEXT, amount INTEGER)")
SALES, VISITS = (
    "SELECT place, SUM(amount) AS total FROM sales GROUP BY place",
    "SELECT place, COUNT(*) FROM visits GROUP BY 1",
)
Rows = list[tuple[str | None, int]]
ROWS: tuple[Rows, Rows] = ([("North", 3), ("North", 4), (None, 5)], [("South", 1), (None, 1), (None, 1)])
EXPECTED = [(None, 5, 2), ("North", 7, None), ("South", None, 1)]


def shops(dialect: Name) -> Schema:
    """Return two tables whose places may be NULL and point nowhere; one place is the same in both."""
    columns = (Column("place", "TEXT"), Column("amount", "INTEGER"))
    names = {"duckdb": "main", "postgres": "public"}
    schema = names.get(dialect, "main")
    key = (ForeignKey(("place",), "sales", ("place",), schema),)
    tables = (SchemaTable("sales", schema, columns), SchemaTable("visits", schema, columns, foreign_keys=key))
    return replace(trade(dialect), name=schema, tables=tables)


def combined(dialect: Name, *parts: str) -> str:
    """Return the combination as the guard lets it run."""
    schema = shops(dialect)
    sql = combine([("Sales total", parts[0]), *((f"part {n}", part) for n, part in enumerate(parts[1:]))], schema)
    assert sql is not None
    verdict = check(sql, dialect, schema.scope)
    assert verdict.allowed, verdict.reason
    return verdict.sql


def in_order(rows: Sequence[Any]) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in rows), key=lambda row: (row[0] is not None, row[0] or ""))


@pytest.fixture(scope="module")
def sqlite() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
        for statement in MADE:
            connection.execute(statement)
        yield connection


BOTH = combined("sqlite", SALES, VISITS)
PLACES = st.lists(st.tuples(st.sampled_from(["North", "South", "", None]), st.integers(-9, 9)), max_size=6)


@settings(max_examples=examples(30))
@given(PLACES, PLACES)
def test_every_key_of_any_part_has_one_row(sqlite: sqlite3.Connection, sales: Rows, visits: Rows) -> None:
    """With what each part has for it, NULL where it has nothing; NULL is a key like any other."""
    for table, rows in (("sales", sales), ("visits", visits)):
        sqlite.execute(f"DELETE FROM {table}")
        sqlite.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows)
    totals, counts = dict(sqlite.execute(SALES)), dict(sqlite.execute(VISITS))
    expected = [(key, totals.get(key), counts.get(key)) for key in {**totals, **counts}]
    assert in_order(sqlite.execute(BOTH).fetchall()) == in_order(expected)


def test_postgresql_gives_the_same(postgres: PostgresDatabase) -> None:
    """Three parts as well as two."""
    with closing(postgres.connect()) as connection, connection.cursor() as cursor:
        for statement in MADE:
            cursor.execute(statement)
        for table, rows in zip(("sales", "visits"), ROWS, strict=True):
            cursor.executemany(f"INSERT INTO {table} VALUES (%s, %s)", rows)
        assert in_order(cursor.execute(combined("postgres", SALES, VISITS)).fetchall()) == EXPECTED
        three = combined(
            "postgres", SALES, VISITS, "SELECT s.place, MAX(s.amount) AS most FROM sales AS s GROUP BY s.place"
        )
        expected = [(None, 5, 2, 5), ("North", 7, None, 4), ("South", None, 1, None)]
        assert in_order(cursor.execute(three).fetchall()) == expected
        one = combined("postgres", "SELECT COUNT(*) FROM visits", "SELECT AVG(amount) FROM sales")
        assert [tuple(map(int, row)) for row in cursor.execute(one).fetchall()] == [(3, 4)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_guard_lets_it_run_everywhere(dialect: Name) -> None:
    """With parts of one number as well as of one for each key; an order without a limit means nothing within."""
    assert combined(dialect, f"{SALES} ORDER BY 2", VISITS).count("ORDER BY") == 1
    assert "GROUP BY" not in combined(dialect, "SELECT COUNT(*) FROM sales", "SELECT COUNT(*) FROM visits")


@pytest.mark.parametrize(
    "parts",
    [
        (SALES, "SELECT amount, COUNT(*) FROM visits GROUP BY amount"),  # other keys
        (SALES, "SELECT place, amount FROM visits"),  # several rows for a key
        (SALES, "SELECT place, COUNT(*) FROM visits GROUP BY place, amount"),
        (SALES, "SELECT COUNT(*) FROM visits GROUP BY place"),
        (SALES, "SELECT * FROM visits"),
        (SALES, "SELECT place, SUM(amount) OVER (PARTITION BY place) FROM visits"),
        (SALES, "SELECT place, COUNT(*) FROM visits GROUP BY ROLLUP (place)"),
        (SALES, f"{VISITS} UNION {VISITS}"),
        (SALES, VISITS, "SELECT COUNT(*) FROM visits"),  # some with keys, some without
        ("SELECT COUNT(*) FROM sales", "SELECT (SELECT MAX(amount) FROM sales) FROM visits"),  # a row for each visit
        (SALES, "SELECT place FROM"),
        (SALES, "SELECT place FROM visits WHERE amount = 1"),  # no number
        (SALES, "SELECT place, MIN(amount), MAX(amount) FROM visits GROUP BY place"),  # two
        (f"WITH b AS (SELECT 1) {SALES}", VISITS),  # not every database takes a WITH within a WITH
    ],
)
def test_what_cannot_be_put_together(parts: tuple[str, ...]) -> None:
    """Then there is nothing, rather than something doubtful."""
    assert combine([(f"part {n}", part) for n, part in enumerate(parts)], shops("sqlite")) is None


def test_a_key_is_a_column_of_one_table() -> None:
    """The same word in two tables is two things, unless a declared key says that one points to the other."""
    schema = shops("sqlite")
    apart = [replace(table, foreign_keys=()) for table in schema.tables]
    guessed = [replace(key, sure=0.9) for key in schema.tables[1].foreign_keys]
    doubtful = [schema.tables[0], replace(schema.tables[1], foreign_keys=tuple(guessed))]
    parts = [("sales", SALES), ("visits", "SELECT v.place, COUNT(*) FROM visits AS v GROUP BY v.place")]
    found = [combine(parts, replace(schema, tables=tuple(tables))) for tables in (schema.tables, apart, doubtful)]
    assert [True, False, False] == [each is not None for each in found]
