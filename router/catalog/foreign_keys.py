"""Foreign keys: the declared ones, and those that names make likely where none is declared."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from router.catalog.caches import weakly_cached
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


SAME_NAME, NAMED, NAMED_BY_END, ABBREVIATED, SHORTENED = 5, 4, 3, 2, 1
"""How much a name tells, from most to least."""

MEASURES: Final = frozenset(
    """
    age amount balance count cost distance duration height length level number points price quantity rank rate rating
    salary score size sum temperature total value volume weight width year
    """.split()  # noqa: SIM905 — a list of words is read as words
)
COUNTS: Final = frozenset({"n", "nr", "num", "number", "count", "total", "sum", "avg", "average", "min", "max"})
"""Last and first words of columns that hold a measure, although a table may be called like it."""

SHORT_MIN_CHARS: Final = 3
"""Letters of a word that may stand for a longer one."""


@dataclass(frozen=True, slots=True)
class TableLink:
    """`columns` of `table` point to `target_columns` of `target`; `inferred` from names, as nobody declared it."""

    table: str
    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]
    inferred: bool = False


@weakly_cached
def links(schema: Schema) -> tuple[TableLink, ...]:
    """Return the links between tables of the schema, those of each table together and the declared ones first."""
    columns = {table.name: {column.name.lower() for column in table.columns} for table in schema.tables}
    keyed, abbreviated = KeyedTables(schema.tables), _abbreviated(schema)
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
        found += declared
        settled = table.judged.union(*(link.columns for link in declared))
        for column in table.columns:
            to = _named(column, table, keyed) or abbreviated.get(column.name.lower())
            if column.name in settled or to is None or to.table is table:
                continue
            if type_family(to.key.type) == type_family(column.type):
                found.append(TableLink(table.name, (column.name,), to.table.name, (to.key.name,), inferred=True))
    return tuple(found)


def _named(column: Column, table: SchemaTable, keyed: "KeyedTables") -> "KeyedTable | None":
    """Return the one table whose key a column's name alone speaks of most clearly; None for none or several."""
    _, ending = without_ending(column.name)
    clear: dict[tuple[int, int], list[KeyedTable]] = defaultdict(list)
    for strength, each in keyed.named_by(column, table):
        same = ending == without_ending(each.key.name)[1] and (ending or column.name.lower() == each.key.name.lower())
        if same and strength >= NAMED_BY_END and identity(each.table, each.words) is each.key:
            clear[strength, len(each.words)].append(each)
    best = clear[max(clear)] if clear else []
    return best[0] if len(best) == 1 else None


@dataclass(frozen=True, slots=True)
class KeyedTable:
    """A table that columns may point to, by its key and the words of its name."""

    table: SchemaTable
    key: Column
    words: tuple[str, ...]


class KeyedTables:
    """The tables of a schema by the words that columns may call them; a schema may have thousands of columns."""

    def __init__(self, tables: Sequence[SchemaTable]) -> None:
        self.all = {
            table.name: KeyedTable(table, key, words)
            for table in tables
            if not table.view and (key := _likely_key(table)) is not None and (words := table_words(table))
        }
        self._own = {table.name: identity(table, table_words(table)) for table in tables}
        self._by_key: dict[str, list[KeyedTable]] = defaultdict(list)
        self._by_head: dict[str, list[KeyedTable]] = defaultdict(list)
        for each in self.all.values():
            self._by_key[each.key.name.lower()].append(each)
            self._by_head[each.words[-1]].append(each)
        self._heads: dict[str, list[KeyedTable]] = {}

    def named_by(self, column: Column, table: SchemaTable) -> list[tuple[int, KeyedTable]]:
        """Return the other tables that the name of a table's column speaks of, each after how clearly it does."""
        said, _ = without_ending(column.name)
        own = self._own[table.name] is column
        called = self._called(column.name, said[-1]) if said else ()
        rated = ((_strength(column, table, own, each), each) for each in called if each.table is not table)
        return [(strength, each) for strength, each in rated if strength]

    def akin(self, target: KeyedTable) -> list[KeyedTable]:
        """Return the other tables whose names have a word in common with one."""
        words = set(map(stem, target.words))
        return [each for each in self.all.values() if each is not target and words.intersection(map(stem, each.words))]

    def _called(self, column: str, word: str) -> Iterable[KeyedTable]:
        """Return the tables whose key is called so, or whose last word is this one, or a longer form of it."""
        if word not in self._heads:
            longer = self._by_head if len(word) >= SHORT_MIN_CHARS else ()
            heads = {word, *(head for head in longer if _shortens(word, head))}
            self._heads[word] = [each for head in heads for each in self._by_head.get(head, ())]
        found = (*self._by_key.get(column.lower(), ()), *self._heads[word])
        return {each.table.name: each for each in found}.values()


def _likely_key(table: SchemaTable) -> Column | None:
    """Return the column that tells a table's rows apart: where neither a key nor a name says, perhaps the first one."""
    return identity(table, table_words(table)) or (
        table.columns[0] if table.columns and not table.primary_key else None
    )


def _strength(column: Column, table: SchemaTable, own: bool, target: KeyedTable) -> int:
    """Return how clearly the name of a column, the `own` key of its table or not, speaks of another; 0: it does not."""
    said, ending = without_ending(column.name)
    words, key = target.words, target.key
    if own and table.primary_key and not target.table.primary_key:
        return 0
    if FOREIGN_WORDS & set(said) or (not ending and (said[-1] in MEASURES or said[0] in COUNTS)):
        return 0
    if said == words and (ending or not own):
        return SAME_NAME if column.name.lower() == key.name.lower() else NAMED if ending else NAMED_BY_END
    if column.name.lower() == key.name.lower() and (ending or column.name.lower().endswith("id")):
        return NAMED_BY_END
    if own:  # what names the rows of its own table seldom points to another
        return 0
    if said[-len(words) :] == words:
        return NAMED_BY_END
    short, head = said[-1], words[-1]
    if len(short) < SHORT_MIN_CHARS or any(word.startswith(short) for word in table_words(table)):
        return 0
    if said == words[-len(said) :] or (short != head and head.startswith(short)):
        return ABBREVIATED
    return SHORTENED if ending and _shortens(short, head) else 0


def _shortens(short: str, word: str) -> bool:
    """Tell whether a word is written with fewer letters, in their order: "cstmr" of customer."""
    letters = iter(word)
    return short[0] == word[0] and all(letter in letters for letter in short)


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


def _abbreviated(schema: Schema) -> dict[str, KeyedTable]:
    """Return the keys that begin as their table does, as "pid" of publications, where a schema declares none at all.

    Of several tables that begin so, such as publication and publication_keyword, the one of the shortest name is meant.
    """
    if any(table.primary_key or table.foreign_keys for table in schema.tables):
        return {}
    found: dict[str, dict[int, list[KeyedTable]]] = defaultdict(lambda: defaultdict(list))
    for table in schema.tables:
        for column in table.columns if not table.view else ():
            name = column.name.lower()
            short = name.removesuffix("id").rstrip("_")
            if short not in ("", name) and not column.nullable and table.name.lower().startswith(short):
                found[name][len(table.name)].append(KeyedTable(table, column, ()))
    shortest = {name: tables[min(tables)] for name, tables in found.items()}
    return {name: tables[0] for name, tables in shortest.items() if len(tables) == 1}


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
