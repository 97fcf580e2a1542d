"""Reads which queries a sentence compares, by names that are there and by the lists `comparing`; without a model.

Many questions begin with "compare" ("compare revenue by region and year"), so that the word alone is not enough: a side
must be the result on show, or both must name a database, or a table that is there.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from router.language.phrases import Token, find_phrases, longest_at, tokens_of
from router.memory.comparing import WishedSide

COMPARISON_MAX_CHARS, SAME_MAX_CHARS = 300, 200
"""A longer text is no wish to compare; it says more than "the same, there"."""

Same = Literal["question", "sql", "either"]
"""What is the same: the question, the SQL of it, or what there is of the two."""

_TABLE_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?")
_SAYS_NO_MORE: Final = ("same", "sql", "same_question", "joining", "around", "shown", "compare")
_NOTHING: Final = WishedSide()


@dataclass(frozen=True, slots=True)
class CompareWish:
    """Two sides; `shown`: the first is the result on show; `unknown`: what seems to be a database, and is none.

    `unused` stands behind the second side, and was not understood.
    """

    left: WishedSide = _NOTHING
    right: WishedSide = _NOTHING
    shown: bool = False
    unknown: str = ""
    unused: str = ""


@dataclass(frozen=True, slots=True)
class _Named:
    """A database where a text names it, by its first token and the one behind its last."""

    connection: str
    first: int
    end: int


def comparison_of(text: str, called: Mapping[str, str], tables: Callable[[], frozenset[str]]) -> CompareWish | None:
    """Return what is to be compared, or None: then it is a question, or a button's word.

    `called` has the connections by what people call them; `tables` gives known tables in lower case.
    """
    tokens = tokens_of(text)
    begin = 0
    while (around := _length(tokens, begin, "around")) and not _length(tokens, begin, "compare"):
        begin += around
    joining = ("same_as", "joining") if _length(tokens, begin, "compare") else ("same_as",)
    verb = _length(tokens, begin, "compare", "asks_same")
    if len(text) > COMPARISON_MAX_CHARS or not verb:
        return None
    named = _databases(tokens, called)
    after = named[0].end if len(named) == 2 else begin + verb
    at = next((n for n in range(after, len(tokens)) if _length(tokens, n, *joining)), 0)
    if not at or len(named) > 2:
        return None
    left, beside = _side(text, tokens, begin + verb, at, named)
    right, unused = _side(text, tokens, at + _length(tokens, at, *joining), len(tokens), named)
    if not _left(tokens[begin + verb : at], "shown"):
        return CompareWish(right=right, shown=True, unused=unused) if right != _NOTHING else None
    mine, others = (_is_table(each.what, tables) for each in (left, right))
    if beside or (unused and not mine):
        return None
    if left.connection and right.connection:
        # "orders in Production and Warehouse": what was said once is meant of both.
        return CompareWish(
            left,
            right if _left(tokens_of(right.what), "referring") else WishedSide(right.connection, left.what),
            unused=unused,
        )
    if mine and others:
        return CompareWish(left, right, unused=unused)
    known, other = (left, right) if left.connection else (right, left)
    rest = [each for each in _left(tokens_of(other.what), "around", "referring") if each.word not in tables()]
    if known.connection and _is_table(known.what, tables) and len(rest) == 1:
        return CompareWish(left, right, unknown=other.what[rest[0].begin : rest[0].end])
    return None


def as_table(what: str) -> str:
    """Return the name where the words can only be that of a table, "" for any other words."""
    return what if _TABLE_NAME.fullmatch(what) else ""


def same_elsewhere(text: str, called: Mapping[str, str]) -> tuple[Same, str] | None:
    """Return what is the same, and the connection, of "the same question on the warehouse"; None for all else."""
    tokens = tokens_of(text)
    named = _databases(tokens, called)
    if len(text) > SAME_MAX_CHARS or len(named) != 1 or find_phrases("denial.before", tokens):
        return None
    others = [*tokens[: named[0].first], *tokens[named[0].end :]]
    return None if _left(others, *_SAYS_NO_MORE) else (same_in(text) or "either", named[0].connection)


def same_in(text: str) -> Same | None:
    """Return what a text says is the same; None where it says that of nothing."""
    tokens = tokens_of(text)
    if len(_left(tokens, "same")) == len(tokens):
        return None
    return "question" if len(_left(tokens, "sql")) == len(tokens) else "sql"


def only_same(text: str) -> Same | None:
    """Return what is the same for words that say no more than that: "the same question"; None for any others."""
    return None if _left(tokens_of(text), *_SAYS_NO_MORE) else same_in(text)


def names_earlier(text: str) -> bool:
    """Return whether a text only names the query of an earlier result: "with my previous question"."""
    tokens = tokens_of(text)
    says = [len(_left(tokens, each)) < len(tokens) for each in ("old", "query")]
    return all(says) and not _left(tokens, "old", "query", *_SAYS_NO_MORE)


def compares_earlier(text: str) -> bool:
    """Return whether a text is a wish to compare what is on show with an earlier result."""
    return _length(tokens_of(text), 0, "compare") > 0 and names_earlier(text)


def says_only_compare(text: str) -> bool:
    """Return whether a text says no more than that something is to be compared."""
    return not _left(tokens_of(text), *_SAYS_NO_MORE, "query")


def _databases(tokens: Sequence[Token], called: Mapping[str, str]) -> list[_Named]:
    """Return the databases that a text names in full; what a name has in brackets may be left out."""
    ways = ((way, each) for name, each in called.items() for way in (name, name.partition(" (")[0]))
    names = [(tuple(token.word for token in tokens_of(way)), each) for way, each in ways]
    found: list[_Named] = []
    for at in range(len(tokens)):
        words = tuple(each.word for each in tokens[at:])
        length, name = max((len(name), each) if words[: len(name)] == name else (0, "") for name, each in names)
        if length and (not found or at >= found[-1].end):
            found.append(_Named(name, at, at + length))
    return found


def _side(text: str, tokens: Sequence[Token], first: int, end: int, named: Sequence[_Named]) -> tuple[WishedSide, str]:
    """Return one side of a comparison, and what stands behind its database."""
    there = next((each for each in named if first <= each.first < end), None)
    if there is None:
        return WishedSide("", _bare(text, tokens, first, end)), ""
    return WishedSide(there.connection, _bare(text, tokens, first, there.first)), _bare(text, tokens, there.end, end)


def _bare(text: str, tokens: Sequence[Token], first: int, end: int) -> str:
    """Return a part of a text without words around it such as "the" and "in"."""
    while first < end and (length := _length(tokens, first, "around")):
        first += length
    while first < end and _length(tokens[:end], end - 1, "around"):
        end -= 1
    return text[tokens[first].begin : tokens[end - 1].end] if first < end else ""


def _is_table(what: str, tables: Callable[[], frozenset[str]]) -> bool:
    name = as_table(what)
    return bool(name) and name.rpartition(".")[2].lower() in tables()


def _length(tokens: Sequence[Token], at: int, *kinds: str) -> int:
    """Return how many tokens the longest phrase of these lists has that begins at this one; 0 for none."""
    return longest_at(tokens, at, *(f"comparing.{each}" for each in kinds))


def _left(tokens: Sequence[Token], *kinds: str) -> list[Token]:
    """Return the words of a text that no phrase of these lists has."""
    left, at = [], 0
    while at < len(tokens):
        length = _length(tokens, at, *kinds)
        left += [] if length else [tokens[at]]
        at += length or 1
    return left
