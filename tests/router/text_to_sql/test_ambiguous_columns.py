"""Words of a question that may mean several columns."""

from datetime import UTC, datetime

import pytest

from router.catalog.schema import Column, ForeignKey, Schema, SchemaTable
from router.knowledge.knowledge import Example, Known, Term
from router.text_to_sql.ambiguous_columns import unsure_columns


def table(name: str, *columns: str, **leads: str) -> SchemaTable:
    """Return a table with an id, columns of text or, with a plus in front, numbers, and keys to other tables."""
    made = tuple(Column(column.lstrip("+"), "NUMERIC" if column[0] == "+" else "TEXT") for column in columns)
    keys = tuple(ForeignKey((key,), target, ("id",)) for key, target in leads.items())
    leading = tuple(Column(key, "INTEGER", nullable=key == "store_id") for key in leads)
    return SchemaTable(name, "main", (Column("id", "INTEGER"), *made, *leading), ("id",), keys)


def schema(*tables: SchemaTable) -> Schema:
    """Return a schema of these tables."""
    return Schema("shop", "sqlite", "main", tables, datetime(2026, 1, 1, tzinfo=UTC))


SHOP = schema(
    table("countries", "name", "region"),
    table("customers", "name", "city", "segment", country_id="countries"),
    table("stores", "name", "city", country_id="countries"),
    table("orders", "status", "+total_amount", customer_id="customers", store_id="stores"),
    table("order_items", "+quantity", "+line_total", order_id="orders", product_id="products"),
    table("products", "name", "category"),
    table("inventory", "+quantity", store_id="stores", product_id="products"),
    table("payments", "status", "+amount", order_id="orders"),
    table("tickets", "status", "subject", customer_id="customers"),
)


def asked(question: str, schema: Schema = SHOP, evidence: str = "", known: Known | None = None) -> list[str]:
    """Return what is not clear in a question, as words and places."""
    found = unsure_columns(question, schema, evidence, known or Known())
    return [f"{each.words}: {', '.join(f'{home.table}.{home.column}' for home in each.homes)}" for each in found]


CITY = "city: customers.city, stores.city"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many orders are there in each city?", [CITY]),
        ("Which city brought the most revenue?", [CITY]),
        ("revenue by status and by city", ["status: orders.status, payments.status, tickets.status", CITY]),
        ("total quantity", ["quantity: order_items.quantity, inventory.quantity"]),
        ("customers by city", []),
        ("total quantity in the inventory", []),
        ("revenue by region", []),
        ("orders by name", []),
        ("orders by customer_id", []),
        ("orders in the city of Graz", []),
        ("Anzahl pro city", [CITY]),
        ("revenue by", []),
        ("", []),
    ],
)
def test_words_that_several_tables_have_a_column_for(question: str, expected: list[str]) -> None:
    """What a question groups by or measures, unless it names one of the tables, or nearly every table has it."""
    assert asked(question) == expected


def test_what_is_told_is_sure() -> None:
    """A hint, a term, an example, or a table that a value of the question is of."""
    question = "revenue in each city"
    term = Term("city", "the city of the store", "")
    assert asked(question, evidence="city is that of the store") == []
    assert asked(question, known=Known((term,))) == []
    assert asked(question, known=Known(examples=(Example("orders by city", "SELECT 1"),))) == []
    assert unsure_columns(question, SHOP, tables=("stores",)) == ()
