"""Joins hang together: in an order in which each names tables before it, along keys that exist."""

from dataclasses import replace

import pytest
from sqlglot import parse_one

from router.catalog.schema import Column, ForeignKey, Schema, SchemaTable
from router.text_to_sql.repair.join_order import unlinked
from router.text_to_sql.repair.join_paths import direct, hops
from router.text_to_sql.repair.query import Query
from router.text_to_sql.repair.repair import repair
from tests.support.trade import trade


def mended(sql: str, schema: Schema | None = None) -> str:
    repaired = repair(sql, schema or trade())
    assert repaired.problems == ()
    return repaired.sql


def loose(sql: str, schema: Schema | None = None) -> tuple[str, ...]:
    """Return the tables that no condition links with the first one."""
    tree, schema = parse_one(sql, read="sqlite"), schema or trade()
    return unlinked(Query(tree, schema, hops(schema)), tree)


@pytest.mark.parametrize(
    ("joins", "right"),
    [
        (
            "JOIN orders AS o ON o.id = i.order_id JOIN order_items AS i ON c.id = o.customer_id",
            "JOIN orders AS o ON c.id = o.customer_id JOIN order_items AS i ON o.id = i.order_id",
        ),
        (
            "JOIN order_items AS i ON o.id = i.order_id JOIN orders AS o ON c.id = o.customer_id",
            "JOIN orders AS o ON c.id = o.customer_id JOIN order_items AS i ON o.id = i.order_id",
        ),
    ],
)
def test_each_join_names_tables_before_it(joins: str, right: str) -> None:
    """Joins are put into another order, with all their conditions; those in order stay, and so does an outer join."""
    assert f"SELECT c.name FROM customers AS c {right}" == mended(f"SELECT c.name FROM customers AS c {joins}")
    assert f"SELECT c.name FROM customers AS c {right}" == mended(f"SELECT c.name FROM customers AS c {right}")
    outer = joins.replace("JOIN", "LEFT JOIN")
    assert f"SELECT c.name FROM customers AS c {outer}" == mended(f"SELECT c.name FROM customers AS c {outer}")


def test_a_join_that_names_a_later_table_without_its_alias() -> None:
    """A column that only one table has is that table's: its condition waits for it."""
    right = "JOIN orders AS o ON c.id = customer_id JOIN order_items AS i ON o.id = order_id"
    joins = "JOIN order_items AS i ON c.id = customer_id JOIN orders AS o ON o.id = order_id"
    assert f"SELECT c.name FROM customers AS c {right}" == mended(f"SELECT c.name FROM customers AS c {joins}")


def test_a_table_without_a_link_gets_the_only_key() -> None:
    """Whether it stands behind a comma, without a condition, or held against itself."""
    right = "SELECT c.name FROM customers AS c JOIN orders AS o ON c.id = o.customer_id"
    assert f"{right} WHERE o.status = 'open'" == mended(
        "SELECT c.name FROM customers AS c, orders AS o WHERE o.status = 'open'"
    )
    assert right == mended("SELECT c.name FROM customers AS c JOIN orders AS o")
    assert right == mended("SELECT c.name FROM customers AS c JOIN orders AS o ON o.id = o.id")
    linked = "SELECT c.name FROM customers AS c CROSS JOIN orders AS o WHERE c.id = o.customer_id"
    assert linked == mended(linked)


def flights(*keys: ForeignKey) -> Schema:
    """Return flights, with these keys to airports."""
    columns = tuple(Column(name, "TEXT") for name in ("number", "source", "destination", "code"))
    tables = (
        SchemaTable("flights", "main", columns, ("number",), keys),
        SchemaTable("airports", "main", (Column("code", "TEXT"), Column("city", "TEXT")), ("code",)),
    )
    return replace(trade(), tables=tables)


SOURCE, DESTINATION, CODE = (ForeignKey((name,), "airports", ("code",)) for name in ("source", "destination", "code"))


def test_of_several_keys_between_two_tables_that_of_equal_names_counts() -> None:
    """Where none has equal names, any may be meant, and nothing is linked: each row would meet every other."""
    asked = "SELECT city FROM flights JOIN airports"
    assert "airports" in loose(asked, flights(SOURCE, DESTINATION))[0]
    assert direct(hops(flights(SOURCE, DESTINATION)), "flights", "airports") is None
    several = flights(SOURCE, DESTINATION, CODE)
    assert "SELECT city FROM flights JOIN airports ON flights.code = airports.code" == mended(asked, several)
