"""PostgreSQL's values as plain Python ones."""

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg.abc import Loader as AnyLoader
from psycopg.adapt import Buffer, Loader
from psycopg.types.string import TextLoader

from router.sql.databases import Kind
from router.sql.databases.weight import Scale

KINDS: dict[int, Kind] = {
    16: "bool",
    17: "blob",
    **dict.fromkeys((20, 21, 23, 26, 700, 701, 1700), "number"),  # int8 int2 int4 oid float4 float8 numeric
    **dict.fromkeys((1082, 1083, 1114, 1184, 1266), "date"),  # date time timestamp timestamptz timetz
}

FLAT = frozenset((17, 18, 19, 25, 142, 705, 1042, 1043, 1560, 1562))
"""Types whose values come as texts or blobs: bytea char name text xml unknown bpchar varchar bit varbit."""

NUMERIC = 1700

TEXT_ONLY = (
    "inet cidr int4range int8range numrange daterange tsrange tstzrange "
    "int4multirange int8multirange nummultirange datemultirange tsmultirange tstzmultirange"
)
"""Types that psycopg has classes for, which nobody downstream knows."""

UNBOUNDED = "date timestamp timestamptz timetz interval"
"""Types with values that Python's have no room for: infinity, the years before 1 and after 9999."""


def kind_of(oid: int) -> Kind:
    """Return the kind of a column by the number of its type."""
    return KINDS.get(oid, "text")


def scale_of(columns: Sequence[psycopg.Column]) -> Scale:
    """Return what weighs the rows of a query with these columns."""
    places: dict[str, list[int]] = {"flat": [], "long": [], "deep": []}
    for place, column in enumerate(columns):
        if column.type_code in FLAT:
            places["flat"].append(place)
        elif column.type_code == NUMERIC and column.precision is None:  # it may have a hundred thousand digits
            places["long"].append(place)
        elif column.type_code not in KINDS:
            places["deep"].append(place)
    return Scale(len(columns), places["flat"], places["long"], places["deep"])


def plain_values(connection: psycopg.Connection[Any]) -> None:
    """Let the connection give plain values only, and text where a value has no plain form."""
    for name in TEXT_ONLY.split():
        connection.adapters.register_loader(name, TextLoader)
    for name in UNBOUNDED.split():
        oid = connection.adapters.types[name].oid
        first = connection.adapters.get_loader(oid, psycopg.pq.Format.TEXT)
        if first is not None:
            connection.adapters.register_loader(name, or_text(first))


def or_text(first: type[AnyLoader]) -> type[Loader]:
    """Return a loader that gives PostgreSQL's text for a value that `first` cannot hold."""

    class OrText(Loader):
        def __init__(self, oid: int, context: Any = None) -> None:
            super().__init__(oid, context)
            self._first = first(oid, context)

        def load(self, data: Buffer) -> Any:
            try:
                return self._first.load(data)
            except (psycopg.DataError, ValueError, OverflowError):
                return bytes(data).decode()

    return OrText
