"""Words of a question that are values of the database, and the tables that a question is likely about."""

import re
from collections import Counter
from collections.abc import Iterable

from router.agents.repair.paths import hops, route
from router.agents.schema_text import schema_text, table_text
from router.catalog.schema import Schema, Table
from router.catalog.stems import stem

BUDGET = 16_000
"""Characters of schema that a small model reads in a bearable time: about 5,000 tokens, a minute on two cores."""

MOST = 12
"""Tables that are picked from a schema that does not fit, besides those that link them."""

_WORD = re.compile(r"[^\W_]+")
_COMMON = frozenset(
    ("a", "an", "and", "are", "by", "for", "how", "id", "in", "is", "many", "name", "of", "on", "or", "the", "to")
)


def values_in(text: str, schema: Schema, most: int = 8) -> tuple[tuple[str, str, str], ...]:
    """Return (table, column, value) for each sample value that stands in the text as whole words, the longest first."""
    line = f" {' '.join(_WORD.findall(text.lower()))} "
    found = [
        (table.name, column.name, value)
        for table in schema.tables
        for column in table.columns
        for value in column.samples
        if (words := _WORD.findall(value.lower())) and len("".join(words)) > 1 and f" {' '.join(words)} " in line
    ]
    return tuple(sorted(found, key=lambda match: -len(match[2]))[:most])


def fits(schema: Schema, budget: int = BUDGET) -> bool:
    """Tell whether the whole schema can be shown to a model."""
    return len(schema_text(schema)) <= budget


def suggest_tables(question: str, schema: Schema, most: int) -> tuple[str, ...]:
    """Return the names of at most `most` tables, those first whose words, columns and values the question shares."""
    return tuple(name for name, _ in _ranked(question, schema)[:most])


def cut_to_fit(question: str, schema: Schema, budget: int = BUDGET) -> Schema:
    """Return the schema if it fits, else the tables that the question is likely about and those that link them."""
    if fits(schema, budget):
        return schema
    ways = hops(schema)
    chosen: list[str] = []
    likely = [name for name, score in _ranked(question, schema)[:MOST] if score]
    for name in likely or suggest_tables(question, schema, MOST):
        chain = route(ways, chosen, name) if chosen else ()
        more = [each for each in (*(hop.far for hop in chain or ()), name) if each not in chosen]
        if _size(schema, [*chosen, *more]) > budget:
            more = [name]
        if _size(schema, [*chosen, *more]) <= budget or not chosen:
            chosen += dict.fromkeys(more)
    return schema.only(tuple(chosen))


def _ranked(question: str, schema: Schema) -> list[tuple[str, float]]:
    """Return every table with how much it shares with the question, the likeliest first."""
    frequency = Counter(word for table in schema.tables for word in _words_of(table))
    asked = set(_stems(_WORD.findall(question))) - _COMMON
    scores = {table.name: _score(table, asked, frequency) for table in schema.tables}
    for name, _, value in values_in(question, schema):
        scores[name] += 1 + len(value) / 20
    return sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))


def _size(schema: Schema, names: Iterable[str]) -> int:
    wanted = set(names)
    return sum(len(table_text(schema, table)) + 2 for table in schema.tables if table.name in wanted)


def _score(table: Table, asked: set[str], frequency: Counter[str]) -> float:
    named = set(_stems(_WORD.findall(table.name.replace("_", " "))))
    shared = asked & _words_of(table)
    return sum((3.0 if word in named else 1.0) / frequency[word] for word in shared)


def _words_of(table: Table) -> set[str]:
    texts = (table.name, table.comment, *(f"{column.name} {column.comment}" for column in table.columns))
    return set(_stems(word for text in texts for word in _WORD.findall(text.replace("_", " ")))) - _COMMON


def _stems(words: Iterable[str]) -> list[str]:
    return [stem(word) for word in words]
