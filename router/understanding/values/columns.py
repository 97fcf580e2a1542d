"""The pairs of columns that a sentence makes: "amount = total, leave out the hire date".

A sentence is taken apart at its commas. In each part the names of columns are looked for, also in blanks ("hire date")
and by the one column that has such a word.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from router.language.folding import unaccented
from router.language.phrases import begins_with, find_phrases, has_phrase, is_all, tokens_of
from router.understanding.denials import is_denied
from router.understanding.values.sentence import Sentence, unknown_words, unquoted

_COMMA: Final = re.compile(r"\s*[,;]\s*")
_SIGN: Final = re.compile(r"\s*(?:=>?|[-=]+>|→)\s*")
_FREE: Final = re.compile(r"[\"'`]?([^\W\d][\w$#-]*)[\"'`]?")


@dataclass(frozen=True, slots=True)
class _NamedColumn:
    """A name of a column where a part of a sentence has it; `source` and `target` are what it may mean."""

    begin: int
    end: int
    source: str
    target: str


def column_pairs(text: str, columns: Sequence[str], targets: Sequence[str] = ()) -> dict[str, str]:
    """Return the targets of those `columns` that a sentence pairs, "" to leave one out; empty where a part is no pair.

    `targets` are the columns that there are to pair with; where they are not known, what stands there is taken.
    """
    found: dict[str, str] = {}
    alone: list[str] = []
    for part in _parts(text):
        mentions = _mentions(part, columns, targets)
        around, kept = _around(part, mentions), _kept(part, mentions)
        if _keeps(around):
            return {}
        pair = _free_pair(part, kept, any_target=not targets)
        if not pair and len(kept) == 2:
            pair = _paired(part, *kept)
        if not pair and len(kept) == 1 and kept[0].source:
            left_out = has_phrase("columns.out", around) or has_phrase("columns.only", around)
            if not left_out and tokens_of(around) and not is_all("values.article", around):
                return {}  # "by id" pairs nothing
            pair = {kept[0].source: ""} if left_out else {}
            alone += [] if left_out else [kept[0].source]
        elif not pair and (len(kept) > 1 or (kept and not found)):
            return {}
        if _unknown(around) and (len(kept) > 1 or not any(pair.values())):
            return {}
        found.update(pair)
    leaves = "" in found.values()
    if alone and not leaves:  # "the id" is left out only beside another that is
        return {}
    found.update(dict.fromkeys(alone, ""))
    only = leaves and begins_with("columns.only", text)
    return {name: "" for name in columns if name not in found} if only else found


def mentioned(text: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that a sentence names, in their order, whatever else it says."""
    return tuple(dict.fromkeys(each.source for each in _mentions(unaccented(text), columns, ())))


def mentioned_pairs(text: str, columns: Sequence[str], targets: Sequence[str]) -> dict[str, str]:
    """Return the pairs of a sentence that is known to pair columns: two names in each part, whatever stands around."""
    found: dict[str, str] = {}
    for part in _parts(text):
        mentions = _kept(part, _mentions(part, columns, targets))
        pair = _paired(part, *mentions) if len(mentions) == 2 else {}
        if mentions and not pair:
            return {}
        found |= pair
    return found


def take_pairs(sentence: Sentence, columns: Sequence[str]) -> dict[str, str]:
    """Take the pairs out of a sentence in which a column of the result stands right before its new name."""
    found: dict[str, str] = {}
    for each in _mentions(unaccented(sentence.left), columns, ()):
        sign = _SIGN.match(sentence.left, each.end)
        begin = sign.end() if sign else sentence.behind("columns.named", each.end)
        name = _FREE.match(sentence.left, begin)
        if each.source and name and (sign or re.search(r"\w", sentence.left[each.end : begin])):
            if not sentence.is_denied(each.begin, name.end()):
                found[each.source] = unquoted(name[1])
            sentence.take(each.begin, name.end())
    return found


