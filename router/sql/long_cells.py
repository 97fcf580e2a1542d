"""Cells that are too long to be kept whole: their beginning, and a sign that says how long they were."""

import re
from typing import Any

from router.sql.plain_text import plain

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
