"""What people chose when the bot asked what they meant: kept for somebody to look at, without who it was."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from router.errors import JobFailed
from router.intents.categories import Category
from router.knowledge.sqlite_file import VectorFile, new_number

_TABLE = """
CREATE TABLE IF NOT EXISTS choices (
    id TEXT PRIMARY KEY, text TEXT NOT NULL, offered TEXT NOT NULL, chosen TEXT NOT NULL, at TEXT NOT NULL,
    state TEXT NOT NULL
);
"""

MOST = 1000
"""Choices that are kept; the oldest go."""

LONGEST = 300
"""Characters of a sentence that are kept."""


class Review(StrEnum):
    """What became of a choice; the values are stored."""

    WAITING = "WAITING"
    ACCEPTED = "ACCEPTED"
    DISMISSED = "DISMISSED"


@dataclass(frozen=True, slots=True)
class Choice:
    """A sentence, what was offered for it, and what was chosen; `chosen` is None for something else."""

    id: str
    text: str
    offered: tuple[Category, ...]
    chosen: Category | None
    at: str
    state: Review = Review.WAITING


class Choices(VectorFile):
    """Choices in one SQLite file; thread-safe, and several processes may use it."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        super().__init__(path, _TABLE)
        self._clock = clock

    def keep(self, text: str, offered: tuple[Category, ...], chosen: Category | None) -> Choice:
        """Keep what was chosen, and let go of the oldest choices where there are too many."""
        at = self._clock().astimezone(UTC).isoformat(timespec="seconds")
        id = new_number("I")
        choice = Choice(id, " ".join(text.split())[:LONGEST], offered, chosen, at)
        values = (id, choice.text, json.dumps(offered), chosen or "", at, choice.state)
        self._do("INSERT INTO choices VALUES (?, ?, ?, ?, ?, ?)", *values)
        self._do(
            "DELETE FROM choices WHERE rowid NOT IN (SELECT rowid FROM choices ORDER BY at DESC, rowid DESC LIMIT ?)",
            MOST,
        )
        return choice

    def waiting(self) -> tuple[Choice, ...]:
        """Return those that nobody has looked at, the oldest first."""
        return tuple(
            map(_choice, self._do(f"SELECT {_COLUMNS} FROM choices WHERE state = 'WAITING' ORDER BY at, rowid"))
        )

    def get(self, id: str) -> Choice:
        """Return a choice; raises JobFailed where there is none of this id (any more)."""
        rows = self._do(f"SELECT {_COLUMNS} FROM choices WHERE id = ?", id.upper())
        if not rows:
            raise JobFailed(f"There is no choice {id}; `icc-bot intents review` shows those that wait.")
        return _choice(rows[0])

    def review(self, id: str, state: Review) -> None:
        """Keep what became of a choice."""
        self._do("UPDATE choices SET state = ? WHERE id = ?", state, id.upper())

    def drop_vectors(self) -> None:
        """Delete what models made of examples."""
        self._do("DELETE FROM vectors")

    def _do(self, statement: str, *values: str | int) -> list[tuple[str, ...]]:
        with self._lock, closing(self._file.execute(statement, values)) as cursor:
            return cursor.fetchall()


_COLUMNS = "id, text, offered, chosen, at, state"


def _choice(row: tuple[str, ...]) -> Choice:
    id, text, offered, chosen, at, state = row
    known = tuple(Category(each) for each in json.loads(offered))
    return Choice(id, text, known, Category(chosen) if chosen else None, at, Review(state))
