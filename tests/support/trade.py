"""A small schema that the tests of writing and repairing SQL share, and the same tables as an SQLite file."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from router.catalog.schema import Column, ForeignKey, Schema, SchemaTable
from router.sql.dialect import Name

SCRIPT = """
CREATE TABLE regions (id INTEGER PRIMARY KEY, region TEXT);
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, name TEXT, country TEXT, region_id INTEGER REFERENCES regions (id)
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),
    order_date DATE, total_amount NUMERIC, status TEXT
);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, category TEXT);
CREATE TABLE order_items (
    id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id), product_id INTEGER REFERENCES products (id),
    quantity INTEGER, unit_price NUMERIC
);
INSERT INTO regions VALUES (1, 'North'), (2, 'South');
INSERT INTO customers VALUES (1, 'Ada', 'USA', 1), (2, 'Grace', 'UK', 2);
INSERT INTO orders VALUES (1, 1, '2026-01-05', 100, 'paid'), (2, 2, '2026-08-01', 50, 'open');
INSERT INTO products VALUES (1, 'Lamp', 'Home');
INSERT INTO order_items VALUES (1, 1, 1, 2, 50);
"""


def trade(dialect: Name = "sqlite") -> Schema:
    """Return the schema as the catalog would read it from SCRIPT."""
    tables = (
        _table("customers", "id name country=UK,USA region_id", region_id="regions"),
        _table("order_items", "id order_id product_id quantity unit_price", order_id="orders", product_id="products"),
        _table("orders", "id customer_id order_date total_amount status=open,paid", customer_id="customers"),
        _table("products", "id name category=Home"),
        _table("regions", "id region=North,South"),
    )
    return Schema("trade", dialect, "main", tables, datetime(2026, 11, 21, tzinfo=UTC))


def build_trade(path: Path) -> Path:
    """Build the tables as an SQLite file."""
    with sqlite3.connect(path) as connection:
        connection.executescript(SCRIPT)
    connection.close()
    return path


def _table(name: str, columns: str, **keys: str) -> SchemaTable:
    parts = [part.partition("=") for part in columns.split()]
    types = {"name": "TEXT", "country": "TEXT", "status": "TEXT", "category": "TEXT", "region": "TEXT"}
    types |= {"order_date": "DATE", "total_amount": "NUMERIC", "unit_price": "NUMERIC"}
    return SchemaTable(
        name,
        "main",
        tuple(
            Column(column, types.get(column, "INTEGER"), samples=tuple(values.split(",")) if values else ())
            for column, _, values in parts
        ),
        ("id",),
        tuple(ForeignKey((column,), target, ("id",)) for column, target in keys.items()),
    )
