"""Any value as text, in a form that databases read again."""

import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from router.sql.plain_text import decimal_text

LONGEST = 60


def text_of(value: Any) -> str:
    """Return the whole value: dates in ISO form, decimals without an exponent, lists and dicts as JSON."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float():
            return "NaN" if value != value else repr(value)
        case datetime():
            return value.isoformat(" ")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return length_of(value)
        case Decimal():
            return decimal_text(value)
        case bytes():
            return value.hex()
        case list() | tuple() | dict():
            return json_of(value)
    return str(value)


def length_of(value: timedelta) -> str:
    """Return a length of time as "-1 days -02:03:04.5", in which the sign is at each part, as PostgreSQL has it."""
    micros = abs(value) // timedelta(microseconds=1)
    seconds, micros = divmod(micros, 1_000_000)
    days, seconds = divmod(seconds, 86_400)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}" + (f".{micros:06}" if micros else "")
    sign = "-" if value < timedelta() else ""
    return f"{sign}{days} days {sign}{clock}" if days else sign + clock


def json_of(value: Any) -> str:
    """Return the value as JSON; what JSON has no form for is a text in it. Raises ValueError for NaN and infinity."""
    return json.dumps(_keyed(value), default=text_of, ensure_ascii=False, allow_nan=False)


def _keyed(value: Any) -> Any:
    """Return the value with texts as keys, which is all that JSON has."""
    match value:
        case dict():
            return {text_of(key): _keyed(item) for key, item in value.items()}
        case list() | tuple():
            return [_keyed(item) for item in value]
    return value


def shown(value: Any) -> str:
    """Return a value as it can stand in a sentence: one short line."""
    text = f"{len(value)} bytes" if isinstance(value, bytes) else " ".join(text_of(value).split())
    text = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
