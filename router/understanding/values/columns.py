"""The pairs of columns that a sentence makes: "amount = total, leave out the hire date".

A sentence is taken apart at its commas. In each part the names of columns are looked for, also in blanks ("hire date").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from router.language.folding import unaccented
from router.language.phrases import find_phrases, has_phrase, is_all, tokens_of
from router.understanding.denials import denies, is_denied
from router.understanding.values.sentence import unknown_words

_COMMA: Final = re.compile(r"\s*[,;]\s*")
_NEW_NAME: Final = re.compile(r"\s*(?:=>?|[-=]+>|→)\s*[\"'`]?([^\W\d][\w$#-]*)[\"'`]?\s*")
_PAIRING: Final = ("columns.words", "columns.out", "columns.from", "columns.into")


@dataclass(frozen=True, slots=True)
class _NamedColumn:
    """A name of a column where a part of a sentence has it; `source` and `target` are what it may mean."""

    begin: int
    end: int
    source: str
    target: str


def column_pairs(text: str, columns: Sequence[str], targets: Sequence[str] = ()) -> dict[str, str]:
    """Return the targets of those `columns` that a sentence pairs, "" to leave one out; empty if a part is no pair.

    `targets` are the columns that there are to pair with; if they are not known, what stands there is taken.
    """
    found: dict[str, str] = {}
    for part in _parts(text):
        mentions = _mentions(part, columns, targets)
        rest = _around(part, mentions)
        # "not into total" names no target.
        names = [each for each in mentions if each.source or not is_denied(part, each.begin, each.end)]
        leaves = "" in found.values() and not tokens_of(rest)  # "leave out id and country"
        pair = _pair(part, names) or ({names[0].source: ""} if len(names) == 1 and (leaves or _leaves(rest)) else {})
        if (names and not pair) or (not any(pair.values()) and _is_other(rest)):
            return {}
        found |= pair
    found.pop("", None)
    return found


def mentioned(text: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that a sentence names, in their order, whatever else it says."""
    return tuple(dict.fromkeys(each.source for each in _mentions(unaccented(text), columns, ())))


def _parts(text: str) -> Iterator[str]:
    for part in _COMMA.split(unaccented(text).replace("ß", "ss").strip(" .!")):
        begin = 0
        for each in find_phrases("columns.and", tokens_of(part)):
            yield part[begin : each.span[0]]
            begin = each.span[1]
        yield part[begin:]


def _around(part: str, names: Sequence[_NamedColumn]) -> str:
    """Return the part with a comma in place of each name."""
    for each in reversed(names):
        part = f"{part[: each.begin]} , {part[each.end :]}"
    return part


def _is_other(rest: str) -> bool:
    """Return whether words around the names say something else than what becomes of columns."""
    return any(not any(is_all(kind, word) for kind in _PAIRING) for word in unknown_words(rest))


def _leaves(rest: str) -> bool:
    """Return whether the words around a name say that it is left out; "don't leave it out" does not."""
    return has_phrase("columns.out", rest) and not denies(rest, "columns.out")


def _pair(part: str, names: Sequence[_NamedColumn]) -> dict[str, str]:
    """Return the pair of two names, or of one with a new name; the result's comes first if each may be either's."""
    if len(names) == 1:
        new = _NEW_NAME.fullmatch(part, names[0].end)
        return {names[0].source: new[1]} if new and names[0].source and not _is_other(part[: names[0].begin]) else {}
    if len(names) != 2 or _is_other(_around(part, names)):
        return {}
    first, second = names
    turned = has_phrase("columns.from", part[first.end : second.begin]) and bool(first.target and second.source)
    if first.source and second.target and not turned:
        return {first.source: second.target}
    return {second.source: first.target} if first.target and second.source else {}


def _mentions(part: str, columns: Sequence[str], targets: Sequence[str]) -> list[_NamedColumn]:
    """Return the names in a part, in their order."""
    sources, places = _by_way(columns), _by_way(targets)
    whole = "|".join(re.escape(way) for way in sorted({*sources, *places} - {""}, key=len, reverse=True))
    return [
        _NamedColumn(*each.span(), sources.get(each[0], ""), places.get(each[0], ""))
        for each in (re.finditer(rf"(?<![\w-])(?:{whole})(?![\w-])", part) if whole else ())
    ]


def _by_way(names: Sequence[str]) -> dict[str, str]:
    """Return the names by the ways to write them."""
    return {way: name for name in names for way in (unaccented(name), unaccented(name).replace("_", " "))}
