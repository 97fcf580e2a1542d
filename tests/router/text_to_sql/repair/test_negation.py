"""What a question leaves out: whoever has none of a kind, and what stands behind "not"."""

from datetime import date

import pytest

from router.text_to_sql.question import Question
from router.text_to_sql.repair.repair import repair
from tests.support.trade import trade

JOINED = "SELECT customers.name FROM customers JOIN orders ON customers.id = orders.customer_id"
KINDS = "SELECT category FROM products WHERE"


def mended(sql: str, asked: str) -> str:
    repaired = repair(sql, trade(), Question(asked, date(2026, 11, 21)))
    assert repaired.problems == ()
    return repaired.sql


NONE = (
    "SELECT customers.name FROM customers WHERE NOT EXISTS("
    "SELECT 1 FROM orders WHERE customers.id = orders.customer_id AND orders.status = 'open')"
)


def test_who_has_none_of_a_kind_is_left_out_whole() -> None:
    """Another order of theirs does not make them one of those who have none."""
    for asked in ("Which customers do not have an open order?", "Names of the customers who never had an open order"):
        assert NONE == mended(f"{JOINED} WHERE orders.status <> 'open'", asked)
    country = " WHERE customers.country = 'UK' AND"
    assert NONE.replace(" WHERE", country, 1) == mended(
        f"{JOINED} WHERE customers.country = 'UK' AND orders.status <> 'open'",
        "UK customers who don't have an open one",
    )


@pytest.mark.parametrize(
    ("sql", "asked"),
    [
        (f"{JOINED} WHERE orders.status <> 'open'", "Customers with orders that are not open"),
        (f"{JOINED} WHERE orders.status <> 'open' ORDER BY orders.id", "Customers who do not have an open order"),
        (
            "SELECT orders.id FROM orders JOIN customers ON orders.customer_id = customers.id "
            "WHERE customers.country <> 'UK'",
            "Orders whose customers do not live in the UK",
        ),
        ("SELECT name FROM customers WHERE country <> 'UK'", "Customers who do not live in the UK"),
    ],
)
def test_what_is_no_set_of_owners_stays(sql: str, asked: str) -> None:
    """Where the rows themselves are not of the kind, or one row meets one."""
    assert sql == mended(sql, asked)


@pytest.mark.parametrize(
    ("sql", "asked", "wanted"),
    [
        (
            f"{KINDS} name <> 'Lamp'",
            "Show the categories that have not any product Lamp",
            f"SELECT category FROM products EXCEPT {KINDS} name = 'Lamp'",
        ),
        (f"{KINDS} name <> 'Lamp'", "Categories of products that are not called Lamp", f"{KINDS} name <> 'Lamp'"),
        (
            "SELECT id FROM products WHERE name <> 'Lamp'",
            "Ids that have not the name Lamp",
            "SELECT id FROM products WHERE name <> 'Lamp'",
        ),
    ],
)
def test_one_thing_has_none(sql: str, asked: str, wanted: str) -> None:
    """What several rows share has none of a kind if none of them is of it."""
    assert wanted == mended(sql, asked)


@pytest.mark.parametrize(
    "asked",
    ["Which customers have an order that was never paid?", "Customers with orders that have not been paid"],
)
def test_orders_that_have_not_are_no_customers(asked: str) -> None:
    """What has not is the order: another one of the customer's may have."""
    other = f"{JOINED} WHERE orders.status <> 'paid'"
    assert mended(other, asked) == other
    counted = (
        "SELECT COUNT(*) FROM customers JOIN orders ON customers.id = orders.customer_id WHERE orders.status <> 'paid'"
    )
    wanted = "SELECT COUNT(*) FROM orders WHERE orders.status <> 'paid'"
    assert mended(counted, "How many orders do not have the status paid?") == wanted


@pytest.mark.parametrize(
    ("sql", "asked", "right"),
    [
        (
            "SELECT name FROM customers WHERE country = 'USA'",
            "Which customers are not from the USA?",
            "SELECT name FROM customers WHERE country <> 'USA'",
        ),
        (
            "SELECT name FROM customers WHERE region_id = 2 AND country = 'USA'",
            "Show those in region 2 who are not from the USA.",
            "SELECT name FROM customers WHERE region_id = 2 AND country <> 'USA'",
        ),
        (
            f"{JOINED} WHERE orders.status = 'open'",
            "Which customers aren't waiting for an open order?",
            "SELECT customers.name FROM customers WHERE NOT EXISTS(SELECT 1 FROM orders"
            " WHERE customers.id = orders.customer_id AND orders.status = 'open')",
        ),
    ],
)
def test_what_the_question_does_not_want_is_left_out(sql: str, asked: str, right: str) -> None:
    """A condition on a value that stands right behind the only "not" of the question is turned round."""
    assert mended(sql, asked) == right


