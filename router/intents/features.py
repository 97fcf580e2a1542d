"""What a sentence is judged by: its words, what they mean, pairs of both, pieces of words, and its form."""

import math
import re
from collections.abc import Iterator
from itertools import pairwise

from router.intents.concepts import concepts
from router.intents.errands import errand_of
from router.intents.kinds import is_sql
from router.intents.masks import LONGEST, masked, plain, tokens
from router.intents.repetitions import repetition_of
from router.intents.words import SYNONYMS, folded

_NOTHING = "the a an of to in on at der die das den dem le la les de des du el los las un une ein eine"
_STOPS = frozenset(_NOTHING.split())
_BREAKS = frozenset(",.;:!?-()")
_DENYING = "not no don't dont doesn't never without instead nicht kein keine keinen statt ohne pas sans ne sin nunca"
_NOT = frozenset(_DENYING.split())
_VOWEL = re.compile(r"[aeiouy]")
_WORD = re.compile(r"[^\W\d_]")


Grouped = list[tuple[float, list[str]]]
"""Features in groups; all of a group have the same weight."""


def grouped(text: str) -> Grouped:
    """Return the features of a sentence, in groups with what each feature of the group weighs."""
    typed = plain(text)
    words = tokens(masked(typed))
    groups: Grouped = []
    for weight, names in (
        (1.0, _of_words(words)),
        (1.3, _of_meanings(words)),
        (0.6, _of_pieces(words)),
        (0.8, _of_form(typed, words)),
        (1.0, _of_rules(text[:LONGEST])),
    ):
        group = list(dict.fromkeys(names))
        groups.append((weight / math.sqrt(max(len(group), 4)), group))
    return groups


def _of_words(words: list[str]) -> Iterator[str]:
    stems = ["^", *map(stem, words), "$"]
    yield from (f"w {each}" for each in stems[1:-1])
    yield from (f"b {one} {other}" for one, other in pairwise(stems))
    yield from (f"b | {after}" for each, after in pairwise([".", *stems[1:]]) if each[0] in _BREAKS)
    content = [each for each in stems if each not in _STOPS]
    yield from (f"b {one} {other}" for one, other in pairwise(content))


def _of_meanings(words: list[str]) -> Iterator[str]:
    """Yield names of meanings, those beside each other, and each pair of them."""
    line: list[tuple[str, ...]] = [("^",)]
    at = 0
    for start, end, names in [*concepts().of(words), (len(words), len(words), ("$",))]:
        line += _unnamed(words[at:start])
        line.append(names)
        at = end
    named = [name for names in line[1:-1] for name in names if name not in ("_", "|")]
    yield from (f"c {name}" for name in named)
    yield from _denied(words)
    for one, other in pairwise(line):
        yield from (f"n {first} {second}" for first in one for second in other)
    for one, other, third in zip(line, line[1:], line[2:], strict=False):
        yield f"t {one[0]} {other[0]} {third[0]}"
    first = [names[0] for names in line[1:-1] if names[0] != "|"]
    yield from (f"p {one}+{other}" for number, one in enumerate(first[:12]) for other in first[number + 1 : 12])
    yield f"^{' '.join(names[0] for names in line[1:4])}"


def _unnamed(words: list[str]) -> Iterator[tuple[str]]:
    """Yield what stands for words without names: their masks, "|" for the end of a clause, "_" for all others."""
    last = ""
    for word in words:
        sign = word if word.startswith("<") or word in "?!" else "|" if word[0] in _BREAKS else "_"
        if sign != "_" or last != "_":
            yield (sign,)
        last = sign


def _denied(words: list[str]) -> Iterator[str]:
    """Yield the meanings of the words after a "not", which are what a sentence does not want."""
    for at, word in enumerate(words):
        if word in _NOT:
            after = words[at + 1 : at + 5]
            end = next((number for number, each in enumerate(after) if each[0] in _BREAKS), len(after))
            yield from (f"x {name}" for _, _, names in concepts().of(after[:end]) for name in names)


def _of_pieces(words: list[str]) -> Iterator[str]:
    for word in words:
        if _WORD.match(word) and len(word) > 2:
            held = f" {word} "
            for length in (3, 4):
                yield from (f"g{held[at : at + length]}" for at in range(len(held) - length + 1))


def _of_form(typed: str, words: list[str]) -> Iterator[str]:
    real = [each for each in words if _WORD.match(each)]
    yield f"f length {min(len(words), 4) if len(words) < 5 else min(4 + len(words) // 4, 10)}"
    if "?" in typed:
        yield "f asks"
    if not real:
        yield "f no word"
    elif not any(_VOWEL.search(each) for each in real):
        yield "f no vowel"


def _of_rules(text: str) -> Iterator[str]:
    """Yield what the rules say that know errands, repetitions, SQL and the words of buttons."""
    if errand := errand_of(text):
        yield f"r {errand}"
    if repetition_of(text):
        yield "r repeat"
    if is_sql(text):
        yield "r sql"
    typed = folded(text)
    yield from (f"r word {word}" for word, typed_for in SYNONYMS.items() if typed in typed_for)


def stem(word: str) -> str:
    """Return a word without the most common endings."""
    for ending in ("ing", "ed", "es", "en", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            return word[: -len(ending)]
    return word
