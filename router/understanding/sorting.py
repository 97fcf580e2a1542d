"""Reads in which order the rows on show are wanted: "sort by revenue descending", "reverse the order".

All of a sentence has to be listed words and the name of a column. Anything else is a change of the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from router.cards import Head
from router.language.folding import fold
from router.language.inflection import stem
from router.language.phrases import Token, find_phrases, is_all, longest_at, phrase_at, tokens_of

Way = Literal["up", "down"]
Order = tuple[int, Way]
"""The place of a column, and the way that it is sorted."""

SORT_WISH_MAX_CHARS: Final = 120
"""Characters of a sentence that is looked at."""


@dataclass(frozen=True, slots=True)
class SortWish:
    """An order that is asked for: by the words of a column, or of the column on show if there are none.

    `turned`: the order on show the other way round.
    """

    by: tuple[str, ...] = ()
    way: Way | None = None
    turned: bool = False


def sort_wish(text: str) -> SortWish | None:
    """Return the order that a sentence asks for and nothing else; None for any other one."""
    if len(text) > SORT_WISH_MAX_CHARS or text.endswith("?"):
        return None
    if is_all("sorting.turned", text):
        return SortWish(turned=True)
    tokens = [each for each in tokens_of(text) if not is_all("sorting.rather", each.word)]
    way: Way | None = None
    for kind, named in (("sorting.up", "up"), ("sorting.down", "down")):
        for found in find_phrases(kind, tokens)[:1]:
            way, tokens[found.first : found.end] = "up" if named == "up" else "down", []
    at = _behind_verb(tokens)
    by = phrase_at("sorting.by", tokens, at)
    name = tuple(each.word for each in tokens[at + by :])
    if not tokens:
        return SortWish(way=way) if way else None
    return SortWish(name, way) if at and by and name else None


def _behind_verb(tokens: Sequence[Token]) -> int:
    """Return the position behind "sort these rows"; 0 if a text does not begin so."""
    at = phrase_at("sorting.verb", tokens, 0)
    while at and (length := longest_at(tokens, at, "sorting.rows")):
        at += length
    return at


def order_of(wish: SortWish, heads: Sequence[Head], current: Order | None) -> Order | None:
    """Return the order that is meant, of rows on show in the order `current`; None if no column of theirs is."""
    if wish.by:
        place = column_of(wish.by, heads)
        return None if place is None else (place, wish.way or "up")
    if current is None:
        return None
    return current[0], wish.way or ("up" if current[1] == "down" else "down")


def column_of(name: Sequence[str], heads: Sequence[Head]) -> int | None:
    """Return the place of the one column that has this name, else these words in it; None for none, and for several."""
    names = [[stem(fold(each.word)) for each in tokens_of(head.name)] for head in heads]
    said = [stem(fold(word)) for word in name]
    whole = [at for at, words in enumerate(names) if words == said]
    found = whole or [at for at, words in enumerate(names) if {*said} <= {*words}]
    return found[0] if len(found) == 1 else None
