"""Reads which columns of a result go into which columns of a table: "amount = total, leave out the hire date".

A sentence is taken apart at its commas. In each part the names of columns are looked for, also in blanks ("hire date")
and by the one column that has such a word; what else stands there must be words of pairing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from router.language.folding import unaccented, without_accents
from router.understanding.parameters.sentence import CHANGE_WORDS, NO_VALUE, PAIRING_WORDS, unknown_words

_AND: Final = re.compile(r"\s*[,;]\s*|\s+(?:and|und|et|y|but|aber|mais|pero|ni|nor|noch)\s+")
_ARTICLES: Final = re.compile(r"[ ,\"'`]*(?:(?:the|die|der|das|den|le|la|les|el|los|las|column|spalte)\b[ ,\"'`]*)*")
_SIGN: Final = re.compile(r"\s*(?:=>?|[-=]+>|→)\s*")
_ONLY: Final = re.compile(r"(?:only|just|nur|solo|seulement|uniquement)\b")
_FROM: Final = re.compile(r"\b(?:from|takes?|gets?|comes? from|aus|von|bekommt|nimmt|prend|vient de|viene de|toma)\b")
_LEFT_OUT: Final = re.compile(
    r"\b(?:leave|skip|omit|ignore|without|drop|remove|exclude|don'?t (?:write|map|take|need|want)|do not (?:write|map"
    r"|take|need)|no|lass\w*|ohne|weglassen|weg|raus|uberspring\w*|ignorier\w*|streich\w*|brauch\w* (?:\w+ )?nicht"
    r"|sans|laisse|enleve\w*|ignore[rz]?|supprime\w*|pas besoin|sin|omit\w*|omite|quita\w*|fuera|not needed)\b"
)
_DENIED: Final = re.compile(
    r"(?:\b(?:not|nicht|pas|no|instead of|rather than|statt|anstatt|au lieu de|en vez de|en lugar de)\b)"
    r"(?: (?:to|into|in|the|as|nach|die|der|das|spalte|column|dans|la|le|en|el|a|columna|colonne))* *$"
)
_LEAD: Final = re.compile(
    r"(?:(?:yes|yeah|nope?|nein|ja|non|oui|si|ok|okay|sorry|please|bitte|actually|wait|hm+|por favor)\b[,.!]*\s+)+"
)


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name of a column where a part of a sentence has it; `source` and `target` are what it may mean."""

    begin: int
    end: int
    source: str
    target: str


def column_pairs(text: str, columns: Sequence[str], targets: Sequence[str] = ()) -> dict[str, str]:
    """Return the targets of those `columns` that a sentence pairs, "" to leave one out; empty where a part is no pair.

    `targets` are the columns that there are to pair with; where they are not known, what stands there is taken.
    """
    plain = _LEAD.sub("", _folded(text), count=1)
    found: dict[str, str] = {}
    alone: list[str] = []
    leaves = False
    for part in _AND.split(plain):
        mentions = _mentions(part, columns, targets)
        denied = bool(found and mentions) and all(
            each.target and _DENIED.search(part[: each.begin]) for each in mentions
        )
        if (denied and not _unknown(_around(part, mentions))) or (not mentions and _goes_with(part)):
            continue
        if len(mentions) == 1 and mentions[0].source and _ARTICLES.fullmatch(_around(part, mentions)):
            alone.append(mentions[0].source)  # "the id" is left out, or not, with what stands before or behind it
            continue
        pair = _pair(part, mentions, not targets)
        if not pair:
            return {}
        leaves = leaves or "" in pair.values()
        found.update(pair)
    if alone and not leaves:
        return {}
    found.update(dict.fromkeys(alone, ""))
    return {name: "" for name in columns if name not in found} if _ONLY.match(plain) and leaves else found


