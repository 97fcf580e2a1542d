"""The values of a schema, found by how a person may type them: built once a schema, bounded, asks no database."""

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain

from router.catalog.caches import weakly_cached
from router.catalog.schema import ALL_SCHEMAS, Column, Schema, SchemaTable
from router.catalog.sensitive_columns import split_words
from router.language.folding import distance, fold, folds
from router.language.inflection import other_number, word_family

# Texts of one length in their order, found by their beginnings and ends.


_LAST = "\U0010ffff"


class SpelledKeys:
    """Keys of one length, each with a number; four bytes a key for the way by its end."""

    def __init__(self, numbered: Sequence[tuple[str, int]]) -> None:
        ordered = sorted(numbered)
        self._keys = [key for key, _ in ordered]
        self._numbers = array("I", (number for _, number in ordered))
        reverse = [key[::-1] for key in self._keys]
        self._backwards = array("I", sorted(range(len(reverse)), key=reverse.__getitem__))

    def same(self, key: str) -> Iterator[int]:
        """Yield the numbers of a key."""
        at = bisect_left(self._keys, key)
        while at < len(self._keys) and self._keys[at] == key:
            yield self._numbers[at]
            at += 1

    def beginning(self, start: str) -> Iterator[tuple[str, int]]:
        """Yield the keys that begin like this, with their numbers."""
        for at in range(bisect_left(self._keys, start), bisect_left(self._keys, start + _LAST)):
            yield self._keys[at], self._numbers[at]

    def ending(self, end: str) -> Iterator[tuple[str, int]]:
        """Yield the keys that end like this, with their numbers."""
        start = end[::-1]
        first, last = (bisect_left(self._backwards, each, key=self._reversed) for each in (start, start + _LAST))
        for place in self._backwards[first:last]:
            yield self._keys[place], self._numbers[place]

    def _reversed(self, place: int) -> str:
        return self._keys[place][::-1]


INDEXED_VALUES_MAX = 500_000
"""Values that are indexed, those of the columns with the fewest first."""

INDEXED_WORDS_MAX = 200_000
"""Different words of longer values that are indexed."""

SHARED_WORD_MIN_VALUES = 6
"""A word that stands in so many values, or more, names none of them."""

COMPARED_VALUES_MAX = 400
"""Values that are compared with one misspelt word at most."""

MISSPELT_MIN_LETTERS = 4
"""Letters of a word that may be misspelt."""

