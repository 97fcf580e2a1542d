"""Reads what a sentence changes of a comparison, as values of its form: key, pairs, report, what does not count.

A sentence is taken apart at its marks. A part has columns that are there, a number, and words of the lists `comparing`;
where it has any other word beside these, or a denial, nothing is changed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from router.language.phrases import Token, phrase_at, tokens_of
from router.memory.comparing import ComparedColumns
from router.understanding.business_words import meanings_of
from router.understanding.kinds import is_question

PATCH_MAX_CHARS: Final = 200
"""Characters of a sentence that is looked at."""
OUT: Final = "out"
"""The value of the form that stands for no column."""

_REPORTS: Final = ("columns", "summary", "aggregates", "differences", "all")
"""The first that a part names is meant: "how many rows differ" is a summary."""
_IGNORED: Final[Mapping[str, tuple[str, str]]] = {
    "fold": ("fold", "True"),
    "blanks": ("blanks", "around"),
    "day": ("precision", "day"),
    "second_part": ("precision", "second"),
    "minute": ("precision", "minute"),
    "rounding": ("apart", "0.01"),
    "cent": ("apart", "0.01"),
    "empty": ("empty", "True"),
}
"""What may not count, with the field of the form and its value."""
_AMOUNT: Final = frozenset({"tolerance", "percent", "cent"})
_WEAK: Final = frozenset({"by", "pair"})
"""Words that say nothing where no column is named: "with", "on"."""
_OPERATORS: Final = (
    *("key", "by", "whole", "pair", "without", "no_matter", "only", "identical", "tolerance", "percent"),
    *(*_REPORTS, *_IGNORED),
)
_LISTS: Final = (*(f"comparing.{each}" for each in _OPERATORS), "denial.before", "denial.behind")
_MARK: Final = re.compile(r"[,;!?\n]|\.\s")
_SIGN: Final = re.compile(r"[\s\"'`]*(?:=+>?|-+>?|→)[\s\"'`]*")
_NUMBER: Final = re.compile(r"(?<![\w.,])(\d+(?:[.,]\d+)?)\s*(%?)(?![\w.,]*\w)")


@dataclass(frozen=True, slots=True)
class _Item:
    """What stands in a sentence: a "column" or "number" with its value, words of a list by its name, or "other"."""

    kind: str
    begin: int
    end: int
    value: str = ""


def comparison_patch(text: str, found: ComparedColumns) -> tuple[dict[str, str], tuple[str, ...]] | None:
    """Return the values of the form that a sentence changes, and its parts that were not understood; None in doubt.

    A question changes nothing.
    """
    if len(text) > PATCH_MAX_CHARS or is_question(text):
        return None
    values: dict[str, str] = {}
    unused: list[str] = []
    for part in _parts(text, tuple(dict.fromkeys((*found.left, *found.right)))):
        kinds = {each.kind for each in part} - {"filler"}
        read = None if kinds & {"other", "denied"} else _values(part, kinds, found)
        if read is None and kinds != {"other"}:
            return None
        unused += [text[part[0].begin : part[-1].end]] if read is None else []
        values |= read or {}
    return (values, tuple(unused)) if values else None


def _parts(text: str, names: Sequence[str]) -> list[list[_Item]]:
    """Return a sentence taken apart at its marks, but for those between columns."""
    parts: list[list[_Item]] = [[]]
    for item in _items(text, names):
        last = parts[-1][-1] if parts[-1] else item
        between, columns = text[last.end : item.begin], last.kind == item.kind == "column"
        if _MARK.search(between) and not columns:
            parts.append([])
        elif columns and _SIGN.fullmatch(between):
            parts[-1].append(_Item("pair", item.begin, item.begin))
        parts[-1].append(item)
    return parts if parts[0] else []


def _items(text: str, names: Sequence[str]) -> Iterator[_Item]:
    """Yield what stands in a sentence, one after the other."""
    tokens, at = tokens_of(text), 0
    while at < len(tokens):
        begin = tokens[at].begin
        if number := _NUMBER.match(text, begin):
            yield _Item("number", begin, number.end(), number[1].replace(",", ".") + number[2])
            at = next((n for n in range(at, len(tokens)) if tokens[n].begin >= number.end()), len(tokens))
            continue
        name, length = _column_at(tokens, at, names)
        kind = "column"
        if not name:
            length, kind = max(((phrase_at(each, tokens, at), each) for each in _LISTS), key=lambda each: each[0])
            kind = "denied" if kind.startswith("denial") else kind.partition(".")[2]
            filler = phrase_at("comparing.fillers", tokens, at)
            if length < max(filler, 1):
                name, length = _meant(tokens[at], names), max(filler, 1)
                kind = "column" if name else "filler" if filler else "other"
        yield _Item(kind, begin, tokens[at + length - 1].end, name)
        at += length


def _column_at(tokens: Sequence[Token], at: int, names: Sequence[str]) -> tuple[str, int]:
    """Return the column whose name stands at a token, and how many tokens it has; ("", 0) for none."""
    words = [_bare(each) for each in tokens[at : at + 8]]
    found = ((name, len(own)) for name in names if (own := list(map(_bare, tokens_of(name)))) == words[: len(own)])
    return max(found, key=lambda each: each[1], default=("", 0))


def _bare(token: Token) -> str:
    """Return a word without what is elided in front of it: "l'email"."""
    return token.word[2:] if token.word[1:2] == "'" else token.word


def _meant(token: Token, names: Sequence[str]) -> str:
    """Return the one column that means what a word means, in any of the languages; "" for none or several."""
    meant = _meanings(_bare(token))
    alike = [each for each in names if meant and _meanings(each) == meant]
    return alike[0] if len(alike) == 1 else ""


@lru_cache(2_000)
def _meanings(name: str) -> frozenset[str]:
    """Return what the words of a name mean; the store is its number."""
    return meanings_of(name) - {"id", "number"}


def _values(part: Sequence[_Item], kinds: set[str], found: ComparedColumns) -> dict[str, str] | None:
    """Return what a part changes; None where its words do not go together."""
    columns = [each.value for each in part if each.kind == "column"]
    lists = kinds - {"column", "number"}
    if not columns:
        return _of_rows("".join(each.value for each in part), lists)
    mine = [found.left.index(each) for each in columns if each in found.left]
    places = mine if len(mine) == len(columns) else None
    if "number" in kinds:
        return None
    if "pair" in lists and lists <= _WEAK:
        return _pairs(columns, found)
    if lists in ({"without"}, {"no_matter"}, {"all", "without"}) and [each.kind for each in part].count("without") < 2:
        return None if places is None else {f"c{place}": OUT for place in places}
    if lists == {"only"} and places:
        kept = {*places, *(found.matched[key].left for key in found.keys)}
        return {f"c{each.left}": OUT for each in found.matched if each.left not in kept}
    return _keys(columns, found) if lists and lists <= {"key", "by"} else None


def _keys(columns: Sequence[str], found: ComparedColumns) -> dict[str, str] | None:
    """Return the columns of either query as the key."""
    paired = {found.right[each.right]: each.left for each in found.matched}
    places = [found.left.index(each) if each in found.left else paired.get(each) for each in dict.fromkeys(columns)]
    return None if None in places else {f"k{n}": str(place) for n, place in enumerate(dict.fromkeys(places))}


def _pairs(columns: Sequence[str], found: ComparedColumns) -> dict[str, str] | None:
    """Return the columns two by two, one of each query; who had the second one before is left out."""
    values: dict[str, str] = {}
    for one, other in zip(columns[::2], [*columns[1::2], ""], strict=False):
        left, right = (one, other) if one in found.left and other in found.right else (other, one)
        if left not in found.left or right not in found.right:
            return None
        place = found.right.index(right)
        values |= {f"c{each.left}": OUT for each in found.matched if each.right == place}
        values[f"c{found.left.index(left)}"] = str(place)
    return values


def _of_rows(number: str, lists: set[str]) -> dict[str, str] | None:
    """Return what a part without columns changes: the report, what does not count, or that there is no key."""
    hides, said = lists & {"without", "no_matter"}, lists - {"without", "no_matter"} - _WEAK
    if number:
        told = said & _AMOUNT or hides or not number.isdecimal()
        return {"apart": _apart(number, said)} if told and said <= _AMOUNT | {"differences", "rounding"} else None
    if said == {"whole"}:
        return {"k0": OUT}
    if hides and len(said) == 1 and (ignored := _IGNORED.get(next(iter(said)))):
        return dict([ignored])
    if said - {"only", "identical", *_REPORTS}:
        return None
    if "identical" in said:
        return {"report": "differences" if hides else "all"}
    report = next((each for each in _REPORTS if each in said), "")
    return None if hides else {"report": report} if report else {}


def _apart(number: str, said: set[str]) -> str:
    if "cent" in said:
        return f"{float(number) / 100:g}"
    return f"{number.rstrip('%')} %" if "percent" in said or number.endswith("%") else number
