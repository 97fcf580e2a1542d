"""One result while its rows come in: nobody sees it before it is whole, and it may be begun anew."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from router.jobs.sheet_writer import SheetWriter
from router.memory import ResultRef
from router.sql.databases import Described


class Part:
    """At most `cap` rows on their way to the disk; used by one thread. `capped`: there were more.

    Once the file has `largest` bytes, it takes no more.
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
        self.capped = self._full = False
        self.begin()

    @property
    def total(self) -> int:
        """The rows that were added."""
        return self._open.total

    def begin(self) -> None:
        """Forget what was added."""
        self.discard()
        self.capped = self._full = False
        with self._disk():
            self._writer = SheetWriter(self.path, self._columns)

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        """Keep these rows, or as many of them as there is room for; raises JobFailed where the disk is full."""
        room = 0 if self._full else self._cap - self.total
        more = len(rows) > room
        if rows[:room]:
            with self._disk():
                self._open.add(rows[:room] if more else rows)
                self._full = self._largest is not None and self.path.stat().st_size >= self._largest
        self.capped = self.capped or more

    def finish(self, name: str, seconds: float) -> ResultRef:
        """Complete the file and return the reference to it."""
        with self._disk():
            return self._open.finish(name, self.capped, seconds)

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
