"""Any value as text, in a form that databases read again."""

import json
from datetime import timedelta
from typing import Any

from router.language.wording import counted, truncate
from router.sql.cell_text import plain

SHOWN_VALUE_MAX_CHARS = 60


def text_of(value: Any) -> str:
    """Return the whole value as a database reads it again: as exports write it, but for three types.

    A length of time has its sign at each part, bytes are hexadecimal digits, and JSON has no NaN.
    """
    match value:
        case timedelta():
            return length_of(value)
        case bytes():
            return value.hex()
        case list() | tuple() | dict():
            return json_of(value)
    return plain(value)


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
    text = counted(len(value), "byte") if isinstance(value, bytes) else " ".join(text_of(value).split())
    text = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    return truncate(text, SHOWN_VALUE_MAX_CHARS)
