"""Foreign keys, as declared and as names make likely."""

from datetime import UTC, datetime

import pytest

from router.catalog.foreign_keys import TableLink, links
from router.catalog.schema import Column, ForeignKey, Schema, SchemaTable
from tests.support.rows import every_row


def table(
    name: str, columns: str, key: str = "id", keys: tuple[ForeignKey, ...] = (), view: bool = False
) -> SchemaTable:
    """Make a table of "name:TYPE" words; INTEGER where no type is given."""
    parts = [word.partition(":") for word in columns.split()]
    primary = tuple(key.split())
    return SchemaTable(name, "main", tuple(Column(n, t or "INTEGER") for n, _, t in parts), primary, keys, view=view)


def found(*tables: SchemaTable) -> list[str]:
    schema = Schema("A", "sqlite", "main", tables, datetime(2026, 3, 1, tzinfo=UTC))
    return [f"{link.table}.{link.columns[0]} -> {link.target}.{link.target_columns[0]}" for link in links(schema)]


CUSTOMERS = table("customers", "id name:TEXT")


def test_declared_links_come_first_and_are_not_inferred_again() -> None:
    """A declared key is a link, whatever its names; what it covers is not linked by name as well."""
    key = ForeignKey(("customer_id",), "people", ("id",), "main")
    orders = table("orders", "id customer_id region_id", keys=(key,))
    schema = Schema(
        "A",
        "sqlite",
        "main",
        (CUSTOMERS, orders, table("people", "id"), table("regions", "id")),
        datetime(2026, 3, 1, tzinfo=UTC),
    )

    expected = (
        TableLink("orders", ("customer_id",), "people", ("id",)),
        TableLink("orders", ("region_id",), "regions", ("id",), inferred=True),
    )
    assert expected == links(schema)


@every_row(
    ("column", "target", "identity"),
    [
        ("customer_id", "customers", "id"),
        ("customer_id", "customer", "customer_id"),
        ("CustomerId", "Customers", "Id"),
        ("customerid", "customer", "customerid"),
        ("CustomerID", "tbl_customer", "CustomerID"),
        ("customer_key", "dim_customer", "customer_key"),
        ("billing_customer_id", "customers", "id"),
        ("order_line_id", "order_lines", "id"),
        ("category_id", "categories", "id"),
        ("course_id", "courses", "id"),
        ("box_id", "boxes", "id"),
        ("movie_id", "movies", "id"),
        ("address_id", "addresses", "id"),
        ("status_id", "statuses", "id"),
        ("person_id", "people", "id"),
        ("country_code", "countries", "code"),
        ("doc_id", "doctors", "doc_id"),
        ("StuID", "Student", "StuID"),
    ],
)
def test_links_by_name(column: str, target: str, identity: str) -> None:
    """A column that names another table's rows is linked to them."""
    tables = table("visits", f"id {column}"), table(target, identity, key=identity)

    assert [f"visits.{column} -> {target}.{identity}"] == found(*tables)


@pytest.mark.parametrize(
    ("source", "others"),
    [
        ("id customer_id:TEXT", (CUSTOMERS,)),
        ("id external_customer_id", (CUSTOMERS,)),
        ("id customer", (CUSTOMERS,)),
        ("id custom_id", (CUSTOMERS,)),
        ("id customer_id", (CUSTOMERS, table("dim_customers", "id"))),
        ("id customer_id", (table("customers", "id part", key="id part"),)),
        ("id customer_id", (table("customers", "id", view=True),)),
        ("id customer_code", (CUSTOMERS,)),
        ("id customer_id", (table("customers", "name", key=""),)),
        ("id visit_id", (CUSTOMERS,)),
        ("id paid", (table("pa", "id"),)),
        ("id code", (table("x", "code", key="code"), table("y", "code", key="code"))),
    ],
)
def test_no_link(source: str, others: tuple[SchemaTable, ...]) -> None:
    """Nothing is linked where the type, the key or the name leaves a doubt."""
    assert found(table("visits", source), *others) == []


def test_no_declared_keys_at_all() -> None:
    """Tables without primary keys are linked by a column that is named like one."""
    tables = table("customers", "customer_id name:TEXT", key=""), table("orders", "id customer_id", key="")

    assert found(*tables) == ["orders.customer_id -> customers.customer_id"]
