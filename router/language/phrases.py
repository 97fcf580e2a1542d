"""Finds listed words of people's languages in a text, with where they stand; the lists are data, a file a language.

`words/en.toml` and its kin have the same tables, each with lists of phrases. A phrase is one or more words, in any case
and with or without accents; a star at the end of a word stands for any ending: "schreib*". No phrase is a regular
expression. A language is added by a file.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from router.language.folding import unaccented

_DROPPED = re.compile(r"'(?!(?:d|ll|re|ve)\b)")
"""An apostrophe that people leave out; without the others, words would be other ones: "id", "well", "were"."""
_WORD = re.compile(r"[^\W_]+(?:[’'][^\W_]+)?")


KEY_LETTERS = 2
"""Letters of a word with any ending by which it is looked up, so that few phrases are tried."""

KNOWN_MAX_CHARS = 500
"""Characters of a text whose words are remembered."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: folded (lower case, no accents), and where it stands in the text as it was typed."""

    word: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Found:
    """A listed phrase in a text: the positions of its first token and behind its last one; where it begins and ends."""

    first: int
    end: int
    span: tuple[int, int]


def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the words of a text, in their order."""
    return _known_tokens(text) if len(text) <= KNOWN_MAX_CHARS else _tokens(text)


@lru_cache(maxsize=1024)
def _known_tokens(text: str) -> tuple[Token, ...]:
    """Return the words of a text; a sentence and its parts are asked for over and over on its way."""
    return _tokens(text)


def _tokens(text: str) -> tuple[Token, ...]:
    return tuple(
        Token(unaccented(each[0]).replace("ß", "ss"), each.start(), each.end()) for each in _WORD.finditer(text)
    )


def find_phrases(kind: str, tokens: Sequence[Token]) -> list[Found]:
    """Return where phrases of a list stand, the longest at each place, none over another; `kind` is "table.list"."""
    found, at = [], 0
    while at < len(tokens):
        length = phrase_at(kind, tokens, at)
        if length:
            found.append(Found(at, at + length, (tokens[at].begin, tokens[at + length - 1].end)))
        at += length or 1
    return found


def phrase_at(kind: str, tokens: Sequence[Token], at: int) -> int:
    """Return how many tokens the longest phrase of a list has that begins at this one; 0 for none, and at the end."""
    if at >= len(tokens):
        return 0
    by_word, word, length = _phrases(kind), tokens[at].word, 0
    for key in (word, f"{word[:KEY_LETTERS]}*"):
        for phrase in by_word.get(key, ()):
            if len(phrase) > length and _stands_at(phrase, tokens, at):
                length = len(phrase)
    return length


def longest_at(tokens: Sequence[Token], at: int, *kinds: str) -> int:
    """Return how many tokens the longest phrase of several lists has that begins at this one; 0 for none."""
    return max((phrase_at(kind, tokens, at) for kind in kinds), default=0)


def phrase_before(kind: str, tokens: Sequence[Token], end: int) -> int:
    """Return how many tokens the longest phrase of a list has that ends right before this one; 0 for none."""
    lengths = range(min(_longest(kind), end), 0, -1)
    return next((each for each in lengths if phrase_at(kind, tokens[:end], end - each) == each), 0)


def in_order(text: str, *kinds: str) -> bool:
    """Return whether a text has phrases of these lists one behind the other, with anything between."""
    tokens, at = tokens_of(text), 0
    for kind in kinds:
        found = find_phrases(kind, tokens[at:])
        if not found:
            return False
        at += found[0].end
    return True


def has_phrase(kind: str, text: str) -> bool:
    """Return whether a text has a phrase of a list."""
    return bool(find_phrases(kind, tokens_of(text)))


def begins_with(kind: str, text: str) -> bool:
    """Return whether a text begins with a phrase of a list."""
    tokens = tokens_of(text)
    return bool(tokens) and phrase_at(kind, tokens, 0) > 0


def is_all(kind: str, text: str) -> bool:
    """Return whether a text has words, and none but those of phrases of a list."""
    tokens = tokens_of(text)
    return bool(tokens) and sum(each.end - each.first for each in find_phrases(kind, tokens)) == len(tokens)


def says_only(text: str, kinds: Sequence[str], beside: Sequence[str]) -> bool:
    """Return whether a text has phrases of some lists, and beside them none but phrases of others."""
    tokens, at, found = tokens_of(text), 0, False
    while at < len(tokens):
        length = longest_at(tokens, at, *kinds)
        found = found or length > 0
        length = max(length, longest_at(tokens, at, *beside))
        if not length:
            return False
        at += length
    return found


def unlisted(tokens: Sequence[Token], *kinds: str) -> list[Token]:
    """Return the words that are in no phrase of these lists."""
    left, at = list[Token](), 0
    while at < len(tokens):
        length = longest_at(tokens, at, *kinds)
        left += [] if length else [tokens[at]]
        at += length or 1
    return left


def without_beginning(kind: str, text: str) -> str:
    """Return a text without all phrases of a list that it begins with."""
    tokens = tokens_of(text)
    while length := phrase_at(kind, tokens, 0):
        tokens = tokens[length:]
    return text[tokens[0].begin :] if tokens else ""


@cache
def listed(kind: str) -> frozenset[str]:
    """Return the phrases of a list in all languages, folded; with "don't" goes "dont", but "id" does not with "i'd"."""
    table, name = kind.split(".")
    lists = (each.get(table, {}).get(name, []) for each in _languages().values())
    phrases = {_folded(phrase) for phrases in lists for phrase in phrases}
    return frozenset(phrases | {_DROPPED.sub("", each) for each in phrases if "*" not in each})


@cache
def lists_of(table: str) -> tuple[str, ...]:
    """Return the lists of a table in their order by the alphabet, each as "table.list"."""
    return tuple(sorted({f"{table}.{name}" for each in _languages().values() for name in each.get(table, {})}))


@cache
def written_by_language(kind: str) -> dict[str, frozenset[str]]:
    """Return the phrases of a list as they are written, by language."""
    table, name = kind.split(".")
    return {language: frozenset(each.get(table, {}).get(name, [])) for language, each in _languages().items()}


@cache
def spellings_of(kind: str) -> frozenset[str]:
    """Return the phrases of a list in all languages, as they are written and folded."""
    return listed(kind).union(*written_by_language(kind).values())


@cache
def _phrases(kind: str) -> dict[str, list[list[str]]]:
    """Return the phrases of a list as words, by their first word, or by the first letters of one with any ending."""
    by_word: dict[str, list[list[str]]] = {}
    for phrase in sorted(listed(kind)):
        words = phrase.split()
        first = words[0]
        key = f"{first[:-1][:KEY_LETTERS]}*" if first.endswith("*") else first
        by_word.setdefault(key, []).append(words)
    return by_word


@cache
def _longest(kind: str) -> int:
    """Return how many words the longest phrase of a list has."""
    return max((len(phrase.split()) for phrase in listed(kind)), default=0)


def _stands_at(phrase: Sequence[str], tokens: Sequence[Token], at: int) -> bool:
    """Return whether a phrase stands in a text from this token on."""
    if len(phrase) > len(tokens) - at:
        return False
    return all(_fits_phrase(tokens[at + place].word, word) for place, word in enumerate(phrase))


def _fits_phrase(word: str, listed_word: str) -> bool:
    return word.startswith(listed_word[:-1]) if listed_word.endswith("*") else word == listed_word


def _folded(phrase: str) -> str:
    return unaccented(phrase).replace("ß", "ss")


@cache
def _languages() -> dict[str, dict[str, dict[str, list[str]]]]:
    """Return the lists by language and table."""
    folder = files("router.language") / "words"
    return {
        each.name.removesuffix(".toml"): tomllib.loads(each.read_text(encoding="utf-8"))
        for each in folder.iterdir()
        if each.name.endswith(".toml")
    }
