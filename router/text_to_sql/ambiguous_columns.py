"""Words of a question that may mean columns of several tables, if nothing in the question decides."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from router.catalog.caches import weakly_cached
from router.catalog.schema import Schema
from router.knowledge.knowledge import NOTHING_KNOWN, Known
from router.language.inflection import stem
from router.language.phrases import listed
from router.text_to_sql.named_values import Named
from router.text_to_sql.schema_linking import words

HOMES_MAX = 4
"""Tables that have a column of one name; what more of them have does not say what a question is about."""

NAME_MAX_WORDS = 3
"""Words of a column's name."""


@dataclass(frozen=True, slots=True)
class Home:
    """One meaning of a word: a column of a table."""

    table: str
    column: str


@dataclass(frozen=True, slots=True)
class UnsureColumn:
    """Words of a question, and what they may mean, that of the largest table first."""

    words: str
    homes: tuple[Home, ...]


def unsure_columns(
    question: str, schema: Schema, evidence: str = "", known: Known = NOTHING_KNOWN, tables: Collection[str] = ()
) -> tuple[UnsureColumn, ...]:
    """Return the words that a question groups by, or measures, and that several tables have a column for.

    What belongs to a table that the question names, or to one of `tables`, is sure, and so is any word that a hint, a
    term or an example has.
    """
    said = re.findall(r"[^\W_]+", question.lower())
    terms = (f"{term.name} {' '.join(term.synonyms)} {term.meaning}" for term in known.terms)
    told = set(words(" ".join((evidence, *terms, *(example.question for example in known.examples)))))
    sure = {*tables, *(each.name for each in schema.tables if set(words(each.name)) & set(map(stem, said)))}
    found = {}
    for at in _openings(said):
        for end in range(at + NAME_MAX_WORDS, at, -1):
            homes = _shared_columns(schema).get(tuple(map(stem, said[at:end])), ())
            if homes and not sure & {home.table for home in homes} and stem(said[at]) not in told:
                found[" ".join(said[at:end])] = homes
                break
    return tuple(UnsureColumn(name, homes) for name, homes in found.items())


def _openings(said: Sequence[str]) -> Iterator[int]:
    """Yield where the names of what is grouped by, or measured, may begin: behind "by" and "the total"."""
    for at, word in enumerate(said):
        if word in listed("text_to_sql.groups") | listed("text_to_sql.measures"):
            passed = takewhile(listed("text_to_sql.passed_over").__contains__, said[at + 1 :])
            yield at + 1 + len(list(passed))


def spoken_of(named: Iterable[Named]) -> set[str]:
    """Return the tables whose values a question names, as far as these are values of one table only."""
    homes = ({value.table for value in each.values} for each in named)
    return {table for tables in homes if len(tables) == 1 for table in tables}


@weakly_cached
def _shared_columns(schema: Schema) -> dict[tuple[str, ...], tuple[Home, ...]]:
    """Return the columns, but for keys, that have one name in a few tables, by its words."""
    found: dict[tuple[str, ...], list[Home]] = {}
    for table in sorted(schema.tables, key=lambda table: -(table.rows or 0)):
        keys = {*table.primary_key, *(name for key in table.foreign_keys for name in key.columns)}
        for column in table.columns if not table.view else ():
            name = tuple(words(column.name))
            if column.name not in keys and name and name[-1] not in listed("text_to_sql.no_kind"):
                found.setdefault(name, []).append(Home(table.name, column.name))
    return {name: tuple(homes) for name, homes in found.items() if 1 < len(homes) <= HOMES_MAX}
