"""A query that runs, and does not mean what was asked."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from router.agents.repair import repair
from router.catalog.schema import Column, Table
from tests.router.agents.trade import build_trade, trade

ITEMS = "JOIN order_items ON orders.id = order_items.order_id"
THROUGH = "JOIN customers ON orders.customer_id = customers.id"
PLACED = "JOIN orders ON customers.id = orders.customer_id"


def mended(sql: str, asked: str) -> str:
    repaired = repair(sql, trade(), asked=asked)
    assert repaired.problems == ()
    return repaired.sql


@pytest.mark.parametrize(
    ("asked", "sql", "right"),
    [
        (
            "How many orders did the customers place?",
            f"SELECT COUNT(order_items.order_id) FROM customers {PLACED} {ITEMS}",
            f"SELECT COUNT(orders.id) FROM customers {PLACED}",
        ),
        (
            "How many orders did the customers place?",
            f"SELECT COUNT(order_items.id) FROM customers {PLACED} {ITEMS}",
            f"SELECT COUNT(orders.id) FROM customers {PLACED}",
        ),
        (
            "How many order items did the customers buy?",
            f"SELECT COUNT(order_items.id) FROM customers {PLACED} {ITEMS}",
            f"SELECT COUNT(order_items.id) FROM customers {PLACED} {ITEMS}",
        ),
        (
            "How much did the customers order?",
            f"SELECT SUM(order_items.quantity) FROM customers {PLACED} {ITEMS}",
            f"SELECT SUM(order_items.quantity) FROM customers {PLACED} {ITEMS}",
        ),
    ],
)
def test_what_the_question_speaks_of_is_counted(asked: str, sql: str, right: str) -> None:
    """Not the rows of a table that is joined to it, of which the question does not speak."""
    assert right == mended(sql, asked)


@pytest.mark.parametrize(
    ("sql", "once"),
    [
        (f"SELECT customers.id, customers.name FROM customers {PLACED}", True),
        (f"SELECT customers.name FROM customers {PLACED}", False),
        (f"SELECT customers.id, orders.id FROM customers {PLACED}", False),
        ("SELECT orders.id FROM orders JOIN customers ON orders.customer_id = customers.id", False),
        (f"SELECT customers.id FROM customers {PLACED} ORDER BY orders.order_date", False),
        (f"SELECT customers.id FROM customers {PLACED} ORDER BY orders.id", False),
        (f"SELECT customers.id, customers.name FROM customers {PLACED} ORDER BY LOWER(customers.name)", False),
        (f"SELECT customers.id, customers.name AS n FROM customers {PLACED} ORDER BY n", True),
    ],
)
def test_a_row_is_shown_once(sql: str, once: bool) -> None:
    """Where its key is shown, and a join would give it several times."""
    assert once == mended(sql, "Which customers have an order?").startswith("SELECT DISTINCT")


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT customers.name FROM customers {PLACED} WHERE orders.status IN ('paid', 'open')",
        f"SELECT customers.name FROM customers {PLACED} WHERE orders.status = 'paid' AND orders.status = 'open'",
        f"SELECT DISTINCT customers.name FROM customers {PLACED} "
        "WHERE orders.status = 'paid' AND orders.total_amount > 1 AND orders.status = 'open'",
    ],
)
def test_those_with_both_have_each(sql: str, tmp_path: Path) -> None:
    """Nobody has two values in one row: the rows of each are looked at together."""
    with sqlite3.connect(build_trade(tmp_path / "trade.db")) as connection:
        connection.execute("INSERT INTO orders VALUES (3, 1, '2026-02-02', 5, 'open')")
        found = connection.execute(mended(sql, "Which customers have both paid and open orders?")).fetchall()
    connection.close()
    assert [("Ada",)] == found


def test_both_of_what_a_row_has_one_of_stays() -> None:
    """An order has one status, and one customer: nobody could have both."""
    for sql in (
        "SELECT id FROM orders WHERE status IN ('paid', 'open')",
        f"SELECT orders.id FROM orders {THROUGH} WHERE customers.country IN ('UK', 'USA')",
    ):
        assert sql == mended(sql, "Which orders are there of both of these?")


@pytest.mark.parametrize("shown", ["*", "UPPER(status)"])
def test_both_where_nobody_is_named_stays(shown: str) -> None:
    """Rows of which no name is shown are not put together, and nothing of them is changed."""
    sql = f"SELECT {shown} FROM orders WHERE status = 'paid' AND status = 'open'"
    assert sql == mended(sql, "Which orders are both paid and open?")


def test_a_list_that_nobody_wants_both_of_stays() -> None:
    """One or the other is what it says."""
    sql = f"SELECT customers.name FROM customers {PLACED} WHERE orders.status IN ('paid', 'open')"
    assert sql == mended(sql, "Which customers have paid or open orders?")


def test_the_extreme_of_another_column() -> None:
    """A price is compared with the price of the row that has the extreme."""
    sql = "SELECT id FROM order_items WHERE unit_price > (SELECT MAX(quantity) FROM order_items)"
    asked = "Which items have a higher unit price than the one with the largest quantity?"
    right = "(SELECT unit_price FROM order_items ORDER BY quantity DESC LIMIT 1)"
    assert sql.partition("(")[0] + right == mended(sql, asked)
    assert sql == mended(sql, "Which items are dearer than any quantity?")
    assert sql == mended(sql, "Which of the items are they, in the list of all?")
    same = sql.replace("quantity", "unit_price")
    assert same == mended(same, asked)


def test_membership_follows_the_foreign_key() -> None:
    """A column that the inner table lacks would be the outer row's own, and the condition would say nothing."""
    asked = "Which customers belong to no region?"
    right = "SELECT name FROM customers WHERE (region_id IS NULL OR NOT region_id IN (SELECT id FROM regions))"
    assert right == mended("SELECT name FROM customers WHERE NOT name IN (SELECT name FROM regions)", asked)
    asked = "Which customers have no orders?"
    right = "SELECT name FROM customers WHERE NOT id IN (SELECT customer_id FROM orders)"
    assert right == mended("SELECT name FROM customers WHERE NOT name IN (SELECT name FROM orders)", asked)
    assert right == mended(right, asked)


