"""Whoever has both of two values, and the parts of a UNION."""

from datetime import date

import pytest

from router.text_to_sql.question import Question
from router.text_to_sql.repair.repair import repair
from tests.support.trade import trade

JOINED = "SELECT customers.name FROM customers JOIN orders ON customers.id = orders.customer_id"


def mended(sql: str, asked: str) -> str:
    repaired = repair(sql, trade(), Question(asked, date(2026, 11, 21)))
    assert repaired.problems == ()
    return repaired.sql


BOTH = f"{JOINED} WHERE orders.status = 'open' INTERSECT {JOINED} WHERE orders.status = 'paid'"


@pytest.mark.parametrize(
    "where",
    [
        "orders.status = 'open' OR orders.status = 'paid'",
        "orders.status = 'open' AND orders.status = 'paid'",
        "orders.status IN ('open', 'paid')",
    ],
)
def test_who_has_both_is_in_both_sets(where: str) -> None:
    """A row of one order has one status; either of them is not both."""
    assert BOTH == mended(f"{JOINED} WHERE {where}", "Which customers have both open and paid orders?")


@pytest.mark.parametrize(
    ("sql", "asked"),
    [
        (f"{JOINED} WHERE orders.status IN ('open', 'paid')", "Which customers have open or paid orders?"),
        (f"{JOINED} WHERE orders.status IN ('open', 'paid')", "Which customers have both kinds of orders, and when?"),
        (
            "SELECT total_amount FROM orders WHERE status IN ('open', 'paid')",
            "Amounts of both open and paid orders",
        ),
        (
            f"{JOINED} WHERE orders.status IN ('open', 'paid') GROUP BY customers.name",
            "Which customers have both open and paid orders?",
        ),
        (
            "SELECT COUNT(*) FROM orders WHERE status IN ('open', 'paid')",
            "How many orders are there, both open and paid?",
        ),
    ],
)
def test_what_is_no_two_sets_stays(sql: str, asked: str) -> None:
    """Without "both" and both values, where a row of what is shown has one value, and where something is counted."""
    assert sql == mended(sql, asked)


def test_the_rows_of_a_link_are_shown_by_their_key() -> None:
    """A key that occurs in several rows may have both."""
    sql = "SELECT customer_id FROM orders WHERE status = 'open' OR status = 'paid'"
    right = "SELECT customer_id FROM orders WHERE status = 'open' INTERSECT {}".format(
        "SELECT customer_id FROM orders WHERE status = 'paid'"
    )
    assert right == mended(sql, "Which customers have both open and paid orders?")


KINDS = "SELECT category FROM products WHERE"


@pytest.mark.parametrize(
    ("sql", "asked", "wanted"),
    [
        (
            f"{KINDS} name IN ('Lamp', 'Sofa')",
            "Show the categories that have both a product Lamp and a product Sofa",
            f"{KINDS} name = 'Lamp' INTERSECT {KINDS} name = 'Sofa'",
        ),
        (
            f"{KINDS} name = 'Lamp' OR name = 'Sofa'",
            "Categories with a product Lamp and a product Sofa",
            f"{KINDS} name = 'Lamp' INTERSECT {KINDS} name = 'Sofa'",
        ),
        (
            f"{KINDS} id > 5 AND id < 3",
            "Categories that have both customers with an id above 5 and customers with one below 3",
            f"{KINDS} id > 5 INTERSECT {KINDS} id < 3",
        ),
        (
            f"{KINDS} name IN ('Lamp', 'Sofa')",
            "Categories of both Lamp and Sofa products",
            f"{KINDS} name IN ('Lamp', 'Sofa')",
        ),
        (
            f"{KINDS} id > 3 AND id < 5",
            "Categories that have both customers with an id above 3 and customers with one below 5",
            f"{KINDS} id > 3 AND id < 5",
        ),
    ],
)
def test_one_thing_has_both(sql: str, asked: str, wanted: str) -> None:
    """What several rows of one table share may have both of two values; a row has one."""
    assert wanted == mended(sql, asked)


def test_each_part_of_a_union_shows_its_own() -> None:
    """A part that lists the other part's columns, too, is cut to what its table has."""
    assert mended("SELECT country, region FROM customers UNION SELECT country, region FROM regions", "All names") == (
        "SELECT country FROM customers UNION SELECT region FROM regions"
    )


def test_sets_keep_their_order() -> None:
    """By what is shown; what is ordered by something else stays as it is."""
    either = f"{JOINED} WHERE orders.status IN ('open', 'paid') ORDER BY"
    asked = "Which customers have both open and paid orders?"
    assert mended(f"{either} customers.name DESC", asked) == f"{BOTH} ORDER BY name DESC"
    assert mended(f"{either} customers.id", asked) == f"{either} customers.id"


@pytest.mark.parametrize(
    "asked",
    [
        "For both open and paid orders, list the customer names",
        "Customers of both open and paid orders",
        "Customers with an open and an paid order, or either?",
    ],
)
def test_either_of_both_stays(asked: str) -> None:
    """Both kinds are asked for, and not both of one customer."""
    either = f"{JOINED} WHERE orders.status IN ('open', 'paid')"
    assert mended(either, asked) == either


def test_a_union_of_other_columns_stays() -> None:
    """Columns that no part has are a fault to be told, and not taken away."""
    sql = "SELECT name, status FROM customers UNION ALL SELECT name, country FROM products"
    assert "status" in repair(sql, trade(), Question("Names", date(2026, 11, 21))).sql


def test_both_within_a_query() -> None:
    """Two values that a query within the condition takes either of are taken both."""
    region = "SELECT id FROM customers WHERE country"
    items = "SELECT products.name FROM products JOIN order_items ON products.id = order_items.product_id"
    linked = f"{items} WHERE order_items.order_id IN ({region}"
    assert mended(f"{linked} IN ('UK', 'USA'))", "Which products that both UK and USA have?") == (
        f"{linked} = 'UK') INTERSECT {linked} = 'USA')"
    )


def test_groups_of_a_query_within_stay() -> None:
    """Both of two values are looked for there already."""
    sql = (
        "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE status IN ('open', 'paid')"
        " GROUP BY customer_id HAVING MIN(status) <> MAX(status))"
    )
    assert mended(sql, "Which customers have both open and paid orders?") == sql
