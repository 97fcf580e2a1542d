"""Tables ranked by their likeness to a question: words of names and comments, values, and the tables beside them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import log, sqrt

from router.catalog.caches import weakly_cached
from router.catalog.schema import Schema, SchemaTable
from router.language.wording import WORD
from router.text_to_sql.repair.join_paths import HUB_MAX_TABLES, hops, leading
from router.text_to_sql.schema_text import table_text
from router.text_to_sql.vocabulary import WHOLE_WORDS, meant, parts, telling, words

Place = tuple[int, str, tuple[str, str, str]]
"""A value's rank among all, its words between blanks, and (table, column, value)."""


def values_in(text: str, schema: Schema, most: int = 8) -> tuple[tuple[str, str, str], ...]:
    """Return (table, column, value) for each sample value that stands in the text as whole words, the longest first."""
    said = WORD.findall(text.lower())
    line = f" {' '.join(said)} "
    places = _places(schema)
    found = [place for word in dict.fromkeys(said) for place in places.get(word, ()) if place[1] in line]
    ordered = [match for _, _, match in sorted(found)]
    return tuple(sorted(ordered, key=lambda match: -len(match[2]))[:most])


@weakly_cached
def _places(schema: Schema) -> dict[str, list[Place]]:
    """Return the sample values of all columns by their first words."""
    places: dict[str, list[Place]] = {}
    number = 0
    for table in schema.tables:
        for column in table.columns:
            for value in column.samples:
                number += 1
                words = WORD.findall(value.lower())
                if len("".join(words)) > 1:
                    place = (number, f" {' '.join(words)} ", (table.name, column.name, value))
                    places.setdefault(words[0], []).append(place)
    return places


TABLE_NAME_WEIGHT, COMMENT_WEIGHT, COLUMN_WEIGHT = 3.0, 1.6, 1.0
"""The weight of a word in a table's name (less in a long one), in its comment, and in a column."""

VALUE_WEIGHT = 0.8
"""The weight of a value that stands in a column."""

NAMED_VALUES_MAX = 50
"""Values of a question that are looked at, at most."""

PARENT_SHARE = 0.3
"""The part of its score that a table hands on to those that its foreign keys lead to: they have the names."""


@dataclass(frozen=True, slots=True)
class Index:
    """A schema by its words: `places` are the tables of each word, with its weight there."""

    tables: tuple[str, ...]
    places: dict[str, dict[int, float]]
    parents: tuple[tuple[int, ...], ...]
    children: tuple[int, ...]
    """The number of tables that lead to each."""


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
            if index.children[parent] <= HUB_MAX_TABLES:
                final[parent] = max(final[parent], central[parent] + PARENT_SHARE * score)
    return sorted(zip(index.tables, final, strict=True), key=lambda scored: (-scored[1], scored[0]))


@weakly_cached
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


def _words_of(table: SchemaTable, known: set[str]) -> Iterator[tuple[str, float]]:
    """Yield the words of a table, spelt out and taken apart, with what each counts."""
    name = words(table.name)
    for word in _forms(name, known):
        yield word, TABLE_NAME_WEIGHT / sqrt(max(1, len(name)))
    for word in words(table.comment):
        yield word, COMMENT_WEIGHT
    for column in table.columns:
        for word in (*_forms(words(column.name), known), *words(column.comment)):
            yield word, COLUMN_WEIGHT


def _forms(name: list[str], known: set[str]) -> Iterator[str]:
    for word in name:
        yield word
        yield from WHOLE_WORDS.get(word, ())
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
    found = {(table, value.lower()) for table, _, value in values_in(question, schema, NAMED_VALUES_MAX)}
    spread = Counter(value for _, value in found)
    numbers = {name: at for at, name in enumerate(index.tables)}
    return [(numbers[table], VALUE_WEIGHT * _rarity(spread[value], len(numbers))) for table, value in sorted(found)]


def _rarity(tables: int, of: int) -> float:
    return log(1 + (of - tables + 0.5) / (tables + 0.5))


# The ranking of tables, by the names and values that a question has.


SCHEMA_MAX_CHARS = 16_000
"""Characters of schema that a small model reads in a bearable time: about 5,000 tokens, a minute on two cores."""

PICKED_TABLES_MAX = 12
"""Tables that are picked from a schema that does not fit, besides those that link them."""


def fits(schema: Schema, budget: int = SCHEMA_MAX_CHARS) -> bool:
    """Tell whether the whole schema can be shown to a model."""
    return _size(schema, _sizes(schema)) - 2 <= budget


def suggest_tables(question: str, schema: Schema, most: int) -> tuple[str, ...]:
    """Return the names of at most `most` tables, those first whose words, columns and values the question shares."""
    return tuple(name for name, _ in ranked(question, schema)[:most])


def cut_to_fit(question: str, schema: Schema, budget: int = SCHEMA_MAX_CHARS) -> Schema:
    """Return the schema if it fits, else the tables that the question is likely about and those that link them."""
    if fits(schema, budget):
        return schema
    ways = hops(schema)
    chosen: list[str] = []
    scored = ranked(question, schema)[:PICKED_TABLES_MAX]
    for name in [name for name, score in scored if score] or [name for name, _ in scored]:
        more = leading(ways, chosen, name)
        if _size(schema, [*chosen, *more]) > budget:
            more = [name]
        if _size(schema, [*chosen, *more]) <= budget or not chosen:
            chosen += [each for each in more if each not in chosen]
    return schema.only(tuple(chosen))


def _size(schema: Schema, names: Iterable[str]) -> int:
    """Return the length of the text of these tables."""
    sizes = _sizes(schema)
    return sum(sizes[name] + 2 for name in dict.fromkeys(names))


@weakly_cached
def _sizes(schema: Schema) -> dict[str, int]:
    """Return the length of each table's text, with all its links, and so rather too much."""
    return {table.name: len(table_text(schema, table)) for table in schema.tables}
