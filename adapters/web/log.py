"""The page's own log: what was said and shown in each thread, in one SQLite file; every change is committed at once.

No rows of a result are in it: what is read from here is drawn by way of `adapters.web.past`.
"""

import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Any

from adapters.card_json import reply_from_json, reply_json
from router.cards import Progress, Reply

_TABLES = """
CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL, used REAL NOT NULL);
CREATE INDEX IF NOT EXISTS threads_by_owner ON threads (owner, used);
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL,
    said TEXT, reply TEXT, turn INTEGER NOT NULL, answer TEXT
);
CREATE INDEX IF NOT EXISTS entries_by_thread ON entries (thread, number);
"""
_ENTRY = "SELECT number, said, reply, answer FROM entries WHERE thread = ?"


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation as the list shows it; `used` is the time of its last message, in seconds since 1970."""

    id: str
    title: str
    used: float


@dataclass(frozen=True, slots=True)
class Entry:
    """Something said by the person, or shown by the bot (`reply`, with no cards where the person spoke).

    `answer` is None while a question stands; then it is the label that was pressed, or empty for typed words.
    """

    number: int
    said: str
    reply: Reply
    answer: str | None

    @property
    def stands(self) -> bool:
        """Tell whether this is a question that nobody has answered."""
        return self.reply.turn > 0 and self.answer is None


class Log:
    """Reads and writes the log; for the event loop's thread alone, where each call takes about a millisecond."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        self._file = sqlite3.connect(path, isolation_level=None, timeout=10)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.executescript(_TABLES)

    def begin(self, thread: str, owner: str, title: str) -> None:
        """Add a thread of this owner, with nothing in it."""
        self._file.execute("INSERT INTO threads VALUES (?, ?, ?, ?)", (thread, owner, title, time()))

    def threads(self, owner: str, most: int) -> tuple[Thread, ...]:
        """Return the owner's threads, the last used first, `most` of them."""
        rows = self._file.execute(
            "SELECT id, title, used FROM threads WHERE owner = ? ORDER BY used DESC LIMIT ?", (owner, most)
        )
        return tuple(Thread(*row) for row in rows)

    def thread(self, thread: str, owner: str) -> Thread | None:
        """Return the thread if it is this owner's, else None."""
        rows = self._file.execute("SELECT id, title, used FROM threads WHERE id = ? AND owner = ?", (thread, owner))
        return next((Thread(*row) for row in rows), None)

    def say(self, thread: str, words: str) -> Entry:
        """Add what the person said, and move the thread to the top of its owner's list."""
        self.touch(thread)
        return self._added(thread, words, None, 0)

    def touch(self, thread: str) -> None:
        """Move the thread to the top of its owner's list."""
        self._file.execute("UPDATE threads SET used = ? WHERE id = ?", (time(), thread))

    def show(self, thread: str, reply: Reply) -> Entry:
        """Add what the bot showed, and return it as it was shown."""
        entry = self._added(thread, None, reply_json(reply), reply.turn)
        return Entry(entry.number, "", _lasting(reply), None)

    def replace(self, entry: Entry, reply: Reply) -> Entry:
        """Put the reply in the place of an entry, and return it as it was shown; it stands as a question again."""
        values = (reply_json(reply), reply.turn, entry.number)
        self._file.execute("UPDATE entries SET reply = ?, turn = ?, answer = NULL WHERE number = ?", values)
        return Entry(entry.number, "", _lasting(reply), None)

    def answer(self, entry: Entry, label: str) -> Entry:
        """Note that a question was answered."""
        self._file.execute("UPDATE entries SET answer = ? WHERE number = ?", (label, entry.number))
        return Entry(entry.number, entry.said, entry.reply, label)

    def question(self, thread: str) -> Entry | None:
        """Return the last question of the thread, answered or not."""
        return self._one(f"{_ENTRY} AND turn > 0 ORDER BY number DESC LIMIT 1", thread)

    def entry(self, thread: str, number: int) -> Entry | None:
        """Return one entry of the thread."""
        return self._one(f"{_ENTRY} AND number = ?", thread, number)

    def latest(self, thread: str, most: int, before: int | None = None) -> tuple[Entry, ...]:
        """Return the last entries of a thread, or the last ones before a number, oldest first."""
        rows = self._file.execute(
            f"{_ENTRY} AND number < ? ORDER BY number DESC LIMIT ?", (thread, before or sys.maxsize, most)
        )
        return tuple(_entry(row) for row in reversed(rows.fetchall()))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _added(self, thread: str, said: str | None, reply: str | None, turn: int) -> Entry:
        cursor = self._file.execute(
            "INSERT INTO entries (thread, said, reply, turn) VALUES (?, ?, ?, ?)", (thread, said, reply, turn)
        )
        return _entry((cursor.lastrowid, said, reply, None))

    def _one(self, query: str, *values: object) -> Entry | None:
        row = self._file.execute(query, values).fetchone()
        return None if row is None else _entry(row)


def _lasting(reply: Reply) -> Reply:
    cards = tuple(card for card in reply.cards if not isinstance(card, Progress))
    return Reply(cards, turn=reply.turn, sensitivity=reply.sensitivity)


def _entry(row: tuple[Any, ...]) -> Entry:
    number, said, reply, answer = row
    return Entry(number, said or "", reply_from_json(reply) if reply else Reply(), answer)
