"""Texts made to fit: cut at their ends, in their middles, or into parts."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from typing import Literal
from unicodedata import category

from router.cards import (
    Approver,
    Buttons,
    Card,
    Chart,
    Choice,
    Code,
    File,
    Form,
    Link,
    Progress,
    Table,
    Text,
    Waiting,
)
from router.language.wording import counted, or_list

# Invisible characters, and those that turn the order of reading: left out of texts, written out in source.


# Shown by no client but obeyed by some: control characters, writing directions, halves of characters.
_UNSEEN_CHARACTERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_NOT_PLAIN_ASCII = re.compile(r"[^\n\t -~]")
"""All that is not plain ASCII is looked at more closely."""

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
"""Controls, formats, halves of characters, what has no meaning (yet), and everything that looks like a blank."""

_BLANK = frozenset(
    map(
        chr,
        (
            0x034F,  # joins graphemes
            *(0x115F, 0x1160, 0x3164, 0xFFA0),  # letters of Hangul that fill a place
            *(0x17B4, 0x17B5),  # vowels of Khmer that are not written
            *(0x180B, 0x180C, 0x180D, 0x180F),  # variants of Mongolian letters
            0x2800,  # Braille without a dot
            *range(0xFE00, 0xFE10),  # variants of all letters
            *range(0xE0100, 0xE01F0),
        ),
    )
)
"""Letters and marks, by their categories, of which nothing is seen."""


def remove_unseen(text: str) -> str:
    """Return the text without what cannot be seen, its lines parted by newlines."""
    return _UNSEEN_CHARACTERS.sub("", re.sub("\r\n?|\u2028|\u2029", "\n", text))


def reveal(source: str) -> str:
    """Return the source with what cannot be seen written out, so that what is approved is what is read."""
    return _NOT_PLAIN_ASCII.sub(_written, source.replace("\r\n", "\n"))


def _written(found: re.Match[str]) -> str:
    character = found[0]
    if character not in _BLANK and category(character) not in _HIDDEN:
        return character
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


# The marks of a Text card.


Mark = Literal["", "code", "bold"]

# `code`, or *bold* at a word's border: "2 * 3 * 4" and count(*) stay as they are.
_MARK = re.compile(r"`([^`\n]+)`|(?<![\w*(])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*)])")


def pieces(body: str) -> Iterator[tuple[str, Mark]]:
    """Yield the parts of a Text card's body with their marks; no part is empty."""
    body, end = remove_unseen(body), 0
    for mark in _MARK.finditer(body):
        if mark.start() > end:
            yield body[end : mark.start()], ""
        yield (mark[1], "code") if mark[1] else (mark[2], "bold")
        end = mark.end()
    if end < len(body):
        yield body[end:], ""


def strip_marks(body: str) -> str:
    """Return the body of a Text card without its marks."""
    return "".join(text for text, _ in pieces(body))


_PRIORITY = (Buttons, Choice, Form, Progress, Waiting, Link, Code, Table, Text, Chart, File)
"""Returns the rank in which a card gets its room: what is answered, what is approved, what is found, then the rest."""


def by_need(cards: Sequence[Card]) -> list[int]:
    """Return the places of the cards in the order in which they get their room in a message."""
    return sorted(range(len(cards)), key=lambda place: _rank(cards[place]))


def _rank(card: Card) -> tuple[int, bool]:
    """Return the rank of a card; SQL that is folded was approved, and leaves the room to the rows that it found."""
    folded = isinstance(card, Code) and card.folded
    return _PRIORITY.index(Table if folded else type(card)), folded


def cut_middle(text: str, most: int) -> str:
    """Return the text, cut in its middle if it is longer than `most`, for names often differ at their ends."""
    return text if len(text) <= most else f"{text[: most - most // 3 - 1]}…{text[-(most // 3) :]}"


def label_of(text: str, most: int) -> str:
    """Return a label on one line, squeezed; a blank one is a dash."""
    return cut_middle(" ".join(remove_unseen(text).split()) or "–", most)


def make_distinct(labels: Iterable[str], most: int) -> list[str]:
    """Return the labels of at most `most` characters, each different from the others."""
    taken: dict[str, None] = {}
    for label in labels:
        fresh, n = label_of(label, most), 1
        while fresh in taken:
            n += 1
            fresh = f"{label_of(label, most - len(f' ({n})'))} ({n})"
        taken[fresh] = None
    return list(taken)


def split(text: str, most: int, dress: Callable[[str], str] = str) -> list[str]:
    """Return the text in parts that have at most `most` characters when dressed, broken at lines or else at words."""
    parts = []
    while text:
        part = text[: max(1, most)]
        while len(part) > 1 and (long := len(dress(part))) > most:
            part = part[: max(1, len(part) * most // (long + 1))]
        if len(part) < len(text):
            part = part[: _break(part)]
        parts.append(part)
        text = text[len(part) :]
    return parts


def _break(part: str) -> int:
    """Return where to end a part: behind its last line or word, if that leaves at least half of it."""
    ends: Iterable[int] = (part.rfind(mark) + 1 for mark in ("\n", " "))
    return next((end for end in ends if end > len(part) // 2), len(part))


def is_small(chart: Chart, series: int, points: int) -> bool:
    """Return whether a chart has no more than these series and points, and a number at each point."""
    return (
        len(chart.series) <= series
        and len(chart.labels) <= points
        and all(value is not None and isfinite(value) for each in chart.series for value in each.values)
    )


# Who is waited for: each platform names people in its own way.


APPROVERS_NAMED_MAX = 3
"""Approvers that a card names."""

NO_APPROVERS = "Nobody may approve this yet. Your administrator can name people who may."


def waits_for(card: Waiting, named: Callable[[Approver], str]) -> str:
    """Return whom a card waits for; `named` is how the platform calls somebody, empty if that is not readable.

    >>> waits_for(Waiting((Approver("bob@example.com"),)), in_words)
    'Waiting for bob@example.com to approve'
    """
    if not card.people:
        return NO_APPROVERS
    names = [name for each in card.people[:APPROVERS_NAMED_MAX] if (name := named(each))]
    more = len(card.people) - len(names)
    others = [counted(more, "other") if names else "somebody else"] if more else []
    return f"Waiting for {or_list([*names, *others])} to approve{f' {card.what}' if card.what else ''}"


def named_in_words(approver: Approver) -> str:
    """Return an approver's name, or else their address; an id is nothing that people know."""
    known = approver.name or approver.identity
    return known if approver.name or ("@" in known and ":" not in known) else ""
