"""A query that runs, and does not mean what was asked."""

from dataclasses import replace
from datetime import date
from itertools import permutations

import pytest

from router.catalog.schema import Schema
from router.text_to_sql.question import Question
from router.text_to_sql.repair.repair import repair
from tests.support.trade import trade

ITEMS = "JOIN order_items ON orders.id = order_items.order_id"


def mended(sql: str, asked: str, schema: Schema | None = None, hints: str = "") -> str:
    repaired = repair(sql, schema or trade(), Question(asked, date(2026, 11, 21), hints))
    assert repaired.problems == ()
    return repaired.sql


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
    assert f"SELECT COUNT(*) FROM customers{kept}" == mended(sql, asked, replace(trade(), tables=tables))
    assert sql == mended(sql, asked)


def test_what_a_hint_brings_is_asked_for() -> None:
    """A condition of a term, or of the person's own hint, stays; so does a table that it needs."""
    sql = "SELECT COUNT(*) FROM customers WHERE country = 'UK'"
    hints = "home market: country = 'UK'"
    assert sql == mended(sql, "How many customers in the home market?", hints=hints)
    joined = f"SELECT SUM(orders.total_amount) FROM orders {ITEMS}"
    assert joined == mended(joined, "The total amount of sales", hints="a sale is an order item")


def test_conditions_within_what_is_left_out_stay() -> None:
    """Without them, everything would be left out."""
    inner = "SELECT customer_id FROM orders WHERE status = 'void'"
    sql = f"SELECT name FROM customers WHERE NOT id IN ({inner})"
    columns = [
        replace(each, values=frozenset({"paid"}), whole=each.name == "status") for each in trade().tables[2].columns
    ]
    schema = replace(trade(), tables=(*trade().tables[:2], replace(trade().tables[2], columns=tuple(columns))))
    assert sql == mended(sql, "Which of the customers never cancelled?", schema)


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
    ("asked", "kept"),
    [("What is the number of orders?", False), ("How many order items?", True), ("How many are there?", True)],
)
def test_rows_are_counted_of_what_the_question_names(asked: str, kept: bool) -> None:
    """A table that it does not name would multiply them; where it names none, all stay."""
    sql = f"SELECT COUNT(*) FROM orders {ITEMS}"
    assert kept == ("order_items" in mended(sql, asked))


def test_the_column_of_the_thing_that_the_question_names() -> None:
    """Orders have no name: that of their customer is meant, and not that of another table which is joined already."""
    asked = "Names of the customers who ordered a Lamp, with their country"
    joined = "orders AS o JOIN order_items AS i ON o.id = i.order_id JOIN products AS p ON i.product_id = p.id"
    right = (
        f"SELECT customers.name, customers.country FROM {joined} JOIN customers ON o.customer_id = customers.id "
        "WHERE p.name = 'Lamp'"
    )
    assert right == mended(f"SELECT o.name, o.country FROM {joined} WHERE p.name = 'Lamp'", asked)
    other = "What was ordered, if it is a Lamp?"
    assert f"SELECT p.name FROM {joined} WHERE p.name = 'Lamp'" == mended(
        f"SELECT o.name FROM {joined} WHERE p.name = 'Lamp'", other
    )


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ("The maximum and minimum amount of orders", "MAX(total_amount), MIN(total_amount)"),
        ("The lowest, the average and the highest amount", "MIN(total_amount), AVG(total_amount), MAX(total_amount)"),
    ],
)
def test_numbers_come_as_the_question_names_them(asked: str, numbers: str) -> None:
    """In its order, where it names each of them once."""
    for written in permutations(numbers.split(", ")):
        assert f"SELECT {numbers} FROM orders" == mended(f"SELECT {', '.join(written)} FROM orders", asked)


def test_numbers_that_the_question_does_not_name_stay() -> None:
    """So do those of different columns."""
    for sql in (
        "SELECT MIN(total_amount), MAX(total_amount) FROM orders",
        "SELECT MIN(total_amount), MAX(order_date) FROM orders",
    ):
        assert sql == mended(sql, "The maximum amount")
