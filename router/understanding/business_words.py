"""Words of business that mean the same in four languages: "Umsatz pro Monat" is what "revenue per month" is."""

import re
from functools import cache

from router.language.folding import unaccented
from router.language.inflection import stem
from router.language.phrases import listed, lists_of

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ENDINGS = ("", "s", "x", "e", "n", "en", "es", "er", "em", "in", "innen")
"""Endings of words that are looked for without them, too."""


def meanings_of(text: str) -> frozenset[str]:
    """Return what the words of a text mean: the meaning of a known word, the stem of any other one."""
    plain = folded(text)
    found = {_phrases()[phrase[0]] for phrase in _phrase().finditer(plain)}
    return frozenset(found | {meaning_of(word) or stem(word) for word in _WORD.findall(_phrase().sub(" ", plain))})


def known_in(meanings: frozenset[str]) -> frozenset[str]:
    """Return those that are meanings of known words."""
    return meanings & frozenset(_all().values())


def meaning_of(word: str) -> str:
    """Return what a word means, whatever its ending; empty if it is not known."""
    low, known = folded(word), _all()
    cut = (low.removesuffix(ending) for ending in _ENDINGS if low.endswith(ending))
    return next((known[each] for each in cut if each in known), "")


def folded(text: str) -> str:
    return unaccented(text.replace("_", " ")).replace("ß", "ss")


@cache
def _all() -> dict[str, str]:
    """Return the meaning of each word, and of each phrase: the name of its list."""
    return {word: kind.partition(".")[2] for kind in lists_of("business") for word in listed(kind)}


@cache
def _phrases() -> dict[str, str]:
    return {words: meaning for words, meaning in _all().items() if " " in words}


@cache
def _phrase() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(_phrases(), key=len, reverse=True)))})(?!\w)")
