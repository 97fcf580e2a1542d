"""What a text says, where the other side has a number, a time or the like: None where it says no such thing."""

import json
import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from router.sql.writing.texts import text_of

_NUMBER = re.compile(r"[+-]?(\d{1,400}(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_USUAL = re.compile(r"0|-?[1-9]\d*|-?(0|[1-9]\d*)\.\d*[1-9]", re.ASCII)
_MOMENT = re.compile(r"\d{4}-?\d\d-?\d\d([ T]\d\d.*)?", re.ASCII)
_LONGEST = Decimal("1e4000")
_HEX = re.compile(r"(\\x|0x)?((?:[0-9a-fA-F]{2})*)")
_TRUTH = {"true": True, "t": True, "yes": True, "y": True, "false": False, "f": False, "no": False, "n": False}


def number_in(text: str) -> int | Decimal | None:
    """Return the number that a text is, exactly."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return int(text)
    except ValueError:
        return Decimal(text)


def usual(text: str) -> bool:
    """Tell whether a number would be written as this text: no zeros, signs or blanks that say nothing."""
    return _USUAL.fullmatch(text) is not None


def whole(number: int | float | Decimal) -> bool:
    """Tell whether a number has no fraction; what is infinite, or no number, is not whole."""
    if isinstance(number, Decimal):
        return number.is_finite() and number == number.to_integral_value()
    return isinstance(number, int) or number.is_integer()


def moment_in(text: str) -> datetime | None:
    """Return the time that an ISO text is; a day begins at midnight, a time with a zone is told in UTC."""
    text = text.strip()
    if not _MOMENT.fullmatch(text):
        return None
    try:
        return without_zone(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        return None


def without_zone(moment: datetime) -> datetime:
    """Return the time in UTC, without saying so; one without a zone is believed to be in UTC."""
    if moment.tzinfo is None:
        return moment
    try:
        return moment.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:  # within a day of the first or the last time there is
        return moment.replace(tzinfo=None)


def truth_in(text: str) -> int | Decimal | None:
    """Return 1 or 0 for a word that means yes or no, and any number for itself."""
    said = _TRUTH.get(text.strip().lower())
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
        return json_text(json.loads(text))
    except (ValueError, RecursionError):
        return None


def json_text(value: Any) -> str:
    """Return lists and dicts as JSON with keys in order, which is the same for all that are equal."""
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))


def _plain(value: Any) -> Any:
    match value:
        case dict():
            return {text_of(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case float():
            return _plain(Decimal(repr(value)))  # the number that is written for it
        case Decimal() if not whole(value):
            return float(value)
        case Decimal() if abs(value) < _LONGEST:  # Python writes no more digits than that
            return int(value)  # 1.0 is 1 for JSON
        case None | str() | int():
            return value
    return text_of(value)
