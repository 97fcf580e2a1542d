"""The values of the database that a question names whole, but for their case, accents and hyphens."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from router.catalog.schema import Schema
from router.catalog.sensitive_columns import split_words
from router.catalog.values import VALUE_WORD, Value, ValueIndex, common_words
from router.language.folding import fold

VALUE_MAX_WORDS, QUESTION_MAX_WORDS = 6, 80
"""Words of a value, and of a question, that are looked at."""

TOLD_VALUES_MAX = 8
"""Values that a model is told of."""


@dataclass(frozen=True, slots=True)
class Named:
    """Words of a question, and the values that they may mean."""

    words: str
    values: tuple[Value, ...]


def named_in(text: str, index: ValueIndex) -> tuple[Named, ...]:
    """Return the values that a question names, the longest first; no word twice."""
    words = VALUE_WORD.findall(text)[:QUESTION_MAX_WORDS] if len(index) else []
    free = [True] * len(words)
    found = []
    for size in range(min(VALUE_MAX_WORDS, len(words)), 0, -1):
        for at in range(len(words) - size + 1):
            span = words[at : at + size]
            if all(free[at : at + size]) and (values := _same(span, index)):
                found.append(Named(" ".join(span), values))
                free[at : at + size] = [False] * size
    return tuple(found)


def told(
    named: Sequence[Named], text: str, schema: Schema, besides: Sequence[tuple[str, str, str]]
) -> tuple[tuple[str, str, str], ...]:
    """Return the few values that a model is told of, besides those it is told of anyway: (table, column, value).

    Only those of words in the text, and of the schema's tables.
    """
    said = fold(text)
    values = (value for each in named if fold(each.words) in said for value in each.values if schema.table(value.table))
    places = dict.fromkeys((value.table, value.column, value.text) for value in values)
    return tuple(each for each in places if each not in besides)[: max(0, TOLD_VALUES_MAX - len(besides))]


def _same(span: Sequence[str], index: ValueIndex) -> tuple[Value, ...]:
    """Return the values that are these words; one that is not shown has to be typed as it stands."""
    if all(_is_plain(fold(word), index) for word in span):
        return ()
    values = [value for value in index.same(fold("".join(span))) if _is_bounded(span, value)]
    typed = [word.lower() for word in span]
    return tuple(value for value in values if value.shown or VALUE_WORD.findall(value.text.lower()) == typed)


def _is_plain(key: str, index: ValueIndex) -> bool:
    """Return whether a word is one of any question, or of the schema's names."""
    return len(key) < 2 or key.isdecimal() or key in common_words() or key in index.vocabulary


def _is_bounded(span: Sequence[str], value: Value) -> bool:
    """Return whether words that follow one another end where the value has an end of a word, too: "new york"."""
    pieces = [part for word in VALUE_WORD.findall(value.text) for part in (split_words(word) or [word])]
    return _ends(span) <= _ends(pieces)


def _ends(words: Sequence[str]) -> set[int]:
    """Return where words end that are written together, but for the last one."""
    return set(accumulate(len(fold(word)) for word in words[:-1]))
