"""A query that runs is sorted as people read it, and its columns are those of the thing that is asked for."""

from datetime import date

import pytest

from router.text_to_sql.question import Question
from router.text_to_sql.repair.repair import repair
from tests.support.trade import trade


def mended(sql: str, asked: str) -> str:
    repaired = repair(sql, trade(), Question(asked, date(2026, 11, 21)))
    assert repaired.problems == ()
    return repaired.sql


def test_a_column_that_the_inner_table_lacks_is_taken_from_one_that_has_it() -> None:
    """It would be the outer row's own, and the condition would say nothing."""
    right = (
        "SELECT name FROM customers WHERE NOT name IN"
        " (SELECT customers.name FROM orders JOIN customers ON orders.customer_id = customers.id)"
    )
    sql = "SELECT name FROM customers WHERE NOT name IN (SELECT name FROM orders)"
    assert right == mended(sql, "Which customers have no orders?")


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
    assert sql + order == mended(sql, "Wie viele Bestellungen?")


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
