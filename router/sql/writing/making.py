"""The types of columns that are made: for each field, how the database shall keep it so that it reads back best."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from router.sql.dialect import Name
from router.sql.writing.names import quoted
from router.sql.writing.order import Field, Kind

Make = Callable[[Field], Field]

_LONGEST_VARCHAR2 = 1000  # characters of four bytes each

_PLAIN: dict[Name, dict[Kind, str]] = {
    # SQLite has no decimals, dates or UUIDs. What begins with DATE and TIME keeps texts as they are, in ISO form, and
    # tells a reader what they are; JSON and intervals would be taken for numbers by their names.
    "sqlite": {
        "integer": "INTEGER",
        "float": "REAL",
        "text": "TEXT",
        "bool": "BOOLEAN",
        "date": "DATE",
        "time": "TIME",
        "timestamp": "TIMESTAMP",
        "timestamptz": "TIMESTAMP WITH TIME ZONE",
        "blob": "BLOB",
        "json": "TEXT",
        "uuid": "TEXT",
        "interval": "TEXT",
    },
    "duckdb": {
        "integer": "BIGINT",
        "float": "DOUBLE",
        "text": "VARCHAR",
        "bool": "BOOLEAN",
        "date": "DATE",
        "time": "TIME",
        "timestamp": "TIMESTAMP",
        "timestamptz": "TIMESTAMP WITH TIME ZONE",
        "blob": "BLOB",
        "json": "JSON",
        "uuid": "UUID",
        "interval": "INTERVAL",
    },
    "postgres": {
        "integer": "bigint",
        "decimal": "numeric",
        "float": "double precision",
        "text": "text",
        "bool": "boolean",
        "date": "date",
        "time": "time",
        "timestamp": "timestamp",
        "timestamptz": "timestamptz",
        "blob": "bytea",
        "json": "jsonb",
        "uuid": "uuid",
        "interval": "interval",
    },
    "oracle": {
        "integer": "NUMBER(19)",
        "float": "BINARY_DOUBLE",
        "bool": "NUMBER(1)",
        "date": "DATE",
        "timestamp": "TIMESTAMP(6)",
        "timestamptz": "TIMESTAMP(6) WITH TIME ZONE",
        "blob": "BLOB",
        "json": "CLOB",
        "interval": "INTERVAL DAY(9) TO SECOND(6)",
    },
    "mysql": {
        "integer": "BIGINT",
        "float": "DOUBLE",
        "text": "LONGTEXT",
        "bool": "TINYINT(1)",
        "date": "DATE",
        "time": "TIME(6)",
        "timestamp": "DATETIME(6)",
        "timestamptz": "DATETIME(6)",  # in UTC
        "blob": "LONGBLOB",
        "json": "JSON",
    },
    "tsql": {
        "integer": "BIGINT",
        "float": "FLOAT",
        "text": "NVARCHAR(MAX)",
        "bool": "BIT",
        "date": "DATE",
        "time": "TIME(6)",
        "timestamp": "DATETIME2(6)",
        "timestamptz": "DATETIMEOFFSET(6)",
        "blob": "VARBINARY(MAX)",
        "json": "NVARCHAR(MAX)",
    },
}
_DECIMALS: dict[Name, tuple[str, int, int]] = {
    "sqlite": ("DECIMAL", 15, 15),  # what a float keeps; SQLite computes with it
    "duckdb": ("DECIMAL", 38, 38),
    "oracle": ("NUMBER", 38, 38),
    "mysql": ("DECIMAL", 65, 30),
    "tsql": ("DECIMAL", 38, 38),
}
_TEXT: dict[Name, str] = {"sqlite": "TEXT", "duckdb": "VARCHAR", "mysql": "LONGTEXT", "tsql": "NVARCHAR(MAX)"}


def made(field: Field, dialect: Name) -> Field:
    """Return the column that a new table gets for this field; of another kind where the database lacks this one.

    Decimals with more digits than the database has, or of which nobody counted the digits, become texts.
    """
    plain = _PLAIN[dialect].get(field.kind)
    if plain:
        length = 8 if field.kind == "integer" else 0
        kind: Kind = "timestamp" if (dialect, field.kind) == ("mysql", "timestamptz") else field.kind
        return replace(field, kind=kind, length=length, digits=0, scale=0, native=plain)
    if field.kind == "decimal":
        name, most, deepest = _DECIMALS[dialect]
        if field.digits and field.digits <= most and field.scale <= deepest:
            return replace(field, length=0, native=f"{name}({field.digits}, {field.scale})")
    return _as_text(field, dialect)


def _as_text(field: Field, dialect: Name) -> Field:
    """Return a column of text; Oracle's CLOB only where a text is, or may be, too long for a VARCHAR2."""
    longest = field.length if field.kind == "text" else 0 if field.kind == "decimal" else 80
    if dialect == "oracle":
        native = f"VARCHAR2({max(longest, 1) * 4} BYTE)" if 0 < longest <= _LONGEST_VARCHAR2 else "CLOB"
    else:
        native = _TEXT[dialect]
    return Field(field.name, "text", native=native)


def columns_of(fields: Sequence[Field], mark: str = '"') -> str:
    """Return the columns as they stand in a CREATE TABLE."""
    return ", ".join(f"{quoted(field.name, mark=mark)} {field.native}" for field in fields)
