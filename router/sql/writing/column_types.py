"""The types of columns that are made: for each field, how the database shall keep it so that it reads back best."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from router.language.wording import and_list, verb
from router.sql.dialect import Name
from router.sql.value_kinds import HELD, Extent
from router.sql.writing.names import quoted
from router.sql.writing.order import Kind, ResultField

# Existing columns: a database's own name of a type as a field.

_BRACKETS = re.compile(r"\(([^()]*)\)")
_NOISE = re.compile(r"\b(unsigned|signed|zerofill)\b")

_BYTES = {
    **dict.fromkeys(("tinyint", "int1"), 1),
    **dict.fromkeys(("smallint", "int2", "short"), 2),
    **dict.fromkeys(("integer", "int", "int4", "signed"), 4),
    **dict.fromkeys(("bigint", "int8", "long"), 8),
    "mediumint": 3,
    "hugeint": 16,
}
_UNSIGNED = ("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint")
_KINDS: dict[str, Kind] = {
    **dict.fromkeys((*_BYTES, *_UNSIGNED), "integer"),
    **dict.fromkeys(("decimal", "numeric", "number", "dec"), "decimal"),
    **dict.fromkeys(("float", "real", "double", "double precision", "float4", "float8"), "float"),
    **dict.fromkeys(("binary_float", "binary_double"), "float"),
    **dict.fromkeys(("text", "varchar", "char", "character", "character varying", "bpchar", "string", "clob"), "text"),
    **dict.fromkeys(("nvarchar", "nchar", "ntext", "varchar2", "nvarchar2", "nclob", "tinytext", "mediumtext"), "text"),
    **dict.fromkeys(("longtext", "citext", "name"), "text"),
    **dict.fromkeys(("bool", "boolean", "bit"), "bool"),
    "date": "date",
    **dict.fromkeys(("time", "time without time zone"), "time"),
    **dict.fromkeys(
        ("timestamp", "timestamp without time zone", "datetime", "datetime2", "smalldatetime"), "timestamp"
    ),
    **dict.fromkeys(("timestamp_s", "timestamp_ms", "timestamp_ns"), "timestamp"),
    "time_ns": "time",
    **dict.fromkeys(("timestamptz", "timestamp with time zone", "datetimeoffset"), "timestamptz"),
    "timestamp with local time zone": "timestamptz",
    **dict.fromkeys(("blob", "bytea", "varbinary", "binary", "longblob", "mediumblob", "tinyblob", "raw"), "blob"),
    **dict.fromkeys(("image", "long raw"), "blob"),
    **dict.fromkeys(("json", "jsonb"), "json"),
    **dict.fromkeys(("uuid", "uniqueidentifier"), "uuid"),
    **dict.fromkeys(("interval", "interval day to second"), "interval"),
}


_OWN_KINDS: dict[tuple[Name, str, int], Kind] = {
    ("oracle", "date", 0): "timestamp",  # it has a time of day
    ("mysql", "tinyint", 1): "bool",
    ("mysql", "bit", 0): "bits",
    ("mysql", "bit", 1): "bool",
}
"""The kinds that a dialect has for a type of so many digits, 0 for any number of them."""


_SINGLE_FLOATS: dict[Name, tuple[str, ...]] = {
    "postgres": ("real", "float4"),
    "duckdb": ("float", "real"),
    "mysql": ("float",),
    "oracle": ("binary_float",),
    "tsql": ("real",),
}
"""The types of floats of 4 bytes. MySQL shows six of their digits."""

_SINGLE_BITS = 24
"""A FLOAT(25) of MySQL is one of 8 bytes."""

_VARIANTS = frozenset({"variant", "union", "sql_variant"})
"""Types whose columns keep the type of each value: a text stays one in them."""


def known(native: str, dialect: Name) -> bool:
    """Tell whether the type is one that a field's kind describes; else the database has to read it out of a text."""
    base = type_parts(native)[0]
    return base in _KINDS and not (dialect in ("postgres", "duckdb") and base == "bit")


def field_of(name: str, native: str, dialect: Name) -> ResultField:
    """Return a column of this type; one of an unknown type takes texts, which the database reads or refuses."""
    if several := _kind_of_several(native, dialect):
        return ResultField(name, several, native=native)
    if not known(native, dialect):
        return ResultField(name, "text", native=native)
    base, first, second = type_parts(native)
    kind = _OWN_KINDS.get((dialect, base, first), _OWN_KINDS.get((dialect, base, 0), _KINDS[base]))
    if dialect == "oracle" and base == "number" and first and second == 0:
        return ResultField(name, "decimal", first, 0, native=native)
    match kind:
        case "decimal":
            return _decimal(name, first, second, native, dialect)
        case "integer":
            return ResultField(name, kind, length=_bytes(base, native, dialect), native=native)
        case "bits":
            return ResultField(name, kind, length=first, native=native)
        case "float" if base in _SINGLE_FLOATS.get(dialect, ()) and first <= _SINGLE_BITS:
            return ResultField(name, kind, digits=6 if dialect == "mysql" else 9, length=4, native=native)
        case "text":
            return ResultField(name, kind, length=0 if dialect == "sqlite" else first, native=native)
    return ResultField(name, kind, native=native)


