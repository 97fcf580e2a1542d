"""DuckDB's types as kinds."""

from typing import Any

from router.sql.databases import Kind

KINDS: dict[str, Kind] = {
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


def kind_of(column_type: Any) -> Kind:
    """Return the kind of a column by its type in the description."""
    return KINDS.get(column_type.id, "text")
