"""Keys and rows as SQLite can keep them: keys as bytes in their order, rows as text that gives equal values again."""

import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from router.sql.comparing.difference import Row
from router.sql.comparing.forms import NUMBER, TEXT, TIME
from router.sql.comparing.keys import Key
from router.sql.comparing.reading import json_text
from router.sql.writing.texts import text_of

_TAG = "\ue000"  # of the private use area: begins the name of a type
_NESTED = (dict, list, tuple)
_BIAS = 1 << 31
_INVERTED = bytes(255 - byte for byte in range(256))


def packed_key(key: Key) -> bytes:
    """Return bytes that are in the order of keys."""
    return b"".join(bytes((rank,)) + _body(rank, value) for rank, value in zip(key[::2], key[1::2], strict=True))


def packed_row(row: Row) -> str:
    """Return a row as text."""
    if any(isinstance(value, _NESTED) and _like_a_tag(value) for value in row):
        return _packed_plain(row)
    try:
        return json.dumps(row, default=_tagged, separators=(",", ":"))
    except TypeError:  # a dict with keys that JSON does not have
        return _packed_plain(row)


def unpacked_row(text: str) -> Row:
    """Return a row that was packed, with values equal to those that it had."""
    return tuple(json.loads(text, object_hook=_untagged))


def _packed_plain(row: Row) -> str:
    """Return a row as text, with lists and dicts as texts: these are compared as JSON too."""
    plain = [json_text(value) if isinstance(value, _NESTED) else value for value in row]
    return json.dumps(plain, default=_tagged, separators=(",", ":"))


def _like_a_tag(value: Any) -> bool:
    """Tell whether a dict that is read again would be taken for a tagged value."""
    if isinstance(value, dict):
        return _TAG in value or any(map(_like_a_tag, value.values()))
    return isinstance(value, list | tuple) and any(map(_like_a_tag, value))


def _body(rank: int, value: Any) -> bytes:
    if rank == NUMBER:
        return _number(value)
    if rank == TIME:
        return str(value.isoformat(timespec="microseconds")).encode()
    if not value:
        return b"\x00\x00" if isinstance(value, str | bytes) else b""
    data = value.encode("utf-8", "surrogatepass") if rank == TEXT else value
    return bytes(data).replace(b"\x00", b"\x00\xff") + b"\x00\x00"  # so that a shorter one comes first


def _number(value: Any) -> bytes:
    """Return the sign, the place of the first digit, and the digits; all of it upside down below zero."""
    number = Decimal(value)
    if number.is_infinite():
        return b"\x02" if number > 0 else b"\x00"
    if not number:
        return b"\x01\x80"
    digits = "".join(map(str, number.as_tuple().digits)).rstrip("0").encode()
    size = (number.adjusted() + _BIAS).to_bytes(4, "big") + digits + b"\x00"
    return b"\x01\x81" + size if number > 0 else b"\x01\x7f" + size.translate(_INVERTED)


def _tagged(value: Any) -> dict[str, Any]:
    match value:
        case Decimal() | UUID():
            return {_TAG: [type(value).__name__, str(value)]}
        case datetime() | date() | time():
            return {_TAG: [type(value).__name__, value.isoformat()]}
        case timedelta():
            return {_TAG: ["timedelta", [value.days, value.seconds, value.microseconds]]}
        case bytes() | bytearray() | memoryview():
            return {_TAG: ["bytes", bytes(value).hex()]}
    return {_TAG: ["str", text_of(value)]}


def _untagged(found: dict[str, Any]) -> Any:
    if _TAG not in found:
        return found
    kind, said = found[_TAG]
    return _MAKERS[kind](said)


_MAKERS: dict[str, Any] = {
    "Decimal": Decimal,
    "UUID": UUID,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda said: timedelta(*said),
    "bytes": bytes.fromhex,
    "str": str,
}
