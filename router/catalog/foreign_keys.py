"""Foreign keys: the declared ones, and those that names make likely where none is declared."""

import re
from dataclasses import dataclass
from functools import lru_cache

from router.catalog.schema import Column, Schema, SchemaTable
from router.catalog.sensitive_columns import split_words
from router.language.inflection import stem

FOREIGN_WORDS = frozenset(
    {"external", "ext", "legacy", "old", "source", "src", "remote", "original", "global", "public"}
)
"""Before "order_id", these say that the number belongs to another system's orders."""

TABLE_PREFIXES = frozenset({"dim", "fact", "fct", "tbl", "tab", "t", "d", "f", "stg", "mst", "ref", "lkp"})
"""Prefixes that warehouses put before a table's own name."""

TABLE_SUFFIXES = frozenset({"header", "hdr", "master", "mst", "info", "list", "table", "tbl"})
"""Words after a table's own name that say no more of its rows."""

KEY_ENDINGS = {"id": "id", "key": "id", "fk": "id", "pk": "id", "sk": "id", "code": "code", "no": "no", "number": "no"}
"""The last word of a column that names a row of another table; those of one kind may point to one another."""


@dataclass(frozen=True, slots=True)
class TableLink:
    """`columns` of `table` point to `target_columns` of `target`; `inferred` from names, as nobody declared it."""

    table: str
    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]
    inferred: bool = False


def links(schema: Schema) -> tuple[TableLink, ...]:
    """Return the links between tables of the schema, those of each table together and the declared ones first."""
    columns = {table.name: {column.name.lower() for column in table.columns} for table in schema.tables}
    targets, keys = _targets(schema), _keys(schema)
    found: list[TableLink] = []
    for table in schema.tables:
        declared = [
            TableLink(table.name, key.columns, key.target, key.target_columns, inferred=key.sure < 1)
            for key in table.foreign_keys
            if key.target_schema in {"", table.schema}
            # A database that does not enforce its keys may declare some to columns that are not there.
            and columns[table.name].issuperset(map(str.lower, key.columns))
            and columns.get(key.target, set()).issuperset(map(str.lower, key.target_columns))
        ]
        taken = {column for link in declared for column in link.columns}
        found += declared
        for column in table.columns:
            to = None if column.name in taken | table.judged else _by_name(column, targets) or _by_key(column, keys)
            if to is not None and to[0].name != table.name and type_family(to[1].type) == type_family(column.type):
                found.append(TableLink(table.name, (column.name,), to[0].name, (to[1].name,), inferred=True))
    return tuple(found)


Place = tuple[SchemaTable, Column]
Targets = dict[tuple[str, ...], list[Place]]


def _targets(schema: Schema) -> Targets:
    """Return the tables with the one column that identifies their rows, by the words of their name in the singular."""
    targets: Targets = {}
    for table in schema.tables:
        words = table_words(table)
        column = None if table.view else identity(table, words)
        if words and column is not None:
            targets.setdefault(words, []).append((table, column))
    return targets


def table_words(table: SchemaTable) -> tuple[str, ...]:
    """Return the words of a table's name, the last one in the singular, without what warehouses put before it."""
    words = _singular([word.lower() for word in split_words(table.name)])
    if len(words) > 1 and words[0] in TABLE_PREFIXES:
        words = words[1:]
    return _singular(list(words[:-1])) if len(words) > 1 and words[-1] in TABLE_SUFFIXES else words


def identity(table: SchemaTable, words: tuple[str, ...]) -> Column | None:
    """Return the primary key of one column; where none is declared, the column that is named like one."""
    if table.primary_key:
        return next((column for column in table.columns if (column.name,) == table.primary_key), None)
    columns = {without_ending(column.name): column for column in table.columns}
    return columns.get(((), "id")) or columns.get((words, "id"))


def _keys(schema: Schema) -> dict[str, list[Place]]:
    """Return the primary keys of one column by their names in lower case: the declared, and the abbreviated ones."""
    keys: dict[str, list[Place]] = {}
    if not any(table.primary_key or table.foreign_keys for table in schema.tables):
        return _abbreviated(schema)
    for table in schema.tables:
        column = identity(table, ()) if table.primary_key else None
        if column is not None:
            keys.setdefault(column.name.lower(), []).append((table, column))
    return keys


def _abbreviated(schema: Schema) -> dict[str, list[Place]]:
    """Return the keys that begin as their table does, as "pid" of publications, where a schema declares none at all.

    Of several tables that begin so, such as publication and publication_keyword, the one of the shortest name is meant.
    """
    found: dict[str, list[Place]] = {}
    for table in schema.tables:
        for column in table.columns:
            name = column.name.lower()
            short = name.removesuffix("id").rstrip("_")
            if (
                not table.view
                and short
                and short != name
                and not column.nullable
                and table.name.lower().startswith(short)
            ):
                found.setdefault(name, []).append((table, column))
    least = {name: min(len(table.name) for table, _ in places) for name, places in found.items()}
    return {name: [place for place in places if len(place[0].name) == least[name]] for name, places in found.items()}


def _by_name(column: Column, targets: Targets) -> Place | None:
    """Return the identity of the one table that "billing_customer_id" names: billing customers, or else customers."""
    stem, ending = without_ending(column.name)
    if not ending or FOREIGN_WORDS & set(stem):
        return None
    for start in range(len(stem)):
        found = targets.get(stem[start:], [])
        if found:  # two tables of one name are none
            return found[0] if len(found) == 1 and without_ending(found[0][1].name)[1] == ending else None
    return None


def _by_key(column: Column, keys: dict[str, list[Place]]) -> Place | None:
    """Return the one primary key that has exactly this name, where the name is more than "id"."""
    stem, ending = without_ending(column.name)
    named = stem and (ending or column.name.lower().endswith("id"))
    found = keys.get(column.name.lower(), []) if named else []
    return found[0] if len(found) == 1 else None


@lru_cache(20_000)
def without_ending(column: str) -> tuple[tuple[str, ...], str]:
    """Return the words before "id" or "code", the last one in the singular, and which of the two; "" for any other."""
    words = [word.lower() for word in split_words(column)]
    if words and words[-1] not in KEY_ENDINGS and len(words[-1]) > 4 and words[-1].endswith("id"):
        words[-1:] = [words[-1][:-2], "id"]
    if not words or words[-1] not in KEY_ENDINGS:
        return tuple(words), ""
    return _singular(words[:-1]), KEY_ENDINGS[words[-1]]


def _singular(words: list[str]) -> tuple[str, ...]:
    return (*words[:-1], stem(words[-1])) if words else ()


def type_family(type: str) -> str:
    """Return what a type holds, as far as a join cares; types without a name (SQLite) fit one another only."""
    kind = type.upper()
    if re.search(r"\[|INTERVAL|POINT|JSON", kind):
        return kind
    for family, names in (
        ("text", r"CHAR|TEXT|STRING"),
        ("number", r"INT|NUM|DEC|SERIAL|REAL|DOUB|FLOA|LONG"),
    ):
        if re.search(names, kind):
            return family
    return kind
