"""What speaks against a statement that runs, told without a model."""

from dataclasses import replace
from datetime import date

import pytest

from router.catalog.schema import Column, SchemaTable
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
        ("What is the status of the open orders?", "SELECT status FROM orders WHERE status = 'open'", "shown"),
        (
            "What are the products in each of the orders?",
            "SELECT p.name FROM orders AS o JOIN products AS p ON o.id = p.id",
            "odd_join",
        ),
        ("Which orders have more than 50 pieces?", "SELECT id FROM orders WHERE id = 50", "comparison"),
        ("Which customers have no region?", "SELECT name FROM customers WHERE region_id = 1", "negation"),
        ("Which customers are both old and new?", "SELECT name FROM customers WHERE country = 'UK'", "both"),
        ("Which order has the highest amount?", "SELECT id FROM orders ORDER BY total_amount DESC", "extreme"),
        ("How many orders are there?", "SELECT id FROM orders", "counted"),
        ("What is the average price of the items?", "SELECT unit_price FROM order_items", "averaged"),
        ("What is the sum of the prices of all items?", "SELECT unit_price FROM order_items", "summed"),
        ("What are the different countries of the customers?", "SELECT country FROM customers", "distinct"),
        ("Which orders have at least 12 items?", "SELECT order_id FROM order_items WHERE quantity > 2", "number"),
        ("How many products are there in the regions?", "SELECT COUNT(*) FROM products", "table"),
        ("What is the unit price of all of the orders?", "SELECT total_amount FROM orders", "column"),
        ("How many orders are there in the list?", f"SELECT COUNT(*) {JOINED}", "stray_table"),
        ("What is the average amount for each status?", "SELECT AVG(total_amount) FROM orders", "ungrouped"),
        ("What is the average region?", "SELECT AVG(region) FROM regions", "text_summed"),
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
        # Words of the names of columns that the statement has.
        ("What is the number of unit prices of the items?", "SELECT unit_price FROM order_items"),
        ("What is the product number of the items?", "SELECT product_id, product FROM order_items"),
        ("What are the maximum weight and the minimum weight?", "SELECT max_weight, min_weight FROM order_items"),
        ("What is the average of the kilos per region?", "SELECT AVG(kilos_per_region) FROM orders"),
        ("How many domestic and international prices are there?", "SELECT domestic_prices, international_prices"),
        # What comes to the same.
        ("Which of the orders have at least 2 as their id?", "SELECT total_amount FROM orders WHERE id > 1"),
        ("Which customers have at least one of the orders?", "SELECT DISTINCT customer_id FROM orders"),
        ("What is the sum of id and amount of the orders?", "SELECT id + total_amount FROM orders"),
        # Words that name no table.
        ("Which customers are of the kind 'Orders'?", "SELECT name FROM customers WHERE country = 'Orders'"),
        ("Wie viele Bestellungen gibt es?", "SELECT id FROM orders"),
        ("What is this?", "SELECT FROM WHERE"),
    ],
)
def test_what_nothing_speaks_against(asked: str, sql: str) -> None:
    """Words that the statement stands for, other languages, and what cannot be read."""
    assert [] == kinds(asked, sql)


def test_a_value_that_the_statement_lacks() -> None:
    """Where the question has it as the database does; a value that the statement has may be written otherwise."""
    named = Named("Lamp", "exact", (Value("products", "name", "Lamp", True),))
    assert ["value"] == kinds("How many of the Lamp are there?", "SELECT COUNT(*) FROM products", named)
    assert [] == kinds("How many of the Lamp are there?", "SELECT COUNT(*) FROM products WHERE name = 'lamp'", named)


def test_only_what_is_hardly_ever_wrong_is_a_reason_to_ask_again() -> None:
    """The model is told of a number where one for each was asked, with what to do; not of a word that is missing."""
    question = Question("What is the average amount for each status?", date(2026, 11, 21))
    sign, *_ = signs_of(question, "SELECT AVG(total_amount) FROM orders", trade())
    assert "Select the status and group by it." in sign.reason
    assert sign.reason.startswith(sign.spot)
    question = Question("How many orders are there?", date(2026, 11, 21))
    assert [""] == [sign.reason for sign in signs_of(question, "SELECT id FROM orders", trade())]


def test_a_number_that_is_stored() -> None:
    """Rows are counted where a column of their table has the number that the question asks for."""
    columns = tuple(Column(name, "INTEGER") for name in ("id", "place", "number_of_hosts"))
    schema = replace(trade(), tables=(SchemaTable("parties", "main", columns, ("id",)),))

    def found(sql: str) -> list[str]:
        question = Question("Where was the party with the most hosts?", date(2026, 11, 21))
        return [sign.kind for sign in signs_of(question, sql, schema)]

    assert found("SELECT place FROM parties GROUP BY place ORDER BY COUNT(*) DESC LIMIT 1") == ["stored_count"]
    assert found("SELECT place FROM parties ORDER BY number_of_hosts DESC LIMIT 1") == []
