"""The values of the database that a question names, however they are typed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import Literal, get_args

from router.catalog.schema import Schema
from router.catalog.sensitive_columns import split_words
from router.catalog.values import (
    MISSPELT_MIN_LETTERS,
    SHARED_WORD_MIN_VALUES,
    VALUE_WORD,
    Value,
    ValueIndex,
    common_words,
    letters_off_question_word,
    name_words,
    question_words,
)
from router.language.folding import distance, fold, folds
from router.language.inflection import other_number, word_family

MISSPELT_MAX_LETTERS = 2
"""Letters by which a word may be off the value's."""

VALUE_MAX_WORDS, QUESTION_MAX_WORDS = 6, 80
"""Words of a value, and of a question, that are looked at."""

TOLD_VALUES_MAX, TOLD_UNSURE_VALUES_MAX = 8, 4
"""Values that a model is told of, and how many of them may be part of what was meant, or near it."""

Way = Literal["exact", "folded", "part", "near"]
"""The match with a value: as it is typed but for its case, spelt otherwise, by some of its words, or misspelt."""


_WAYS = get_args(Way)
_POSSESSIVE = re.compile(r"['’][sS]$")
_QUOTES = frozenset("'\"“”‘’„«»")


@dataclass(frozen=True, slots=True)
class Named:
    """Words of a question, and the values that they may mean."""

    words: str
    way: Way
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    keys: tuple[str, ...]
    plain: bool
    """True for a word of any question, or of the schema's names."""
    common: bool
    """True for such a word of any language, or in another form: nothing is likened to it, nor found by it alone."""
    opens: bool
    closes: bool
    """True where a quotation begins with it, and where one ends with it."""


def named_in(text: str, index: ValueIndex) -> tuple[Named, ...]:
    """Return what the question names, in the order of how sure it is: exact, folded, part, near; no word twice."""
    matches = islice(VALUE_WORD.finditer(text), QUESTION_MAX_WORDS) if len(index) else ()
    words = [_word(text, match, index) for match in matches]
    free = [True] * len(words)
    found: list[Named] = []
    for way in (_whole, _part, _near):
        for size in range(min(VALUE_MAX_WORDS, len(words)), 0, -1):
            for at in range(len(words) - size + 1):
                span = words[at : at + size]
                if all(free[at : at + size]) and not all(word.plain for word in span) and (named := way(span, index)):
                    found.append(named)
                    free[at : at + size] = [False] * size
    return tuple(sorted((named for named in found if named.values), key=lambda named: _WAYS.index(named.way)))


def told(
    named: Sequence[Named], text: str, schema: Schema, besides: Sequence[tuple[str, str, str]]
) -> tuple[tuple[str, str, str], ...]:
    """Return the few values that a model is told of, besides those it is told of anyway: (table, column, value).

    Only those of words in the text and of the schema's tables, the longest first; at most four that are no whole value
    as it was typed.
    """
    said = fold(text)
    found: list[Value] = []
    for sure, most in ((True, TOLD_VALUES_MAX), (False, TOLD_UNSURE_VALUES_MAX)):
        groups = [each for each in named if (each.way in ("exact", "folded")) == sure and fold(each.words) in said]
        values = [value for each in groups for value in each.values]
        fresh = [v for v in values if (v.table, v.column, v.text) not in besides and schema.table(v.table)]
        found += sorted(fresh, key=lambda value: -len(value.text))[:most]
    return tuple((value.table, value.column, value.text) for value in found[: max(0, TOLD_VALUES_MAX - len(besides))])


def _word(text: str, match: re.Match[str], index: ValueIndex) -> _Word:
    bare = _POSSESSIVE.sub("", match[0])
    keys = folds(bare)
    plain = len(keys[0]) < 2 or keys[0].isdecimal() or keys[0] in common_words() or keys[0] in index.vocabulary
    common = plain or not question_words().isdisjoint(keys) or word_family(keys[0]) in index.families
    return _Word(
        bare,
        keys,
        plain,
        common,
        text[match.start() - 1 : match.start()] in _QUOTES,
        text[match.end() :][:1] in _QUOTES,
    )


def _whole(span: list[_Word], index: ValueIndex) -> Named | None:
    """Find values that are these words."""
    of_questions = all(not question_words().isdisjoint(word.keys) for word in span)
    for number, key in enumerate(islice(_joined(span), 1 if of_questions else None)):
        values = [value for value in index.same(key) if _bounded(span, value)]
        typed = " ".join(word.text for word in span)
        same = tuple(value for value in values if _lower(value.text) == _lower(typed))
        if same and not number:
            return Named(typed, "exact", same)
        if shown := tuple(value for value in values if value.shown):
            return Named(typed, "folded", shown)
    return None


