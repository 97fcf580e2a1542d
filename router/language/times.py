"""The words of a text that may speak of times, each with a letter for its kind, so that rules can be patterns.

Questions are read for periods by these words, schedules and their corrections for recurrences.

The lists are the tables `times` and `schedules`; a list's name is the kind of its phrases and what they stand for:
"weekday 0". The letters of kinds are in `letters.toml`. Besides: N is a number, Y a year, J a year that might be
a number, y a year of two digits, I a date, i a day and month as numbers, Q a quarter, H a half, x another number, w
another word.
"""

import re
import tomllib
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from router.language.folding import unaccented
from router.language.phrases import listed, lists_of

Span = tuple[date, date]
"""The first day of a time and the first day after it."""
_SIGNS: dict[str, dict[str, Any]] = tomllib.loads(
    (files("router.language") / "letters.toml").read_text(encoding="utf-8")
)
LETTERS: dict[str, str] = _SIGNS["letters"] | {kind: chr(0xE000 + n) for n, kind in enumerate(_SIGNS["more"]["kinds"])}
UNITS: dict[str, str] = _SIGNS["units"]

_NEAR, _FAR = range(-16, 2), range(-80, 21)
"""Years from today's that a number of four digits is, and those that it may be."""


@cache
def _token() -> re.Pattern[str]:
    """Return what finds a word; made at the first question, as it takes long."""
    return re.compile(
        r"""(?P<iso>(?<![\d-])\d{4}-\d{2}-\d{2}(?!\d))
        |(?P<week>\b\d{4}-?W\d{2}\b)
        |(?P<month>\b\d{4}-(?:0\d|1[0-2])(?![\d-]))
        |(?P<numeric>(?<![\d.])\d{1,2}([./-])\d{1,2}\5\d{4}(?!\d)|(?<![\d.])\d\d([./-])\d\d\6\d\d(?![\d.]))
        |(?P<monthyear>\b(?:0?[1-9]|1[0-2])/\d{4}(?![\d/]))
        |(?P<daymonth>(?<![\d.])\d{1,2}\.\d{1,2}\.(?!\d))
        |(?P<part>\b[QH][1-4](?!\w))|(?P<short>(?<!\w)['’]\d{2}(?!\w))
        |(?P<other>\d+(?:[.,:]\d+)+|\d+(?:[a-z]+\d\w*|(?!(?:st|nd|rd|th|er|ere|re|e|º|ª|o)\b)[a-z]\w*))
        |(?P<ordinal>\d{1,2}(?:(?:st|nd|rd|th|er|ere|re|e|o)\b|[ºª]|\.(?!\d)))|(?P<number>\d+)
        |(?P<word>[^\W\d_]+)|(?P<mark>[^\s'’"“”„])""",
        re.IGNORECASE | re.VERBOSE,
    )


@dataclass(frozen=True, slots=True)
class Word:
    """A word, phrase, number or mark: its kind, what it stands for, and its place in the text."""

    letter: str
    value: Any
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Phrases:
    """The phrases with their kind and value, and for a first word, how many words those with it have at most."""

    known: dict[str, tuple[str, Any]]
    longest: dict[str, int]


@cache
def _phrases(tables: tuple[str, ...]) -> _Phrases:
    """Return the phrases of some tables of the lists; a later one goes before an earlier one."""
    known: dict[str, tuple[str, Any]] = {}
    longest: dict[str, int] = {}
    for list_name in (name for table in tables for name in lists_of(table)):
        kind, _, value = list_name.partition(".")[2].partition(" ")
        for phrase in listed(list_name) if kind in LETTERS or kind == "unit" else ():
            parts = [_folded(match.group(0)) for match in _token().finditer(phrase)]
            known[" ".join(parts)] = (kind, int(value) if re.fullmatch(r"[+-]?\d+", value) else value or kind)
            longest[parts[0]] = max(len(parts), longest.get(parts[0], 0))
    return _Phrases(known, longest)


