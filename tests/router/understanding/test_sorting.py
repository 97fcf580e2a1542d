"""In which order the rows on show are wanted."""

import pytest

from router.cards import Head
from router.understanding.sorting import Order, SortWish, column_of, order_of, sort_wish

HEADS = (Head("name"), Head("total_revenue", "number"), Head("order_date", "date"), Head("customerId", "number"))


def ordered(text: str, heads: tuple[Head, ...] = HEADS, current: Order | None = None) -> Order | None:
    """Return the order that a sentence asks for, of these columns."""
    wish = sort_wish(text)
    return wish and order_of(wish, heads, current)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("sort by name", (0, "up")),
        ("sort by name instead", (0, "up")),
        ("Sort by Total_Revenue DESC", (1, "down")),
        ("sort it by total revenue", (1, "up")),
        ("sort by revenue, smallest first", (1, "up")),
        ("order by revenue descending please", (1, "down")),
        ("sort from highest to lowest by revenue", (1, "down")),
        ("can you sort these by revenue in descending order?", (1, "down")),
        ("I want it sorted by revenue, largest first", (1, "down")),
        ("sort by highest revenue", (1, "down")),
        ("lowest revenue first", (1, "up")),
        ("largest last", (1, "up")),
        ("show the largest first", (1, "down")),
        ("descending", (1, "down")),
        ("sort by date newest first", (2, "down")),
        ("oldest on top", (2, "up")),
        ("chronologically", (2, "up")),
        ("newest orders first", (2, "down")),
        ("sort by order date", (2, "up")),
        ("sort by customer name", (0, "up")),
        ("sort alphabetically", (0, "up")),
        ("in reverse alphabetical order", (0, "down")),
        ("sort z to a", (0, "down")),
        ("sort by customer ids", (3, "up")),
        ("sort by the second column", (1, "up")),
        ("sort by column 3 desc", (2, "down")),
        ("sort by the last column", (3, "up")),
        ("nach Name sortieren", (0, "up")),
        ("sortier das bitte nach revenue absteigend", (1, "down")),
        ("sortiere nach revenue, die kleinsten zuerst", (1, "up")),
        ("nach revenue absteigend", (1, "down")),
        ("von groß nach klein", (1, "down")),
        ("die ältesten zuerst", (2, "up")),
        ("nach Datum sortieren, neueste zuerst", (2, "down")),
        ("alphabetisch sortieren", (0, "up")),
        ("absteigend", (1, "down")),
        ("trie-les par revenue décroissant", (1, "down")),
        ("trier par date", (2, "up")),
        ("par ordre décroissant de revenue", (1, "down")),
        ("les plus grands d'abord", (1, "down")),
        ("du plus petit au plus grand", (1, "up")),
        ("par ordre alphabétique", (0, "up")),
        ("ordénalo por name", (0, "up")),
        ("ordenar por revenue de mayor a menor", (1, "down")),
        ("los más recientes primero", (2, "down")),
        ("ordenar alfabéticamente", (0, "up")),
    ],
)
def test_orders(text: str, order: Order) -> None:
    """The column is found by its name or by words of it, or it is the only one of its kind."""
    assert order == ordered(text)


@pytest.mark.parametrize(
    "text",
    [
        *("reverse the order", "the other way round", "could you reverse it", "umgekehrt", "die Reihenfolge umkehren"),
        *("invierte el orden", "inverse l'ordre", "turn the order"),
    ],
)
def test_the_order_on_show_is_turned(text: str) -> None:
    """Where there is one; the order that the query gave is not known."""
    assert ((2, "up"), (2, "down"), None) == (
        ordered(text, HEADS, (2, "down")),
        ordered(text, HEADS, (2, "up")),
        ordered(text),
    )


def test_a_direction_alone_is_for_the_column_on_show() -> None:
    """Unless it is said of other values."""
    assert ((0, "down"), (2, "down"), (1, "down")) == tuple(
        ordered(text, HEADS, (0, "up")) for text in ("descending", "newest first", "largest first")
    )


@pytest.mark.parametrize(
    "text",
    [
        *("show me revenue by month", "top 5 by revenue", "sort orders by month", "rank customers by revenue", "first"),
        *("order 5 more", "by month", "list all orders from newest to oldest", "what is the highest?", "sort", "next"),
        *("which customers ordered first", "sort of a broad question", "write it to orders", "sort by", ""),
        f"sort by {'x' * 200}",
    ],
)
def test_other_sentences(text: str) -> None:
    """A question is none, even where it names an order."""
    assert None is sort_wish(text)


@pytest.mark.parametrize(
    "text",
    ["sort by number of orders", "sort by revenue, then name", "sort by revenue and show 3", "sort by average revenue"],
)
def test_what_no_column_is(text: str) -> None:
    """It is a wish for an order, but not one of these rows."""
    assert (True, None) == (sort_wish(text) is not None, ordered(text))


def test_bare() -> None:
    """Only "sort by NAME" is told that there is no such column; more words are taken for a change of the question."""
    bare = [text for text in ("sort by x", "Order by x DESC", "sort by x y", "nach x sortieren") if _bare(text)]
    assert ["sort by x", "Order by x DESC"] == bare
    assert SortWish("price", "up", "number", bare=False) == sort_wish("sort by price, lowest first")


def _bare(text: str) -> bool:
    wish = sort_wish(text)
    return wish is not None and wish.bare


@pytest.mark.parametrize(
    ("name", "names", "place"),
    [
        ("revenue", ("revenue_share", "revenue"), 1),
        ("revenue", ("revenue_2024", "revenue_2025"), None),
        ("number of orders", ("customer", "orders"), 1),
        ("orders", ("order_count", "customer"), 0),
        ("umsätze", ("Umsätze", "Name"), 0),
        ("größe", ("name", "Größe"), 1),
        ("store names", ("store_name", "name"), 0),
        ("net revenue", ("name", "revenue"), None),
        ("the", ("a", "b"), None),
        ("column 3", ("a", "b"), None),
    ],
)
def test_columns(name: str, names: tuple[str, str], place: int | None) -> None:
    """One of several that fit as well is none."""
    assert place == column_of(name, tuple(Head(each, "number") for each in names))