@pytest.mark.parametrize(
    ("sql", "asked"),
    [
        ("SELECT name FROM customers WHERE country = 'USA'", "Which customers are from the USA, and not from the UK?"),
        ("SELECT name FROM customers WHERE country = 'USA'", "Customers not only from the USA"),
        ("SELECT name FROM customers WHERE country <> 'USA'", "Which customers are not from the USA?"),
        ("SELECT name FROM customers WHERE country = 'USA'", "Why does nobody not from Mars and from the USA pay?"),
        (f"{JOINED} WHERE orders.status = 'open' AND orders.id > 3", "Customers that are not open, after number 3"),
        ("SELECT country, COUNT(*) FROM customers WHERE country = 'UK' GROUP BY country", "How many are not from UK?"),
    ],
)
def test_what_the_question_may_want_stays(sql: str, asked: str) -> None:
    """The value stands before the negation or in another clause, something is left out already, or more is asked."""
    assert "country <> 'UK'" not in (found := mended(sql, asked))
    assert "EXISTS" not in found
    assert found.count("<>") == sql.count("<>")


BOUGHT = "FROM customers AS c JOIN orders AS o ON o.customer_id = c.id"


@pytest.mark.parametrize(
    ("sql", "asked"),
    [
        (
            f"SELECT DISTINCT c.name {BOUGHT} WHERE c.country <> 'USA'",
            "Which customers who do not live in the USA have placed an order?",
        ),
        (
            f"SELECT DISTINCT c.name {BOUGHT} WHERE o.status <> 'paid'",
            "Which customers have orders that have not been paid?",
        ),
        (
            f"SELECT DISTINCT c.name {BOUGHT} WHERE o.status <> 'paid'",
            "Which customers have an order whose status does not equal paid?",
        ),
        (
            f"SELECT DISTINCT c.name {BOUGHT} WHERE o.status <> 'paid'",
            "Customers with an order that we have not been paid for",
        ),
        (
            f"SELECT o.id {BOUGHT} WHERE o.status = 'open' AND c.country = 'UK'",
            "Which orders have not been paid by customers from the UK?",
        ),
        (
            f"SELECT o.id {BOUGHT} WHERE o.status = 'open' AND c.country = 'UK'",
            "Which orders are not paid by customers from the UK?",
        ),
        (
            f"SELECT c.name {BOUGHT.replace('JOIN', 'LEFT JOIN')} WHERE o.id IS NULL AND c.country = 'UK'",
            "Which customers are not buying in the UK?",
        ),
        (
            f"SELECT DISTINCT c.name {BOUGHT} WHERE o.status = 'open'",
            "Which customers have not paid their open orders?",
        ),
        (
            f"SELECT DISTINCT c.name {BOUGHT} WHERE o.status = 'open'",
            "Which customers are not paying their open orders?",
        ),
        ("SELECT id FROM orders WHERE status = 'open'", "Which orders are not paid (status open)?"),
        ("SELECT id FROM order_items WHERE quantity = 1", "Which order items do not have more than 1 piece?"),
        (f"SELECT o.id, o.status {BOUGHT} WHERE c.name = 'Ada'", "Show whether or not the order of Ada is paid"),
        ("SELECT name FROM customers WHERE country = 'UK'", "I don't know the names of those in the UK, list them"),
        ("SELECT name FROM customers WHERE country = 'UK'", "Do not show the id of customers in the UK, only the name"),
        ("SELECT order_date FROM orders WHERE status <> 'paid'", "The order date of orders that have not been paid"),
        (
            "WITH u AS (SELECT * FROM customers) SELECT country FROM u WHERE name <> 'Ada'",
            "Which countries that have not any Ada?",
        ),
    ],
)
def test_what_is_right_stays_right(sql: str, asked: str) -> None:
    """What is meant is said in another word, by another part of the query, or of something else than what is shown."""
    assert mended(sql, asked) == sql


def test_what_has_not_within_a_time() -> None:
    """The other conditions hold for both: who paid the year before may not have paid in this one."""
    since = "SELECT customer_id FROM orders WHERE order_date >= '2026-01-01'"
    asked = "Show the customer ids of customers who have not paid in 2026"
    right = f"{since} EXCEPT {since} AND status = 'paid'"
    assert mended(f"{since} AND status <> 'paid'", asked) == right


def test_a_chain_of_joins_leads_to_what_they_have_not() -> None:
    """Whatever the way to it: through orders and items, with aliases, or as one of several values."""
    chain = f"{BOUGHT} JOIN order_items AS i ON i.order_id = o.id JOIN products AS p ON i.product_id = p.id"
    absent = (
        "SELECT c.name FROM customers AS c WHERE NOT EXISTS(SELECT 1 FROM orders AS o JOIN order_items AS i"
        " ON i.order_id = o.id JOIN products AS p ON i.product_id = p.id WHERE o.customer_id = c.id AND p.{})"
    )
    asked = "Names of customers who never bought anything for the Home"
    found = mended(f"SELECT c.name {chain} WHERE p.category <> 'Home'", asked)
    several = mended(f"SELECT c.name {chain} WHERE NOT p.name IN ('Lamp', 'Sofa')", asked)
    assert found == absent.format("category = 'Home'")
    assert several == absent.format("name IN ('Lamp', 'Sofa')")
