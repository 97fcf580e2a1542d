"""Texts on one line, texts that are made to fit, and the words of a text."""

import re

WORD = re.compile(r"[^\W_]+")
"""A run of letters and digits: "order_items" has two."""

NAME_WORD = re.compile(r"\w+")
"""A run of letters, digits and underscores: "order_items" is one, as a name is written in SQL."""

_JOINERS = "\u200c\u200d"
"""Not seen, and yet a part of words in some scripts."""


def one_line(text: str) -> str:
    """Return what people wrote on one line, with single blanks and nothing in it that cannot be seen."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() or char in _JOINERS else " " for char in text)
    return " ".join(text.split())


def truncate(text: str, max_chars: int) -> str:
    """Return the text, cut with a visible mark where it is longer than `max_chars`."""
    return text if len(text) <= max_chars else text[: max(0, max_chars - 1)].rstrip() + "…"
