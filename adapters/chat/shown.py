"""What was posted into threads, so that it can be drawn again: as answered, with its next page, or after a restart."""

from dataclasses import dataclass
from pathlib import Path
from time import time

from adapters.card_json import reply_from_json, reply_json
from adapters.chat.database import opened
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
CREATE TABLE IF NOT EXISTS welcomed (team TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (team, person));
"""
_MESSAGE = "SELECT channel, message, thread, turn, reply FROM shown"


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the bot: `channel` and `id` are the platform's names of it; rows are left out of `reply`."""

    channel: str
    id: str
    key: ThreadKey
    turn: int
    reply: Reply


class Shown:
    """The bot's messages on one platform in an SQLite file; for the event loop's thread alone, about 0.1 ms a call."""

    def __init__(self, path: Path) -> None:
        self._file = opened(path, _TABLES)

    def add(self, channel: str, id: str, key: ThreadKey, reply: Reply) -> None:
        """Note a message, or what has taken the place of one."""
        values = (channel, id, key.team, str(key), reply.turn, reply_json(reply), time())
        self._file.execute("INSERT OR REPLACE INTO shown VALUES (?, ?, ?, ?, ?, ?, 0, ?)", values)

    def question(self, key: ThreadKey) -> Message | None:
        """Return the thread's last question, unless it was drawn as answered."""
        return self._one(
            f"{_MESSAGE} WHERE thread = ? AND turn > 0 AND NOT answered ORDER BY turn DESC LIMIT 1", str(key)
        )

    def answer(self, message: Message) -> None:
        """Note that a question is drawn as answered."""
        where = (message.channel, message.id)
        self._file.execute("UPDATE shown SET answered = 1 WHERE channel = ? AND message = ?", where)

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

    def forget_team(self, team: str) -> None:
        """Delete what was shown to a team."""
        for table in ("shown", "progress", "welcomed"):
            self._file.execute(f"DELETE FROM {table} WHERE team = ?", (team,))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _one(self, query: str, *values: object) -> Message | None:
        row = self._file.execute(query, values).fetchone()
        if row is None:
            return None
        channel, id, thread, turn, reply = row
        return Message(channel, id, key_from(thread), turn, reply_from_json(reply))
