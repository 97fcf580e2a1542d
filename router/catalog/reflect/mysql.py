"""What MySQL and MariaDB say about their tables, in four queries whatever their number.

SQLAlchemy would ask for the CREATE of each table and view, which takes a right on views that a reading user need not
have, and cannot read every name in it.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, text

from router.catalog.reflect.types import compact_type
from router.catalog.schema import Column, ForeignKey, Table

TABLES = """SELECT table_name, table_type LIKE '%VIEW', table_comment, table_rows FROM information_schema.tables
    WHERE table_schema = :schema AND table_type <> 'SEQUENCE'"""
COLUMNS = """SELECT table_name, column_name, column_type, is_nullable = 'YES', column_comment
    FROM information_schema.columns WHERE table_schema = :schema ORDER BY table_name, ordinal_position"""
PRIMARY = """SELECT table_name, column_name FROM information_schema.key_column_usage
    WHERE table_schema = :schema AND constraint_name = 'PRIMARY' ORDER BY table_name, ordinal_position"""
FOREIGN = """SELECT table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name,
    referenced_column_name FROM information_schema.key_column_usage
    WHERE table_schema = :schema AND referenced_table_name IS NOT NULL
    ORDER BY table_name, constraint_name, ordinal_position"""

_WIDTH = re.compile(r"^((?:small|medium|big)?int|tinyint(?!\(1\)))\(\d+\)")
"""How wide an integer is shown, which says nothing of what it holds; tinyint(1) is the servers' boolean."""


def read_tables(link: Connection, schema: str, wanted: Callable[[str], bool]) -> tuple[Table, ...]:
    """Return the wanted tables and views of the schema; a view whose tables are gone is left out."""
    columns: dict[str, list[Column]] = defaultdict(list)
    for table, name, type, nullable, comment in _fetch(link, COLUMNS, schema):
        columns[table].append(Column(name, _type(type), bool(nullable), (comment or "").strip()))
    primary: dict[str, list[str]] = defaultdict(list)
    for table, name in _fetch(link, PRIMARY, schema):
        primary[table].append(name)
    foreign = _foreign_keys(link, schema)
    return tuple(
        Table(
            name=name,
            schema=schema,
            columns=tuple(columns[name]),
            primary_key=tuple(primary.get(name, ())),
            foreign_keys=tuple(foreign.get(name, ())),
            comment="" if view else (comment or "").strip(),
            rows=None if view or rows is None else int(rows),
            view=bool(view),
        )
        for name, view, comment, rows in _fetch(link, TABLES, schema)
        if name in columns and wanted(name)
    )


def _foreign_keys(link: Connection, schema: str) -> dict[str, list[ForeignKey]]:
    keys: dict[tuple[str, str, str, str], list[tuple[str, str]]] = defaultdict(list)
    for table, constraint, name, target_schema, target, target_name in _fetch(link, FOREIGN, schema):
        keys[table, constraint, target_schema, target].append((name, target_name))
    found: dict[str, list[ForeignKey]] = defaultdict(list)
    for (table, _, target_schema, target), pairs in keys.items():
        names, target_names = zip(*pairs, strict=True)
        found[table].append(ForeignKey(names, target, target_names, target_schema))
    return found


def _type(type: str) -> str:
    return compact_type(_WIDTH.sub(r"\1", type))


def _fetch(link: Connection, sql: str, schema: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in link.execute(text(sql), {"schema": schema})]
