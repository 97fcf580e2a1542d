"""What speaks against a statement that runs, told without a model."""

from datetime import date

import pytest

from router.catalog.values import Value
from router.text_to_sql.critic import signs_of
from router.text_to_sql.named_values import Named
from router.text_to_sql.question import Question
from tests.support.trade import trade

JOINED = "FROM orders JOIN customers ON orders.customer_id = customers.id"


def kinds(asked: str, sql: str, *named: Named) -> list[str]:
    question = Question(asked, date(2026, 11, 21), named=named)
    return [sign.kind for sign in signs_of(question, sql, trade())]


@pytest.mark.parametrize(
    ("asked", "sql", "kind"),
    [
        ("What is the average amount for each status?", "SELECT AVG(total_amount) FROM orders", "ungrouped"),
        ("Anzahl der orders pro status", "SELECT COUNT(*) FROM orders", "ungrouped"),
        ("How many orders by month?", "SELECT COUNT(*) FROM orders WHERE status = 'paid'", "ungrouped"),
        ("List the orders of all customers", "SELECT o.id FROM orders AS o CROSS JOIN customers AS c", "unlinked"),
        (
            "What is the total amount of the orders by product?",
            "SELECT i.product_id, SUM(o.total_amount) FROM orders AS o JOIN order_items AS i ON o.id = i.order_id "
            "GROUP BY i.product_id",
            "multiplied",
        ),
        ("Which orders changed their amount?", "SELECT id FROM orders WHERE total_amount <> total_amount", "itself"),
        (
            "Which orders are open and paid?",
            "SELECT id FROM orders WHERE status = 'open' AND status = 'paid'",
            "contradiction",
        ),
        (
            "Which customers of Grace are there?",
            "SELECT name FROM customers WHERE region_id IS NULL AND region_id <> 2",
            "contradiction",
        ),
        ("Which orders have at least 12 items?", "SELECT order_id FROM order_items WHERE quantity > 2", "number"),
        ("Wie viele Kunden pro Land?", "SELECT id, COUNT(*) FROM customers GROUP BY id", "always_one"),
    ],
)
def test_what_speaks_against_it(asked: str, sql: str, kind: str) -> None:
    """Each kind of sign is given for a statement that has it."""
    assert kind in kinds(asked, sql)


@pytest.mark.parametrize(
    ("asked", "sql"),
    [
        ("List the orders of the customers", f"SELECT orders.id {JOINED}"),
        ("What is the total amount by country?", f"SELECT country, SUM(total_amount) {JOINED} GROUP BY country"),
        (
            "Which orders have at least 2 items?",
            "SELECT order_id FROM order_items GROUP BY order_id HAVING COUNT(*) >= 2",
        ),
        ("Which customers are not from the UK?", "SELECT name FROM customers WHERE NOT country LIKE 'UK'"),
        ("How many orders does each of the customers have?", "SELECT customer_id, COUNT(*) FROM orders GROUP BY 1"),
        ("Which orders have a quantity of at most 12?", "SELECT order_id FROM order_items WHERE quantity <= 12"),
        (
            "Which is the largest of the orders in 2024?",
            "SELECT MAX(total_amount) FROM orders WHERE order_date > '2024'",
        ),
        # One figure is wanted: of one value, or over groups.
        ("Total amount by customer 7?", "SELECT SUM(total_amount) FROM orders WHERE customer_id = 7"),
        ("How many orders by now?", "SELECT COUNT(*) FROM orders"),
        ("Orders per customer, on average", "SELECT COUNT(*) * 1.0 / COUNT(DISTINCT customer_id) FROM orders"),
        (
            "What is the average of the orders per status?",
            "SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM orders GROUP BY status) AS s",
        ),
        # What comes to the same.
        ("Which of the orders have at least 2 as their id?", "SELECT total_amount FROM orders WHERE id > 1"),
        ("What is this?", "SELECT FROM WHERE"),
    ],
)
def test_what_nothing_speaks_against(asked: str, sql: str) -> None:
    """What comes to the same, and what cannot be read."""
    assert [] == kinds(asked, sql)


def test_a_value_that_the_statement_lacks() -> None:
    """Where the question has it as the database does; a value that the statement has may be written otherwise."""
    named = Named("Lamp", (Value("products", "name", "Lamp", True),))
    assert ["value"] == kinds("How many of the Lamp are there?", "SELECT COUNT(*) FROM products", named)
    assert [] == kinds("How many of the Lamp are there?", "SELECT COUNT(*) FROM products WHERE name = 'lamp'", named)


def test_only_what_is_hardly_ever_wrong_is_a_reason_to_ask_again() -> None:
    """The model is told of a count that is always 1, with what to do; not of a number that is missing."""
    question = Question("How many orders per customer?", date(2026, 11, 21))
    sign, *_ = signs_of(question, "SELECT id, COUNT(*) FROM customers GROUP BY id", trade())
    assert sign.reason == f"{sign.spot} Count the rows of the table that refers to it."
    question = Question("Orders of more than 77", date(2026, 11, 21))
    assert [""] == [sign.reason for sign in signs_of(question, "SELECT id FROM orders", trade())]
