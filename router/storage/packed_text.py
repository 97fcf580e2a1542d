"""Long texts that are compressed in the files of a home.

A PostgreSQL server compresses long values by itself (TOAST), so that there they stay texts, which SQL can read.
"""

import zlib

from sqlalchemy import Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

PACKED_CHARS = 300
"""Texts from this length on are compressed."""

LEVEL = 1
"""The fastest one of zlib: on a talk's memory it takes 0.03 ms, and the best one makes it a tenth smaller."""


def packed(text: str) -> str | bytes:
    """Return what is stored for a text in a file: zlib's bytes, or a short text as it is."""
    return zlib.compress(text.encode(), LEVEL) if len(text) >= PACKED_CHARS else text


def unpacked(stored: str | bytes) -> str:
    """Return the text that was stored."""
    return stored if isinstance(stored, str) else zlib.decompress(stored).decode()


class PackedText(TypeDecorator[str]):
    """A column of such texts; SQL cannot search in it."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | bytes | None:
        """Return the text as it is stored: SQLite takes bytes in a column of texts."""
        return packed(value) if value is not None and dialect.name == "sqlite" else value

    def process_result_value(self, value: str | bytes | None, dialect: Dialect) -> str | None:
        """Return the text."""
        return None if value is None else unpacked(value)
