"""Queries within a query that read the row around them."""

import pytest

from router.text_to_sql.repair.repair import repair
from tests.support.trade import trade

BELOW = "SELECT name FROM customers JOIN orders AS o ON customers.id = o.customer_id WHERE o.total_amount <"
WHOLE = "SELECT AVG(total_amount) FROM orders"


@pytest.mark.parametrize(
    "inner",
    [
        "SELECT AVG(o.total_amount) FROM orders",
        "SELECT AVG(o.total_amount) FROM customers",
        "SELECT AVG(o.total_amount) FROM orders AS p",
    ],
)
def test_an_average_is_of_all_rows(inner: str) -> None:
    """The average of the outer row's column is that of its table: no database takes it of one row."""
    repaired = repair(f"{BELOW} ({inner})", trade())

    assert (f"{BELOW} ({WHOLE})", ()) == (repaired.sql, repaired.problems)


@pytest.mark.parametrize(
    "inner",
    [
        "SELECT AVG(p.total_amount) FROM orders AS p WHERE p.customer_id = o.customer_id",
        "SELECT AVG(o.total_amount) FROM orders AS p WHERE p.id > 3",
        "SELECT COUNT(o.id) FROM order_items",
        WHOLE,
    ],
)
def test_what_means_its_own_table_stays(inner: str) -> None:
    """A query that reads columns of its own table is left as it is."""
    assert repair(f"{BELOW} ({inner})", trade()).sql == f"{BELOW} ({inner})"
