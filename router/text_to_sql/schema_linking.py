"""Schema linking: the words that questions and names share, and what is shown of a schema that does not fit whole."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log, sqrt

from router.catalog.caches import weakly_cached
from router.catalog.schema import Column, Schema, SchemaTable
from router.catalog.sensitive_columns import split_words
from router.catalog.values import question_words
from router.language.inflection import stem, word_family
from router.language.phrases import listed
from router.language.wording import WORD
from router.text_to_sql.repair.join_paths import HUB_MAX_TABLES, hops, leading
from router.text_to_sql.schema_text import table_text

# Words of questions and names, told alike: plurals, endings, abbreviations, words that are written together.

ABBREVIATIONS = """
account acct acc acnt; address addr adr; amount amt; approval appr; article art; attachment att; average avg;
balance bal; budget bdgt; building bldg; campaign cmp cmpgn; category cat categ; code cd; company comp co;
contract contr; country ctry cntry; currency curr ccy; customer cust cstmr; date dt; delivery dlv deliv;
department dept dep; description desc descr; detail det dtl; discount disc; document doc; employee emp empl;
equipment equip eqpt; group grp; header hdr; history hist; hour hrs hr; inventory inv invt; invoice inv invc;
item itm; language lang; ledger gl; level lvl; line ln; location loc; machine mach; maintenance maint mnt;
manager mgr; manufacturing mfg; material mat matl; message msg; month mth mon; movement mvmt; number no nr num;
order ord; organization org; organisation org; package pkg pack; part prt; payment pmt pymt pay; percent pct perc;
position pos; price prc; product prod prd; project proj prj; purchase po pur purch; quality qc qa qual;
quantity qty qnty; quarter qtr; rate rt; receipt rcpt; reference ref; region reg rgn; request req rqst;
requisition req; return ret rtn; salary sal; sale sls; schedule sched; service svc srv serv; shipment shp shpmt ship;
status stat sts; store str; supplier supp suppl splr; task tsk; technician tech; ticket tkt; timestamp ts;
total tot ttl; training trng train; transaction txn trx trans; user usr; value val; vehicle veh; vendor vend vnd;
volume vol; warehouse whs wh wrhs; week wk; year yr
"""
"""Abbreviations in names of tables and columns, the whole word first."""

WHOLE_WORDS: dict[str, tuple[str, ...]] = {}
for _line in ABBREVIATIONS.split(";"):
    _word, *_short_forms = _line.split()
    for _form in _short_forms:
        WHOLE_WORDS[_form] = (*WHOLE_WORDS.get(_form, ()), _word)


def words(text: str) -> list[str]:
    """Return the stems of the words of a text or a name, in their order: "OrderItems", "order_items", "order items"."""
    return [stem(word) for word in split_words(text) if len(word) > 1 and not word.isdigit()]


def _numbered(text: str) -> list[str]:
    """Return the words that a number stands behind, together with it: "log_2023", "sensor 007" as sensor7."""
    pairs = pairwise(split_words(text))
    return [stem(first) + (second.lstrip("0") or "0") for first, second in pairs if second.isdigit()]


def telling(found: Iterable[str]) -> list[str]:
    """Return the words that say something, each once."""
    return [word for word in dict.fromkeys(found) if word not in listed("text_to_sql.common")]


def meant(word: str, known: Iterable[str]) -> Iterator[tuple[str, float]]:
    """Yield those of the known words that a word of a question may mean, with how surely it does."""
    family = word_family(word)
    for each in known:
        if each == word:
            yield each, 1.0
        elif word_family(each) == family:
            yield each, 0.6
        elif _is_inside(each, word) or _is_inside(word, each) or _cut(each, word):
            yield each, 0.5


def _is_inside(whole: str, part: str) -> bool:
    """Return whether a word is written together with another one in front of it or behind it: points, loyaltypoints."""
    return len(part) > 3 and len(whole) - len(part) > 3 and (whole.startswith(part) or whole.endswith(part))


def _cut(short: str, word: str) -> bool:
    """Return whether a name's word is the beginning of another one: equip, equipment."""
    return 2 < len(short) < len(word) - 2 and word.startswith(short)


