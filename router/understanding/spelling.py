"""Typing errors of a message, put right where only one known word can be meant."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from router.catalog.values import common_words
from router.language.detection import language_of
from router.language.folding import distance
from router.language.inflection import stem
from router.language.phrases import phrase_before, spellings_of, tokens_of

IsValue = Callable[[str], bool]
"""Tells whether a word is a value of the database, in any spelling."""


def no_value(_text: str) -> bool:
    """Know of no value."""
    return False


ONE_OFF_LETTERS, TWO_OFF_LETTERS = 5, 8
"""Letters of a word that may be one letter off, and two; shorter ones only have two letters that changed places."""

SPELLED_MAX_CHARS = 1000
"""Characters of a message that is looked at."""

_MISSPELT_WORD = re.compile(r"(?<![\w@./:#$'’&=-])[^\W\d_]{3,30}(?![\w@/:'’=(-]|\.\w)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|`[^`]*`|(?<!\w)'[^']*'(?!\w)")
_ENDINGS = ("ing", "ed", "es", "d", "s")
_ABROAD = re.compile(r"\b[a-z]*[ßà-öø-ÿ][a-zà-ÿ]*\b")
"""A word of another language; names have capital letters."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A word as it was typed, and as it was meant."""

    typed: str
    meant: str


def corrected(message: str, words: Iterable[str], is_value: IsValue = no_value) -> tuple[str, tuple[Correction, ...]]:
    """Return a message without its typing errors, and what was put right.

    `words` are those of the names of tables and columns. Names, values, what is quoted and words that exist stay as
    they are; so does a message that is not in English.
    """
    if len(message) > SPELLED_MAX_CHARS or language_of(message) != "en" or _ABROAD.search(message):
        return message, ()
    known = frozenset(word.lower() for word in words)
    kept = [match.span() for match in _QUOTED.finditer(message)]
    found: list[Correction] = []

    def mend(match: re.Match[str]) -> str:
        typed = match[0]
        if any(start <= match.start() < end for start, end in kept) or _is_name(message, match) or is_value(typed):
            return typed
        meant = _meant(typed.lower(), known)
        if not meant:
            return typed
        meant = meant.capitalize() if typed[0].isupper() else meant
        found.append(Correction(typed, meant))
        return meant

    return _MISSPELT_WORD.sub(mend, message), tuple(found)


def _is_name(message: str, match: re.Match[str]) -> bool:
    """Tell whether a word is written as names are, or stands where a name does."""
    before = tokens_of(message[: match.start()])
    capital = match[0] != match[0].lower() and (match.start() > 0 or not match[0].istitle())
    return capital or phrase_before("talk.named", before, len(before)) > 0


def _meant(word: str, known: frozenset[str]) -> str:
    """Return the only known word that a word is a misspelling of, or ""."""
    if often := dict(pair.split() for pair in spellings_of("talk.often")).get(word):
        return often
    if _exists(word, known):
        return ""
    most = 0 if len(word) < ONE_OFF_LETTERS else 1 if len(word) < TWO_OFF_LETTERS else 2
    for targets in (known, _known_words()):
        near = _nearest(word, targets, most)
        if len(near) == 1:
            return near[0]
        if near:
            return ""
    return ""


def _nearest(word: str, targets: Iterable[str], most: int) -> list[str]:
    """Return the targets nearest to a word; a singular and its plural are one, of which the nearer number is meant."""
    best: dict[str, int] = {}
    for target in targets:
        if abs(len(target) - len(word)) > max(most, 0) or target[:1] != word[:1] or len(target) < 4:
            continue
        off = distance(word, target, most) if most else (0 if _swapped(word, target) else 1)
        if off <= most:
            best[target] = off
    least = min(best.values(), default=0)
    near = sorted(target for target, off in best.items() if off == least)
    plural = [target for target in near if target.endswith("s") == word.endswith("s")]
    return (plural or near)[:1] if len({stem(target) for target in near}) == 1 else near


def _swapped(word: str, target: str) -> bool:
    """Tell whether two letters next to one another changed places, and nothing else."""
    return any(word[:n] + word[n + 1] + word[n] + word[n + 2 :] == target for n in range(len(word) - 1))


def _exists(word: str, known: frozenset[str]) -> bool:
    """Tell whether a word is one, as far as is known."""
    every = known | _known_words()
    if word in every or word in _real_words() or stem(word) in {stem(name) for name in known}:
        return True
    bare = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending) and len(word) > len(ending) + 3)
    return f"{word}s" in every or any(form in every or (word[-1] in "gd" and f"{form}e" in every) for form in bare)


@cache
def _known_words() -> frozenset[str]:
    """Return words that questions have."""
    return common_words().union(*map(spellings_of, ("talk.measures", "talk.small", "talk.typed")))


@cache
def _real_words() -> frozenset[str]:
    """Return words that are near to others, so that they may be taken for misspelt."""
    text = (files("router.understanding") / "real_words.txt").read_text(encoding="utf-8")
    return frozenset(text.split())