def mentioned(text: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that a sentence names, in their order, whatever else it says."""
    return tuple(dict.fromkeys(each.source for each in _mentions(_folded(text), columns, ())))


def mentioned_pairs(text: str, columns: Sequence[str], targets: Sequence[str]) -> dict[str, str]:
    """Return the pairs of a sentence that is known to pair columns: two names in each part, whatever stands around."""
    found: dict[str, str] = {}
    for part in _AND.split(_folded(text)):
        mentions = [each for each in _mentions(part, columns, targets) if not _DENIED.search(part[: each.begin])]
        pair = _paired(part, *mentions) if len(mentions) == 2 else {}
        if mentions and not pair:
            return {}
        found |= pair
    return found


def _folded(text: str) -> str:
    return unaccented(text).replace("ß", "ss").strip(" .!")


def _goes_with(part: str) -> bool:
    """Tell a part that adds nothing to a pair: "not needed", "the rest is fine", "not into umsatz"."""
    words = re.findall(r"\w+", part)
    return not _unknown(" ".join(words)) and any(word in PAIRING_WORDS | NO_VALUE for word in words)


def _around(part: str, mentions: Sequence[_Mention]) -> str:
    """Return the part with a comma in place of each name."""
    for each in reversed(mentions):
        part = f"{part[: each.begin]} , {part[each.end :]}"
    return part


def _pair(part: str, mentions: Sequence[_Mention], any_target: bool) -> dict[str, str]:
    """Return what one part says; nothing where it says something else, too."""
    meant = [each for each in mentions if not _DENIED.search(part[: each.begin])] if len(mentions) > 2 else mentions
    if len(meant) > 2:  # "revenue should land in umsatz"
        meant = [each for each in meant if each.source or part[each.begin : each.end] not in PAIRING_WORDS]
    if len(meant) == 2:
        return {} if _unknown(_around(part, mentions)) else _paired(part, *meant)
    if len(meant) != 1 or not meant[0].source:
        return {}
    name, before, behind = meant[0].source, part[: meant[0].begin], part[meant[0].end :]
    if sign := _SIGN.match(behind) or (re.match(_INTO, behind) if any_target else None):
        free = re.fullmatch(
            r"(?:the |column |spalte |colonne |columna )*[\"'`]?(\w[\w$#-]*)[\"'`]?", behind[sign.end() :]
        )
        return {name: free[1]} if free and not _unknown(before) else {}
    around = _around(part, meant)
    return {name: ""} if not _unknown(around) and (_LEFT_OUT.search(around) or _ONLY.match(before)) else {}


_INTO: Final = (
    r"\s+(?:into|to|goes (?:in)?to|as|(?:should|must|has to) (?:go|be) (?:in)?to|belongs (?:in)?to|(?:should|must) be"
    r"(?: in)?|geht (?:in|nach)|gehort (?:in|zu)|kommt (?:in|nach)|va (?:dans|en|a)|nach|in|dans|en|a)\s+"
)


def _paired(part: str, first: _Mention, second: _Mention) -> dict[str, str]:
    """Return the pair that two names make; the result's comes first where each may be either's."""
    turned = bool(_FROM.search(part[first.end : second.begin])) and bool(first.target and second.source)
    if first.source and second.target and not turned:
        return {first.source: second.target}
    return {second.source: first.target} if first.target and second.source else {}


def _unknown(words: str) -> bool:
    left = unknown_words(re.sub(r"[^\w' ]", " ", words))
    return any(word not in CHANGE_WORDS and word not in PAIRING_WORDS for word in left)


def _mentions(part: str, columns: Sequence[str], targets: Sequence[str]) -> list[_Mention]:
    """Return the names in a part, in their order: whole ones first, then a word that only one column has."""
    sources, places = _by_way(columns), _by_way(targets)
    ways = sorted({*sources, *places}, key=len, reverse=True)
    found: list[_Mention] = []
    whole = "|".join(re.escape(way) for way in ways if way)
    for each in re.finditer(rf"(?<![\w-])(?:{whole})(?![\w-])", part) if whole else ():
        found.append(_Mention(*each.span(), sources.get(each[0], ""), places.get(each[0], "")))
    for each in re.finditer(r"[^\W\d_]{3,}", part):
        if any(one.begin < each.end() and each.start() < one.end for one in found) or not _unknown(each[0]):
            continue
        source, target = _only_with(each[0], columns), _only_with(each[0], targets)
        if source or target:
            found.append(_Mention(*each.span(), source, target))
    return sorted(found, key=lambda each: each.begin)


def _by_way(names: Sequence[str]) -> dict[str, str]:
    """Return the names by the ways to write them."""
    return {way: name for name in names for way in _ways(name)}


def _ways(name: str) -> Iterator[str]:
    plain = without_accents(name).casefold()
    yield plain
    yield plain.replace("_", " ")


def _only_with(word: str, names: Sequence[str]) -> str:
    """Return the one name that has this word; empty where none or several have it."""
    having = [name for name in names if word in without_accents(name).casefold().split("_")]
    return having[0] if len(having) == 1 else ""