# Tables ranked by their likeness to a question: words of names and comments, values, and the tables beside them.

Place = tuple[int, str, tuple[str, str, str]]
"""A value's rank among all, its words between blanks, and (table, column, value)."""


SHORT_WORD_MAX_LETTERS = 3
"""Letters of a word that questions are made of, and that may also be a code such as IN or PER."""


def values_in(text: str, schema: Schema, most: int = 8) -> tuple[tuple[str, str, str], ...]:
    """Return (table, column, value) for each sample value that stands in the text as whole words, the longest first.

    A short word of any question has to be typed as the value is kept: "in" is no IN. So has the name of a table:
    "participants" are its rows, and not those of the kind Participant.
    """
    typed = WORD.findall(text)
    said = [word.lower() for word in typed]
    line = f" {' '.join(said)} "
    places = _places(schema)
    found = [place for word in dict.fromkeys(said) for place in places.get(word, ()) if place[1] in line]
    tables = {stem(table.name) for table in schema.tables}
    found = [
        place
        for place in found
        if place[2][2] in typed or not (_is_short_word(place[2][2]) or stem(place[2][2]) in tables)
    ]
    ordered = [match for _, _, match in sorted(found)]
    return tuple(sorted(ordered, key=lambda match: -len(match[2]))[:most])


def _is_short_word(value: str) -> bool:
    return len(value) <= SHORT_WORD_MAX_LETTERS and value.casefold() in question_words()


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


Places = dict[str, dict[int, float]]
"""The numbers of the tables, or columns, that have each word, with its weight there."""


@dataclass(frozen=True, slots=True)
class Index:
    """A schema by its words: `places` are those of its tables."""

    tables: tuple[str, ...]
    places: Places
    parents: tuple[tuple[int, ...], ...]
    children: tuple[int, ...]
    """The number of tables that lead to each."""


def ranked(question: str, schema: Schema) -> list[tuple[str, float]]:
    """Return every table with how much it shares with the question, the likeliest first."""
    index = _index(schema)
    scores = _shared(telling(_asked(question, index.places)), index.places, len(index.tables))
    for at, counts in _valued(question, schema, index):
        scores[at] += counts
    central = [score * (1 + log(1 + index.children[at]) / 8) for at, score in enumerate(scores)]
    final = list(central)
    for at, score in enumerate(central):
        for parent in index.parents[at] if score else ():
            if index.children[parent] <= HUB_MAX_TABLES:
                final[parent] = max(final[parent], central[parent] + PARENT_SHARE * score)
    return sorted(zip(index.tables, final, strict=True), key=lambda scored: (-scored[1], scored[0]))


def _shared(asked: Iterable[str], places: Places, of: int) -> list[float]:
    """Return how much each of so many tables, or columns, shares with the words asked, rare ones before all."""
    scores = [0.0] * of
    for word in asked:
        best: dict[int, float] = {}
        for known, sure in meant(word, places):
            rare = _rarity(len(places[known]), of)
            for at, counts in places[known].items():
                best[at] = max(best.get(at, 0.0), sure * rare * counts)
        for at, counts in best.items():
            scores[at] += counts
    return scores


@weakly_cached
def _index(schema: Schema) -> Index:
    tables = schema.tables
    places: Places = defaultdict(dict)
    for at, table in enumerate(tables):
        for word, counts in _words_of(table):
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


def _words_of(table: SchemaTable) -> Iterator[tuple[str, float]]:
    """Yield the words of a table, spelt out, with what each counts."""
    name = words(table.name)
    for word in (*_forms(name), *_numbered(table.name)):
        yield word, TABLE_NAME_WEIGHT / sqrt(max(1, len(name)))
    for word in words(table.comment):
        yield word, COMMENT_WEIGHT
    for column in table.columns:
        for word in _words_of_column(column):
            yield word, COLUMN_WEIGHT


