"""Reads which queries a sentence compares, by names that are there and by the lists `comparing`; without a model.

Many questions begin with "compare" ("compare revenue by region and year"), so that the word alone is not enough: a side
must be the result on show, or both must name a database, or a table that is there. Anything else is asked for.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from router.language.phrases import Token, has_phrase, longest_at, tokens_of, unlisted
from router.memory.comparing import WishedSide
from router.understanding.named_database import database_in

COMPARISON_MAX_CHARS: Final = 300
"""A longer text is no wish to compare."""

Same = Literal["question", "sql", "either"]
"""The part that is the same: the question, its SQL, or what there is of the two."""

_TABLE_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?")
_SAYS_NO_MORE: Final = ("same", "sql", "same_question", "joining", "around", "shown", "compare")
_NO_SIDE: Final = WishedSide()


@dataclass(frozen=True, slots=True)
class CompareWish:
    """Two sides; `shown`: the first is the result on show."""

    left: WishedSide = _NO_SIDE
    right: WishedSide = _NO_SIDE
    shown: bool = False


def comparison_of(text: str, called: Mapping[str, str], tables: Callable[[], frozenset[str]]) -> CompareWish | None:
    """Return what is to be compared, or None: then it is a question, or a button's word.

    `called` has the connections by what people call them; `tables` gives known tables in lower case.
    """
    tokens, begin = tokens_of(text), 0
    while not (verb := _length(tokens, begin, "compare")) and (around := _length(tokens, begin, "around")):
        begin += around
    if not verb or len(text) > COMPARISON_MAX_CHARS:
        return None
    for at in range(begin + verb, len(tokens)):
        if joined := _length(tokens, at, "joining"):
            left = _side(text[tokens[begin + verb - 1].end : tokens[at].begin], called)
            right = _side(text[tokens[at + joined - 1].end :], called)
            if wish := _wish(left, right, tables):
                return wish
    return None


def as_table(what: str) -> str:
    """Return the name if the words can only be that of a table, "" for any other words."""
    return what if _TABLE_NAME.fullmatch(what) else ""


def same_elsewhere(text: str, called: Mapping[str, str]) -> tuple[Same, str] | None:
    """Return what is the same, and the connection, of "the same question on the warehouse"; None for all else."""
    connection, others = _beside_database(text, called)
    same = _same(others) if connection and not has_phrase("denial.before", text) else None
    return (same, connection) if same else None


def same_in(text: str) -> Same | None:
    """Return what is the same, for words that say no more than that: "the same question"; None for any others."""
    return _same(tokens_of(text))


def _same(tokens: Sequence[Token]) -> Same | None:
    """Return what words say is the same, if they say no more than that."""
    if _left(tokens, *_SAYS_NO_MORE):
        return None
    if len(_left(tokens, "same")) == len(tokens):
        return "either"
    return "question" if len(_left(tokens, "sql")) == len(tokens) else "sql"


def says_only_compare(text: str) -> bool:
    """Return whether a text says no more than that something is to be compared."""
    return not _left(tokens_of(text), *_SAYS_NO_MORE, "query")


def _wish(left: WishedSide, right: WishedSide, tables: Callable[[], frozenset[str]]) -> CompareWish | None:
    """Return the wish to compare two sides that are known well enough; None if they are not."""
    if not left.connection and not _left(tokens_of(left.what), "shown"):
        return CompareWish(right=right, shown=True) if right != _NO_SIDE else None
    if left.connection and right.connection:
        # "orders in Production and Warehouse": what was said once is meant of both.
        said_once = not _left(tokens_of(right.what), "referring")
        return CompareWish(left, WishedSide(right.connection, left.what) if said_once else right)
    known = all(as_table(each.what).rpartition(".")[2].lower() in tables() for each in (left, right))
    return CompareWish(left, right) if known else None


def _side(text: str, called: Mapping[str, str]) -> WishedSide:
    """Return one side of a comparison, without words around it such as "the" and "in"."""
    connection, others = _beside_database(text, called)
    telling = _left(others, "around")
    return WishedSide(connection, text[telling[0].begin : telling[-1].end] if telling else "")


def _beside_database(text: str, called: Mapping[str, str]) -> tuple[str, list[Token]]:
    """Return the one database that a text names, and the other words; what its name has in brackets may be left out."""
    ways = {way: each for name, each in called.items() for way in (name, name.partition(" (")[0])}
    connection = database_in(text, ways)
    own = {token.word for way, each in ways.items() if each == connection for token in tokens_of(way)}
    return connection, [each for each in tokens_of(text) if each.word not in own]


def _length(tokens: Sequence[Token], at: int, *kinds: str) -> int:
    """Return how many tokens the longest phrase of these lists has that begins at this one; 0 for none."""
    return longest_at(tokens, at, *(f"comparing.{each}" for each in kinds))


def _left(tokens: Sequence[Token], *kinds: str) -> list[Token]:
    """Return the words of a text that no phrase of these lists has."""
    return unlisted(tokens, *(f"comparing.{each}" for each in kinds))
