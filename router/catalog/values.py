"""The values of a schema, found by how a person may type them: built once a schema, bounded, asks no database."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from router.catalog.caches import weakly_cached
from router.catalog.schema import ALL_SCHEMAS, Schema
from router.catalog.sensitive_columns import split_words
from router.language.folding import fold, folds
from router.language.inflection import other_number

INDEXED_VALUES_MAX = 500_000
"""Values that are indexed, those of the columns with the fewest first."""

VALUE_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Value:
    """A text and the column it stands in; one that is not `shown` is only for a person who typed exactly this."""

    table: str
    column: str
    text: str
    shown: bool = True


class ValueIndex:
    """The values of one schema; immutable, so that many threads may look."""

    def __init__(self, schema: Schema | None = None) -> None:
        self.vocabulary = names_in(schema) if schema else frozenset()
        """The words of which the names of tables and columns are made, folded, in both numbers."""
        self._values: list[Value] = []
        numbered: list[tuple[str, int]] = []
        tables = schema.tables if schema else ()
        homes = [(table, column) for table in tables for column in table.columns if column.values]
        for table, column in sorted(homes, key=lambda home: len(home[1].values)):
            if len(self) + len(column.values) > INDEXED_VALUES_MAX:
                break
            for text in sorted(column.values):
                numbered += [(key, len(self)) for key in folds(text) if len(key) > 1 and not key.isdecimal()]
                self._values.append(Value(table.name, column.name, text, column.shown))
        numbered.sort()
        self._keys = [key for key, _ in numbered]
        self._numbers = array("I", (number for _, number in numbered))

    def __len__(self) -> int:
        return len(self._values)

    def same(self, key: str) -> list[Value]:
        """Return the values that are folded to this key, which is no common word."""
        return [] if key in common_words() else self.exactly(key)

    def exactly(self, key: str) -> list[Value]:
        """Return the values that are folded to this key, common words as well: "open", if a value is looked for."""
        first, last = bisect_left(self._keys, key), bisect_right(self._keys, key)
        return [self._values[number] for number in self._numbers[first:last]]

    def shows(self, text: str) -> bool:
        """Return whether a text is a value, in any spelling; of values that nobody may be shown, it never is."""
        keys = {*folds(text), *other_number(fold(text))} if text.strip() else set()
        return any(value.shown for key in keys for value in self.exactly(key))


EMPTY_INDEX = ValueIndex()
"""The index of a schema whose values nobody may know."""


@weakly_cached
def index_of(schema: Schema) -> ValueIndex:
    """Return what finds the values of a schema."""
    return ValueIndex(schema)


@cache
def common_words() -> frozenset[str]:
    """Return words that questions are made of, which name no value by themselves."""
    return frozenset((files("router.catalog") / "common_words.txt").read_text(encoding="utf-8").split())


@cache
def question_words() -> frozenset[str]:
    """Return the words that questions are made of in English, German, French and Spanish.

    A value that is one of them counts if it is typed whole.
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


def names_known(read: Iterable[Schema], connection: str, schema: str) -> frozenset[str]:
    """Return the words of one schema, or of all if none is named, among those that were read."""
    wanted = (each for each in read if each.connection == connection and schema in ("", each.name, ALL_SCHEMAS))
    return frozenset[str]().union(*map(names_in, wanted))
