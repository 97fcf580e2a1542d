"""Recognises sentences that ask to compare two queries; by rules, without a model.

Many questions begin with "compare" ("compare revenue by region and year"), so that the word alone is not enough: a side
must be the result on show, or both must name a database, or a table that is there.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from router.language.wording import WORD
from router.understanding.button_words import folded


@dataclass(frozen=True, slots=True)
class Phrase:
    """One side as it was typed: the connection that it names, and what of it; "" for what it does not say."""

    connection: str = ""
    what: str = ""


@dataclass(frozen=True, slots=True)
class CompareWish:
    """Two sides; `shown`: the first is the result on show; `unknown`: what seems to be a database, and is none."""

    left: Phrase
    right: Phrase
    shown: bool = False
    unknown: str = ""


COMPARISON_MAX_CHARS = 300
"""A longer sentence is no such wish."""

_ASKED = re.compile(
    r"(?:please |pls |can you |could you )*(?:"
    r"compare (?P<a>.+?),? (?:with|to|against|and|versus|vs\.?) (?P<b>.+?)"
    r"|(?:is|are) (?P<c>.+?) the same as (?P<d>.+?)"
    r"|(?:(?:what|which) (?:is|are) |what's |show |tell me |(?:is|are) there )?(?:the |any |a )?"
    r"differences? between (?P<e>.+?) and (?P<f>.+?)"
    r"|what (?:has |have )?(?:changed|differs|is different) (?P<g>in .+? )?between (?P<h>.+?) and (?P<i>.+?)"
    r")[?.!]*",
    re.IGNORECASE | re.DOTALL,
)
_SHOWN = re.compile(r"(?:this|it|that|these|those|the (?:result|rows)|this result|these rows|the result above)", re.I)
_BACK_REFERENCE = re.compile(r"that|those|the same|the (?:one|ones)", re.IGNORECASE)
_PLACED = tuple(
    re.compile(rf"(?:(?P<what>{what}) )?(?:in|on|from|of|at) (?:the )?(?P<where>.+)", re.IGNORECASE | re.DOTALL)
    for what in (".+?", ".+")
)
"""A place is named after the first of these words, or after the last: "orders from March in Production"."""
_ARTICLE = re.compile(r"(?:the|all(?: the)?|my|our|table|the table) +", re.IGNORECASE)
_BY = re.compile(r" (?:by|on|using) [\w.]+(?:(?:, | and )[\w.]+)*[?.!]*")
_DATABASE = frozenset(["database", "db", "the", "of", "a", "our"])
_TABLE_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?")


def comparison_of(
    text: str, connections: Mapping[str, str], tables: Callable[[], frozenset[str]]
) -> CompareWish | None:
    """Return what is to be compared, or None: then it is a question, or a button's word.

    `connections` has names by what people call them, in lower case; `tables` gives known tables in lower case.
    """
    if len(text) > COMPARISON_MAX_CHARS:
        return None
    found = _compared(text, connections, tables)
    if found is None and (by := _BY.search(text)) and by.end() == len(text.rstrip()):
        # "orders in Production and Warehouse by id": of a table, that is what tells its rows apart.
        found = _compared(text[: by.start()], connections, tables)
        found = found if found and _is_table(found.left.what, tables) else None
    return found


def _compared(text: str, connections: Mapping[str, str], tables: Callable[[], frozenset[str]]) -> CompareWish | None:
    found = _ASKED.fullmatch(text.strip())
    if found is None:
        return None
    *within, first, second = (each for each in found.groups() if each is not None)
    if within:  # "what changed in orders between Production and Warehouse"
        first = f"{within[0].strip().partition(' ')[2]} in {first}"
    right = _phrase(second, connections)
    if _SHOWN.fullmatch(first.strip()):
        return CompareWish(Phrase(), right, shown=True)
    left = _phrase(first, connections)
    if right.connection and not left.connection and not right.what and (inner := _placed(first, connections)):
        left = inner
    if left.connection and right.connection:
        # "orders in Production and Warehouse": what was said once is meant of both.
        again = not right.what or _BACK_REFERENCE.fullmatch(right.what)
        return CompareWish(left, Phrase(right.connection, left.what) if again else right)
    if all(_is_table(each.what, tables) for each in (left, right)):
        return CompareWish(left, right)
    known, other = (left, right) if left.connection else (right, left)
    unknown = _unknown(other.what, tables) if known.connection and _is_table(known.what, tables) else ""
    return CompareWish(left, right, unknown=unknown) if unknown else None


def as_table(what: str) -> str:
    """Return the name where the words can only be that of a table, "" for any other words."""
    bare = _ARTICLE.sub("", what.strip(), count=1).strip()
    return bare if _TABLE_NAME.fullmatch(bare) else ""


def _phrase(text: str, connections: Mapping[str, str]) -> Phrase:
    text = text.strip()
    whole = _called(_ARTICLE.sub("", text, count=1), connections)
    return Phrase(whole) if whole else _placed(text, connections) or Phrase("", text)


def _placed(text: str, connections: Mapping[str, str]) -> Phrase | None:
    """Return "orders in Production" as both of its parts; None where no connection stands at the end."""
    for found in (placed.fullmatch(text.strip()) for placed in _PLACED):
        if found and (name := _called(found["where"], connections)):
            return Phrase(name, (found["what"] or "").strip())
    return None


def _called(text: str, connections: Mapping[str, str]) -> str:
    """Return the connection that is called so, in full or by words that begin those of no other; "" for none."""
    typed = folded(text)
    if typed in connections:
        return connections[typed]
    words = [word for word in WORD.findall(typed) if word not in _DATABASE]
    found = {name for called, name in connections.items() if words and _begin(words, WORD.findall(called))}
    return found.pop() if len(found) == 1 else ""


def _begin(words: list[str], names: list[str]) -> bool:
    """Tell whether each word is one of the names, or the first letters of it."""
    return all(any(name == word or (len(word) > 3 and name.startswith(word)) for name in names) for word in words)


def _unknown(what: str, tables: Callable[[], frozenset[str]]) -> str:
    """Return the word that stands where a database should: alone, or at the end, as in "those in lakke"."""
    found = _PLACED[1].fullmatch(what.strip())
    place = _ARTICLE.sub("", (found["where"] if found else what).strip(), count=1)
    named = bool(_TABLE_NAME.fullmatch(place)) and (
        not found or not found["what"] or _BACK_REFERENCE.fullmatch(found["what"])
    )
    stated = found is not None and _is_table(found["what"] or "", tables)
    return place if (named or (stated and _TABLE_NAME.fullmatch(place))) and place.lower() not in tables() else ""


def _is_table(what: str, tables: Callable[[], frozenset[str]]) -> bool:
    name = as_table(what)
    return bool(name) and name.rpartition(".")[2].lower() in tables()
