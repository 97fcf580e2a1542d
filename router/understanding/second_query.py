"""Recognises what a query is told to be by another one: the same elsewhere, or that of an earlier result; by rules."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from router.language.folding import unaccented
from router.language.wording import WORD
from router.understanding.choices import fitting

SAME_MAX_CHARS = 200
"""A longer text says more than that."""

Same = Literal["question", "sql", "either"]
"""What is the same: the question, the SQL of it, or what there is of the two."""


@dataclass(frozen=True, slots=True)
class SameElsewhere:
    """The same query for another database: what of it is the same, and the connections that its name fits."""

    what: Same
    connections: tuple[str, ...]


def same_elsewhere(
    text: str, called: Mapping[str, tuple[str, ...]], is_data: Callable[[str], bool]
) -> SameElsewhere | None:
    """Return "the same question on the warehouse" as what it names; None for any other sentence.

    `called` has what people call each connection. A name in full is enough, as in "with the warehouse"; a part of one
    stands for it only beside "the same", and where it is no word of the data.
    """
    plain = unaccented(text)
    if len(plain) > SAME_MAX_CHARS or _DENIES.search(plain):
        return None
    left, named = _without_names(plain, called)
    words = [word for word in WORD.findall(left) if word not in _words("kept")]
    same = same_in(plain)
    if named and not words and (same or not _ASKS.match(plain)):
        return SameElsewhere(same or "either", named)
    if named or not words or same is None or any(map(is_data, words)):
        return None
    names = list(called)
    found = tuple(names[place] for place in fitting(words, list(called.values())))
    return SameElsewhere(same, found) if found else None


def same_in(text: str) -> Same | None:
    """Return what a text says is the same; None where it says that of nothing."""
    said = set(WORD.findall(unaccented(text)))
    if not said & _words("same"):
        return None
    return "sql" if said & _words("sql") else "question"


def only_same(text: str) -> Same | None:
    """Return what is the same for words that say no more than that: "the same question"; None for any others."""
    left = [word for word in WORD.findall(unaccented(text)) if word not in _words("kept")]
    return None if left else same_in(text)


def _without_names(plain: str, called: Mapping[str, tuple[str, ...]]) -> tuple[str, tuple[str, ...]]:
    """Return a text without the names that stand in it in full, the longest first, and whose they are."""
    named: list[str] = []
    names = [(unaccented(name), connection) for connection, each in called.items() for name in each]
    for name, connection in sorted(names, key=lambda each: len(each[0]), reverse=True):
        pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
        if name and re.search(pattern, plain):
            plain = re.sub(pattern, " ", plain)
            named.append(connection)
    return plain, tuple(dict.fromkeys(named))


_DENIES = re.compile(r"\b(?:not|don'?t|nicht|kein\w*|pas|except|other than|instead of|rather than|sauf|salvo|statt)\b")
_ASKS = re.compile(r"(?:what|which|who|where|when|how)\b(?! about)")

_OLD = (
    r"(?:earlier|previous|prior|preceding|last|latest|older|other|vorig\w+|vorherig\w+|letzt\w+|fr(?:u|ue)her\w+"
    r"|anderen?)"
)
_QUERY = r"(?:query|queries|question|result|results|sql|rows|answer|abfragen?|fragen?|ergebnis(?:se)?)"
_LATIN_QUERY = r"(?:requetes?|questions?|resultats?|consultas?|preguntas?|resultados?)"
_LATIN_OLD = r"(?:precedente?s?|d'avant|derniere?s?|anterior(?:es)?|previa?o?s?|ultim[oa]s?)"
_BEFORE = r"(?:before(?: (?:that|this|it))?|from before|from earlier|above|of before|davor|von vorhin|von vorher)"
_WITH = (
    r"(?:(?:please|and|now|ok|und|bitte|et|y)[ ,]+)*"
    r"(?:(?:compare|use|take|vergleich\w*|nimm|compare[rz]?|compara\w*|prends|usa|toma)"
    r"(?: (?:it|this|that|them|es|das|dies\w*|these rows|this result|the result))? ?)?"
    r"(?:(?:to|with|against|and|versus|vs\.?|mit|gegen|avec|a|con)\b ?)?"
)
_THE = r"(?:(?:the|my|our|that|der|dem|den|das|die|meiner?|meinem|la|le|ma|mon|el|mi) )?"
_EARLIER = re.compile(
    rf"{_WITH}{_THE}(?:{_OLD} (?:{_QUERY}|one)|{_QUERY} {_BEFORE}|one (?:before(?: (?:that|this|it))?|from before)"
    rf"|what i asked (?:before|earlier|last|previously)|(?:{_LATIN_OLD} )?{_LATIN_QUERY} {_LATIN_OLD}"
    rf"|{_LATIN_OLD} {_LATIN_QUERY})(?: (?:please|bitte|of mine|from before|in this (?:talk|thread|chat)|again))*[.!?]*"
)
_BOTH = re.compile(
    r"(?:please )?compare (?:the |my )?(?:(?:these|those|last|latest) (?:two|2|both) |both (?:of )?(?:the |these |my )?"
    r"|(?:the|these|those|my) (?:two|2) (?:last |latest )?)(?:queries|results|questions|answers)[.!?]*"
)

_COMPARES = re.compile(r"(?:please )?(?:compar\w*|vergleich\w*)\b")


def names_earlier(text: str) -> bool:
    """Tell a text that names the query of an earlier result: "with my previous question", "the result before"."""
    plain = unaccented(text.strip())
    return bool(_EARLIER.fullmatch(plain) or _BOTH.fullmatch(plain))


def compares_earlier(text: str) -> bool:
    """Tell a wish to compare what is on show with the query of an earlier result: "compare with the result before"."""
    return bool(_COMPARES.match(unaccented(text.strip()))) and names_earlier(text)


@cache
def _words(kind: Literal["same", "sql", "kept"]) -> frozenset[str]:
    """Return the words that say what is the same, those for SQL, or all that say no more than "the same, there"."""
    lists = tomllib.loads(files("router.understanding").joinpath("named_database.toml").read_text(encoding="utf-8"))
    if kind == "kept":
        everything = (word for name in ("same_there", "same", "sql", "same_query") for word in lists[name])
        return frozenset(part for word in everything for part in WORD.findall(unaccented(word)))
    return frozenset(map(unaccented, lists[kind]))
