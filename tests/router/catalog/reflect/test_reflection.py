"""Every kind of database tells of its tables in the same words."""

import pytest

from router.catalog.schema import Column, ForeignKey, Schema
from router.errors import NotAllowed
from tests.router.catalog.conftest import Build

ODD = [
    "Order Lines",
    'say "hi"',
    "group",
    "UPPER",
    "a.b",
    "naïve Größe",
    "it's",
    "semi;colon",
    "percent%s",
    "back`tick",
]

COMPANY = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, city VARCHAR(20) NOT NULL, credit DECIMAL(10, 2));
CREATE TABLE orders (
    year INTEGER, number INTEGER, customer_id INTEGER REFERENCES customers (id), PRIMARY KEY (number, year)
);
CREATE TABLE "lines" (
    id INTEGER PRIMARY KEY, order_year INTEGER, order_number INTEGER,
    FOREIGN KEY (order_number, order_year) REFERENCES orders (number, year)
);
CREATE VIEW big_orders AS SELECT number, year FROM orders;
"""


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def test_tables(build: Build) -> None:
    """Tables and views come in alphabetical order, the views marked."""
    schema = build(COMPANY).schema("A")

    expected = [("big_orders", True), ("customers", False), ("lines", False), ("orders", False)]
    assert expected == [(table.name, table.view) for table in schema.tables]


def test_columns(build: Build) -> None:
    """Columns keep their order, say in the database's words what they hold, and whether it may be missing."""
    customers = build(COMPANY, samples=False).schema("A").table("CUSTOMERS")

    assert customers is not None
    assert [tuple(column.name for column in customers.columns)] == [("id", "city", "credit")]
    types = [column.type.upper().replace("DECIMAL", "NUMERIC") for column in customers.columns]
    assert [types[0].replace("INTEGER", "INT"), types[2]] == ["INT", "NUMERIC(10,2)"]
    assert types[1] in ("VARCHAR(20)", "VARCHAR")
    assert [column.nullable for column in customers.columns[1:]] == [False, True]


def _key(schema: Schema, columns: tuple[str, ...], target: str, target_columns: tuple[str, ...]) -> ForeignKey:
    """Return a declared key; SQLite takes one for a remark."""
    return ForeignKey(columns, target, target_columns, schema.name, checked=schema.dialect != "sqlite")


def test_keys_of_several_columns(build: Build) -> None:
    """A key of several columns keeps its own order, and so does what points to it."""
    schema = build(COMPANY).schema("A")
    orders, lines = schema.table("orders"), schema.table("lines")

    assert orders is not None
    assert orders.primary_key == ("number", "year")
    assert (_key(schema, ("customer_id",), "customers", ("id",)),) == orders.foreign_keys
    assert lines is not None
    expected = _key(schema, ("order_number", "order_year"), "orders", ("number", "year"))
    assert (expected,) == lines.foreign_keys


def test_odd_names(build: Build) -> None:
    """Any name comes back as it is, of tables, columns, keys and samples."""
    script = "".join(
        f"CREATE TABLE {odd} ({odd} VARCHAR(20) PRIMARY KEY);"
        f"CREATE TABLE to_{n} (x VARCHAR(20) REFERENCES {odd} ({odd}));"
        f"INSERT INTO {odd} VALUES ('red'), ('blue');"
        for n, odd in enumerate(map(quoted, ODD))
    )
    schema = build(script).schema("A")

    for n, name in enumerate(ODD):
        table, other = schema.table(name), schema.table(f"to_{n}")
        assert table is not None
        assert (name, (name,), ("blue", "red")) == (table.name, table.primary_key, table.columns[0].samples)
        assert other is not None
        assert (_key(schema, ("x",), name, (name,)),) == other.foreign_keys


def test_only_allowed_tables(build: Build) -> None:
    """Patterns cut the tables down, and the keys that lead to what they leave out are not told either."""
    schema = build(COMPANY, tables=("ORD*", "*.lines")).schema("A")

    assert [table.name for table in schema.tables] == ["lines", "orders"]
    assert [len(table.foreign_keys) for table in schema.tables] == [1, 0]
    assert {(schema.name, "lines"), (schema.name, "orders")} == schema.scope.tables


def test_schemas(build: Build) -> None:
    """Without a list, the default schema is the only one; it is meant where none is named, in any case of letters."""
    catalog = build(COMPANY)
    (only,) = catalog.schemas("a")

    assert only in {"main", "public"} or only.startswith("test_")
    assert catalog.schema("a", only.upper()) is catalog.schema("A")
    assert only == catalog.schema("A").scope.default


def test_other_schemas_are_refused(build: Build) -> None:
    """A schema that is not allowed is refused in the same words as one that does not exist."""
    catalog = build(COMPANY)
    (only,) = catalog.schemas("a")

    for name in ("information_schema", "gone"):
        with pytest.raises(NotAllowed) as raised:
            catalog.schema("A", name)
        assert f'Company has no schema "{name}" that may be read. It has {only}.' == str(raised.value)


def test_columns_without_samples_are_plain(build: Build) -> None:
    """With samples off, no value of the database is in the schema."""
    catalog = build("CREATE TABLE t (colour VARCHAR(9)); INSERT INTO t VALUES ('red');", samples=False)
    (table,) = catalog.schema("A").tables

    assert (Column("colour", table.columns[0].type),) == table.columns
