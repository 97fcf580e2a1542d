"""How much each table shares with a question: words of its name and comments, values, and what belongs to it."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import log, sqrt

from router.agents.repair.paths import HUB, hops
from router.agents.values_named import values_in
from router.agents.vocabulary import WHOLE, meant, parts, telling, words
from router.catalog.kept import kept
from router.catalog.schema import Schema, Table

NAMED, SAID, COLUMN = 3.0, 1.6, 1.0
"""What a word counts in a table's name (less in a long one), in its comment, and in a column."""

VALUE = 0.8
"""What a value that stands in a column counts."""

NAMED_VALUES = 50
"""How many values of a question are looked at."""

PARENT = 0.3
"""The part of its score that a table hands on to those that its foreign keys lead to: they have the names."""


@dataclass(frozen=True, slots=True)
class Index:
    """What ranking needs of a schema: `places` are the tables of each word and what it counts there."""

    tables: tuple[str, ...]
    places: dict[str, dict[int, float]]
    parents: tuple[tuple[int, ...], ...]
    children: tuple[int, ...]
    """How many tables lead to each."""


def ranked(question: str, schema: Schema) -> list[tuple[str, float]]:
    """Return every table with how much it shares with the question, the likeliest first."""
    index = _index(schema)
    scores = [0.0] * len(index.tables)
    for word in _asked(question, index):
        best: dict[int, float] = {}
        for known, sure in meant(word, index.places):
            rare = _rarity(len(index.places[known]), len(index.tables))
            for at, counts in index.places[known].items():
                best[at] = max(best.get(at, 0.0), sure * rare * counts)
        for at, counts in best.items():
            scores[at] += counts
    for at, counts in _valued(question, schema, index):
        scores[at] += counts
    central = [score * (1 + log(1 + index.children[at]) / 8) for at, score in enumerate(scores)]
    final = list(central)
    for at, score in enumerate(central):
        for parent in index.parents[at] if score else ():
            if index.children[parent] <= HUB:
                final[parent] = max(final[parent], central[parent] + PARENT * score)
    return sorted(zip(index.tables, final, strict=True), key=lambda scored: (-scored[1], scored[0]))


@kept
def _index(schema: Schema) -> Index:
    tables = schema.tables
    said = {word for table in tables for text in (table.name, table.comment) for word in words(text)}
    places: dict[str, dict[int, float]] = defaultdict(dict)
    for at, table in enumerate(tables):
        for word, counts in _words_of(table, said):
            places[word][at] = max(counts, places[word].get(at, 0.0))
    numbers = {table.name: at for at, table in enumerate(tables)}
    parents: list[set[int]] = [set() for _ in tables]
    for hop in hops(schema):
        if not hop.fans and hop.near != hop.far:
            parents[numbers[hop.near]].add(numbers[hop.far])
    children = Counter(parent for each in parents for parent in each)
    return Index(
        tuple(table.name for table in tables),
        dict(places),
        tuple(tuple(sorted(each)) for each in parents),
        tuple(children[at] for at in range(len(tables))),
    )


def _words_of(table: Table, known: set[str]) -> Iterator[tuple[str, float]]:
    """Yield the words of a table, spelt out and taken apart, with what each counts."""
    name = words(table.name)
    for word in _forms(name, known):
        yield word, NAMED / sqrt(max(1, len(name)))
    for word in words(table.comment):
        yield word, SAID
    for column in table.columns:
        for word in (*_forms(words(column.name), known), *words(column.comment)):
            yield word, COLUMN


def _forms(name: list[str], known: set[str]) -> Iterator[str]:
    for word in name:
        yield word
        yield from WHOLE.get(word, ())
        yield from parts(word, known)
    for first, second in pairwise(name):
        yield first + second


def _asked(question: str, index: Index) -> list[str]:
    """Return the words of a question that say something, also as names write them: together, or apart."""
    said = words(question)
    together = [first + second for first, second in pairwise(said) if first + second in index.places]
    apart = [part for word in said if word not in index.places for part in parts(word, index.places)]
    return telling([*said, *together, *apart])


def _valued(question: str, schema: Schema, index: Index) -> list[tuple[int, float]]:
    """Return the tables that have a value which the question names, with what that counts."""
    found = {(table, value.lower()) for table, _, value in values_in(question, schema, NAMED_VALUES)}
    spread = Counter(value for _, value in found)
    numbers = {name: at for at, name in enumerate(index.tables)}
    return [(numbers[table], VALUE * _rarity(spread[value], len(numbers))) for table, value in sorted(found)]


def _rarity(tables: int, of: int) -> float:
    return log(1 + (of - tables + 0.5) / (tables + 0.5))
