"""What the servers' drivers give, as plain Python values."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from router.sql.databases import Kind

PLAIN = frozenset(
    {type(None), bool, int, float, Decimal, str, bytes, date, datetime, time, timedelta, UUID, list, dict, tuple}
)

KINDS: tuple[tuple[str, Kind], ...] = (
    ("NUMBER", "number"),
    ("DECIMAL", "number"),
    ("DATETIME", "date"),
    ("DATE", "date"),
    ("BINARY", "blob"),
)
"""What the drivers call their type objects, not all of which every driver has."""

MYSQL_CODES: dict[Any, Kind] = {246: "number", **dict.fromkeys((249, 250, 251, 252), "text")}
"""MySQL's types that PyMySQL sorts wrongly: a new decimal, and TEXT, which has the codes of a BLOB."""


def kind_of(module: Any, type_code: Any) -> Kind:
    """Return the kind of a column by its type code, compared with the driver's own type objects."""
    if type_code == getattr(module, "DB_TYPE_BOOLEAN", object()):
        return "bool"
    if type_code in MYSQL_CODES and hasattr(module, "FIELD_TYPE"):
        return MYSQL_CODES[type_code]
    return next((kind for name, kind in KINDS if type_code == getattr(module, name, object())), "text")


def plain_rows(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the rows as tuples, with text in place of values that only their driver knows."""
    if all(type(value) in PLAIN for row in rows for value in row):
        return [tuple(row) for row in rows]
    return [tuple(value if type(value) in PLAIN else str(value) for value in row) for row in rows]
