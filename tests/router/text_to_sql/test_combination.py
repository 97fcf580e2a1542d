"""Statements of parts become one, which gives what each of them gives; run on real databases."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, get_args

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from router.catalog.schema import Column, ForeignKey, Schema, SchemaTable
from router.sql.dialect import Name
from router.sql.explain.explanation import explain
from router.sql.guard import check
from router.text_to_sql.combination import combine
from router.text_to_sql.question import Operation
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


def combined(dialect: Name, *parts: str, operation: Operation = "beside") -> str:
    """Return the combination as the guard lets it run."""
    schema = shops(dialect)
    sql = combine(
        [("Sales total", parts[0]), *((f"part {n}", part) for n, part in enumerate(parts[1:]))], operation, schema
    )
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


def test_duckdb_gives_the_same() -> None:
    """Ratios are not cut off, and nothing is divided by 0."""
    with duckdb.connect() as connection:
        for statement in MADE:
            connection.execute(statement)
        for table, rows in zip(("sales", "visits"), ROWS, strict=True):
            connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows)
        assert in_order(connection.execute(combined("duckdb", SALES, VISITS)).fetchall()) == EXPECTED
        ratio = combined("duckdb", "SELECT SUM(amount) FROM sales", "SELECT COUNT(*) FROM visits", operation="ratio")
        assert connection.execute(ratio).fetchall() == [(4.0,)]
        empty = combined("duckdb", SALES, "SELECT COUNT(*) FROM visits WHERE amount > 9", operation="ratio")
        assert in_order(connection.execute(empty).fetchall()) == [(None, None), ("North", None)]


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
        less = combined("postgres", SALES, VISITS, operation="difference")
        assert in_order(cursor.execute(less).fetchall()) == [(None, 3), ("North", None), ("South", None)]
        ratio = combined("postgres", "SELECT COUNT(*) FROM visits", "SELECT COUNT(*) + 1 FROM sales", operation="ratio")
        assert [float(value) for (value,) in cursor.execute(ratio).fetchall()] == [0.75]


@pytest.mark.parametrize("dialect", get_args(Name))
def test_the_guard_lets_it_run_everywhere(dialect: Name) -> None:
    """And its explanation says what is done, not how keys are compared."""
    sql = combined(
        dialect, SALES, VISITS, "SELECT place, MIN(amount) AS low, MAX(amount) AS high FROM sales GROUP BY place"
    )
    assert "IS NOT DISTINCT" not in sql or dialect in ("postgres", "duckdb")
    said = explain(sql, dialect)
    assert "Reads each_place, joined with sales_total, part_0 and part_1. Keeps rows without a match" in said
    assert said.endswith("Shows place, sales total total, part 0 number, part 1 low and part 1 high. Sorts by place.")


def test_keys_that_are_the_same_column_are_found_by_the_foreign_keys() -> None:
    """A customer's id is what orders.customer_id points to; keys that cannot be NULL are compared plainly."""
    sql = combine(
        [
            ("orders", "SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY customer_id"),
            ("spent", "SELECT c.id, SUM(o.total_amount) FROM orders AS o JOIN customers AS c ON 1 = 1 GROUP BY c.id"),
        ],
        "beside",
        trade(),
    )
    assert sql is not None
    assert sql.startswith("WITH orders_part(customer_id, n) AS (SELECT customer_id")
    assert "SELECT each_customer_id.customer_id, orders_part.n AS orders_part, spent.total AS spent FROM" in sql


def test_inner_with_queries_stand_beside_the_parts() -> None:
    """Not every database takes a WITH within a WITH; an order without a limit means nothing there."""
    big = "WITH big AS (SELECT place, amount FROM sales WHERE amount > 1)"
    inner = f"{big} SELECT place, SUM(amount) FROM big GROUP BY place"
    sql = combined("tsql", f"{inner} ORDER BY 2", "SELECT COUNT(*) FROM visits")
    assert sql.count("WITH") == 1
    assert sql.count("ORDER BY") == 1


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
        (SALES, "SELECT amount FROM visits WHERE amount > 1"),  # nothing is named
        (SALES, "SELECT place FROM visits WHERE amount = 1"),  # no number
        (SALES, "SELECT amount FROM visits WHERE place = 'North' OR place = 'South'"),
        (f"WITH b AS (SELECT 1) {SALES}", f"WITH b AS (SELECT 2) {VISITS}"),
        (f"WITH visits AS (SELECT 1) {SALES}", VISITS),
    ],
)
def test_what_cannot_be_put_together(parts: tuple[str, ...]) -> None:
    """Then there is nothing, rather than something doubtful."""
    assert combine([(f"part {n}", part) for n, part in enumerate(parts)], "beside", shops("sqlite")) is None


def test_a_number_that_is_looked_up(sqlite: sqlite3.Connection) -> None:
    """It counts once however often it stands there; several are several rows, and nothing that might fail later."""
    sqlite.execute("DELETE FROM sales")
    sqlite.executemany(
        "INSERT INTO sales VALUES (?, ?)", [("Rhine", 6), ("Rhine", 6), ("Elbe", 4), ("Po", 1), ("Po", 2)]
    )
    looked = "SELECT amount FROM sales WHERE place = '{}'"
    for river, expected in (("Elbe", [(1.5,)]), ("Po", [(6.0,), (3.0,)]), ("Nile", [])):
        sql = combined("sqlite", looked.format("Rhine"), looked.format(river), operation="ratio")
        assert sorted(sqlite.execute(sql).fetchall(), reverse=True) == expected


def test_a_ratio_is_of_two_numbers() -> None:
    """Which of several numbers is meant is not guessed."""
    two = "SELECT COUNT(*), SUM(amount) FROM sales"
    assert combine([("a", two), ("b", "SELECT COUNT(*) FROM visits")], "ratio", shops("sqlite")) is None