@pytest.mark.parametrize(
    ("asked", "where", "kept"),
    [
        ("How many customers are there?", "country = 'France'", ""),
        ("How many customers are there in the UK?", "country = 'UK'", " WHERE country = 'UK'"),
        ("How many customers are there in that country?", "country = 'UK'", " WHERE country = 'UK'"),
        ("How many British customers?", "id > 3 AND country = 'France'", " WHERE id > 3"),
        ("How many customers at home?", "country = 'UK'", " WHERE country = 'UK'"),
        ("Wie viele Kunden gibt es?", "country = 'France'", " WHERE country = 'France'"),
    ],
)
def test_conditions_that_nobody_asked_for(asked: str, where: str, kept: str) -> None:
    """Where the question has neither the value nor the column, and the column does not have the value either."""
    sql = f"SELECT COUNT(*) FROM customers WHERE {where}"
    tables = tuple(
        replace(
            table, columns=tuple(replace(each, values=frozenset(each.samples), whole=True) for each in table.columns)
        )
        for table in trade().tables
    )
    assert f"SELECT COUNT(*) FROM customers{kept}" == repair(sql, replace(trade(), tables=tables), asked=asked).sql
    assert sql == mended(sql, asked)


def test_what_a_hint_brings_is_asked_for() -> None:
    """A condition of a term, or of the person's own hint, stays; so does a table that it needs."""
    sql = "SELECT COUNT(*) FROM customers WHERE country = 'UK'"
    hints = "home market: country = 'UK'"
    assert sql == repair(sql, trade(), asked="How many customers in the home market?", hints=hints).sql
    joined = f"SELECT SUM(orders.total_amount) FROM orders {ITEMS}"
    assert joined == repair(joined, trade(), asked="The total amount of sales", hints="a sale is an order item").sql


