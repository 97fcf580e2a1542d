"""Values are put right by those of their column, and joins by the foreign keys."""

from dataclasses import replace

import pytest

from router.catalog.schema import Schema
from router.text_to_sql.repair.repair import repair
from tests.support.trade import trade


def repaired(sql: str) -> str:
    return repair(sql, trade()).sql


def with_values(**values: str) -> Schema:
    """Return the schema with all values of some columns, as "table__column"."""
    schema = trade()
    known = {tuple(name.split("__")): frozenset(each.split(",")) for name, each in values.items()}
    tables = tuple(
        replace(
            table,
            columns=tuple(
                replace(column, values=known[table.name, column.name], whole=True)
                if (table.name, column.name) in known
                else column
                for column in table.columns
            ),
        )
        for table in schema.tables
    )
    return replace(schema, tables=tables)


@pytest.mark.parametrize(
    ("sql", "right"),
    [
        (
            "SELECT id FROM customers WHERE name = 'ada love'",
            "SELECT id FROM customers WHERE name = 'Ada Love'",
        ),
        (
            "SELECT id FROM customers WHERE name IN ('ADA LOVE', 'Gráce Hopper')",
            "SELECT id FROM customers WHERE name IN ('Ada Love', 'Grace Hopper')",
        ),
        (
            "SELECT id FROM customers WHERE name = 'Ada Lovve'",
            "SELECT id FROM customers WHERE name = 'Ada Love'",
        ),
        ("SELECT id FROM customers WHERE name = 'Nobody'", "SELECT id FROM customers WHERE name = 'Nobody'"),
        ("SELECT id FROM orders WHERE customer_id = '7'", "SELECT id FROM orders WHERE customer_id = '7'"),
    ],
)
def test_values_are_spelt_as_the_column_spells_them(sql: str, right: str) -> None:
    """Where one of them can be meant; else they stay."""
    schema = with_values(customers__name="Ada Love,Grace Hopper", customers__country="France,Spain")
    assert right == repair(sql, schema).sql


def test_a_join_that_leads_elsewhere_follows_its_foreign_key() -> None:
    """A foreign key is joined with what it points to, and through the tables in between."""
    assert "SELECT customers.name FROM orders JOIN customers ON orders.customer_id = customers.id" == repaired(
        "SELECT customers.name FROM orders JOIN customers ON orders.customer_id = customers.region_id"
    )
    assert (
        "SELECT regions.region FROM orders JOIN customers ON orders.customer_id = customers.id "
        "JOIN regions ON customers.region_id = regions.id"
    ) == repaired("SELECT regions.region FROM orders JOIN regions ON orders.customer_id = regions.id")
