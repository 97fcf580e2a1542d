"""The types of columns, as each database calls them."""

import pytest

from router.sql.dialect import DIALECTS, Name
from router.sql.writing.column_types import field_of, made
from router.sql.writing.order import Kind, ResultField
from tests.support.rows import every_row

READ: list[tuple[Name, str, ResultField]] = [
    ("postgres", "character varying(20)", ResultField("c", "text", length=20)),
    ("postgres", "numeric(10,2)", ResultField("c", "decimal", 10, 2)),
    ("postgres", "numeric", ResultField("c", "decimal")),
    ("postgres", "timestamp(3) with time zone", ResultField("c", "timestamptz")),
    ("postgres", "timestamp without time zone", ResultField("c", "timestamp")),
    ("postgres", "smallint", ResultField("c", "integer", length=2)),
    ("postgres", "inet", ResultField("c", "text")),
    ("postgres", "integer[]", ResultField("c", "array")),
    ("postgres", "bit(3)", ResultField("c", "text", length=3)),
    ("sqlite", "INTEGER", ResultField("c", "integer", length=8)),
    ("sqlite", "DECIMAL(10, 2)", ResultField("c", "decimal")),
    ("sqlite", "VARCHAR(20)", ResultField("c", "text")),
    ("duckdb", "DECIMAL(18,3)", ResultField("c", "decimal", 18, 3)),
    ("duckdb", "UBIGINT", ResultField("c", "integer")),
    ("duckdb", "HUGEINT", ResultField("c", "integer", length=16)),
    ("duckdb", "STRUCT(a INTEGER)", ResultField("c", "unwritten")),
    ("duckdb", "UNION(a INTEGER)", ResultField("c", "unwritten")),
    ("tsql", "sql_variant", ResultField("c", "unwritten")),
    ("sqlite", "STRING", ResultField("c", "any")),
    ("sqlite", "NVARCHAR(20)", ResultField("c", "text")),
    ("oracle", "DATE", ResultField("c", "timestamp")),
    ("oracle", "NUMBER(10, 0)", ResultField("c", "decimal", 10, 0)),
    ("oracle", "NUMBER", ResultField("c", "decimal")),
    ("oracle", "VARCHAR2(20)", ResultField("c", "text", length=20)),
    ("oracle", "TIMESTAMP(6) WITH TIME ZONE", ResultField("c", "timestamptz")),
    ("mysql", "tinyint(1)", ResultField("c", "bool")),
    ("mysql", "int(10) unsigned", ResultField("c", "integer")),
    ("mysql", "decimal(10,2)", ResultField("c", "decimal", 10, 2)),
    ("mysql", "enum('a','b')", ResultField("c", "text")),
    ("tsql", "nvarchar(20)", ResultField("c", "text", length=20)),
    ("tsql", "bit", ResultField("c", "bool")),
    ("tsql", "uniqueidentifier", ResultField("c", "uuid")),
]
KINDS: tuple[Kind, ...] = (
    "integer", "decimal", "float", "text", "bool", "date", "time", "timestamp", "timestamptz", "blob", "json", "uuid",
    "interval",
)  # fmt: skip


@every_row(("dialect", "native", "field"), READ)
def test_types_that_are_there(dialect: Name, native: str, field: ResultField) -> None:
    """A native type says what a column takes; one that nobody here knows takes texts."""
    read = field_of("c", native, dialect)
    assert ResultField(read.name, read.kind, read.digits, read.scale, read.length) == field
    assert read.native == native


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", KINDS)
def test_types_that_are_made(dialect: Name, kind: Kind) -> None:
    """Every kind has a type in every database, and a column of that type takes what was made for it."""
    field = made(ResultField("c", kind, 10 if kind == "decimal" else 0, 2 if kind == "decimal" else 0), dialect)
    read = field_of("c", field.native, dialect)
    assert field.native != ""
    same: dict[tuple[Name, Kind], Kind] = {
        ("sqlite", "json"): "text",
        ("sqlite", "uuid"): "text",
        ("sqlite", "interval"): "text",
        ("mysql", "interval"): "time",
        ("oracle", "integer"): "decimal",
        ("oracle", "bool"): "decimal",
        ("oracle", "date"): "timestamp",
        ("oracle", "json"): "text",
        ("tsql", "json"): "text",
    }
    assert read.kind == same.get((dialect, kind), field.kind)


@pytest.mark.parametrize(
    ("dialect", "field", "native"),
    [
        ("duckdb", ResultField("c", "decimal", 10, 2), "DECIMAL(10, 2)"),
        ("duckdb", ResultField("c", "decimal", 39, 2), "VARCHAR"),
        ("mysql", ResultField("c", "decimal", 40, 31), "LONGTEXT"),
        ("sqlite", ResultField("c", "decimal", 16, 2), "TEXT"),
        ("tsql", ResultField("c", "decimal"), "NVARCHAR(MAX)"),
        ("postgres", ResultField("c", "decimal", 500, 300), "numeric"),
    ],
)
def test_decimals(dialect: Name, field: ResultField, native: str) -> None:
    """A number that the database cannot hold whole becomes a text."""
    assert made(field, dialect).native == native
