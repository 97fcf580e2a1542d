"""A query is put right by what the question says, where that leaves no doubt."""

from dataclasses import replace

import pytest

from router.agents.repair import repair
from router.catalog.schema import Schema
from tests.router.agents.trade import trade

THROUGH = "JOIN customers ON orders.customer_id = customers.id"


def mended(sql: str, asked: str = "") -> str:
    repaired = repair(sql, trade(), asked=asked)
    assert repaired.problems == ()
    return repaired.sql


@pytest.mark.parametrize(
    ("asked", "sql", "right"),
    [
        (
            "List the average total amount and the status of the orders",
            "SELECT status, AVG(total_amount) FROM orders GROUP BY status ORDER BY status",
            "SELECT AVG(total_amount), status FROM orders GROUP BY status ORDER BY status",
        ),
        (
            "List the country and name of all customers",
            "SELECT name, country FROM customers",
            "SELECT country, name FROM customers",
        ),
    ],
)
def test_columns_in_the_order_of_the_question(asked: str, sql: str, right: str) -> None:
    """Each is where the question names it."""
    assert right == mended(sql, asked)
    assert right == mended(right, asked)


@pytest.mark.parametrize(
    ("asked", "sql"),
    [
        ("the customers and where they live", "SELECT name, country FROM customers"),
        ("country and name", "SELECT name, country FROM customers ORDER BY 1"),
        ("country and name", "SELECT name, country FROM customers UNION SELECT name, country FROM customers"),
        ("", "SELECT name, country FROM customers"),
        ("How many customers has each country?", "SELECT country, COUNT(*) FROM customers GROUP BY country ORDER BY 1"),
    ],
)
def test_columns_that_stay(asked: str, sql: str) -> None:
    """Where the question does not name every one of them, or the query counts them."""
    assert sql == mended(sql, asked)


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


@pytest.mark.parametrize(
    ("asked", "right"),
    [
        ("How many orders were made by customers from France?", "SELECT COUNT(orders.id)"),
        ("How many orders are there for each customer?", "SELECT customers.name, COUNT(orders.id)"),
        ("How many orders, and the names of the customers?", "SELECT customers.name, COUNT(orders.id)"),
    ],
)
def test_one_number(asked: str, right: str) -> None:
    """Where a question asks how many there are, and for nothing else, they are counted as a whole."""
    sql = f"SELECT customers.name, COUNT(orders.id) FROM orders {THROUGH} GROUP BY customers.name"
    found = mended(sql, asked)
    assert sorted(right.removeprefix("SELECT ").split(", ")) == sorted(
        found.removeprefix("SELECT ").partition(" FROM")[0].split(", ")
    )
    assert ("GROUP BY" in found) == ("," in right)


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


def test_a_join_that_leads_elsewhere_follows_its_foreign_key() -> None:
    """A foreign key is joined with what it points to, and through the tables in between."""
    assert "SELECT customers.name FROM orders JOIN customers ON orders.customer_id = customers.id" == mended(
        "SELECT customers.name FROM orders JOIN customers ON orders.customer_id = customers.region_id"
    )
    assert (
        "SELECT regions.region FROM orders JOIN customers ON orders.customer_id = customers.id "
        "JOIN regions ON customers.region_id = regions.id"
    ) == mended("SELECT regions.region FROM orders JOIN regions ON orders.customer_id = regions.id")