def _kind_of_several(native: str, dialect: Name) -> Kind | None:
    """Return the kind of a column whose values hold others or are of several types, None for another one.

    One of SQLite is such a column if its type is none of the usual ones and has no word in it that makes it one of
    texts: STRING, MONEY and JSON take what looks like a number for one.
    """
    base = type_parts(native)[0]
    if native.endswith("]") or (dialect == "duckdb" and native.startswith(("STRUCT(", "MAP("))):
        return "array"
    if dialect == "sqlite":
        is_usual = base and _KINDS.get(base, "text") not in ("text", "json", "uuid")
        return None if is_usual or re.search("char|clob|text", base) else "any"
    return "variant" if base in _VARIANTS else None


def type_parts(native: str) -> tuple[str, int, int]:
    """Return the name of a type and the numbers in its brackets, 0 where there are none."""
    brackets = _BRACKETS.search(native)
    numbers = [int(number) for number in re.findall(r"-?\d+", brackets[1])] if brackets else []
    first, second = (*numbers, 0, 0)[:2]
    base = _NOISE.sub(" ", _BRACKETS.sub(" ", native.lower().partition(" collate ")[0]))
    return " ".join(base.split()), first, second


def _decimal(name: str, digits: int, scale: int, native: str, dialect: Name) -> ResultField:
    """Return a decimal field; without digits PostgreSQL and Oracle keep all, SQLite a float's, others a default."""
    if dialect == "sqlite":
        return ResultField(name, "decimal", native=native)  # the digits of a type mean nothing there
    if not digits:
        digits, scale = {"duckdb": (18, 3), "mysql": (10, 0), "tsql": (18, 0)}.get(dialect, (0, 0))
    return ResultField(name, "decimal", digits, scale, native=native)


def _bytes(base: str, native: str, dialect: Name) -> int:
    if dialect == "sqlite":
        return 8
    return 0 if "unsigned" in native.lower() or dialect == "oracle" else _BYTES.get(base, 0)


Make = Callable[[ResultField], ResultField]

_VARCHAR2_MAX_CHARS = 1000  # characters of four bytes each

_PLAIN_TYPES: dict[Name, dict[Kind, str]] = {
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
        "interval": "TIME(6)",
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
_TEXT: dict[Name, str] = {
    "sqlite": "TEXT",
    "postgres": "text",
    "duckdb": "VARCHAR",
    "mysql": "LONGTEXT",
    "tsql": "NVARCHAR(MAX)",
}


def made(field: ResultField, dialect: Name) -> ResultField:
    """Return the column that a new table gets for this field; of another kind where the database lacks this one.

    Decimals with more digits than the database has, or of which nobody counted the digits, become texts; so do times
    and intervals that it has no room for.
    """
    plain = _PLAIN_TYPES[dialect].get(field.kind)
    if dialect == "duckdb" and field.kind in ("timestamp", "time") and "nanoseconds" in field.beyond:
        plain = f"{plain}_NS"
    if not holds(dialect, replace(field, native=plain or ""), field.beyond):
        return _as_text(field, dialect)
    if plain:
        length = 8 if field.kind == "integer" else 0
        kind: Kind = "timestamp" if (dialect, field.kind) == ("mysql", "timestamptz") else field.kind
        return replace(field, kind=kind, length=length, digits=0, scale=0, native=plain)
    if field.kind == "decimal":
        name, most, deepest = _DECIMALS[dialect]
        if field.digits and field.digits <= most and field.scale <= deepest:
            return replace(field, length=0, native=f"{name}({field.digits}, {field.scale})")
    return _as_text(field, dialect)


def kept_as_texts(fields: Iterable[ResultField], dialect: Name) -> tuple[str, ...]:
    """Return the columns that become texts in a new table, as the database has no other type for their values."""
    texts = [field for field in fields if made(field, dialect).kind == "text"]
    return tuple(field.name for field in texts if field.kind != "text" or "mixed" in field.beyond)


def texts_sentence(names: Sequence[str], label: str) -> str:
    """Say of the columns of a new table that they are texts."""
    kept = verb(len(names), "is kept as a text, as no type", "are kept as texts, as no types")
    return f"{and_list(names)} {kept} of {label} would hold all of the values exactly."


def holds(dialect: Name, field: ResultField, extents: Collection[Extent]) -> bool:
    """Return whether the column holds values of these extents exactly."""
    held = HELD[dialect]
    return held.get(type_parts(field.native)[0], held.get(field.kind, frozenset())) >= frozenset(extents)


def _as_text(field: ResultField, dialect: Name) -> ResultField:
    """Return a column of text; Oracle's CLOB only where a text is, or may be, too long for a VARCHAR2."""
    longest = field.length if field.kind == "text" else 0 if field.kind == "decimal" else 80
    if dialect == "oracle":
        native = f"VARCHAR2({max(longest, 1) * 4} BYTE)" if 0 < longest <= _VARCHAR2_MAX_CHARS else "CLOB"
    else:
        native = _TEXT[dialect]
    return ResultField(field.name, "text", native=native)


def columns_of(fields: Sequence[ResultField], mark: str = '"') -> str:
    """Return the columns as they stand in a CREATE TABLE."""
    return ", ".join(f"{quoted(field.name, mark=mark)} {field.native}" for field in fields)