def test_conditions_within_what_is_left_out_stay() -> None:
    """Without them, everything would be left out."""
    inner = "SELECT customer_id FROM orders WHERE status = 'void'"
    sql = f"SELECT name FROM customers WHERE NOT id IN ({inner})"
    columns = [
        replace(each, values=frozenset({"paid"}), whole=each.name == "status") for each in trade().tables[2].columns
    ]
    schema = replace(trade(), tables=(*trade().tables[:2], replace(trade().tables[2], columns=tuple(columns))))
    assert sql == repair(sql, schema, asked="Which of the customers never cancelled?").sql


def test_one_value_of_the_question_is_one_condition() -> None:
    """Of two columns with it, the one that the question does not name loses it."""
    sql = "SELECT id FROM orders WHERE status = '2026' AND total_amount = '2026'"
    assert "SELECT id FROM orders WHERE status = '2026'" == mended(sql, "Which orders have the status 2026?")
    assert sql == mended(sql, "Which orders have the status 2026 and the total amount 2026?")


@pytest.mark.parametrize(
    ("sql", "order"),
    [
        ("SELECT status, COUNT(*) FROM orders GROUP BY status", " ORDER BY COUNT(*) DESC"),
        ("SELECT order_date, COUNT(*) FROM orders GROUP BY order_date", " ORDER BY order_date"),
        (
            "SELECT STRFTIME('%Y', order_date), COUNT(*) FROM orders GROUP BY STRFTIME('%Y', order_date)",
            " ORDER BY STRFTIME('%Y', order_date)",
        ),
        ("SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY status", ""),
        ("SELECT status, COUNT(*) FROM orders GROUP BY status LIMIT 3", ""),
        ("SELECT status, COUNT(*), SUM(total_amount) FROM orders GROUP BY status", ""),
    ],
)
def test_groups_are_sorted_as_people_read_them(sql: str, order: str) -> None:
    """By their time, or by their number, the largest first, where nobody said how."""
    assert sql + order == mended(sql, "How many orders are there for each?")
    assert sql == mended(sql, "")


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("What are the top 3 products with the highest price?", True),
        ("Show the top 3 products by price", True),
        ("What are the names of the top 3 products?", False),
        ("What are the top 3 names of products by price?", False),
        ("Which products are the dearest?", False),
    ],
)
def test_the_top_ones_are_shown_with_their_number(asked: str, shown: bool) -> None:
    """Where a list of names alone is not what was asked for."""
    sql = (
        "SELECT products.name FROM products JOIN order_items ON products.id = order_items.product_id "
        "GROUP BY products.name ORDER BY MAX(order_items.unit_price) DESC LIMIT 3"
    )
    assert shown == ("name, MAX(order_items.unit_price) FROM" in mended(sql, asked))
    whole = sql.replace("name FROM", "name, MAX(order_items.unit_price) AS price FROM").replace(
        "ORDER BY MAX(order_items.unit_price)", "ORDER BY price"
    )
    assert 1 == mended(whole, asked).count("MAX(")


def test_things_are_shown_by_their_names() -> None:
    """A foreign key that a number is grouped by, where the question names the thing and not its number."""
    sql = "SELECT customer_id, COUNT(*) FROM orders GROUP BY customer_id ORDER BY 2"
    right = (
        "SELECT customers.name, COUNT(*) FROM orders JOIN customers ON orders.customer_id = customers.id "
        "GROUP BY orders.customer_id, customers.name ORDER BY 2"
    )
    assert right == mended(sql, "How many orders has each customer?")
    assert sql == mended(sql, "How many orders are there for each customer id?")
    assert sql == mended(sql, "How many orders has each buyer?")