def _parts(text: str) -> Iterator[str]:
    for part in _COMMA.split(unaccented(text).replace("ß", "ss").strip(" .!")):
        tokens, begin = tokens_of(part), 0
        for each in find_phrases("columns.and", tokens):
            yield part[begin : tokens[each.first].begin]
            begin = tokens[each.end - 1].end
        yield part[begin:]


def _kept(part: str, mentions: Sequence[_NamedColumn]) -> list[_NamedColumn]:
    """Return the mentions but for targets that are denied: "not into total"."""
    return [each for each in mentions if each.source or not is_denied(part, each.begin, each.end)]


def _around(part: str, mentions: Sequence[_NamedColumn]) -> str:
    """Return the part with a comma in place of each name."""
    for each in reversed(mentions):
        part = f"{part[: each.begin]} , {part[each.end :]}"
    return part


def _keeps(around: str) -> bool:
    """Return whether it is denied that something is left out: "don't leave out the id"."""
    tokens = tokens_of(around)
    out = find_phrases("columns.out", tokens)
    return any(is_denied(around, tokens[each.first].begin, tokens[each.end - 1].end) for each in out)


def _unknown(around: str) -> bool:
    return any(not _is_pairing(word) for word in unknown_words(around))


def _is_pairing(word: str) -> bool:
    return any(is_all(f"columns.{kind}", word) for kind in ("words", "out", "from", "only"))


def _free_pair(part: str, mentions: Sequence[_NamedColumn], any_target: bool) -> dict[str, str]:
    """Return the pair of a column with a name behind a sign, or behind "into" where any name may be one."""
    if len(mentions) != 1:
        return {}
    one = mentions[0]
    sign = _SIGN.match(part, one.end)
    words = tokens_of(part[one.end :]) if any_target else ()
    into = find_phrases("columns.into", words)
    begin = sign.end() if sign else one.end + words[into[-1].end - 1].end + 1 if into else -1
    free = _FREE.fullmatch(part[begin:].strip()) if begin >= 0 else None
    return {one.source: free[1]} if free and not _unknown(part[: one.begin]) else {}


def _paired(part: str, first: _NamedColumn, second: _NamedColumn) -> dict[str, str]:
    """Return the pair that two names make; the result's comes first where each may be either's."""
    between = part[first.end : second.begin]
    turned = has_phrase("columns.from", between) and bool(first.target and second.source)
    if first.source and second.target and not turned:
        return {first.source: second.target}
    return {second.source: first.target} if first.target and second.source else {}


def _mentions(part: str, columns: Sequence[str], targets: Sequence[str]) -> list[_NamedColumn]:
    """Return the names in a part, in their order: whole ones first, then a word that only one column has."""
    sources, places = _by_way(columns), _by_way(targets)
    ways = sorted({*sources, *places}, key=len, reverse=True)
    whole = "|".join(re.escape(way) for way in ways if way)
    found = [
        _NamedColumn(*each.span(), sources.get(each[0], ""), places.get(each[0], ""))
        for each in (re.finditer(rf"(?<![\w-])(?:{whole})(?![\w-])", part) if whole else ())
    ]
    for token in tokens_of(part):
        taken = any(one.begin < token.end and token.begin < one.end for one in found)
        if taken or len(token.word) < 3 or not _unknown(token.word):
            continue
        source, target = _only_with(token.word, columns), _only_with(token.word, targets)
        if source or target:
            found.append(_NamedColumn(token.begin, token.end, source, target))
    return sorted(found, key=lambda each: each.begin)


def _by_way(names: Sequence[str]) -> dict[str, str]:
    """Return the names by the ways to write them."""
    return {way: name for name in names for way in (unaccented(name), unaccented(name).replace("_", " "))}


def _only_with(word: str, names: Sequence[str]) -> str:
    """Return the one name that has this word; empty where none or several have it."""
    having = [name for name in names if word in unaccented(name).split("_")]
    return having[0] if len(having) == 1 else ""