def _words_of_column(column: Column) -> Iterator[str]:
    yield from _forms(words(column.name))
    yield from _numbered(column.name)
    yield from words(column.comment)


def _forms(name: list[str]) -> Iterator[str]:
    for word in name:
        yield word
        yield from WHOLE_WORDS.get(word, ())
    for first, second in pairwise(name):
        yield first + second


def _asked(question: str, places: Places) -> list[str]:
    """Return the words of a question, each once, also as names write them: together, or apart."""
    said = words(question)
    together = [first + second for first, second in pairwise(said) if first + second in places]
    return list(dict.fromkeys((*said, *together, *_numbered(question))))


def _valued(question: str, schema: Schema, index: Index) -> list[tuple[int, float]]:
    """Return the tables that have a value which the question names, with what that counts."""
    found = {(table, value.lower()) for table, _, value in values_in(question, schema, NAMED_VALUES_MAX)}
    spread = Counter(value for _, value in found)
    numbers = {name: at for at, name in enumerate(index.tables)}
    return [(numbers[table], VALUE_WEIGHT * _rarity(spread[value], len(numbers))) for table, value in sorted(found)]


def _rarity(tables: int, of: int) -> float:
    return log(1 + (of - tables + 0.5) / (tables + 0.5))


# The text of a schema for the model: all of it, or if that is too long, the tables and columns that are likely meant.


SCHEMA_MAX_CHARS = 16_000
"""Characters of schema that a small model reads in a bearable time: about 5,000 tokens, a minute on two cores."""

TABLE_MAX_CHARS = SCHEMA_MAX_CHARS // 4 - 2
"""Characters of one table if not everything fits: some 45 columns with their values, or 150 names."""

PICKED_TABLES_MAX = 12
"""Tables that are picked from a schema that does not fit, besides those that link them."""

NAMED_TABLE_MIN_WEIGHT = 1.5
"""The weight of a table that a question names: a word of its name or comment that few others have, or two columns."""


def fits(schema: Schema) -> bool:
    """Return whether the whole schema can be shown to a model."""
    return sum(size + 2 for size in _sizes(schema).values()) - 2 <= SCHEMA_MAX_CHARS


def tables_fit(schema: Schema) -> bool:
    """Return whether all its tables can be shown to a model, of wide ones some columns."""
    return fits(schema) or _size(schema, _sizes(schema)) <= SCHEMA_MAX_CHARS


def names_tables(question: str, schema: Schema) -> bool:
    """Return whether the question has words of some tables, rather than one that is a column's by chance, or none."""
    enough = NAMED_TABLE_MIN_WEIGHT * _rarity(1, len(schema.tables))
    return any(score >= enough for _, score in ranked(question, schema)[:1])


def suggest_tables(question: str, schema: Schema, most: int) -> tuple[str, ...]:
    """Return the names of at most `most` tables, those first whose words, columns and values the question shares."""
    return tuple(name for name, _ in ranked(question, schema)[:most])


def cut_to_fit(question: str, schema: Schema) -> Schema:
    """Return the schema if it fits, else the likely tables, and of wide ones the likely columns."""
    if fits(schema):
        return schema
    return narrowed(question, schema, (table.name for table in likely_tables(question, schema).tables))


def likely_tables(question: str, schema: Schema) -> Schema:
    """Return the schema if it fits, else the tables that the question is likely about and those that link them."""
    if tables_fit(schema):
        return schema
    ways = hops(schema)
    chosen: list[str] = []
    scored = ranked(question, schema)[:PICKED_TABLES_MAX]
    for name in [name for name, score in scored if score] or [name for name, _ in scored]:
        more = leading(ways, chosen, name)
        if _size(schema, [*chosen, *more]) > SCHEMA_MAX_CHARS:
            more = [name]
        if _size(schema, [*chosen, *more]) <= SCHEMA_MAX_CHARS:
            chosen += [each for each in more if each not in chosen]
    return _only(schema, chosen)


