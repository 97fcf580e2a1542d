"""One stored result, opened for reading: pages of it in any order, and all its rows in a stream."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from pydantic import TypeAdapter

from router.errors import JobFailed
from router.jobs.codec import decode, glimpse
from router.jobs.order import folded, sort_key
from router.jobs.seen import Seen
from router.memory import ResultRef
from router.sql.databases.weight import Scale, gathered

Form = Literal["number", "text", "any"]
"""What lies in a column: only int and float, only str, or anything; NULL may be in each."""
Sort = tuple[int, Literal["up", "down"]]
Row = tuple[Any, ...]

_KEYS: dict[Form, str] = {"number": "c{}", "text": "folded(c{})", "any": "sort_key(c{})"}


@dataclass(frozen=True, slots=True)
class About:
    """What a result's file says about itself: its reference, a form a column, and what was seen of each."""

    ref: ResultRef
    forms: tuple[Form, ...]
    seen: tuple[Seen, ...] = ()
    """Empty in a file that an earlier version wrote."""


_ABOUT = TypeAdapter(About)


class Sheet:
    """A complete result file; used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        # Nobody changes a complete file, so SQLite needs no locks and no journal to read it.
        self.database = sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True, check_same_thread=False)
        try:
            self.database.create_function("folded", 1, folded, deterministic=True)
            self.database.create_function("sort_key", 1, sort_key, deterministic=True)
            about = _ABOUT.validate_json(self.database.execute("SELECT json FROM about").fetchone()[0])
        except BaseException:
            self.database.close()
            raise
        self.ref, self.forms, self.seen = about.ref, about.forms, about.seen

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()

    def page(self, offset: int, limit: int, sort: Sort | None) -> Iterator[Row]:
        """Give `limit` rows after the first `offset` in this order; NULL comes last, and equal rows stay as read."""
        for row in self._page(offset, limit, sort):
            yield tuple(map(decode, row))

    def glimpses(self, offset: int, limit: int, sort: Sort | None) -> Iterator[Row]:
        """Give these rows for a look at them: of long lists and objects, only the beginning of their text."""
        for row in self._page(offset, limit, sort):
            yield tuple(map(glimpse, row))

    def _page(self, offset: int, limit: int, sort: Sort | None) -> Iterator[Row]:
        if sort is None:
            yield from self.database.execute(
                "SELECT * FROM rows WHERE rowid > ? ORDER BY rowid LIMIT ?", (offset, limit)
            )
            return
        # Only the numbers of the rows are sorted, so that SQLite holds little in memory.
        order = f"SELECT rowid FROM rows ORDER BY {self._order(*sort)}, rowid LIMIT ? OFFSET ?"
        numbers = [number for (number,) in self.database.execute(order, (limit, offset))]
        one = "SELECT * FROM rows WHERE rowid = ?"
        for number in numbers:
            yield self.database.execute(one, (number,)).fetchone()

    def _order(self, place: int, direction: Literal["up", "down"]) -> str:
        if not 0 <= place < len(self.forms):
            raise JobFailed(f"The result cannot be sorted by column {place + 1}: there is none.")
        key = _KEYS[self.forms[place]].format(place)
        return f"c{place} IS NULL, {key} {'ASC' if direction == 'up' else 'DESC'}"

    def rows(self, batch: int) -> Iterator[list[Row]]:
        """Give all rows in the order they were read, as the values that the database gave.

        They come in lists of at most `batch`, and of few where they are wide.
        """
        cursor = self.database.execute("SELECT * FROM rows")
        texts, others = ([at for at, form in enumerate(self.forms) if form == each] for each in ("text", "any"))
        wide = Scale(len(self.forms), flat=texts, deep=others)
        encoded = [place for place, form in enumerate(self.forms) if form == "any"]
        while rows := gathered(cursor.fetchmany, wide, batch):
            if encoded:
                columns = list(zip(*rows, strict=True))
                for place in encoded:
                    columns[place] = tuple(map(decode, columns[place]))
                rows = list(zip(*columns, strict=True))
            yield rows


class Sheets(Protocol):
    """What has the files of results."""

    def open(self, result: ResultRef | str) -> AbstractContextManager[Sheet]:
        """Lend the result's file; raises JobFailed where it expired."""
