"""Orders of the rows on show, as people type them."""

import pytest

from router.cards import Head
from router.understanding.sorting import Order, order_of

HEADS = (Head("name", "text"), Head("net_revenue", "number"), Head("ordered_on", "date"))


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("sort by name", (0, "up")),
        ("Order by net revenue desc", (1, "down")),
        ("sort them by net_revenue, highest first", (1, "down")),
        ("sortiere nach ordered_on aufsteigend", (2, "up")),
        ("trie par name", (0, "up")),
        ("ordena por net_revenue de mayor a menor", (1, "down")),
        ("sort by revenue of last year", None),
        ("sort by name and drop the others", None),
        ("sort by", None),
        ("sort by desc", None),
        ("highest first", None),
    ],
)
def test_an_order_by_a_column_is_told_from_a_question(text: str, order: Order | None) -> None:
    """All of the sentence is a verb, a column by its name, and a direction; anything else is asked."""
    assert order == order_of(text, HEADS)
