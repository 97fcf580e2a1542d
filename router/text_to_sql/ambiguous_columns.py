"""Words of a question that may mean several columns, where nothing in the question decides."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from router.catalog.caches import weakly_cached
from router.catalog.foreign_keys import links
from router.catalog.schema import Schema, SchemaTable
from router.catalog.sensitive_columns import split_words
from router.knowledge.knowledge import NOTHING_KNOWN, Known
from router.language.inflection import stem, word_family
from router.language.phrases import listed
from router.text_to_sql.named_values import Named
from router.text_to_sql.repair.join_paths import Hop, hops
from router.text_to_sql.schema_linking import WHOLE_WORDS, words

# The columns that the words of a question may mean, where it groups by them, or measures them.

Role = Literal["group", "measure"]

NAME_MAX_WORDS, PASSED_MAX_WORDS = 3, 2
"""Words of a name, and words before one that may say more of it, as in "by home city"."""

_TOKEN = re.compile(r"[^\W_]+|,")
_TEXT = re.compile(r"CHAR|TEXT|STRING|CLOB", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words of a question from `start` to `end`, and the columns and tables that may be meant by them."""

    words: str
    role: Role
    start: int
    end: int
    columns: tuple[tuple[str, str], ...]


def _listed(kind: str) -> frozenset[str]:
    return listed(f"text_to_sql.{kind}")


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
            further = role == "group" and any(
                word == "," or word in _listed("joins") for word in low[found.end : found.end + 1]
            )
            found = _spoken(said, low, found.end + 1, role, places) if further else None


def _openings(low: Sequence[str]) -> Iterator[tuple[int, Role]]:
    for at, word in enumerate(low):
        if word in _listed("groups"):
            yield at + 1, "group"
        elif word in _listed("measures"):
            yield at + 1, "measure"
        elif word in _listed("best"):
            yield at + 1 + (low[at + 1 : at + 2] != [] and low[at + 1].isdecimal()), "group"


def _spoken(said: Sequence[str], low: Sequence[str], at: int, role: Role, places: "ColumnIndex") -> Spoken | None:
    while at < len(low) and low[at] in _listed("passed_over"):
        at += 1
    for start in range(at, min(at + PASSED_MAX_WORDS + 1, len(low))):
        if low[start] == "," or low[start] in _listed("phrase_ends"):
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
        if words[-1] in _listed("no_kind"):
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


# Owners: the tables that have one row for each row of others, and how far they are.


UNREACHABLE_JOINS = 99
"""Joins to a table that no way leads to."""


@dataclass(frozen=True, slots=True)
class TableReach:
    """The distance to a table; `ways` are the last joins of the shortest ways there, none where one begins there.

    With each goes the number of joins on its way that may find no row.
    """

    far: int
    ways: tuple[tuple[Hop | None, int], ...]


def reached(starts: Collection[str], schema: Schema) -> dict[str, TableReach]:
    """Return the tables that joins which multiply no rows lead to, the starts among them."""
    leaving = hops(schema).leaving
    found = dict.fromkeys(starts, TableReach(0, ((None, 0),)))
    edge, far = dict.fromkeys(starts, 0), 0
    while edge:
        far += 1
        further: dict[str, dict[Hop, int]] = {}
        for name, optional in edge.items():
            for hop in leaving.get(name, ()):
                if not hop.fans and hop.far not in found:
                    ways = further.setdefault(hop.far, {})
                    ways[hop] = min(optional + hop.optional, ways.get(hop, UNREACHABLE_JOINS))
        found |= {name: TableReach(far, tuple(ways.items())) for name, ways in further.items()}
        edge = {name: min(ways.values()) for name, ways in further.items()}
    return found


def apart(table: str, others: Collection[str], schema: Schema) -> int:
    """Return how far a table is from the nearest of the others, by joins that multiply no rows one way or the other."""
    up, down = reached({table}, schema), reached(others, schema)
    found = [up[other].far for other in others if other in up]
    return min((*found, down[table].far)) if table in down else min(found, default=UNREACHABLE_JOINS)


ASKED_COLUMNS_MAX = 4
"""Columns that a person is asked about at once."""

MOST_CALLED = {"group": 40, "measure": 6}
"""Columns of one name; where there are more, nobody can say which of them the question may mean."""

MOST_HOLDING = 6
"""Tables that have a word in their columns; a word that more have does not say what a question is about."""

