"""The whole text of any value, as exports write it; numbers as bytes in their order; cells that are cut."""

import json
import re
from datetime import date, datetime, time
from decimal import Context, Decimal
from math import isfinite
from typing import Any

from router.language.wording import counted, truncate
from router.sql.value_kinds import JsonText

_BYTES = re.compile("[\udc80-\udcff]")
"""Signs that stand for bytes that are no UTF-8, in texts of SQLite."""

_ZEROS_MAX = 200
"""More of them are not written out."""


def plain(value: Any) -> str:
    """Return the whole text of any value, as exports write it; a blob's is in hexadecimal digits."""
    match value:
        case str():
            return value if value.isascii() else _BYTES.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", value)
        case bool():
            return "true" if value else "false"
        case float():
            return "NaN" if value != value else repr(value)
        case datetime():
            return value.isoformat(" ")
        case date() | time():
            return value.isoformat()
        case Decimal():
            return decimal_text(value)
        case list() | tuple() | dict():
            return json_of(value)
        case bytes() | bytearray() | memoryview():
            return bytes(value).hex()
    return str(value)


TYPED_DIGITS_MAX = 15
"""A float keeps any number of so many digits: a longer one may be what adding up has left."""

_NOISE = re.compile(r"(?:0{6,}\d{1,4}|9{6,}\d{0,4})\Z", re.ASCII)


def denoised(value: float) -> Decimal:
    """Return the shortest number that reads back as this finite float, without what adding up floats leaves over.

    That is seen by a run of zeros or nines in the fraction before the last few of 16 or 17 digits: 0.1 + 0.2 is 0.3,
    593282.2000000033 is 593282.2. Whatever was typed in with fewer digits, or without such a run, keeps each of them.
    """
    exact = Decimal(repr(value))
    _, digits, exponent = exact.as_tuple()
    assert isinstance(exponent, int), "the float is finite"
    point = max(0, len(digits) + exponent)
    if len(digits) <= TYPED_DIGITS_MAX or point >= len(digits):
        return exact
    noise = _NOISE.search("".join(map(str, digits)), point)
    return Context(prec=max(1, noise.start())).plus(exact) if noise else exact


def number(value: float) -> str:
    """Return a float as it is shown: every digit but noise, and seldom an exponent."""
    if not isfinite(value):
        return plain(value)
    shown = denoised(value)
    text = format(shown, "f") if not value or 1e-7 <= abs(value) < 1e21 else repr(float(shown))
    return text.removesuffix(".0")


def json_of(value: Any) -> str:
    """Return lists and dicts as JSON: numbers with all their digits, JSON within as it is, and else texts."""
    match value:
        case None:
            return "null"
        case bool():
            return plain(value)
        case list() | tuple():
            return f"[{', '.join(map(json_of, value))}]"
        case dict():
            pairs = (f"{json.dumps(plain(key), ensure_ascii=False)}: {json_of(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        case JsonText() | int():
            return str(value)
        case float() | Decimal() if isfinite(value):
            return plain(value)
    return json.dumps(plain(value), ensure_ascii=False)


def decimal_text(value: Decimal) -> str:
    """Return the digits without an exponent (100000, not 1E+5), except if hundreds of zeros would be written."""
    exponent = value.as_tuple().exponent
    return format(value, "f") if isinstance(exponent, int) and abs(exponent) <= _ZEROS_MAX else str(value)


SHOWN_VALUE_MAX_CHARS = 60


def shown(value: Any) -> str:
    """Return a value as it can stand in a sentence: one short line."""
    text = counted(len(value), "byte") if isinstance(value, bytes) else " ".join(plain(value).split())
    text = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    return truncate(text, SHOWN_VALUE_MAX_CHARS)


# Numbers as bytes.

_SIZE_BIAS = 1 << 63  # makes the place of any decimal's first digit positive
_ASCII_DIGITS = bytes.maketrans(bytes(range(10)), b"0123456789")
_INVERTED = bytes(255 - byte for byte in range(256))


def decimal_key(number: Decimal) -> bytes:
    """Return bytes in the order of numbers, exact for any number of digits; NaN comes last.

    Sign, place of the first digit, digits and an end that is lower than any digit; below zero all of it upside down.
    No key is the beginning of another one, so that something may follow it.
    """
    if number.is_nan():
        return b"5"
    if number.is_infinite():
        return b"4" if number > 0 else b"0"
    if not number:
        return b"2"
    digits = bytes(number.as_tuple().digits).rstrip(b"\0").translate(_ASCII_DIGITS)
    key = (number.adjusted() + _SIZE_BIAS).to_bytes(8, "big") + digits + b"\0"
    return b"3" + key if number > 0 else b"1" + key.translate(_INVERTED)


# Cells that are too long to be stored whole keep their beginning, and a sign that says how long they were.

CELL_BYTES = 5_000_000
"""So much of one cell is kept, if a row has room for it."""

SIGN_MAX_BYTES = 60

_BLOBS = (bytes, bytearray, memoryview)
_SIGN = re.compile(r"… \(cut: ([\d,]+) (?:characters|bytes) in all\)\Z")


def cut(cell: Any, most: int) -> Any:
    """Return about `most` bytes of a cell and the sign; of one that was cut already, with the sign that it has."""
    sign = sign_of(cell)
    if isinstance(cell, _BLOBS):
        return bytes(cell[:most]) + (sign or f"… (cut: {len(cell):,} bytes in all)").encode()
    text = plain(cell)  # of a list or an object, what an export would show
    beginning = text[:most] if text.isascii() else text[:most].encode(errors="replace")[:most].decode(errors="ignore")
    return beginning + (sign or f"… (cut: {len(text):,} characters in all)")


def sign_of(cell: Any) -> str:
    """Return the sign at the end of a cell that was cut, "" for any other: the sign tells of more than there is."""
    if isinstance(cell, _BLOBS):
        end = bytes(cell[-SIGN_MAX_BYTES:]).decode(errors="ignore")
    elif isinstance(cell, str):
        end = cell[-SIGN_MAX_BYTES:]
    else:
        return ""
    found = _SIGN.search(end)
    return found[0] if found and int(found[1].replace(",", "")) > len(cell) - len(found[0].encode()) else ""


def bytes_of(text: str) -> int:
    """Return the bytes of a text in UTF-8, or more."""
    return len(text) if text.isascii() else 4 * len(text)
