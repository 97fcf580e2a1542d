"""Words of a question that may mean several columns, and their resolution."""

from datetime import UTC, datetime

import pytest

from router.catalog.schema import Column, ForeignKey, Schema, SchemaTable
from router.knowledge.knowledge import Example, Known, Term
from router.text_to_sql.ambiguous_columns import ASKED_COLUMNS_MAX, unsure_columns


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
    return [
        f"{each.words}: {', '.join(f'{home.owner}/{home.table}.{home.column}' for home in each.homes)}"
        for each in found
    ]


REGION = "region: customers/countries.region, stores/countries.region"
CITY = "city: customers/customers.city, stores/stores.city"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("revenue by region", [REGION]),
        ("how many orders are there in each city?", [CITY]),
        ("Which city brought the most revenue?", [CITY]),
        ("top 5 cities by revenue", [CITY.replace("city:", "cities:")]),
        ("orders by country", ["country: customers/countries.name, stores/countries.name"]),
        ("revenue by region and city", [REGION, CITY]),
        ("revenue by home city", [CITY]),
        ("total quantity by product", ["quantity: inventory/inventory.quantity, order_items/order_items.quantity"]),
        ("revenue by status", ["status: orders/orders.status, payments/payments.status"]),
        (
            "how many by status?",
            ["status: orders/orders.status, payments/payments.status, tickets/tickets.status"],
        ),
    ],
)
def test_what_may_be_meant_is_asked_about(question: str, expected: list[str]) -> None:
    """A word that a question groups by or measures is unclear where several columns are as near."""
    assert expected == asked(question)


@pytest.mark.parametrize(
    "question",
    [
        "revenue by customer city",
        "revenue by the stores' region",
        "how many customers are there in each country?",
        "orders by status",
        "payments by status",
        "tickets by region",
        "stock of each product by quantity in the inventory",
        "revenue by segment and city",
        "revenue by category",
        "total quantity of orders by product",
        "revenue by name",
        "orders in the city of Ghent",
        "revenue by",
        "by , and",
        "",
    ],
)
def test_what_the_question_decides_is_not_asked(question: str) -> None:
    """A table that is named, a column of one table, and what is nearest by foreign keys leave nothing open."""
    assert [] == asked(question)


@pytest.mark.parametrize(
    ("evidence", "known"),
    [
        ("region means where the customer lives", Known()),
        ("revenue = what customers paid", Known()),
        ("", Known((Term("region", "sales territory"),))),
        ("", Known((Term("territory", "of a store", ("regions",)),))),
        ("", Known((Term("revenue", "all that was paid", filter="customers.id > 0"),))),
        ("", Known((), (Example("orders by region", "SELECT 1"),))),
    ],
)
def test_what_was_taught_is_not_asked(evidence: str, known: Known) -> None:
    """A hint, a term of the glossary, and a verified example with the word leave nothing open."""
    assert [] == asked("revenue by region", SHOP, evidence, known)


def test_the_nearest_come_first_and_few() -> None:
    """Of many columns, those that most of what may be meant leads to come first, and four are shown at most."""
    leads = {f"side{n}_id": f"side{n}" for n in range(6)}
    wide = schema(*(table(side, "color") for side in leads.values()), table("boxes", "+weight", **leads))

    found = unsure_columns("boxes by color", wide)
    assert [ASKED_COLUMNS_MAX] == [len(each.homes) for each in found]


def test_keys_and_views_are_no_other_columns() -> None:
    """A column that refers to another one is the same, and a view shows what its tables have."""
    towns = table("towns", "mayor")
    firms = table("firms", town="towns")
    shops = table("shops", town="towns")
    view = SchemaTable("firms_and_towns", "main", (Column("mayor", "TEXT"),), view=True)

    assert [] == asked("how many by mayor", schema(towns, view))
    assert ["town: firms/towns.mayor, shops/towns.mayor"] == asked(
        "sales by town", schema(towns, firms, shops, table("sales", "day", firm_id="firms", shop_id="shops"))
    )


def test_names_are_read_as_people_say_them() -> None:
    """A prefix that all columns of a table share, capitals, and short forms are no part of what a column is called."""
    people = table("tbCust", "cuName", "cuCity", "cuCountry")
    shops = table("tbStr", "stName", "stCity", "stKind")

    assert ["city: tbCust/tbCust.cuCity, tbStr/tbStr.stCity"] == asked(
        "revenue by city",
        schema(
            SchemaTable("tbCust", "main", people.columns[1:], ("cuName",)),
            SchemaTable("tbStr", "main", shops.columns[1:], ("stName",)),
        ),
    )


STOCKS = schema(*(table(f"stock_{number}", "warehouse", "item", "+quantity") for number in range(3)))


def test_a_table_that_is_typed_as_it_is_spelt_decides() -> None:
    """Where all names begin alike, the whole name tells a table from the others, in any case."""
    assert 2 == len(asked("total quantity by warehouse", STOCKS))
    assert [[], [], []] == [
        asked(question, STOCKS)
        for question in ("total quantity by warehouse in stock_0", "STOCK_1 by warehouse", "items in `stock_2` by item")
    ]
    assert 1 == len(asked("stock by warehouse", STOCKS))
