"""Foreign keys: the declared ones, and those that names make likely if none is declared."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from router.catalog.caches import weakly_cached
from router.catalog.schema import Column, Schema, SchemaTable
from router.catalog.sensitive_columns import split_words
from router.language.inflection import stem
from router.language.phrases import listed

KEY_ENDINGS = {"id": "id", "key": "id", "fk": "id", "pk": "id", "sk": "id", "code": "code", "no": "no", "number": "no"}
"""The last word of a column that names a row of another table; those of one kind may point to one another."""

NAMED, NAMED_BY_END, SHORTENED = 3, 2, 1
"""Kinds of names of key columns, from the surest to the least sure."""

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
    targets = Targets(schema.tables)
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
            if column.name not in settled and (to := _clearest(targets.named_by(column, table))):
                found.append(TableLink(table.name, (column.name,), to.table.name, (to.key.name,), inferred=True))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A column that may point to the key of another table; `strength` tells how clearly its name says so.

    `words` are those of the table's name.
    """

    column: Column
    table: SchemaTable
    key: Column
    words: tuple[str, ...]
    strength: int = 0

    @property
    def same_type(self) -> bool:
        """True if both columns hold the same kind of values."""
        return type_family(self.column.type) == type_family(self.key.type)

    @property
    def is_identity(self) -> bool:
        """True if the key is declared, or named like one."""
        return identity(self.table, self.words) is self.key


def _clearest(candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the one that a column's name alone speaks of most clearly; None for none or several."""
    clear: dict[tuple[int, int], list[Candidate]] = defaultdict(list)
    for each in candidates:
        ending, name = without_ending(each.column.name)[1], each.column.name.lower()
        same = ending == without_ending(each.key.name)[1] and (ending or name == each.key.name.lower())
        if same and each.strength >= NAMED_BY_END and each.is_identity:
            clear[each.strength, len(each.words)].append(each)
    best = clear[max(clear)] if clear else []
    return best[0] if len(best) == 1 and best[0].same_type else None


class Targets:
    """The tables of a schema that columns may point to; a schema may have thousands of columns."""

    def __init__(self, tables: Sequence[SchemaTable]) -> None:
        self._own = {table.name: identity(table, table_words(table)) for table in tables}
        self._called: dict[str, list[tuple[SchemaTable, Column, tuple[str, ...]]]] = defaultdict(list)
        """The tables, with key and words of the name, by the key's name and by how the last word begins."""
        for table in tables:
            # If neither a key nor a name says which column tells a table's rows apart, perhaps the first one does.
            key = self._own[table.name] or (table.columns[0] if table.columns and not table.primary_key else None)
            words = table_words(table)
            if key and words and not table.view:
                for called in {key.name.lower(), words[-1][:SHORT_MIN_CHARS]}:
                    self._called[called].append((table, key, words))

    def named_by(self, column: Column, table: SchemaTable) -> list[Candidate]:
        """Return the keys of other tables that the name of a table's column speaks of."""
        said, _ = without_ending(column.name)
        calls = (column.name.lower(), said[-1][:SHORT_MIN_CHARS]) if said else ()
        found = {other.name: (other, key, words) for each in calls for other, key, words in self._called.get(each, ())}
        own = self._own[table.name] is column
        rated = (
            Candidate(column, *target, strength=_strength(column, table, own, *target))
            for target in found.values()
            if target[0] is not table
        )
        return [each for each in rated if each.strength]


def _strength(
    column: Column, table: SchemaTable, own: bool, target: SchemaTable, key: Column, words: tuple[str, ...]
) -> int:
    """Return how clearly the name of a column, the `own` key of its table or not, speaks of another; 0: it does not."""
    said, ending = without_ending(column.name)
    if own and table.primary_key and not target.primary_key:
        return 0
    measure = not ending and (said[-1] in listed("catalog.measures") or said[0] in listed("catalog.counts"))
    if measure or listed("catalog.foreign") & set(said):
        return 0
    if said == words and (ending or not own):
        return NAMED if ending else NAMED_BY_END
    if column.name.lower() == key.name.lower() and (ending or column.name.lower().endswith("id")):
        return NAMED_BY_END
    if own:  # what names the rows of its own table seldom points to another
        return 0
    if said[-len(words) :] == words:
        return NAMED_BY_END
    short = said[-1]
    if len(short) < SHORT_MIN_CHARS or any(word.startswith(short) for word in table_words(table)):
        return 0
    return SHORTENED if said == words[-len(said) :] or (short != words[-1] and words[-1].startswith(short)) else 0


def table_words(table: SchemaTable) -> tuple[str, ...]:
    """Return the words of a table's name, the last one in the singular, without what warehouses put around it."""
    words = _singular([word.lower() for word in split_words(table.name)])
    if len(words) > 1 and words[0] in listed("catalog.table_prefixes"):
        words = words[1:]
    if len(words) > 1 and words[-1] in listed("catalog.table_suffixes"):
        words = _singular(words[:-1])
    return words


def identity(table: SchemaTable, words: tuple[str, ...]) -> Column | None:
    """Return the primary key of one column; if none is declared, the column that is named like one."""
    if table.primary_key:
        return next((column for column in table.columns if (column.name,) == table.primary_key), None)
    columns = {without_ending(column.name): column for column in table.columns}
    return columns.get(((), "id")) or columns.get((words, "id"))


@lru_cache(20_000)
def without_ending(column: str) -> tuple[tuple[str, ...], str]:
    """Return the words before "id" or "code", the last one in the singular, and which of the two; "" for any other."""
    words = [word.lower() for word in split_words(column)]
    if words and words[-1] not in KEY_ENDINGS and len(words[-1]) > 4 and words[-1].endswith("id"):
        words[-1:] = [words[-1][:-2], "id"]
    if not words or words[-1] not in KEY_ENDINGS:
        return tuple(words), ""
    return _singular(words[:-1]), KEY_ENDINGS[words[-1]]


def _singular(words: Sequence[str]) -> tuple[str, ...]:
    return (*words[:-1], stem(words[-1])) if words else ()


_FAMILIES = (
    (None, re.compile(r"\[|INTERVAL|POINT|JSON")),
    ("text", re.compile(r"CHAR|TEXT|STRING")),
    ("number", re.compile(r"INT|NUM|DEC|SERIAL|REAL|DOUB|FLOA|LONG")),
)
"""Kinds of values by parts of a type's name, the first one counts; None: the whole name says it."""


def type_family(type: str) -> str:
    """Return what a type holds, as far as a join cares; types without a name (SQLite) fit one another only."""
    kind = type.upper()
    return next((family or kind for family, names in _FAMILIES if names.search(kind)), kind)
