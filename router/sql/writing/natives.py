"""The types of columns that are there: a database's own name of a type as a field."""

import re

from router.sql.dialect import Name
from router.sql.writing.order import Field, Kind

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
_UNSIGNED = ("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint", "bignum")
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
    **dict.fromkeys(("timestamptz", "timestamp with time zone", "datetimeoffset"), "timestamptz"),
    "timestamp with local time zone": "timestamptz",
    **dict.fromkeys(("blob", "bytea", "varbinary", "binary", "longblob", "mediumblob", "tinyblob", "raw"), "blob"),
    **dict.fromkeys(("image", "long raw"), "blob"),
    **dict.fromkeys(("json", "jsonb"), "json"),
    **dict.fromkeys(("uuid", "uniqueidentifier"), "uuid"),
    **dict.fromkeys(("interval", "interval day to second"), "interval"),
}


def known(native: str, dialect: Name) -> bool:
    """Tell whether the type is one that a field's kind describes; else the database has to read it out of a text."""
    return _parts(native)[0] in _KINDS and not (dialect == "postgres" and _parts(native)[0] == "bit")


def field_of(name: str, native: str, dialect: Name) -> Field:
    """Return a column of this type; one of an unknown type takes texts, which the database reads or refuses."""
    if dialect == "sqlite" and not native.strip():
        return Field(name, "any")
    if not known(native, dialect):
        return Field(name, "text", native=native)
    base, first, second = _parts(native)
    kind = _KINDS[base]
    if dialect == "oracle" and base == "date":
        kind = "timestamp"  # it has a time of day
    if dialect == "mysql" and (base, first) == ("tinyint", 1):
        kind = "bool"
    if dialect == "oracle" and base == "number" and first and second == 0:
        return Field(name, "decimal", first, 0, native=native)
    match kind:
        case "decimal":
            return _decimal(name, first, second, native, dialect)
        case "integer":
            return Field(name, kind, length=_bytes(base, native, dialect), native=native)
        case "text":
            return Field(name, kind, length=0 if dialect == "sqlite" else first, native=native)
    return Field(name, kind, native=native)


def _parts(native: str) -> tuple[str, int, int]:
    """Return the name of a type and the numbers in its brackets, 0 where there are none."""
    brackets = _BRACKETS.search(native)
    numbers = [int(number) for number in re.findall(r"\d+", brackets[1])] if brackets else []
    first, second = (*numbers, 0, 0)[:2]
    base = _NOISE.sub(" ", _BRACKETS.sub(" ", native.lower()))
    return " ".join(base.split()), first, second


def _decimal(name: str, digits: int, scale: int, native: str, dialect: Name) -> Field:
    """Where no digits are given, PostgreSQL and Oracle keep all, SQLite what a float keeps, others a default."""
    if dialect == "sqlite":
        return Field(name, "decimal", native=native)  # the digits of a type mean nothing there
    if not digits:
        digits, scale = {"duckdb": (18, 3), "mysql": (10, 0), "tsql": (18, 0)}.get(dialect, (0, 0))
    return Field(name, "decimal", digits, scale, native=native)


def _bytes(base: str, native: str, dialect: Name) -> int:
    if dialect == "sqlite":
        return 8
    return 0 if "unsigned" in native.lower() or dialect == "oracle" else _BYTES.get(base, 0)