_AS_SPELT = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Home:
    """One meaning of a word: a column of a table; `owner` has it itself, or by its column `through`."""

    owner: str
    table: str
    column: str
    through: str = ""


@dataclass(frozen=True, slots=True)
class UnsureColumn:
    """Words of a question, and what they may mean, the likeliest first."""

    words: str
    homes: tuple[Home, ...]


def unsure_columns(
    question: str, schema: Schema, evidence: str = "", known: Known = NOTHING_KNOWN, tables: Collection[str] = ()
) -> tuple[UnsureColumn, ...]:
    """Return the words that a question groups by or measures, and that are as likely one column as another.

    What belongs to a table that the question or a hint names, or to one of `tables`, is sure; so is what is nearest to
    all that the question may be about, by foreign keys that multiply no rows, and any word that a hint, a term or an
    example has.
    """
    said = tokens(question)
    hints = words(" ".join((evidence, *(f"{term.meaning} {term.filter}" for term in known.terms))))
    spoken = tuple(spoken_columns(said, schema))
    passed = {at for each in spoken for at in range(each.start, each.end)}
    # What a question names and does not group by is what it measures: "total amount of orders by supplier".
    things = _named([stem(word.lower()) for at, word in enumerate(said) if at not in passed], schema)
    over = [_line(text) for text in _sayings(evidence, known)]
    sure = {*tables, *_typed(question, schema)}
    found = (
        (each, _homes(each, said, hints, sure, schema))
        for each in spoken
        if not any(_line(each.words) in line for line in over) and not (each.role == "measure" and things)
    )
    return tuple(UnsureColumn(each.words, homes[:ASKED_COLUMNS_MAX]) for each, homes in found if len(homes) > 1)


def spoken_of(named: Iterable[Named]) -> set[str]:
    """Return the tables whose values a question names, as far as these are values of one table only."""
    homes = ({value.table for value in each.values} for each in named)
    return {table for tables in homes if len(tables) == 1 for table in tables}


def _sayings(evidence: str, known: Known) -> Iterator[str]:
    """Yield the texts whose words are told to the model in another way."""
    yield evidence
    for term in known.terms:
        yield from (term.name, *term.synonyms)
    yield from (example.question for example in known.examples)


def _line(text: str) -> str:
    return f" {' '.join(words(text))} "


def _homes(
    spoken: Spoken, said: Sequence[str], told: Sequence[str], known: set[str], schema: Schema
) -> tuple[Home, ...]:
    """Return what the words may mean, the likeliest first; one or nothing where it is sure."""
    targets, others = _targets(spoken, schema), _others(spoken, said, told)
    named = known | _named(others, schema)
    tables = {table for table, _ in targets}
    if (len(tables) < 2 and (spoken.role == "measure" or len(targets) > 1)) or named & tables:
        return ()  # the columns of one table are for the model to tell apart
    if len(targets) > MOST_CALLED[spoken.role]:
        return ()
    sure, maybe = _about(others, named, schema)
    near = [list(_nearest({*sure}, targets, spoken.role, schema))]
    if not near[0]:  # nothing that is surely spoken of leads there
        near = [list(_nearest({each}, targets, spoken.role, schema)) for each in maybe]
    if not any(near):
        alone = (Home(table, table, column) for table, column in targets)
        return _largest_first(alone, schema) if 1 < len(tables) <= ASKED_COLUMNS_MAX else ()
    # A table that several ways lead to is told apart by them, such as the country of customers, and that of stores.
    split = {table for each in near for table, ways in Counter(home.table for home, _ in each).items() if ways > 1}
    votes: Counter[Home] = Counter()
    lost: dict[Home, int] = {}
    for way, optional in chain.from_iterable(near):
        home = way if way.table in split else Home(way.table, way.table, way.column)
        votes[home] += 1
        lost[home] = min(optional, lost.get(home, optional))
    if any(home.owner in named for home in votes):
        return ()
    ordered = _largest_first(votes, schema)
    return tuple(sorted(ordered, key=lambda home: (-votes[home], lost[home])))


def _others(spoken: Spoken, said: Sequence[str], told: Sequence[str]) -> list[str]:
    """Return the words of a question, and of its hints, beside those that are not clear."""
    others = [stem(word.lower()) for word in (*said[: spoken.start], *said[spoken.end :]) if word != ","]
    return [word for word in (*others, *told) if word not in _listed("common")]


