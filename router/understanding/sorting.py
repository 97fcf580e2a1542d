"""Reads in which order the rows on show are wanted: "sort by revenue", "order by price, lowest first".

Anything else that asks for an order is a question, for which SQL is written.
"""

from collections.abc import Sequence
from typing import Final, Literal

from router.cards import Head
from router.language.folding import fold
from router.language.phrases import begins_with, phrase_at, tokens_of

Way = Literal["up", "down"]
Order = tuple[int, Way]
"""The place of a column, and the way that it is sorted."""

SORT_WISH_MAX_CHARS: Final = 120
"""Characters of a sentence that is looked at."""

_WAYS: Final[dict[Way, str]] = {"down": "cards.descending", "up": "cards.ascending"}


def asks_order(text: str) -> bool:
    """Return whether a sentence begins as one that asks for rows in an order."""
    return begins_with("cards.sort", text)


def order_of(text: str, heads: Sequence[Head]) -> Order | None:
    """Return the order that a sentence asks for and nothing else, by the name of a column; None for any other one."""
    tokens = tokens_of(text) if len(text) <= SORT_WISH_MAX_CHARS else ()
    begin, end, way = phrase_at("cards.sort", tokens, 0) if tokens else 0, len(tokens), None
    for at in range(begin, len(tokens)):
        way = next((way for way, kind in _WAYS.items() if phrase_at(kind, tokens, at) == len(tokens) - at), None)
        if way:
            end = at
            break
    if not begin or begin >= end:
        return None
    name = fold(text[tokens[begin].begin : tokens[end - 1].end])
    found = [place for place, head in enumerate(heads) if fold(head.name) == name]
    return (found[0], way or "up") if len(found) == 1 else None
