"""The types of columns, as each database calls them."""

import pytest

from router.sql.dialect import DIALECTS, Name
from router.sql.writing import Field, Kind
from router.sql.writing.making import made
from router.sql.writing.natives import field_of

READ: list[tuple[Name, str, Field]] = [
    ("postgres", "character varying(20)", Field("c", "text", length=20)),
    ("postgres", "numeric(10,2)", Field("c", "decimal", 10, 2)),
    ("postgres", "numeric", Field("c", "decimal")),
    ("postgres", "timestamp(3) with time zone", Field("c", "timestamptz")),
    ("postgres", "timestamp without time zone", Field("c", "timestamp")),
    ("postgres", "smallint", Field("c", "integer", length=2)),
    ("postgres", "inet", Field("c", "text")),
    ("postgres", "integer[]", Field("c", "text")),
    ("postgres", "bit(3)", Field("c", "text")),
    ("sqlite", "INTEGER", Field("c", "integer", length=8)),
    ("sqlite", "DECIMAL(10, 2)", Field("c", "decimal")),
    ("sqlite", "VARCHAR(20)", Field("c", "text")),
    ("duckdb", "DECIMAL(18,3)", Field("c", "decimal", 18, 3)),
    ("duckdb", "UBIGINT", Field("c", "integer")),
    ("duckdb", "HUGEINT", Field("c", "integer", length=16)),
    ("duckdb", "STRUCT(a INTEGER)", Field("c", "text")),
    ("oracle", "DATE", Field("c", "timestamp")),
    ("oracle", "NUMBER(10, 0)", Field("c", "decimal", 10, 0)),
    ("oracle", "NUMBER", Field("c", "decimal")),
    ("oracle", "VARCHAR2(20)", Field("c", "text", length=20)),
    ("oracle", "TIMESTAMP(6) WITH TIME ZONE", Field("c", "timestamptz")),
    ("mysql", "tinyint(1)", Field("c", "bool")),
    ("mysql", "int(10) unsigned", Field("c", "integer")),
    ("mysql", "decimal(10,2)", Field("c", "decimal", 10, 2)),
    ("mysql", "enum('a','b')", Field("c", "text")),
    ("tsql", "nvarchar(20)", Field("c", "text", length=20)),
    ("tsql", "bit", Field("c", "bool")),
    ("tsql", "uniqueidentifier", Field("c", "uuid")),
]
KINDS: tuple[Kind, ...] = (
    "integer", "decimal", "float", "text", "bool", "date", "time", "timestamp", "timestamptz", "blob", "json", "uuid",
    "interval",
)  # fmt: skip


@pytest.mark.parametrize(("dialect", "native", "field"), READ)
def test_types_that_are_there(dialect: Name, native: str, field: Field) -> None:
    """A native type says what a column takes; one that nobody here knows takes texts."""
    read = field_of("c", native, dialect)
    assert Field(read.name, read.kind, read.digits, read.scale, read.length) == field
    assert read.native == native


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", KINDS)
def test_types_that_are_made(dialect: Name, kind: Kind) -> None:
    """Every kind has a type in every database, and a column of that type takes what was made for it."""
    field = made(Field("c", kind, 10 if kind == "decimal" else 0, 2 if kind == "decimal" else 0), dialect)
    read = field_of("c", field.native, dialect)
    assert field.native != ""
    same: dict[tuple[Name, Kind], Kind] = {
        ("sqlite", "json"): "text",
        ("sqlite", "uuid"): "text",
        ("sqlite", "interval"): "text",
        ("oracle", "integer"): "decimal",
        ("oracle", "bool"): "decimal",
        ("oracle", "date"): "timestamp",
        ("oracle", "json"): "text",
        ("tsql", "json"): "text",
    }
    assert read.kind == same.get((dialect, kind), field.kind)


def test_text_in_oracle() -> None:
    """A text that is short enough is a VARCHAR2, which can be compared and grouped; else a CLOB."""
    assert made(Field("c", "text", length=20), "oracle").native == "VARCHAR2(80 BYTE)"
    assert made(Field("c", "text", length=1001), "oracle").native == "CLOB"
    assert made(Field("c", "text"), "oracle").native == "CLOB"


@pytest.mark.parametrize(
    ("dialect", "field", "native"),
    [
        ("duckdb", Field("c", "decimal", 10, 2), "DECIMAL(10, 2)"),
        ("duckdb", Field("c", "decimal", 39, 2), "VARCHAR"),
        ("mysql", Field("c", "decimal", 40, 31), "LONGTEXT"),
        ("sqlite", Field("c", "decimal", 16, 2), "TEXT"),
        ("tsql", Field("c", "decimal"), "NVARCHAR(MAX)"),
        ("postgres", Field("c", "decimal", 500, 300), "numeric"),
    ],
)
def test_decimals(dialect: Name, field: Field, native: str) -> None:
    """A number that the database cannot hold whole becomes a text."""
    assert made(field, dialect).native == native
