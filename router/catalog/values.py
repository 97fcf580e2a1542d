"""The values of a schema, found by how a person may type them: built once a schema, bounded, asks no database."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain

from router.catalog.caches import weakly_cached
from router.catalog.schema import ALL_SCHEMAS, Column, Schema, SchemaTable
from router.catalog.sensitive_columns import split_words
from router.language.folding import fold, folds
from router.language.inflection import other_number

INDEXED_VALUES_MAX = 500_000
"""Values that are indexed, those of the columns with the fewest first."""

VALUE_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Value:
    """A text and the column it stands in; one that is not `shown` is for whoever typed exactly this."""

    table: str
    column: str
    text: str
    shown: bool = True


class ValueIndex:
    """The values of one schema; immutable, so that many threads may look."""

    def __init__(self, schema: Schema | None = None) -> None:
        self._homes: list[tuple[SchemaTable, Column]] = []
        self._texts: list[str] = []
        self._home = array("I")
        tables = schema.tables if schema else ()
        names = chain.from_iterable((table.name, *(column.name for column in table.columns)) for table in tables)
        self.vocabulary = frozenset(chain.from_iterable(map(name_words, names)))
        """The words of which the names of tables and columns are made, folded, in both numbers."""
        self._common: dict[str, list[Value]] = defaultdict(list)
        numbered: list[tuple[str, int]] = []
        homes = [(table, column) for table in tables for column in table.columns if column.values]
        for table, column in sorted(homes, key=lambda home: len(home[1].values)):
            if len(self._texts) + len(column.values) > INDEXED_VALUES_MAX:
                break
            self._add(table, column, numbered)
        numbered.sort()
        self._keys = [key for key, _ in numbered]
        self._numbers = array("I", (number for _, number in numbered))

    def __len__(self) -> int:
        return len(self._texts)

    def same(self, key: str) -> list[Value]:
        """Return the values that are folded to this key."""
        first, last = bisect_left(self._keys, key), bisect_right(self._keys, key)
        return [self._value(number) for number in self._numbers[first:last]]

    def exactly(self, key: str) -> list[Value]:
        """Return the values that are folded to this key, common words as well: "open", where a value is looked for."""
        return [*self.same(key), *self._common.get(key, ())]

    def shows(self, text: str) -> bool:
        """Return whether a text is a value, in any spelling; of values that nobody may be shown, it never is."""
        keys = {*folds(text), *other_number(fold(text))} if text.strip() else set()
        return any(value.shown for key in keys for value in self.exactly(key))

    def _value(self, number: int) -> Value:
        table, column = self._homes[self._home[number]]
        return Value(table.name, column.name, self._texts[number], column.shown)

    def _add(self, table: SchemaTable, column: Column, numbered: list[tuple[str, int]]) -> None:
        self._homes.append((table, column))
        for text in sorted(column.values):
            every = [key for key in folds(text) if len(key) > 1 and not key.isdecimal()]
            keys = [key for key in every if key not in common_words()]
            for key in every:
                if key in common_words():
                    self._common[key].append(Value(table.name, column.name, text, column.shown))
            if not keys:
                continue
            number = len(self._texts)
            self._texts.append(text)
            self._home.append(len(self._homes) - 1)
            numbered += [(key, number) for key in keys]


@cache
def common_words() -> frozenset[str]:
    """Return words that questions are made of, which name no value by themselves."""
    return frozenset((files("router.catalog") / "common_words.txt").read_text(encoding="utf-8").split())


@cache
def question_words() -> frozenset[str]:
    """Return the words that questions are made of in English, German, French and Spanish.

    A value that is one of them counts where it is typed whole.
    """
    foreign = (files("router.catalog") / "question_words.txt").read_text(encoding="utf-8").split()
    return common_words() | frozenset(foreign)


@lru_cache(maxsize=4096)
def name_words(name: str) -> frozenset[str]:
    """Return the words of which a name is made, and the name as one word, folded, in both numbers."""
    words = {fold(word) for word in split_words(name)} | {fold(name)}
    return frozenset(words | {other for word in words for other in other_number(word)})


@weakly_cached
def names_in(schema: Schema) -> frozenset[str]:
    """Return the words that the names of tables and columns are made of, in lower case and both numbers."""
    names = [table.name for table in schema.tables]
    names += [column.name for table in schema.tables for column in table.columns]
    return frozenset(word for name in names for word in name_words(name))


def homes_known(read: Iterable[Schema]) -> dict[str, frozenset[str]]:
    """Return the connections by the names of their tables, in lower case, of the schemas that were read."""
    homes: dict[str, frozenset[str]] = {}
    for schema in read:
        for table in schema.tables:
            name = table.name.lower()
            homes[name] = homes.get(name, frozenset()) | {schema.connection}
    return homes


def names_known(read: Iterable[Schema], connection: str, schema: str) -> frozenset[str]:
    """Return the words of one schema, or of all where none is named, among those that were read."""
    wanted = (each for each in read if each.connection == connection and schema in ("", each.name, ALL_SCHEMAS))
    return frozenset[str]().union(*map(names_in, wanted))
