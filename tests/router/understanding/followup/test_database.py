"""The vocabulary of a database that the rules know."""

from datetime import UTC, datetime

from router.catalog.schema import Column, Schema, SchemaTable
from router.catalog.values import ValueIndex, names_in
from router.understanding.followup.previous import homes_in

COUNTRIES = SchemaTable("countries", "main", (Column("name", "TEXT", values=frozenset({"Österreich", "Spain"})),))
SECRET = SchemaTable("order_items", "main", (Column("unitPrice", "TEXT", values=frozenset({"Hidden"}), shown=False),))
SHOP = Schema("SHOP", "sqlite", "main", (COUNTRIES, SECRET), datetime(2026, 1, 1, tzinfo=UTC))


def test_names() -> None:
    """The words of names are known one by one, in both numbers."""
    assert {"country", "countries", "order", "item", "items", "unit", "price", "name"} <= names_in(SHOP)


def test_common_words() -> None:
    """A value that is a common word is found, too: "only open" is about the status."""
    orders = SchemaTable("orders", "main", (Column("status", "TEXT", values=frozenset({"open", "paid"})),))
    homes = homes_in(ValueIndex(Schema("SHOP", "sqlite", "main", (orders,), datetime(2026, 1, 1, tzinfo=UTC))))
    assert frozenset({"orders.status"}) == homes("open") == homes("Paid")
    assert frozenset() == homes("closed")


def test_homes() -> None:
    """A value is found in any spelling, one that nobody may be shown is not."""
    homes = homes_in(ValueIndex(SHOP))
    assert frozenset({"countries.name"}) == homes("oesterreich") == homes("SPAIN")
    assert frozenset() == homes("Hidden") == homes("Portugal") == homes("")
