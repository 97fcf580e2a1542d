"""Values as the text of a table's cell: one line, short, and unable to disturb the cells beside it."""

import json
import re
import unicodedata
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from router.jobs.codec import decimal_text

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


def plain(value: Any) -> str:
    """Return the whole text of any value but a blob, as exports write it."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float():
            return "NaN" if value != value else repr(value)
        case timedelta():
            return length(value)
        case datetime():
            return value.isoformat(" ")
        case date() | time():
            return value.isoformat()
        case Decimal():
            return decimal_text(value)
        case list() | tuple() | dict():
            return _json(value)
    return str(value)


def _json(value: Any) -> str:
    try:
        return json.dumps(value, default=plain, ensure_ascii=False)
    except (TypeError, ValueError):  # keys that JSON does not have
        return str(value)


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


def length(value: timedelta) -> str:
    """Return a length of time as "-1 day 02:03:04": the sign is for all of it."""
    seconds, micros = divmod(abs(value) // timedelta(microseconds=1), 1_000_000)
    days, seconds = divmod(seconds, 86_400)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if micros:
        text += f".{micros:06}"
    if days:
        text = f"{days} {'day' if days == 1 else 'days'} {text}"
    return f"-{text}" if value < timedelta() else text


def size(count: int) -> str:
    """Return a number of bytes as people say it: "1.2 kB"."""
    amount, unit = float(count), 0
    while amount >= 999.95 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{count} B" if unit == 0 else f"{amount:.1f} {_UNITS[unit]}"
