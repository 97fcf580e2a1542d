"""Descriptions and foreign keys of tables from connections.toml, for databases that do not have them."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from router.catalog.schema import ForeignKey, SchemaTable, named

log = logging.getLogger(__name__)

_KEY = re.compile(r"(?P<table>.+)\.(?P<column>[^.=!]+?)\s*(?P<sign>!?=)\s*(?P<target>.+)\.(?P<key>[^.=!]+)")


@dataclass(frozen=True, slots=True)
class ConfirmedKey:
    """A person's word on a column: it points to the key of another table, or, if `denied`, it does not."""

    table: str
    column: str
    target: str
    key: str
    denied: bool


def key_of(written: str) -> ConfirmedKey | None:
    """Return what "orders.customer = customers.id" says; None if it is written otherwise."""
    found = _KEY.fullmatch(written.strip())
    if found is None:
        return None
    return ConfirmedKey(found["table"], found["column"], found["target"], found["key"], found["sign"] == "!=")


def with_confirmed_keys(tables: Sequence[SchemaTable], written: Sequence[str]) -> tuple[SchemaTable, ...]:
    """Return the tables with the keys that are confirmed, and without a word on columns whose key is denied."""
    known = {table.name: table for table in tables}
    for text in written:
        said = key_of(text)
        table, target = (named(known.values(), name) for name in (said.table, said.target)) if said else (None, None)
        column = table.column(said.column) if said and table else None
        key = target.column(said.key) if said and target else None
        if said is None or table is None or target is None or column is None or key is None:
            log.warning("keys: %r names no column that is read here", text)
            continue
        keys = table.foreign_keys
        if not said.denied:
            keys = (*keys, ForeignKey((column.name,), target.name, (key.name,), target.schema))
        known[table.name] = replace(table, foreign_keys=keys, judged=table.judged | {column.name})
    return tuple(known.values())


def with_descriptions(tables: Sequence[SchemaTable], described: Sequence[tuple[str, str]]) -> tuple[SchemaTable, ...]:
    """Return the tables with what people say of them and their columns, if the database has no comment itself."""
    said = {place.lower(): words for place, words in described}

    def with_words(table: SchemaTable) -> SchemaTable:
        columns = tuple(
            replace(column, comment=column.comment or said.get(f"{table.name}.{column.name}".lower(), ""))
            for column in table.columns
        )
        return replace(table, columns=columns, comment=table.comment or said.get(table.name.lower(), ""))

    return tuple(map(with_words, tables)) if said else tuple(tables)
