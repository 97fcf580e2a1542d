"""In which order the rows on show are wanted."""

import pytest

from router.cards import Head
from router.understanding.sorting import Order, order_of, sort_wish
from tests.support.rows import every_row

HEADS = (Head("name"), Head("total_revenue", "number"), Head("order_date", "date"), Head("customerId", "number"))


def ordered(text: str, current: Order | None = None) -> Order | None:
    """Return the order that a sentence asks for, of these columns."""
    wish = sort_wish(text)
    return wish and order_of(wish, HEADS, current)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("sort by name", (0, "up")),
        ("sort by name instead", (0, "up")),
        ("Sort by Total_Revenue DESC", (1, "down")),
        ("sort it by total revenue", (1, "up")),
        ("sort by revenue, smallest first", (1, "up")),
        ("sort these rows by the revenue in descending order", (1, "down")),
        ("order by order date, newest first", (2, "down")),
        ("nach Name sortiert", None),
        ("sortiere nach revenue absteigend", (1, "down")),
        ("trie par date décroissant", (2, "down")),
        ("ordenar por revenue de mayor a menor", (1, "down")),
    ],
)
def test_orders(text: str, order: Order | None) -> None:
    """The column is found by its name or by words of it."""
    assert order == ordered(text)


@every_row(
    "text",
    [
        *("show me revenue by month", "top 5 by revenue", "sort orders by month", "rank customers by revenue", "first"),
        *("order 5 more", "by month", "list all orders from newest to oldest", "what is the highest?", "sort", "next"),
        *("which customers ordered first", "sort of a broad question", "write it to orders", "sort by", ""),
        f"sort by {'x' * 200}",
    ],
)
def test_other_sentences(text: str) -> None:
    """A question is none, even if it names an order."""
    assert None is sort_wish(text)
