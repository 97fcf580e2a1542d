"""What the servers' drivers give, as plain Python values."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from router.sql.databases import Kind

PLAIN = frozenset(
    {type(None), bool, int, float, Decimal, str, bytes, date, datetime, time, timedelta, UUID, list, dict, tuple}
)


def kind_of(module: Any, type_code: Any) -> Kind:
    """Return the kind of a column by its type code, compared with the driver's own type objects."""
    if type_code == getattr(module, "DB_TYPE_BOOLEAN", object()):
        return "bool"
    kinds: tuple[tuple[str, Kind], ...] = (("NUMBER", "number"), ("DATETIME", "date"), ("BINARY", "blob"))
    return next((kind for name, kind in kinds if type_code == getattr(module, name)), "text")


def plain_rows(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the rows as tuples, with text in place of values that only their driver knows."""
    if all(type(value) in PLAIN for row in rows for value in row):
        return [tuple(row) for row in rows]
    return [tuple(value if type(value) in PLAIN else str(value) for value in row) for row in rows]