def _part(span: list[_Word], index: ValueIndex) -> Named | None:
    """Find longer values that have these words."""
    if len(span) > 3 or any(word.common or len(word.keys[0]) < 3 for word in span):
        return None
    if span[0].opens and span[-1].closes:
        return None  # whoever quotes a part of a value wants all values that have it
    for keys in {tuple(word.keys[0] for word in span), tuple(word.keys[-1] for word in span)}:
        values = index.with_words(keys)
        if values is None or 0 < len(values) < SHARED_WORD_MIN_VALUES:
            return Named(" ".join(word.text for word in span), "part", tuple(values or ()))
    return None


def _near(span: list[_Word], index: ValueIndex) -> Named | None:
    """Find values that these words misspell."""
    if len(span) > 3 or any(word.common and not word.text.isdecimal() for word in span):
        return None
    key = "".join(word.keys[0] for word in span)
    values = index.near(key) if len(key) >= MISSPELT_MIN_LETTERS else []
    values = [value for value in values if _likened(span, value)]
    return Named(" ".join(word.text for word in span), "near", tuple(values)) if values else None


def _bounded(span: list[_Word], value: Value) -> bool:
    """Tell whether words that follow one another end where the value has an end of a word, too: "new york"."""
    if len(span) == 1:
        return True
    pieces = [part for word in VALUE_WORD.findall(value.text) for part in (split_words(word) or [word])]
    return any(
        _ends([word.keys[way] for word in span]) <= _ends([folds(part)[way] for part in pieces]) for way in (0, -1)
    )


def _ends(keys: list[str]) -> set[int]:
    """Return where words end that are written together, but for the last one."""
    return set(accumulate(map(len, keys[:-1])))


def _likened(span: list[_Word], value: Value) -> bool:
    """Tell whether each word may misspell a word of the value, and no word of questions is as near."""
    pieces = VALUE_WORD.findall(value.text)
    pairs = ((word.keys[0], fold(piece)) for word, piece in zip(span, pieces, strict=False))
    return len(span) == len(pieces) and all(key == piece or _misspelt(key, piece) for key, piece in pairs)


def _misspelt(key: str, piece: str) -> bool:
    off = distance(key, piece, MISSPELT_MAX_LETTERS)
    return len(key) >= MISSPELT_MIN_LETTERS and off < letters_off_question_word(key, off)


def _joined(span: list[_Word]) -> Iterator[str]:
    """Yield the words as one key, then with their other spellings, then in the other number."""
    plain = "".join(word.keys[0] for word in span)
    yield plain
    spelt = "".join(word.keys[-1] for word in span)
    if spelt != plain:
        yield spelt
    yield from other_number(plain)


def _lower(text: str) -> list[str]:
    return VALUE_WORD.findall(text.lower())


# Words that may mean several values, where nothing in the question decides.

ASKED_VALUES_MAX = 5
"""Values that a person is asked about at once."""


@dataclass(frozen=True, slots=True)
class AmbiguousWords:
    """Words of a question, and the values that they may mean, the likeliest first."""

    words: str
    values: tuple[Value, ...]


def unsure(named: Iterable[Named], question: str, schema: Schema) -> AmbiguousWords | None:
    """Return the first words that may mean different values which the question does not tell apart, or None.

    What stands in the question as it stands in the database is sure, and so is what one column's name decides.
    """
    for each in named:
        if each.way != "exact" and (values := _undecided(each.values, question, schema)):
            return AmbiguousWords(each.words, values)
    return None


def _undecided(values: Sequence[Value], question: str, schema: Schema) -> tuple[Value, ...]:
    """Return the values, those first whose columns the question speaks of, unless there is one choice only."""
    said = {fold(word) for word in VALUE_WORD.findall(question)}
    known = [value for value in values if value.shown and schema.table(value.table)]
    ranked = sorted(known, key=lambda value: -_spoken_of(value, said))
    best = [value for value in ranked if _spoken_of(value, said) == _spoken_of(ranked[0], said)]
    choices = {_meaning(value, schema) for value in best}
    distinct = _distinct(ranked, schema)
    return tuple(distinct) if 1 < len(choices) and len(distinct) <= ASKED_VALUES_MAX else ()


def _spoken_of(value: Value, said: set[str]) -> int:
    return 2 * len(said & name_words(value.column)) + len(said & name_words(value.table))


def _distinct(values: Iterable[Value], schema: Schema) -> list[Value]:
    """Return one value of each meaning."""
    found: dict[tuple[str, str], Value] = {}
    for value in values:
        found.setdefault(_meaning(value, schema), value)
    return list(found.values())


def _meaning(value: Value, schema: Schema) -> tuple[str, str]:
    """Return what tells values apart: the text, and the column unless a foreign key or its name says it is the same."""
    return fold(value.text), fold(_origin(value, schema).column)


def _origin(value: Value, schema: Schema) -> Value:
    """Return the value in the column that a foreign key leads to."""
    table = schema.table(value.table)
    for key in table.foreign_keys if table else ():
        if key.columns == (value.column,) and len(key.target_columns) == 1:
            return replace(value, table=key.target, column=key.target_columns[0])
    return value
