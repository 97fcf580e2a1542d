"""The whole text of any value, as exports write it."""

import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

_ZEROS = 200
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
        text = f"{days} {'day' if days == 1 else 'days'} {text}"
    return f"-{text}" if value < timedelta() else text


def decimal_text(value: Decimal) -> str:
    """Return the digits without an exponent (100000, not 1E+5), except where hundreds of zeros would be written."""
    exponent = value.as_tuple().exponent
    return format(value, "f") if isinstance(exponent, int) and abs(exponent) <= _ZEROS else str(value)
