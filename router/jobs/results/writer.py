"""One result while its rows come in: nobody sees it before it is whole, and it may be begun again."""

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from router.cards import Head
from router.errors import JobFailed
from router.jobs.results.cells import each_once, shortened, stored_bytes
from router.jobs.results.codec import encode, needs_care
from router.jobs.results.reader import METADATA_FORM, ZONED, ColumnStats, ResultMetadata
from router.memory.thread import ResultRef
from router.sql.cell_text import CELL_BYTES
from router.sql.databases.row_weight import Row, rows_weight
from router.sql.databases.session import Described, Kind

# Heads: each column has a name, no two have the same, and a kind that its values have.

_KINDS: tuple[tuple[Kind, frozenset[str]], ...] = (
    ("bool", frozenset({"bool"})),
    ("number", frozenset({"bool", "int", "float", "Decimal"})),
    ("date", frozenset({"date", "datetime", "time", f"datetime{ZONED}", f"time{ZONED}"})),
    ("blob", frozenset({"bytes", "bytearray", "memoryview"})),
)
"""Kinds, with the names of the types that their values have."""


def heads(columns: Sequence[Described], seen: Sequence[ColumnStats]) -> tuple[Head, ...]:
    """Return a head a column."""
    names = display_names([column.name for column in columns])
    kinds = [kind_of(each.types, column.kind) for column, each in zip(columns, seen, strict=True)]
    return tuple(map(Head, names, kinds))


def display_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names in order, each once; a third column without one is "column 3"."""
    return each_once([name if name.strip() else f"column {place}" for place, name in enumerate(names, 1)])


def kind_of(types: set[str], driver: Kind) -> Kind:
    """Return what the values are; the driver is believed if there are none, and on dates that come as texts."""
    if not types or (types == {"str"} and driver == "date"):
        return driver
    return next((kind for kind, known in _KINDS if types <= known), "text")


RESULT_MAX_COLUMNS = 2000  # SQLite's own limit

PAGE_BYTES = 16_384
"""Bytes of a page of the file."""

# Nothing reads the file before it is whole, and a half one is thrown away: a journal would only cost time.
# The exclusive lock tells others that somebody is still writing.
_SETTINGS = (
    f"page_size={PAGE_BYTES}",
    "journal_mode=OFF",
    "synchronous=OFF",
    "locking_mode=EXCLUSIVE",
    "cache_size=-8000",
)


_SPARE_BYTES = 16 * PAGE_BYTES
"""Room that is left in a file for what it says about itself, and for pages that are not full."""


class ResultWriter:
    """At most `cap` rows on their way to the disk, in a file of at most `largest` bytes; used by one thread.

    `total` rows were added. `capped`: there were more; `full`: because there was no room for them. `shortened` cells
    were cut: such as are longer than CELL_BYTES, and those of a row that would take more than half of the room.
    """

    def __init__(
        self,
        path: Path,
        columns: Sequence[Described],
        cap: int,
        disk: Callable[[], AbstractContextManager[None]],
        largest: int | None = None,
    ) -> None:
        if not 0 < len(columns) <= RESULT_MAX_COLUMNS:
            raise JobFailed(f"The query gives {len(columns)} columns; a result has 1 to {RESULT_MAX_COLUMNS}.")
        self.path, self._columns, self._cap, self._disk, self._largest = path, columns, cap, disk, largest
        self._insert = f"INSERT INTO rows VALUES ({', '.join('?' for _ in columns)})"
        self._start()

    def begin(self) -> None:
        """Forget what was added."""
        self.discard()
        self._start()

    def _start(self) -> None:
        self.total = self.shortened = 0
        self.capped = self.full = False
        self._seen = [ColumnStats() for _ in self._columns]
        names = ", ".join(f"c{place}" for place in range(len(self._columns)))
        with self._disk():
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            self._database = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            try:
                for setting in _SETTINGS:
                    self._database.execute(f"PRAGMA {setting}")
                self._database.execute("BEGIN EXCLUSIVE")
                self._database.execute(f"CREATE TABLE rows ({names})")
            except BaseException:
                self._database.close()
                raise

    def add(self, rows: list[Row]) -> None:
        """Keep these rows, or as many of them as there is room for; raises JobFailed if the disk is full."""
        room = 0 if self.full else self._cap - self.total
        more = len(rows) > room
        fitting = self._with_short_cells(rows[:room] if more else rows)
        if fitting:
            with self._disk():
                self.full = not self._put(fitting)
        self.capped = self.capped or more or self.full

    def _with_short_cells(self, rows: list[Row]) -> list[Row]:
        half = CELL_BYTES if self._largest is None else self._largest // 2
        if 4 * rows_weight(rows) <= min(CELL_BYTES, half):  # also if each letter takes four bytes
            return rows
        kept = []
        for row in rows:
            most = min(CELL_BYTES, half // len(row)) if stored_bytes(row) > half else CELL_BYTES
            short, count = shortened(row, most)
            kept.append(short)
            self.shortened += count
        return kept

    def _put(self, rows: list[Row]) -> bool:
        """Write the rows, or as many of the first as there is room for; return whether these were all."""
        if self._fits(rows):
            self._write(rows)
            return True
        if len(rows) == 1:
            return False
        half = len(rows) // 2
        return self._put(rows[:half]) and self._put(rows[half:])

    def _fits(self, rows: list[Row]) -> bool:
        if self._largest is None:
            return True
        # Of a text with letters of four bytes, of many short rows and of half empty pages, this is more than enough.
        needed = sum(map(stored_bytes, rows)) + 2 * PAGE_BYTES if len(rows) == 1 else 4 * rows_weight(rows)
        size = int(self._database.execute("PRAGMA page_count").fetchone()[0]) * PAGE_BYTES
        return size + needed + _SPARE_BYTES + 100 * len(self._columns) <= self._largest

    def _write(self, rows: list[Row]) -> None:
        columns = list(zip(*rows, strict=True))
        encoded = False
        for place, column in enumerate(columns):
            types = set(map(type, column))
            self._seen[place].add(types, column)
            if needs_care(types, column):
                columns[place] = tuple(map(encode, column))
                self._seen[place].encoded = encoded = True
        try:
            self._database.executemany(self._insert, zip(*columns, strict=True) if encoded else rows)
        except (OverflowError, UnicodeEncodeError):
            # An integer over 64 bits or half a character: too rare to look for in each value beforehand.
            self._database.execute("DELETE FROM rows WHERE rowid > ?", (self.total,))
            self._database.executemany(self._insert, (tuple(map(encode, row)) for row in rows))
            for seen in self._seen:
                seen.encoded = True
        self.total += len(rows)

    def finish(self, name: str, seconds: float, unmatched: str = "") -> ResultRef:
        """Complete the file and return the reference to it, which is written into it as well."""
        full = (self._largest or 0) if self.full else 0
        named = heads(self._columns, self._seen)
        ref = ResultRef(name, named, self.total, self.capped, seconds, full, self.shortened, unmatched)
        about = METADATA_FORM.dump_json(ResultMetadata(ref, tuple(self._seen))).decode()
        with self._disk():
            self._database.execute("CREATE TABLE about (json)")
            self._database.execute("INSERT INTO about VALUES (?)", (about,))
            self._database.execute("COMMIT")
            self._database.close()
        return ref

    def discard(self) -> None:
        """Let go of the file, and delete it if nobody took it away."""
        self._database.close()
        self.path.unlink(missing_ok=True)