VALUE_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_DIGITS = re.compile(r"\d+")
_ADDRESS = re.compile(r"://|www\.|@")


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
        self._words: dict[str, tuple[int, ...]] = {}
        tables = schema.tables if schema else ()
        names = chain.from_iterable((table.name, *(column.name for column in table.columns)) for table in tables)
        self.vocabulary = frozenset(chain.from_iterable(map(name_words, names)))
        """The words of which the names of tables and columns are made, folded, in both numbers."""
        self.families = frozenset(map(word_family, self.vocabulary))
        """These words without the endings of their kin: shipped, shipping and shipment are one."""
        self._common: dict[str, list[Value]] = defaultdict(list)
        by_length: dict[int, list[tuple[str, int]]] = defaultdict(list)
        homes = [(table, column) for table in tables for column in table.columns if column.values]
        for table, column in sorted(homes, key=lambda home: len(home[1].values)):
            if len(self._texts) + len(column.values) > INDEXED_VALUES_MAX:
                break
            self._add(table, column, by_length)
        self._keys = {length: SpelledKeys(keys) for length, keys in by_length.items()}

    def __len__(self) -> int:
        return len(self._texts)

    def same(self, key: str) -> list[Value]:
        """Return the values that are folded to this key."""
        keys = self._keys.get(len(key))
        return [self._value(number) for number in keys.same(key)] if keys else []

    def exactly(self, key: str) -> list[Value]:
        """Return the values that are folded to this key, common words as well: "open", where a value is looked for."""
        return [*self.same(key), *self._common.get(key, ())]

    def shows(self, text: str) -> bool:
        """Return whether a text is a value, in any spelling; of values that nobody may be shown, it never is."""
        keys = {*folds(text), *other_number(fold(text))} if text.strip() else set()
        return any(value.shown for key in keys for value in self.exactly(key))

    def with_words(self, keys: tuple[str, ...]) -> list[Value] | None:
        """Return the longer values in which these folded words follow one another; None where too many have them.

        Numbers tell values apart: they stand among the words, or in none of the values.
        """
        found = [self._words.get(key, ()) for key in keys]
        if not all(found):
            return []
        if min(map(len, found)) >= SHARED_WORD_MIN_VALUES:
            return None
        some = min(found, key=len)
        values = [self._value(number) for number in some]
        line, digits = "".join(keys), _DIGITS.findall(" ".join(keys))
        return [v for v in values if _DIGITS.findall(v.text) == digits and line in "|".join(folds(v.text))]

    def near(self, key: str) -> list[Value]:
        """Return the values that `key` is the least misspelling of: a letter off, two in a long one."""
        most = 1 if len(key) < 8 else 2
        edge = max(2, (len(key) - 1) // 2) if most == 1 else max(3, len(key) // 3)
        best: dict[int, int] = {}
        looked, digits = 0, _DIGITS.findall(key)
        for length in sorted(
            range(max(MISSPELT_MIN_LETTERS, len(key) - most), len(key) + most + 1), key=lambda n: abs(n - len(key))
        ):
            keys = self._keys.get(length)
            for other, number in chain(keys.beginning(key[:edge]), keys.ending(key[-edge:])) if keys else ():
                looked += 1
                if looked > COMPARED_VALUES_MAX:
                    break
                if len(key) == len(other) == MISSPELT_MIN_LETTERS:
                    continue  # so short a word with other letters is another word
                if other[0] == key[0] and _DIGITS.findall(other) == digits:
                    off = distance(key, other, most)
                    if off <= most:
                        most = off
                        best[number] = off
        return [value for number, off in best.items() if off == most and (value := self._value(number)).shown]

    def _value(self, number: int) -> Value:
        table, column = self._homes[self._home[number]]
        return Value(table.name, column.name, self._texts[number], column.shown)

    def _add(self, table: SchemaTable, column: Column, by_length: dict[int, list[tuple[str, int]]]) -> None:
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
            for key in keys:
                by_length[len(key)].append((key, number))
            if column.shown:
                self._add_words(text, number)

    def _add_words(self, text: str, number: int) -> None:
        words = VALUE_WORD.findall(text)
        if len(words) < 2 or _ADDRESS.search(text):
            return
        for word in dict.fromkeys(chain.from_iterable(map(folds, words))):
            if len(word) > 2 and not word.isdecimal() and word not in common_words():
                known = self._words.get(word, ())
                if len(known) < SHARED_WORD_MIN_VALUES and (known or len(self._words) < INDEXED_WORDS_MAX):
                    self._words[word] = (*known, number)


@cache
def common_words() -> frozenset[str]:
    """Return words that questions are made of, which name no value by themselves."""
    return frozenset((files("router.catalog") / "common_words.txt").read_text(encoding="utf-8").split())


@cache
def question_words() -> frozenset[str]:
    """Return the words that questions are made of in English, German, French and Spanish: none is likened to a value.

    A value that is one of them counts where it is typed whole.
    """
    foreign = (files("router.catalog") / "question_words.txt").read_text(encoding="utf-8").split()
    return common_words() | frozenset(foreign)


@cache
def _questions_by_letter() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for word in question_words():
        if len(word) >= MISSPELT_MIN_LETTERS:
            found[word[0]].append(word)
    return {letter: tuple(words) for letter, words in found.items()}


@lru_cache(maxsize=4096)
def letters_off_question_word(key: str, most: int) -> int:
    """Return how many letters a word is off the nearest longer word of questions, up to `most` + 1."""
    return min((distance(key, word, most) for word in _questions_by_letter().get(key[:1], ())), default=most + 1)


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
