"""What was posted into threads, so that it can be drawn again: as answered, with its next page, or after a restart."""

from dataclasses import dataclass, replace
from pathlib import Path
from time import time

from pydantic import TypeAdapter

from adapters.card_json import reply_from_json, reply_json
from adapters.chat.database import opened
from adapters.chat.surface import Decision
from router.cards import Reply
from router.memory import ThreadKey, key_from

_TABLES = """
CREATE TABLE IF NOT EXISTS shown (
    channel TEXT NOT NULL, message TEXT NOT NULL, team TEXT NOT NULL, thread TEXT NOT NULL, turn INTEGER NOT NULL,
    reply TEXT NOT NULL, answered INTEGER NOT NULL DEFAULT 0, at REAL NOT NULL, PRIMARY KEY (channel, message)
);
CREATE INDEX IF NOT EXISTS shown_by_thread ON shown (thread, turn);
CREATE TABLE IF NOT EXISTS progress (
    channel TEXT NOT NULL, message TEXT NOT NULL, team TEXT NOT NULL, thread TEXT NOT NULL,
    PRIMARY KEY (channel, message)
);
CREATE TABLE IF NOT EXISTS decided (
    channel TEXT NOT NULL, message TEXT NOT NULL, team TEXT NOT NULL, decision TEXT NOT NULL,
    PRIMARY KEY (channel, message)
);
CREATE TABLE IF NOT EXISTS welcomed (team TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (team, person));
"""
_MESSAGE = (
    "SELECT channel, message, thread, turn, reply, decision FROM shown LEFT JOIN decided USING (channel, message)"
)
_ORPHANS = "DELETE FROM decided WHERE (channel, message) NOT IN (SELECT channel, message FROM shown)"
_DECISION = TypeAdapter(Decision)


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the bot: `channel` and `id` are the platform's names of it; rows are left out of `reply`.

    `decision` says how its question was answered, where it was.
    """

    channel: str
    id: str
    key: ThreadKey
    turn: int
    reply: Reply
    decision: Decision | None = None


class Shown:
    """The bot's messages on one platform in an SQLite file; for the event loop's thread alone, about 0.1 ms a call."""

    def __init__(self, path: Path) -> None:
        self._file = opened(path, _TABLES)

    def add(self, channel: str, id: str, key: ThreadKey, reply: Reply) -> None:
        """Note a message, or what has taken the place of one."""
        values = (channel, id, key.team, str(key), reply.turn, reply_json(reply), time())
        self._file.execute("INSERT OR REPLACE INTO shown VALUES (?, ?, ?, ?, ?, ?, 0, ?)", values)
        self._file.execute("DELETE FROM decided WHERE channel = ? AND message = ?", (channel, id))

    def question(self, key: ThreadKey) -> Message | None:
        """Return the thread's last question, unless it was drawn as answered."""
        return self._one(
            f"{_MESSAGE} WHERE thread = ? AND turn > 0 AND NOT answered ORDER BY turn DESC LIMIT 1", str(key)
        )

    def answer(self, message: Message, decision: Decision | None = None) -> None:
        """Note that a question is answered, and how; it is drawn so, or will be."""
        where = (message.channel, message.id)
        self._file.execute("UPDATE shown SET answered = 1 WHERE channel = ? AND message = ?", where)
        if decision:
            values = (*where, message.key.team, _DECISION.dump_json(decision).decode())
            self._file.execute("INSERT OR REPLACE INTO decided VALUES (?, ?, ?, ?)", values)

    def message(self, channel: str, id: str) -> Message | None:
        """Return one message."""
        return self._one(f"{_MESSAGE} WHERE channel = ? AND message = ?", channel, id)

    def last_turn(self, key: ThreadKey) -> int:
        """Return the number of the last question that was posted into the thread, 0 where there was none."""
        row = self._file.execute("SELECT max(turn) FROM shown WHERE thread = ?", (str(key),)).fetchone()
        return row[0] or 0

    def begin(self, channel: str, id: str, key: ThreadKey) -> None:
        """Note a message that shows progress, until `end`."""
        self._file.execute("INSERT OR REPLACE INTO progress VALUES (?, ?, ?, ?)", (channel, id, key.team, str(key)))

    def end(self, channel: str, id: str) -> None:
        """Forget a message that showed progress."""
        self._file.execute("DELETE FROM progress WHERE channel = ? AND message = ?", (channel, id))

    def begun(self, key: ThreadKey) -> list[tuple[str, str]]:
        """Return channel and id of the thread's messages that show progress: of a turn, or of a process that ended."""
        return self._file.execute("SELECT channel, message FROM progress WHERE thread = ?", (str(key),)).fetchall()

    def welcome(self, team: str, person: str) -> bool:
        """Tell whether the person is here for the first time; True once."""
        return self._file.execute("INSERT OR IGNORE INTO welcomed VALUES (?, ?)", (team, person)).rowcount > 0

    def expire(self, seconds: float) -> None:
        """Forget messages older than this; buttons of theirs still say that they are old."""
        self._file.execute("DELETE FROM shown WHERE at < ?", (time() - seconds,))
        self._file.execute(_ORPHANS)

    def forget(self, key: ThreadKey) -> None:
        """Delete what was shown to a key's team, or to its channel where it names one."""
        if not key.channel:
            for table in ("shown", "decided", "progress", "welcomed"):
                self._file.execute(f"DELETE FROM {table} WHERE team = ?", (key.team,))
            return
        talks = str(replace(key, thread=""))
        within = "team = ? AND (channel = ? OR substr(thread, 1, ?) = ?)"
        for table in ("shown", "progress"):
            self._file.execute(f"DELETE FROM {table} WHERE {within}", (key.team, key.channel, len(talks), talks))
        self._file.execute("DELETE FROM welcomed WHERE team = ? AND person = ?", (key.team, key.channel))
        self._file.execute(_ORPHANS)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _one(self, query: str, *values: object) -> Message | None:
        row = self._file.execute(query, values).fetchone()
        if row is None:
            return None
        channel, id, thread, turn, reply, decision = row
        found = _DECISION.validate_json(decision) if decision else None
        return Message(channel, id, key_from(thread), turn, reply_from_json(reply), found)
