"""A query is put right by what the question says, where that leaves no doubt."""

from dataclasses import replace
from datetime import date

import pytest

from router.catalog.schema import Schema
from router.text_to_sql.question import Question
from router.text_to_sql.repair.repair import repair
from tests.support.trade import trade

THROUGH = "JOIN customers ON orders.customer_id = customers.id"


def mended(sql: str, asked: str = "") -> str:
    repaired = repair(sql, trade(), Question(asked, date(2026, 11, 21)))
    assert repaired.problems == ()
    return repaired.sql


def test_a_table_that_nobody_asked_for() -> None:
    """Nothing of it is used, and the question does not speak of it: it would only leave out or double rows."""
    sql = f"SELECT SUM(orders.total_amount) FROM orders {THROUGH}"
    assert "SELECT SUM(orders.total_amount) FROM orders" == mended(sql, "What is the total amount of all orders?")
    assert sql == mended(sql, "What is the total amount of orders with a customer?")
    assert sql == mended(sql)
    listed = "SELECT regions.region FROM regions JOIN customers ON regions.id = customers.region_id"
    assert listed == mended(listed, "Which regions have somebody?")
    bought = "SELECT SUM(customers.region_id) FROM customers JOIN orders ON customers.id = orders.customer_id"
    assert bought == mended(bought, "The sum of the regions of customers who bought something")
    counted = f"SELECT COUNT(*) FROM orders {THROUGH}"
    assert counted == mended(counted, "How many are there?")


def test_the_number_of_a_time() -> None:
    """It is no value of a column, but where the column has such numbers, or the question says it once more."""
    dated = "orders.order_date >= '2026-08-03' AND orders.order_date < '2026-08-10'"
    sql = f"SELECT COUNT(*) FROM orders WHERE orders.customer_id = 32 AND {dated}"
    assert f"SELECT COUNT(*) FROM orders WHERE {dated}" == mended(sql, "How many orders did we get in KW 32?")
    assert sql == mended(sql, "How many orders did customer 32 give us in KW 32?")
    assert sql == mended(sql, "How many orders were there of 32 in the week of 3 August?")


def with_values(**values: str) -> Schema:
    """Return the schema with all values of some columns, as "table__column"."""
    schema = trade()
    known = {tuple(name.split("__")): frozenset(each.split(",")) for name, each in values.items()}
    tables = tuple(
        replace(
            table,
            columns=tuple(
                replace(column, values=known[table.name, column.name], whole=True)
                if (table.name, column.name) in known
                else column
                for column in table.columns
            ),
        )
        for table in schema.tables
    )
    return replace(schema, tables=tables)


@pytest.mark.parametrize(
    ("sql", "right"),
    [
        (
            "SELECT id FROM customers WHERE name = 'ada love'",
            "SELECT id FROM customers WHERE name = 'Ada Love'",
        ),
        ("SELECT id FROM customers WHERE name = 'France'", "SELECT id FROM customers WHERE country = 'France'"),
        (
            "SELECT id FROM orders WHERE customer_id = 'Ada Love'",
            "SELECT orders.id FROM orders JOIN customers ON orders.customer_id = customers.id "
            "WHERE customers.name = 'Ada Love'",
        ),
        (
            "SELECT id FROM customers WHERE name = 'Ada Lovve'",
            "SELECT id FROM customers WHERE name = 'Ada Love'",
        ),
        ("SELECT id FROM customers WHERE name = 'Nobody'", "SELECT id FROM customers WHERE name = 'Nobody'"),
        ("SELECT id FROM orders WHERE customer_id = '7'", "SELECT id FROM orders WHERE customer_id = '7'"),
    ],
)
def test_values_are_looked_for_where_they_are(sql: str, right: str) -> None:
    """In their spelling, in another column of the table, in a table that is to be joined; else they stay."""
    schema = with_values(customers__name="Ada Love,Grace Hopper", customers__country="France,Spain")
    assert right == repair(sql, schema).sql


@pytest.mark.parametrize(("kind", "home"), [("MONEY", "country"), ("DECIMAL(10, 2)", "country"), ("TEXT", "region_id")])
def test_a_column_of_numbers_has_no_words(kind: str, home: str) -> None:
    """A word is looked for in another column, though nothing is known of the values of this one."""
    schema = with_values(customers__country="France,Spain")
    customers = schema.tables[0]
    columns = tuple(replace(each, type=kind) if each.name == "region_id" else each for each in customers.columns)
    schema = replace(schema, tables=(replace(customers, columns=columns), *schema.tables[1:]))
    found = repair("SELECT id FROM customers WHERE region_id = 'France'", schema).sql
    assert f"SELECT id FROM customers WHERE {home} = 'France'" == found


def test_a_join_that_leads_elsewhere_follows_its_foreign_key() -> None:
    """A foreign key is joined with what it points to, and through the tables in between."""
    assert "SELECT customers.name FROM orders JOIN customers ON orders.customer_id = customers.id" == mended(
        "SELECT customers.name FROM orders JOIN customers ON orders.customer_id = customers.region_id"
    )
    assert (
        "SELECT regions.region FROM orders JOIN customers ON orders.customer_id = customers.id "
        "JOIN regions ON customers.region_id = regions.id"
    ) == mended("SELECT regions.region FROM orders JOIN regions ON orders.customer_id = regions.id")


@pytest.mark.parametrize(
    ("sql", "asked", "wanted"),
    [
        (
            "SELECT country, COUNT(*) FROM customers WHERE country = 'UK' GROUP BY country",
            "How many customers are in the UK?",
            "SELECT COUNT(*) FROM customers WHERE country = 'UK'",
        ),
        (
            "SELECT country, COUNT(*) FROM customers WHERE country = 'UK' GROUP BY country",
            "Show the UK with its number of customers",
            "SELECT country, COUNT(*) FROM customers WHERE country = 'UK' GROUP BY country ORDER BY COUNT(*) DESC",
        ),
        (
            "SELECT country, COUNT(*) FROM customers WHERE region_id = 1 GROUP BY country",
            "How many customers are there per country, only in the UK and in region 1?",
            "SELECT country, COUNT(*) FROM customers WHERE region_id = 1 GROUP BY country ORDER BY COUNT(*) DESC",
        ),
    ],
)
def test_one_number_stands_alone(sql: str, asked: str, wanted: str) -> None:
    """Where one number is asked for, what it is of is not repeated beside it."""
    assert mended(sql, asked) == wanted
