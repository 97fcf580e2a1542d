"""Texts read as a value, if a column or the other side has a number, a time or the like; None for no such thing."""

import json
import re
from decimal import Decimal
from typing import Any
from uuid import UUID

from router.sql.cell_text import plain
from router.sql.value_kinds import ExactTime, JsonText, nanoseconds_in, nanoseconds_of, read_timestamp

# PostgreSQL has numbers of so many digits.
_NUMBER_TEXT = re.compile(r"[+-]?(\d{1,131072}(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_USUAL = re.compile(r"0|-?[1-9]\d*|-?(0|[1-9]\d*)\.\d*[1-9]", re.ASCII)
_MOMENT = re.compile(r"\d{4,}-?\d\d-?\d\d([ T]\d\d.*)?( BC)?|-?infinity", re.ASCII)
_HEX = re.compile(r"(\\x|0x)?((?:[0-9a-fA-F]{2})*)")
TRUTH_WORDS = {"true": True, "t": True, "yes": True, "y": True, "false": False, "f": False, "no": False, "n": False}
"""Words that mean yes or no, in lower case."""


def number_in(text: str) -> int | Decimal | None:
    """Return the number that a text is, exactly."""
    text = text.strip()
    if not _NUMBER_TEXT.fullmatch(text):
        return None
    try:
        return int(text)
    except ValueError:
        return Decimal(text)


def is_usual(text: str) -> bool:
    """Return whether a number would be written as this text: no zeros, signs or blanks that say nothing."""
    return _USUAL.fullmatch(text) is not None


def moment_in(text: str) -> int | None:
    """Return the time that an ISO text is, in nanoseconds; a day begins at midnight, a time with a zone is in UTC."""
    text = text.strip()
    if not _MOMENT.fullmatch(text):
        return None
    moment = read_timestamp(text)
    if isinstance(moment, ExactTime):
        return nanoseconds_in(moment.text) if moment.extents else None
    return nanoseconds_of(moment)


def truth_in(text: str) -> int | Decimal | None:
    """Return 1 or 0 for a word that means yes or no, and any number for itself."""
    said = TRUTH_WORDS.get(text.strip().lower())
    return number_in(text) if said is None else int(said)


def identity_in(text: str) -> str | None:
    """Return a UUID as it is usually written."""
    try:
        return str(UUID(text.strip()))
    except ValueError:
        return None


def bytes_in(text: str) -> bytes | None:
    """Return the bytes that a text has in hexadecimal digits."""
    found = _HEX.fullmatch(text.strip())
    return bytes.fromhex(found[2]) if found else None


def json_in(text: str) -> str | None:
    """Return JSON in the one way that it is compared in."""
    try:
        return json_text(json.loads(text, parse_float=Decimal, parse_int=Decimal))
    except (ValueError, RecursionError):
        return None


def json_text(value: Any) -> str:
    """Return lists, dicts and JSON as JSON with keys in order, which is the same for all that are equal."""
    match value:
        case dict():
            items = sorted((plain(key), json_text(item)) for key, item in value.items())
            return f"{{{','.join(f'{json.dumps(key)}:{item}' for key, item in items)}}}"
        case list() | tuple():
            return f"[{','.join(map(json_text, value))}]"
        case JsonText():
            found = json_in(value.text)
            return value.text if found is None else found
        case None | bool():
            return json.dumps(value)
        case int() | float() | Decimal():
            return _number_text(Decimal(repr(value) if isinstance(value, float) else value))
    return json.dumps(plain(value))


def _number_text(number: Decimal) -> str:
    """Return all digits of a number, and nothing of how it was written: 1.0 is 1 for JSON."""
    sign, digits, exponent = number.as_tuple()
    if not isinstance(exponent, int):
        return json.dumps(plain(float(number)))
    written = "".join(map(str, digits))
    kept = written.strip("0")
    return f"{'-' * sign}{kept}e{exponent + len(written) - len(written.rstrip('0'))}" if kept else "0"
