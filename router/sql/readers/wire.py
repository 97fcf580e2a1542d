"""Messages between the bot and the children that read files: a head with the length, then plain values.

The bot believes no child: reading a message makes plain values, as `row_codec` has it, and has a largest length.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, BinaryIO

from router.sql.row_codec import MARSHALLED, PICKLED, decode, encode
from router.sql.scope import Scope


class ReaderRefusal(Exception):
    """A sentence for the person about what a child does not do."""


def sendable(scope: Scope) -> Scope:
    """Return the scope with no more columns than the engines look at: those of tables that hide some."""
    return replace(scope, columns={key: scope.columns[key] for key in scope.hidden if key in scope.columns})


MESSAGE_MAX_BYTES = 64 * 2**20

HEAD = struct.Struct(">cI")
"""A letter for the encoding of the body, and the body's length in bytes."""

ROWS = b"r"
"""The form of a message that holds packed lists of rows; the others are those of values."""


class UnreadableMessage(Exception):
    """The bytes are no message of ours."""


def packed(value: Any) -> bytes:
    """Return a message with its head; raises ValueError if it is too long."""
    return _headed(*encode(value))


def packed_rows(parts: Sequence[bytes], more: bool) -> bytes:
    """Return a message of packed lists of rows, with a word on whether more follow."""
    return _headed(ROWS, b"".join([packed(more), *parts]))


def unpacked(form: bytes, body: memoryview) -> Any:
    """Return the value of a message; of packed rows, the pair (rows, more)."""
    try:
        if form == ROWS:
            more, *lists = _values(body)
            return list(chain.from_iterable(lists)), more
        return decode(form, body)
    except Exception as error:  # whatever malformed bytes make of it
        raise UnreadableMessage(type(error).__name__) from error


def head_of(data: bytes) -> tuple[bytes, int]:
    """Return the form and the length of what follows; raises UnreadableMessage."""
    form, length = HEAD.unpack(data)
    if form not in (MARSHALLED, PICKLED, ROWS) or length > MESSAGE_MAX_BYTES:
        raise UnreadableMessage("the head of the message is wrong")
    return form, length


def read(file: BinaryIO) -> Any:
    """Return the next message; raises EOFError if the other end is gone."""
    head = file.read(HEAD.size)
    if len(head) < HEAD.size:
        raise EOFError
    form, length = head_of(head)
    return unpacked(form, memoryview(file.read(length)))


def _headed(form: bytes, body: bytes) -> bytes:
    if len(body) > MESSAGE_MAX_BYTES:
        raise ValueError("the message is too long")
    return HEAD.pack(form, len(body)) + body


def _values(body: memoryview) -> Iterator[Any]:
    while body:
        form, length = head_of(bytes(body[: HEAD.size]))
        end = HEAD.size + length
        yield decode(form, body[HEAD.size : end])
        body = body[end:]
