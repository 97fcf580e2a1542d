"""Python values as SQLite keeps them: what it has no type for becomes a blob that names its kind, and comes back equal.

Such a blob is MARK, one letter, and the value's bytes.
"""

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from pickle import PickleError
from typing import Any
from uuid import UUID

from router.sql import row_codec
from router.sql.cell_text import decimal_text, json_of
from router.sql.value_kinds import ExactTime, Interval, JsonText, interval_in

MARK = b"\xfa\xce"
SQLITE_TYPES = frozenset({int, float, str, bytes, type(None)})
"""The types that SQLite keeps as they are, except NaN, integers over 64 bits, lone surrogates and blobs after MARK."""

SHOWN = frozenset({b"B", b"D", b"T", b"A", b"C", b"U"})
"""The letters behind which lies the very text that exports have, which no spreadsheet takes for a formula."""

_INT64 = 2**63
_GLIMPSE_BYTES = 4000
"""Bytes of JSON that are enough for a look at it."""


def needs_care(types: set[type], column: tuple[Any, ...]) -> bool:
    """Return whether a value of this column has to be encoded; what SQLite itself refuses to bind is not looked for."""
    if not types <= SQLITE_TYPES:
        return True
    if float in types and any(value != value for value in column):  # NaN would become NULL
        return True
    return bytes in types and any(type(value) is bytes and value.startswith(MARK) for value in column)


def encode(value: Any) -> Any:
    """Return what SQLite stores for `value`; a value of an unknown type becomes its text."""
    encoder = _ENCODERS.get(type(value))
    if encoder is None:
        encoder = next((found for kind, found in _ENCODERS.items() if isinstance(value, kind)), _as_text)
    return encoder(value)


def decode(stored: Any) -> Any:
    """Return the value that `encode` was given."""
    if type(stored) is not bytes or stored[:2] != MARK:
        return stored
    return _DECODERS[stored[2:3]](stored[3:])


def glimpse(stored: Any) -> Any:
    """Return the value that `encode` was given; of long JSON its beginning, as a text."""
    if type(stored) is bytes and len(stored) > _GLIMPSE_BYTES and stored[:3] == MARK + b"O":
        return stored[3:_GLIMPSE_BYTES].decode(errors="ignore")
    return decode(stored)


def _marked(letter: str, text: str) -> bytes:
    return MARK + f"{letter}{text}".encode()


def _int(value: int) -> Any:
    return int(value) if -_INT64 <= value < _INT64 else _marked("N", str(int(value)))


def _float(value: float) -> Any:
    return float(value) if value == value else _marked("F", "NaN")


def _as_text(value: Any) -> Any:
    text = str(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return MARK + b"s" + text.encode("utf-8", "surrogatepass")
    return text


def _nested(value: Any) -> Any:
    """Return a list or an object with the types of what is in it; one with a value of an unknown type becomes JSON."""
    try:
        form, body = row_codec.encode(value)
        row_codec.decode(form, body)
    except (PickleError, TypeError):
        return _as_text(json_of(value))
    return MARK + b"j" + form + body


_ENCODERS: dict[type, Callable[[Any], Any]] = {
    type(None): lambda value: None,
    bool: lambda value: _marked("B", "true" if value else "false"),
    int: _int,
    float: _float,
    str: _as_text,
    Decimal: lambda value: _marked("D", decimal_text(value)),
    datetime: lambda value: _marked("T", value.isoformat(" ")),  # before date, which is its parent
    date: lambda value: _marked("A", value.isoformat()),
    time: lambda value: _marked("C", value.isoformat()),
    Interval: lambda value: _marked("l", str(value)),
    ExactTime: lambda value: _marked("e", f"{value.kind} {value.text}"),
    JsonText: lambda value: MARK + b"O" + value.text.encode("utf-8", "surrogatepass"),
    UUID: lambda value: _marked("U", str(value)),
    bytes: lambda value: MARK + b"x" + value if value.startswith(MARK) else value,
    bytearray: lambda value: encode(bytes(value)),
    memoryview: lambda value: encode(bytes(value)),
    list: _nested,
    tuple: _nested,
    dict: _nested,
}
_DECODERS: dict[bytes, Callable[[bytes], Any]] = {
    b"B": lambda kept: kept == b"true",
    b"N": int,
    b"F": float,
    b"D": lambda kept: Decimal(kept.decode()),
    b"T": lambda kept: datetime.fromisoformat(kept.decode()),
    b"A": lambda kept: date.fromisoformat(kept.decode()),
    b"C": lambda kept: time.fromisoformat(kept.decode()),
    b"U": lambda kept: UUID(kept.decode()),
    b"j": lambda kept: row_codec.decode(kept[:1], kept[1:]),
    b"l": lambda kept: interval_in(kept.decode()),
    b"e": lambda kept: ExactTime(*kept.decode().split(" ", 1)),  # type: ignore[arg-type]
    b"O": lambda kept: JsonText(kept.decode("utf-8", "surrogatepass")),
    b"s": lambda kept: kept.decode("utf-8", "surrogatepass"),
    b"x": lambda kept: kept,
}
