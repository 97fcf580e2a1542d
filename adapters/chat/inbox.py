"""Inputs that a platform was told are taken: each is kept until it is worked on, and known again for days after."""

import logging
from dataclasses import replace
from pathlib import Path
from time import time
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from adapters.chat.database import opened
from adapters.chat.surface import Heard
from router.turn import Filled, Opened, Pressed, Said

_TABLES = """
CREATE TABLE IF NOT EXISTS events (event TEXT PRIMARY KEY, team TEXT NOT NULL, heard TEXT, at REAL NOT NULL);
CREATE INDEX IF NOT EXISTS events_left ON events (at) WHERE heard IS NOT NULL;
CREATE INDEX IF NOT EXISTS events_by_age ON events (at);
"""

KEPT = 7 * 86_400.0
"""Seconds that an event is known again; platforms repeat theirs within minutes."""

GIVEN_UP = 86_400.0
"""Seconds after which an input that could not be answered is left."""

log = logging.getLogger("icc_bot")

_INPUTS: dict[str, TypeAdapter[Any]] = {kind.__name__: TypeAdapter(kind) for kind in (Said, Pressed, Filled, Opened)}
_HEARD = TypeAdapter(Heard)


class Inbox:
    """The inputs of one platform in an SQLite file; for the event loop's thread alone, about 0.1 ms a call."""

    def __init__(self, path: Path) -> None:
        self._file = opened(path, _TABLES)

    def take(self, heard: Heard) -> bool:
        """Keep an input until `done`; returns False where its event was taken before, also by an earlier process."""
        values = (heard.event, heard.key.team, _json(heard), time())
        cursor = self._file.execute("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?)", values)
        return cursor.rowcount > 0

    def move(self, heard: Heard) -> None:
        """Keep the input as it is now, since its thread was only begun for it."""
        values = (_json(heard), heard.event)
        self._file.execute("UPDATE events SET heard = ? WHERE event = ? AND heard IS NOT NULL", values)

    def done(self, event: str) -> None:
        """Forget what the input was, and go on knowing its event."""
        self._file.execute("UPDATE events SET heard = NULL WHERE event = ?", (event,))

    def left(self) -> list[Heard]:
        """Return the inputs that were not finished, the oldest first; what is too old or cannot be read is left."""
        rows = self._file.execute("SELECT event, heard, at FROM events WHERE heard IS NOT NULL ORDER BY at, rowid")
        found = []
        for event, text, at in rows.fetchall():
            try:
                heard = _heard(text)
            except (ValueError, KeyError, TypeError):
                log.exception("the input %s cannot be read, and is given up", event)
                self.done(event)
                continue
            if at < time() - GIVEN_UP:
                log.error("the input %s could not be answered for a day, and is given up", event)
                self.done(event)
            else:
                found.append(heard)
        return found

    def expire(self) -> None:
        """Forget events that nobody repeats any more."""
        self._file.execute("DELETE FROM events WHERE at < ? AND heard IS NULL", (time() - KEPT,))

    def forget(self, team: str, channel: str = "") -> None:
        """Delete what came from a team, or is left of one channel of it."""
        if not channel:
            self._file.execute("DELETE FROM events WHERE team = ?", (team,))
            return
        within = "team = ? AND json_extract(heard, '$.heard.key.channel') = ?"
        self._file.execute(f"DELETE FROM events WHERE {within}", (team, channel))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _json(heard: Heard) -> str:
    kind = type(heard.input).__name__
    return to_json({"kind": kind, "heard": _HEARD.dump_python(heard, mode="json")}).decode()


def _heard(text: str) -> Heard:
    stored = from_json(text)
    fields = stored["heard"]
    # A plain union would be told apart by its fields, and several inputs share theirs.
    return replace(_HEARD.validate_python(fields), input=_INPUTS[stored["kind"]].validate_python(fields["input"]))