def words_of(text: str, today: date, tables: tuple[str, ...] = ("times",)) -> list[Word]:
    """Return the words of a text, a phrase as one word; `tables` are those of the lists that are looked into."""
    phrases, found = _phrases(tables), list(_token().finditer(text))
    folded = [_folded(match.group(0)) for match in found]
    words: list[Word] = []
    place = 0
    while place < len(found):
        lengths = range(min(phrases.longest.get(folded[place], 0), len(found) - place), 0, -1)
        length = next((n for n in lengths if " ".join(folded[place : place + n]) in phrases.known), 0)
        if length:
            kind, value = phrases.known[" ".join(folded[place : place + length])]
            letter = UNITS[value.rstrip("s")] if kind == "unit" else LETTERS[kind]
            if kind == "name_month" and _is_name(found[place : place + 2], folded[place + 1 : place + 2], words):
                letter = "w"
            if kind == "french_yesterday":
                letter, value = ("R" if listed("times.french").intersection(folded) else "w"), -1
            words.append(Word(letter, value, found[place].start(), found[place + length - 1].end()))
        else:
            words.append(_plain(found[place], words[-1] if words else None, today))
        place += length or 1
    if "_" in text:  # "report_2025-Q1" is a name
        names = [match.span() for match in re.finditer(r"\w*_[\w-]*", text)]
        named = {word.start for word in words for start, end in names if start <= word.start < end}
        words = [replace(word, letter="w") if word.start in named else word for word in words]
    letters = "".join(word.letter for word in words)
    # Two digits behind a quarter or a fiscal year are a year: "Q3 25", "FY25".
    for match in re.finditer(r"[QHf]-?N(?![1670$])", letters):
        number = words[match.end() - 1]
        if number.value - today.year % 100 in _NEAR:
            words[match.end() - 1] = replace(number, letter="y", value=2000 + number.value)
    letters = "".join(word.letter for word in words)
    # A number of things, or of one thing, is no time: "order 2024", "between 2000 and 2020 euros".
    things = {match.start() for match in re.finditer(r"(?<=[#$])-?[NYJO]|[NYJO](?=\$)", letters)}
    return [replace(word, letter="x") if place in things else word for place, word in enumerate(words)]


def _folded(word: str) -> str:
    """Return a word in lower case and without accents."""
    return word.lower() if word.isascii() else unaccented(word).replace("ß", "ss")


def _is_name(matches: list[re.Match[str]], following: list[str], before: list[Word]) -> bool:
    """Return whether a month is a person's first name: another capital follows that is no word of a time."""
    if len(matches) == 1 or not all(match.group(0).istitle() for match in matches):
        return False
    return following[0] not in _phrases(("times",)).known and not (before and before[-1].letter in "kSuF&")


def _plain(match: re.Match[str], before: Word | None, today: date) -> Word:
    """Return a number, a date, a mark or another word."""
    kind, text = match.lastgroup or "", match.group(0)
    letter = "w"
    value: Any = None
    if kind == "mark":
        letter = _SIGNS["marks"].get(text, ".")
    elif kind == "part":
        letter, value = "H" if text[0] in "hH" else "Q", int(text[1])
    elif kind == "daymonth":
        letter, value = "i", tuple(map(int, text.split(".")[:2]))
    elif kind == "short":
        letter, value = "y", 2000 + int(text[1:])
    elif kind in ("number", "ordinal"):
        value = int(re.match(r"\d+", text).group(0)) if len(text) < 5 else None  # type: ignore[union-attr]
        letter = _number(kind, value, today)
        if before and before.end == match.start() and before.letter in "wMmRL":  # "SKU2024"
            letter = "x"
    elif kind != "word":
        letter = "x" if kind == "other" else "I"
    return Word(letter, value, match.start(), match.end())


def _number(kind: str, value: int | None, today: date) -> str:
    if kind == "ordinal":
        return "O"
    if value is None or value < 1000:
        return "N" if value is not None else "x"
    return "Y" if value - today.year in _NEAR else "J" if value - today.year in _FAR else "x"
