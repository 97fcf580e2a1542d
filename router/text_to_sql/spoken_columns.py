"""The columns that the words of a question may mean, where it groups by them, or measures them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from router.catalog.caches import weakly_cached
from router.catalog.schema import Schema, SchemaTable
from router.catalog.sensitive_columns import split_words
from router.language.inflection import stem
from router.text_to_sql.vocabulary import WHOLE_WORDS

Role = Literal["group", "measure"]

NAME_MAX_WORDS, PASSED_MAX_WORDS = 3, 2
"""Words of a name, and words before one that may say more of it, as in "by home city"."""

_TOKEN = re.compile(r"[^\W_]+|,")
_GROUPS = frozenset(
    """
    by per each every across which what pro je nach welche welcher welches welchem
    """.split()  # noqa: SIM905 — a list of words is read as words
)
_MEASURES = frozenset(
    """
    total sum average avg mean median highest lowest largest smallest maximum minimum max min gesamt summe
    """.split()  # noqa: SIM905 — a list of words is read as words
)
_BEST = frozenset(
    """
    top best worst first last beste besten
    """.split()  # noqa: SIM905 — a list of words is read as words
)
_PASSED_OVER = frozenset(
    """
    the their its our all of a an each every der die das den dem
    """.split()  # noqa: SIM905 — a list of words is read as words
)
_PHRASE_ENDS = frozenset(
    """
    in from for with where who that which what when of on at to is are was were do does did have has had by per than
    and or , von aus mit im
    """.split()  # noqa: SIM905 — a list of words is read as words
)
_JOINS = frozenset(("and", "or", "then", "und", "oder", ","))
_NO_KIND = frozenset(
    """
    name id key code no number description text note comment title date time day week month quarter year count value
    row record first last
    """.split()  # noqa: SIM905 — a list of words is read as words
)
"""Words for what nearly everything has: it is that of what the question is about."""
_TEXT = re.compile(r"CHAR|TEXT|STRING|CLOB", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words of a question from `start` to `end`, and the columns and tables that may be meant by them."""

    words: str
    role: Role
    start: int
    end: int
    columns: tuple[tuple[str, str], ...]


def tokens(text: str) -> list[str]:
    """Return the words of a text and its commas, as they are typed."""
    return _TOKEN.findall(text)


def spoken_columns(said: Sequence[str], schema: Schema) -> Iterator[Spoken]:
    """Yield the words that a question groups by or measures, with the columns that are called so, each once."""
    low = [word.lower() for word in said]
    places = _places(schema)
    seen: set[tuple[str, ...]] = set()
    for at, role in _openings(low):
        found = _spoken(said, low, at, role, places)
        while found:
            if (key := tuple(map(stem, low[found.start : found.end]))) not in seen:
                seen.add(key)
                yield found
            further = role == "group" and not _JOINS.isdisjoint(low[found.end : found.end + 1])
            found = _spoken(said, low, found.end + 1, role, places) if further else None


def _openings(low: Sequence[str]) -> Iterator[tuple[int, Role]]:
    for at, word in enumerate(low):
        if word in _GROUPS:
            yield at + 1, "group"
        elif word in _MEASURES:
            yield at + 1, "measure"
        elif word in _BEST:
            yield at + 1 + (low[at + 1 : at + 2] != [] and low[at + 1].isdecimal()), "group"


def _spoken(said: Sequence[str], low: Sequence[str], at: int, role: Role, places: "ColumnIndex") -> Spoken | None:
    while at < len(low) and low[at] in _PASSED_OVER:
        at += 1
    for start in range(at, min(at + PASSED_MAX_WORDS + 1, len(low))):
        if low[start] in _PHRASE_ENDS:
            return None
        for length in range(min(NAME_MAX_WORDS, len(low) - start), 0, -1):
            key = tuple(stem(word) for word in low[start : start + length])
            if found := places.called(key, role):
                end = start + length
                return Spoken(" ".join(said[start:end]), role, start, end, found)
    return None


@dataclass(frozen=True, slots=True)
class ColumnIndex:
    """Columns by the words of their names, whole and from the end; a table is a column of no name."""

    whole: dict[tuple[str, ...], tuple[tuple[str, str], ...]]
    ends: dict[tuple[str, ...], tuple[tuple[str, str], ...]]
    numbers: frozenset[tuple[str, str]]

    def called(self, words: tuple[str, ...], role: Role) -> tuple[tuple[str, str], ...]:
        """Return the columns and tables of this name; where there is none, those whose names end in it."""
        if words[-1] in _NO_KIND:
            return ()
        for found in (self.whole.get(words, ()), self.ends.get(words, ())):
            if fit := tuple(each for each in found if role == "group" or each in self.numbers):
                return fit
        return ()


@weakly_cached
def _places(schema: Schema) -> ColumnIndex:
    whole: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    ends: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    numbers = set()
    for table in schema.tables:
        whole.setdefault(_forms(table.name), []).append((table.name, ""))
        shared = _shared(table)
        for column in table.columns:
            place, name = (table.name, column.name), _forms(column.name)[shared:]
            if column.is_number and name[-1:] not in (("id",), ("key",)):
                numbers.add(place)
            whole.setdefault(name, []).append(place)
            for start in range(1, len(name)):
                ends.setdefault(name[start:], []).append(place)
    return ColumnIndex(
        {key: tuple(found) for key, found in whole.items()},
        {key: tuple(found) for key, found in ends.items()},
        frozenset(numbers),
    )


def _forms(name: str) -> tuple[str, ...]:
    """Return the words of a name, spelt out where they are short for one word."""
    found = (stem(word.lower()) for word in split_words(name))
    return tuple(whole[0] if len(whole := WHOLE_WORDS.get(word, ())) == 1 else word for word in found)


def _shared(table: SchemaTable) -> int:
    """Return how many words all columns of a table begin with, as in "cust_name" and "cust_city"."""
    names = [_forms(column.name) for column in table.columns]
    shortest = min(map(len, names), default=1) - 1
    if len(names) < 3:
        return 0
    return next((n for n in range(shortest) if len({name[n] for name in names}) > 1), max(0, shortest))


def label_column(schema: Schema, name: str) -> str:
    """Return the column that people know the rows of a table by: its name, else its first text, else its first."""
    table = schema.table(name)
    columns = table.columns if table else ()
    texts = [column.name for column in columns if _TEXT.search(column.type)]
    named = [text for text in texts if _forms(text)[-1:] in (("name",), _forms(name)[-1:])]
    return next(iter((*named, *texts, *(column.name for column in columns))), "")
