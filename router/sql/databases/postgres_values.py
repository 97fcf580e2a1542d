"""PostgreSQL's values as plain Python ones."""

from typing import Any

import psycopg
from psycopg.abc import Loader as AnyLoader
from psycopg.adapt import Buffer, Loader
from psycopg.types.string import TextLoader

from router.sql.databases import Kind

KINDS: dict[int, Kind] = {
    16: "bool",
    17: "blob",
    **dict.fromkeys((20, 21, 23, 26, 700, 701, 1700), "number"),  # int8 int2 int4 oid float4 float8 numeric
    **dict.fromkeys((1082, 1083, 1114, 1184, 1266), "date"),  # date time timestamp timestamptz timetz
}

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
