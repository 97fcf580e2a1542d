"""Inputs that a platform was told are taken: each is kept until it is worked on, and known again for days after."""

import sqlite3
from pathlib import Path
from time import time
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from router.memory import ThreadKey, User
from router.turn import Filled, Incoming, Opened, Pressed, Said

_TABLES = """
CREATE TABLE IF NOT EXISTS events (event TEXT PRIMARY KEY, team TEXT NOT NULL, incoming TEXT, at REAL NOT NULL);
CREATE INDEX IF NOT EXISTS events_left ON events (at) WHERE incoming IS NOT NULL;
CREATE INDEX IF NOT EXISTS events_by_age ON events (at);
"""

KEPT = 7 * 86_400.0
"""Seconds that an event is known again; platforms repeat theirs within minutes."""

_KINDS: dict[str, TypeAdapter[Any]] = {kind.__name__: TypeAdapter(kind) for kind in (Said, Pressed, Filled, Opened)}
_KEY, _USER = TypeAdapter(ThreadKey), TypeAdapter(User)


class Inbox:
    """The inputs of one platform in an SQLite file; for the event loop's thread alone, about 0.1 ms a call."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        self._file = sqlite3.connect(path, isolation_level=None, timeout=10)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.executescript(_TABLES)

    def take(self, incoming: Incoming) -> bool:
        """Keep an input until `done`; returns False where its event was taken before, also by an earlier process."""
        values = (incoming.event, incoming.key.team, _json(incoming), time())
        cursor = self._file.execute("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?)", values)
        return cursor.rowcount > 0

    def move(self, incoming: Incoming) -> None:
        """Keep the input as it is now, since its thread was only begun for it."""
        values = (_json(incoming), incoming.event)
        self._file.execute("UPDATE events SET incoming = ? WHERE event = ? AND incoming IS NOT NULL", values)

    def done(self, event: str) -> None:
        """Forget what the input was, and go on knowing its event."""
        self._file.execute("UPDATE events SET incoming = NULL WHERE event = ?", (event,))

    def left(self) -> list[Incoming]:
        """Return the inputs that were not finished, the oldest first."""
        rows = self._file.execute("SELECT event, incoming FROM events WHERE incoming IS NOT NULL ORDER BY at, rowid")
        return [_incoming(event, text) for event, text in rows.fetchall()]

    def expire(self) -> None:
        """Forget events that nobody repeats any more."""
        self._file.execute("DELETE FROM events WHERE at < ? AND incoming IS NULL", (time() - KEPT,))

    def forget_team(self, team: str) -> None:
        """Delete what came from a team."""
        self._file.execute("DELETE FROM events WHERE team = ?", (team,))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _json(incoming: Incoming) -> str:
    kind = type(incoming.input).__name__
    fields = {
        "key": _KEY.dump_python(incoming.key),
        "user": _USER.dump_python(incoming.user),
        "kind": kind,
        "input": _KINDS[kind].dump_python(incoming.input),
        "shared": incoming.shared,
    }
    return to_json(fields).decode()


def _incoming(event: str, text: str) -> Incoming:
    stored = from_json(text)
    return Incoming(
        _KEY.validate_python(stored["key"]),
        _USER.validate_python(stored["user"]),
        _KINDS[stored["kind"]].validate_python(stored["input"]),
        event,
        stored["shared"],
    )
