"""The whole text of any value, as exports write it; numbers as bytes in their order; cells that are cut."""

import json
import re
from datetime import date, datetime, time, timedelta
from decimal import Context, Decimal
from math import isfinite
from typing import Any

from router.language.wording import counted

_ZEROS_MAX = 200
"""More of them are not written out."""


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


def _json(value: Any) -> str:
    try:
        return json.dumps(value, default=plain, ensure_ascii=False)
    except (TypeError, ValueError):  # keys that JSON does not have
        return str(value)


def length(value: timedelta) -> str:
    """Return a length of time as "-1 day 02:03:04": the sign is for all of it."""
    seconds, micros = divmod(abs(value) // timedelta(microseconds=1), 1_000_000)
    days, seconds = divmod(seconds, 86_400)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if micros:
        text += f".{micros:06}"
    if days:
        text = f"{counted(days, 'day')} {text}"
    return f"-{text}" if value < timedelta() else text


def decimal_text(value: Decimal) -> str:
    """Return the digits without an exponent (100000, not 1E+5), except where hundreds of zeros would be written."""
    exponent = value.as_tuple().exponent
    return format(value, "f") if isinstance(exponent, int) and abs(exponent) <= _ZEROS_MAX else str(value)


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
"""So much of one cell is kept, where a row has room for it."""

SIGN_MAX_BYTES = 60

_BLOBS = (bytes, bytearray, memoryview)
_SIGN = re.compile(r"… \(cut: [\d,]+ (?:characters|bytes) in all\)\Z")


def cut(cell: Any, most: int) -> Any:
    """Return about `most` bytes of a cell and the sign; of one that was cut already, with the sign that it has."""
    sign = sign_of(cell)
    if isinstance(cell, _BLOBS):
        return bytes(cell[:most]) + (sign or f"… (cut: {len(cell):,} bytes in all)").encode()
    text = plain(cell)  # of a list or an object, what an export would show
    beginning = text[:most] if text.isascii() else text[:most].encode(errors="replace")[:most].decode(errors="ignore")
    return beginning + (sign or f"… (cut: {len(text):,} characters in all)")


def sign_of(cell: Any) -> str:
    """Return the sign at the end of a cell that was cut, "" for any other."""
    if isinstance(cell, _BLOBS):
        end = bytes(cell[-SIGN_MAX_BYTES:]).decode(errors="ignore")
    elif isinstance(cell, str):
        end = cell[-SIGN_MAX_BYTES:]
    else:
        return ""
    found = _SIGN.search(end)
    return found[0] if found else ""


def bytes_of(text: str) -> int:
    """Return the bytes of a text in UTF-8, or more."""
    return len(text) if text.isascii() else 4 * len(text)
