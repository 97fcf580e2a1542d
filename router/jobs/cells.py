"""Values as the text of a table's cell: one line, short, and unable to disturb the cells beside it."""

import re
import unicodedata
from decimal import Decimal
from typing import Any

from router.sql.plain_text import plain

LONGEST = 200
_BLANKS = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029]+")
# Overrides, embeddings, isolates and marks of direction: one of them in a cell turns round what stands after it.
_TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ISOLATE, _END = "\u2068", "\u2069"
_UNITS = ("B", "kB", "MB", "GB")


def cell(value: Any) -> str | None:
    """Return the value's text for a preview, None for NULL; the exact value is what exports are for."""
    match value:
        case None:
            return None
        case str():
            return line(value)
        case bool():
            return "yes" if value else "no"
        case float():
            return number(value)
        case bytes():
            return f"⟨blob, {size(len(value))}⟩"
    return line(plain(value))


def line(text: str, longest: int = LONGEST) -> str:
    """Return the text as one line of at most `longest` characters, its writing direction kept to itself."""
    if len(text) > longest:
        text = text[: longest - 1].rstrip() + "…"
    if text.isascii() and text.isprintable():
        return text
    text = _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", _TURNS.sub("", _BLANKS.sub(" ", text)))
    if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in text):
        return f"{_ISOLATE}{text}{_END}"
    return text


def number(value: float) -> str:
    """Return so many digits that 0.1 + 0.2 reads 0.3 and a sum of prices ends in cents; seldom an exponent."""
    text = plain(value) if value != value else f"{value:.{12 if abs(value) < 1e9 else 15}g}"
    if "e" not in text:
        return text
    return format(Decimal(text), "f") if 1e-7 <= abs(value) < 1e21 else text


def size(count: int) -> str:
    """Return a number of bytes as people say it: "1.2 kB"."""
    amount, unit = float(count), 0
    while amount >= 999.95 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{count} B" if unit == 0 else f"{amount:.1f} {_UNITS[unit]}"
