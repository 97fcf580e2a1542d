"""Writes the rows of one result into its SQLite file, as fast as SQLite takes them."""

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from router.errors import JobFailed
from router.jobs.codec import encode, needs_care
from router.jobs.heads import heads
from router.jobs.seen import Tally
from router.jobs.sheet import About, Form
from router.memory import ResultRef
from router.sql.databases import Described

MOST_COLUMNS = 2000  # SQLite's own limit

PAGE = 16_384
"""Bytes of a page of the file."""

# Nothing reads the file before it is whole, and a half one is thrown away: a journal would only cost time.
# The exclusive lock tells others that somebody is still writing.
_SETTINGS = (f"page_size={PAGE}", "journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", "cache_size=-8000")


class SheetWriter:
    """One result on its way to the disk; used by one thread. `total` counts the rows that were added."""

    def __init__(self, path: Path, columns: Sequence[Described]) -> None:
        if not 0 < len(columns) <= MOST_COLUMNS:
            raise JobFailed(f"The query gives {len(columns)} columns; a result has 1 to {MOST_COLUMNS}.")
        self.total = 0
        self._columns = columns
        self._types: list[set[type]] = [set() for _ in columns]
        self._tallies = [Tally() for _ in columns]
        self._encoded = [False for _ in columns]
        self._insert = f"INSERT INTO rows VALUES ({', '.join('?' for _ in columns)})"
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        names = ", ".join(f"c{place}" for place in range(len(columns)))
        try:
            for setting in _SETTINGS:
                self._database.execute(f"PRAGMA {setting}")
            self._database.execute("BEGIN EXCLUSIVE")
            self._database.execute(f"CREATE TABLE rows ({names})")
        except BaseException:
            self._database.close()
            raise

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        """Write these rows; raises sqlite3.Error where the disk does not take them."""
        columns = list(zip(*rows, strict=True))
        encoded = False
        for place, column in enumerate(columns):
            types = set(map(type, column))
            self._types[place] |= types
            self._tallies[place].add(types, column)
            if needs_care(types, column):
                if int in types:
                    self._tallies[place].widen(column)  # encoded, it would go by unnoticed
                columns[place] = tuple(map(encode, column))
                self._encoded[place] = encoded = True
        try:
            self._database.executemany(self._insert, zip(*columns, strict=True) if encoded else rows)
        except (OverflowError, UnicodeEncodeError):
            # An integer over 64 bits or half a character: too rare to look for in each value beforehand.
            self._database.execute("DELETE FROM rows WHERE rowid > ?", (self.total,))
            self._database.executemany(self._insert, (tuple(map(encode, row)) for row in rows))
            self._encoded = [True for _ in self._columns]
            for tally, column in zip(self._tallies, zip(*rows, strict=True), strict=True):
                tally.widen(column)
        self.total += len(rows)

    @property
    def size(self) -> int:
        """The bytes that the file has, or will have once all is written out."""
        return int(self._database.execute("PRAGMA page_count").fetchone()[0]) * PAGE

    def finish(self, name: str, seconds: float, *, capped: bool, full: int = 0, shortened: int = 0) -> ResultRef:
        """Complete the file and return the reference to it, which is written into it as well."""
        named = heads(self._columns, self._types)
        ref = ResultRef(name, named, self.total, capped, seconds, full, shortened)
        forms = tuple(_form(seen, encoded) for seen, encoded in zip(self._types, self._encoded, strict=True))
        seen = tuple(tally.seen() for tally in self._tallies)
        about = TypeAdapter(About).dump_json(About(ref, forms, seen)).decode()
        self._database.execute("CREATE TABLE about (json)")
        self._database.execute("INSERT INTO about VALUES (?)", (about,))
        self._database.execute("COMMIT")
        return ref

    def close(self) -> None:
        """Let go of the file, complete or not."""
        self._database.close()


def _form(types: set[type], encoded: bool) -> Form:
    if not encoded and types <= {int, float, type(None)}:
        return "number"
    return "text" if not encoded and types <= {str, type(None)} else "any"
