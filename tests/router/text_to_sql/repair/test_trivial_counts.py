"""Counts that are always 1, as rows are grouped by the key of their own table."""

from datetime import date

import pytest

from router.text_to_sql.critic import signs_of
from router.text_to_sql.question import Question
from router.text_to_sql.repair.repair import repair
from tests.support.trade import trade

EACH_ONE = "SELECT id, name, COUNT(*) FROM customers GROUP BY id, name ORDER BY COUNT(*) DESC"


def asked(text: str) -> Question:
    return Question(text, date(2026, 11, 21))


@pytest.mark.parametrize(
    ("sql", "text", "right"),
    [
        (
            EACH_ONE,
            "Show the id and name of each customer with the number of orders.",
            "SELECT customers.id, customers.name, COUNT(*) FROM customers"
            " JOIN orders ON customers.id = orders.customer_id"
            " GROUP BY customers.id, customers.name ORDER BY COUNT(*) DESC",
        ),
        (
            "SELECT T1.id FROM orders AS T1 WHERE T1.status = 'open' GROUP BY T1.id HAVING COUNT(T1.id) > 2",
            "Which open orders have more than two items?",
            "SELECT T1.id FROM orders AS T1 JOIN order_items ON T1.id = order_items.order_id WHERE T1.status = 'open'"
            " GROUP BY T1.id HAVING COUNT(*) > 2",
        ),
        (
            "SELECT id, COUNT(*) AS n FROM customers GROUP BY id ORDER BY n DESC",
            "How many orders does each customer have?",
            "SELECT customers.id, COUNT(*) AS n FROM customers JOIN orders ON customers.id = orders.customer_id"
            " GROUP BY customers.id ORDER BY n DESC",
        ),
        (
            "SELECT id FROM customers GROUP BY id ORDER BY COUNT(*) DESC LIMIT 1",
            "Which customer comes most often in all the orders?",
            "SELECT customers.id FROM customers JOIN orders ON customers.id = orders.customer_id"
            " GROUP BY customers.id ORDER BY COUNT(*) DESC LIMIT 1",
        ),
    ],
)
def test_the_rows_that_the_question_counts_are_counted(sql: str, text: str, right: str) -> None:
    """One table leads to the one that is grouped by its key, and the question counts or at least names its rows."""
    repaired = repair(sql, trade(), asked(text))
    assert repaired.sql == right
    assert any("are counted" in note for note in repaired.notes)
    assert [] == [sign for sign in signs_of(asked(text), repaired.sql, trade()) if sign.kind == "always_one"]


@pytest.mark.parametrize(
    ("sql", "text", "right"),
    [
        (
            "SELECT country, COUNT(DISTINCT country) FROM customers GROUP BY country",
            "How many customers by country?",
            "SELECT country, COUNT(*) FROM customers GROUP BY country",
        ),
        (
            "SELECT country AS c, COUNT(DISTINCT customers.country) AS n FROM customers GROUP BY 1 HAVING COUNT(*) > 2",
            "Wie viele Kunden je Land?",
            "SELECT country AS c, COUNT(*) AS n FROM customers GROUP BY 1 HAVING COUNT(*) > 2",
        ),
        (
            "SELECT COUNT(DISTINCT country) FROM customers GROUP BY country",
            "How many customers by country?",
            "SELECT country, COUNT(*) FROM customers GROUP BY country",
        ),
        (
            "SELECT c.name, c.id, COUNT(DISTINCT o.customer_id) AS n FROM customers AS c JOIN orders AS o"
            " ON o.customer_id = c.id GROUP BY c.name, c.id ORDER BY n DESC",
            "number of orders by customer",
            "SELECT c.name, c.id, COUNT(*) AS n FROM customers AS c JOIN orders AS o"
            " ON o.customer_id = c.id GROUP BY c.name, c.id ORDER BY n DESC",
        ),
    ],
)
def test_rows_are_counted_in_place_of_what_they_are_grouped_by(sql: str, text: str, right: str) -> None:
    """In any language; the card says so, and the critic has nothing left to say of it."""
    repaired = repair(sql, trade(), asked(text))
    assert right in repaired.sql
    assert any("Rows are counted" in note for note in repaired.notes)
    assert [] == [sign for sign in signs_of(asked(text), repaired.sql, trade()) if sign.kind == "always_one"]


@pytest.mark.parametrize(
    ("sql", "text", "told"),
    [
        ("SELECT country, COUNT(DISTINCT country) FROM customers GROUP BY country", "How many countries are there?", 1),
        (
            "SELECT c.id, COUNT(DISTINCT c.id) FROM customers c LEFT JOIN orders o ON c.id = o.customer_id"
            " GROUP BY c.id",
            "How many orders by customer?",
            1,
        ),
        (
            "SELECT c.id, COUNT(DISTINCT o.customer_id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id"
            " GROUP BY c.id",
            "Which customers have orders?",
            0,
        ),
        ("SELECT country, COUNT(DISTINCT name) FROM customers GROUP BY country", "How many customers by country?", 0),
        (
            "SELECT country, COUNT(DISTINCT country) FROM customers GROUP BY ROLLUP (country)",
            "How many customers by country?",
            0,
        ),
    ],
)
def test_counts_that_may_mean_something_stay(sql: str, text: str, told: int) -> None:
    """Where rows are no better, the critic says that the count is always 1; where it may be another one, nothing."""
    assert "COUNT(DISTINCT" in repair(sql, trade(), asked(text)).sql
    signs = [sign for sign in signs_of(asked(text), sql, trade()) if "made by it" in sign.spot]
    assert told == len(signs)


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        (EACH_ONE, "Show the id and name of each customer with the number of visits."),
        ("SELECT id, SUM(total_amount), COUNT(*) FROM orders GROUP BY id", "Total and number of items of each order?"),
        ("SELECT country, COUNT(*) FROM customers GROUP BY country", "Number of orders for each country?"),
        ("SELECT id, COUNT(*) FROM orders GROUP BY id HAVING COUNT(*) > 1", "The number of orders per order id"),
        (
            "SELECT id, COUNT(CASE WHEN status = 'paid' THEN 1 END) FROM orders GROUP BY id",
            "How many items does each paid order have?",
        ),
    ],
)
def test_what_may_mean_something_else_stays(sql: str, text: str) -> None:
    """No table of this name leads there, something else than a count is shown, or the groups are of no key."""
    assert not any("are counted" in note for note in repair(sql, trade(), asked(text)).notes)


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (EACH_ONE, 1),
        ("SELECT o.id, COUNT(c.id) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY o.id", 1),
        ("SELECT c.id, COUNT(*) FROM customers c JOIN orders o ON c.id = o.customer_id GROUP BY c.id", 0),
        ("SELECT country, COUNT(*) FROM customers GROUP BY country", 0),
        ("SELECT id, MAX(total_amount) FROM orders GROUP BY id", 0),
        ("SELECT a.id, COUNT(*) FROM orders a, customers b GROUP BY a.id", 0),
        ("WITH t AS (SELECT id FROM orders) SELECT id, COUNT(*) FROM t GROUP BY id", 0),
    ],
)
def test_the_critic_sees_a_count_that_is_always_one(sql: str, found: int) -> None:
    """A group is one row only where its key is grouped by, and no join gives the row several times."""
    kinds = [sign.kind for sign in signs_of(asked("How many orders?"), sql, trade())]
    assert kinds.count("always_one") == found