def narrowed(text: str, schema: Schema, names: Iterable[str]) -> Schema:
    """Return the tables named, wide ones with their keys and those columns alone that a text is likely about."""
    only, sizes = _only(schema, names), _sizes(schema)
    tables = (_narrowed(text, schema, table) if sizes[table.name] > TABLE_MAX_CHARS else table for table in only.tables)
    return replace(only, tables=tuple(tables))


def _only(schema: Schema, names: Iterable[str]) -> Schema:
    """Return the tables of exactly these names: others may differ from them in upper and lower case alone."""
    wanted = set(names)
    return replace(schema, tables=tuple(table for table in schema.tables if table.name in wanted))


def _narrowed(text: str, schema: Schema, table: SchemaTable) -> SchemaTable:
    """Return a table with as many of its columns as fit, in their order, and as many of these with their remarks.

    First come those of the primary key, then those that share words or values with the text, then the other keys. Of
    the rest the first ones are taken: tables begin with what matters.
    """
    places = _columns(schema)[table.name]
    scores = _shared(_asked(text, places), places, len(table.columns))
    valued = {column for name, column, _ in values_in(text, schema, NAMED_VALUES_MAX) if name == table.name}
    keys = {column for hop in hops(schema) if hop.near == table.name for column, _ in hop.pairs}

    def rank(at: int) -> tuple[bool, float, bool, int]:
        name = table.columns[at].name
        return name not in table.primary_key, -scores[at] - (name in valued), name not in keys, at

    def size(count: int, with_remarks: int) -> int:
        return len(table_text(schema, _with(table, likely[:count], likely[:with_remarks])))

    likely = sorted(range(len(table.columns)), key=rank)
    count = bisect_right(range(1, len(likely) + 1), TABLE_MAX_CHARS, key=lambda count: size(count, 0))
    remarks = bisect_right(range(1, count + 1), TABLE_MAX_CHARS, key=lambda number: size(count, number))
    return _with(table, likely[:count], likely[:remarks])


def _with(table: SchemaTable, kept: Collection[int], remarks: Collection[int]) -> SchemaTable:
    """Return a table with the columns of these numbers, some with comment and values, and the keys they make up."""
    columns = tuple(
        column if at in remarks else replace(column, comment="", samples=())
        for at, column in enumerate(table.columns)
        if at in kept
    )
    names = {column.name for column in columns}
    whole = tuple(key for key in table.foreign_keys if names.issuperset(key.columns))
    primary = table.primary_key if names.issuperset(table.primary_key) else ()
    return replace(table, columns=columns, primary_key=primary, foreign_keys=whole)


@weakly_cached
def _columns(schema: Schema) -> dict[str, Places]:
    """Return the columns of each wide table by their words."""
    sizes = _sizes(schema)
    return {table.name: _places_in(table) for table in schema.tables if sizes[table.name] > TABLE_MAX_CHARS}


def _places_in(table: SchemaTable) -> Places:
    places: Places = defaultdict(dict)
    for at, column in enumerate(table.columns):
        for word in _words_of_column(column):
            places[word][at] = COLUMN_WEIGHT
    return dict(places)


def _size(schema: Schema, names: Iterable[str]) -> int:
    """Return the length of the text of these tables, wide ones narrowed."""
    sizes = _sizes(schema)
    return sum(min(sizes[name], TABLE_MAX_CHARS) + 2 for name in dict.fromkeys(names)) - 2


@weakly_cached
def _sizes(schema: Schema) -> dict[str, int]:
    """Return the length of each table's text, with all its links, and so rather too much."""
    return {table.name: len(table_text(schema, table)) for table in schema.tables}
