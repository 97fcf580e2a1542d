"""One result while its rows come in: nobody sees it before it is whole, and it may be begun anew."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from router.jobs.long_cells import shortened, stored_bytes
from router.jobs.sheet_writer import PAGE, SheetWriter
from router.memory import ResultRef
from router.sql.databases import Described
from router.sql.databases.weight import Row, rows_weight
from router.sql.long_cells import CELL_BYTES

_PAGES = 16 * PAGE
"""Room that is left in a file for what it says about itself, and for pages that are not full."""


class Part:
    """At most `cap` rows on their way to the disk, in a file of at most `largest` bytes; used by one thread.

    `capped`: there were more rows; `full`: because there was no room for them. `shortened` cells were cut: such as are
    longer than CELL_BYTES, and those of a row that would take more than half of the room by itself.
    """

    def __init__(
        self,
        path: Path,
        columns: Sequence[Described],
        cap: int,
        disk: Callable[[], AbstractContextManager[None]],
        largest: int | None = None,
    ) -> None:
        self.path, self._columns, self._cap, self._disk, self._largest = path, columns, cap, disk, largest
        self._writer: SheetWriter | None = None
        self.capped = self.full = False
        self.shortened = 0
        self.begin()

    @property
    def total(self) -> int:
        """The rows that were added."""
        return self._open.total

    def begin(self) -> None:
        """Forget what was added."""
        self.discard()
        self.capped = self.full = False
        self.shortened = 0
        with self._disk():
            self._writer = SheetWriter(self.path, self._columns)

    def add(self, rows: list[Row]) -> None:
        """Keep these rows, or as many of them as there is room for; raises JobFailed where the disk is full."""
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
        """Write the rows, or as many of the first as there is room for; tell whether these were all."""
        if self._fits(rows):
            self._open.add(rows)
            return True
        if len(rows) == 1:
            return False
        half = len(rows) // 2
        return self._put(rows[:half]) and self._put(rows[half:])

    def _fits(self, rows: list[Row]) -> bool:
        if self._largest is None:
            return True
        # Of a text with letters of four bytes, of many short rows and of half empty pages, this is more than enough.
        needed = sum(map(stored_bytes, rows)) + 2 * PAGE if len(rows) == 1 else 4 * rows_weight(rows)
        return self._open.size + needed + _PAGES + 100 * len(self._columns) <= self._largest

    def finish(self, name: str, seconds: float) -> ResultRef:
        """Complete the file and return the reference to it."""
        with self._disk():
            full = (self._largest or 0) if self.full else 0
            return self._open.finish(name, seconds, capped=self.capped, full=full, shortened=self.shortened)

    def close(self) -> None:
        """Let go of the file."""
        if self._writer:
            self._writer.close()
            self._writer = None

    def discard(self) -> None:
        """Let go of the file, and delete it."""
        self.close()
        self.path.unlink(missing_ok=True)

    @property
    def _open(self) -> SheetWriter:
        if self._writer is None:
            raise sqlite3.ProgrammingError("the result is closed")
        return self._writer