def _largest_first(homes: Iterable[Home], schema: Schema) -> tuple[Home, ...]:
    rows = {table.name: table.rows or 0 for table in schema.tables}
    return tuple(sorted(homes, key=lambda home: (-rows[home.owner], home.owner)))


def _targets(spoken: Spoken, schema: Schema) -> tuple[tuple[str, str], ...]:
    """Return the columns that may be meant; a table stands for its name, and for what leads to it."""
    origins = _origins(schema)
    found: dict[tuple[str, str], tuple[str, str]] = {}
    views = {table.name for table in schema.tables if table.view}
    columns = [(table, column) for table, column in spoken.columns if table not in views] or spoken.columns
    tables = {table for table, _ in columns}
    for table, column in columns:
        origin = origins.get((table, column))
        if origin and origin[0] in tables:
            continue
        key = origin or (table, column)
        found.setdefault(key, (table, column or label_column(schema, table)))
    return tuple(found.values())


def _about(others: Iterable[str], named: set[str], schema: Schema) -> tuple[set[str], set[str]]:
    """Return the tables that a question is surely about, and those that it may be about where there is none."""
    columns = _columns(schema)
    sure, maybe = set(named), set()
    for word in others:
        tables = columns.get(word, frozenset())
        if len(tables) == 1:
            sure |= tables
        elif word in _listed("money"):
            maybe |= set(chain.from_iterable(columns.get(each, ()) for each in _listed("money_columns")))
        elif len(tables) <= MOST_HOLDING:
            maybe |= tables
    return sure, maybe


def _nearest(
    starts: set[str], targets: Sequence[tuple[str, str]], role: Role, schema: Schema
) -> Iterator[tuple[Home, int]]:
    """Yield the nearest of the targets by each way there, with the number of joins that may find no row."""
    if role == "measure":
        away = {target: apart(target[0], starts, schema) for target in targets}
        least = min(away.values())
        found = (target for target, far in away.items() if far == least < UNREACHABLE_JOINS)
        yield from ((Home(table, table, column), 0) for table, column in found)
        return
    known = reached(starts, schema)
    least = min((known[table].far for table, _ in targets if table in known), default=UNREACHABLE_JOINS)
    for table, column in targets:
        reach = known.get(table)
        for hop, optional in reach.ways if reach and reach.far == least else ():
            yield (Home(hop.near, table, column, hop.pairs[0][0]) if hop else Home(table, table, column)), optional


def _typed(question: str, schema: Schema) -> set[str]:
    """Return the tables whose names of several words, or with a number, stand in the question as they are spelt."""
    said = {word.casefold() for word in _AS_SPELT.findall(question)}
    return {each.name for each in schema.tables if each.name.casefold() in said and len(split_words(each.name)) > 1}


def _named(said: Iterable[str], schema: Schema) -> set[str]:
    """Return the tables whose names have one of these words."""
    telling = [word for word in said if word not in _listed("common")]
    return {
        table
        for table, parts in _names(schema).items()
        if any(word_family(word) == word_family(part) for word in telling for part in parts)
    }


@weakly_cached
def _origins(schema: Schema) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the columns that refer to one column of another table, with it."""
    return {
        (link.table, link.columns[0]): (link.target, link.target_columns[0])
        for link in links(schema)
        if len(link.columns) == 1
    }


@weakly_cached
def _names(schema: Schema) -> dict[str, frozenset[str]]:
    """Return the words of each table's name, but for those that say nothing, or begin the names of all."""
    names = {table.name: words(table.name) for table in schema.tables}
    firsts = {name[0] for name in names.values() if name}
    shared = firsts if len(firsts) == 1 and len(names) > 1 else set()
    return {
        table: frozenset(chain.from_iterable((word, *WHOLE_WORDS.get(word, ())) for word in name))
        - shared
        - _listed("common")
        for table, name in names.items()
    }


@weakly_cached
def _columns(schema: Schema) -> dict[str, frozenset[str]]:
    """Return the tables by the words of their columns' names and comments."""
    found: dict[str, set[str]] = {}
    for table in schema.tables:
        for column in table.columns:
            for word in (*words(column.name), *words(column.comment)):
                for form in (word, *WHOLE_WORDS.get(word, ())):
                    found.setdefault(form, set()).add(table.name)
    return {word: frozenset(tables) for word, tables in found.items()}
