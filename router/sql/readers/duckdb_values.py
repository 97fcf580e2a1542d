"""DuckDB's types as kinds."""

from typing import Any

KINDS = {
    "boolean": "bool",
    "blob": "blob",
    **dict.fromkeys(("tinyint", "smallint", "integer", "bigint", "hugeint", "bignum"), "number"),
    **dict.fromkeys(("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint"), "number"),
    **dict.fromkeys(("float", "double", "decimal"), "number"),
    **dict.fromkeys(
        ("date", "time", "time with time zone", "time_ns", "timestamp", "timestamp with time zone"), "date"
    ),
    **dict.fromkeys(("timestamp_s", "timestamp_ms", "timestamp_ns"), "date"),
}

NESTED = frozenset({"list", "array", "struct", "map", "union", "variant"})


def kind_of(column_type: Any) -> str:
    """Return the kind of a column by its type in the description."""
    return KINDS.get(column_type.id, "text")


def nested(column_type: Any) -> bool:
    """Say whether values of the type hold other values."""
    return column_type.id in NESTED