@pytest.mark.parametrize(
    ("asked", "kept"),
    [("What is the number of orders?", False), ("How many order items?", True), ("How many are there?", True)],
)
def test_rows_are_counted_of_what_the_question_names(asked: str, kept: bool) -> None:
    """A table that it does not name would multiply them; where it names none, all stay."""
    sql = f"SELECT COUNT(*) FROM orders {ITEMS}"
    assert kept == ("order_items" in mended(sql, asked))


@pytest.mark.parametrize(
    ("asked", "sql", "right"),
    [
        (
            "The price per unit for each product",
            "SELECT price / units FROM products",
            "SELECT name, price / units FROM products",
        ),
        ("What are the cheapest products?", "SELECT price FROM products", "SELECT name, price FROM products"),
        ("The average price of each product", "SELECT AVG(price) FROM products", "SELECT AVG(price) FROM products"),
        ("The price of each product", "SELECT price FROM products ORDER BY 1", "SELECT price FROM products ORDER BY 1"),
        ("The price for each shop", "SELECT price FROM products", "SELECT price FROM products"),
        ("The name for each product", "SELECT name FROM products", "SELECT name FROM products"),
    ],
)
def test_numbers_of_each_have_its_name_beside_them(asked: str, sql: str, right: str) -> None:
    """Where one table is asked for a number in each of its rows."""
    columns = (Column("id", "INTEGER"), Column("name", "TEXT"), Column("price", "REAL"), Column("units", "INTEGER"))
    products = Table("products", "main", columns, ("id",))
    assert right == repair(sql, replace(trade(), tables=(products,)), asked=asked).sql


def test_what_is_asked_for_is_shown() -> None:
    """Not the name that the query fixes itself."""
    sql = (
        "SELECT products.name FROM products JOIN order_items ON products.id = order_items.product_id "
        "JOIN orders ON order_items.order_id = orders.id JOIN customers ON orders.customer_id = customers.id "
        "WHERE products.name = 'Lamp'"
    )
    assert mended(sql, "Which customers bought a Lamp?").startswith("SELECT customers.name FROM")
    assert mended(sql, "Which products were bought by customers as Lamp?").startswith("SELECT products.name FROM")
    own = "SELECT T1.id FROM customers AS T1 JOIN orders AS T2 ON T1.id = T2.customer_id WHERE T1.id = 5"
    assert own.replace("SELECT T1.id", "SELECT T2.id") == mended(own, "Which orders has the customer 5?")


@pytest.mark.parametrize(
    ("asked", "sql", "right"),
    [
        (
            "How many visits were there on each day?",
            "SELECT day, COUNT(*) FROM visits GROUP BY day ORDER BY 1",
            "SELECT day, SUM(count) FROM visits GROUP BY day ORDER BY 1",
        ),
        (
            "How many days are there?",
            "SELECT COUNT(DISTINCT day) FROM visits",
            "SELECT COUNT(DISTINCT day) FROM visits",
        ),
        ("How many were paid?", "SELECT COUNT(paid) FROM visits", "SELECT COUNT(paid) FROM visits"),
        ("What are the visits?", "SELECT COUNT(*) FROM visits", "SELECT COUNT(*) FROM visits"),
    ],
)
def test_tallies_are_added_up(asked: str, sql: str, right: str) -> None:
    """A row that says how many there were stands for so many."""
    visits = Table(
        "visits", "main", (Column("id", "INTEGER"), Column("day", "TEXT"), Column("count", "INTEGER")), ("id",)
    )
    assert right == repair(sql, replace(trade(), tables=(visits,)), asked=asked).sql


def test_groups_stand_before_their_numbers() -> None:
    """Unless the question lists them otherwise; names of days are not sorted as times."""
    sql = "SELECT COUNT(*), status FROM orders GROUP BY status ORDER BY status"
    assert "SELECT status, COUNT(*) FROM" in mended(sql, "How many orders are there for each status?")
    assert "SELECT COUNT(*), status FROM" in mended(sql, "List the number of orders and their status.")
