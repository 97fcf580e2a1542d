"""The page's own log: what was said and shown in each thread; every change is committed at once.

No rows of a result are in it: what is read from here is drawn by way of `adapters.web.talks`.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, Select, bindparam, delete, insert, select, update
from sqlalchemy.engine import Connection

from adapters.rendering.card_json import reply_from_json, reply_json
from router.cards import Reply
from router.errors import JobFailed
from router.storage.clock import Clock, now
from router.storage.database import Database
from router.storage.tables import page_entries, page_threads

GONE: Final = "This conversation was deleted, so I didn't take that. Begin a new one."


@dataclass(frozen=True, slots=True)
class ListedThread:
    """A conversation as the list shows it; `used` is the time of its last message."""

    id: str
    title: str
    used: datetime


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Something said by the person, or shown by the bot (`reply`, with no cards where the person spoke).

    `answer` is None while a question stands; then it is the label that was pressed, or empty for typed words. `asks`:
    it is a question, and nothing came of it yet.
    """

    number: int
    said: str
    reply: Reply
    answer: str | None
    asks: bool

    @property
    def stands(self) -> bool:
        """Tell whether this is a question that nobody has answered."""
        return self.asks and self.answer is None

    @property
    def waits(self) -> bool:
        """Tell whether this is a question of which a button was pressed, and that is worked on."""
        return self.asks and bool(self.answer)


class TalkLog:
    """Reads and writes the log; thread-safe, and each call takes about a millisecond."""

    def __init__(self, database: Database, clock: Clock = now) -> None:
        self._database, self._clock = database, clock

    def begin(self, thread: str, owner: str, title: str) -> None:
        """Add a thread of this owner, with nothing in it."""
        with self._database.transaction() as connection:
            row = {"id": thread, "owner": owner, "title": title, "used": self._clock()}
            connection.execute(insert(page_threads), row)

    def threads(self, owner: str, most: int) -> tuple[ListedThread, ...]:
        """Return the owner's threads, the last used first, `most` of them."""
        with self._database.reading() as connection:
            return tuple(ListedThread(*row) for row in connection.execute(_THREADS.limit(most), {"of_owner": owner}))

    def thread(self, thread: str, owner: str) -> ListedThread | None:
        """Return the thread if it is this owner's, else None."""
        with self._database.reading() as connection:
            row = connection.execute(_OWN_THREAD, {"of_thread": thread, "of_owner": owner}).first()
        return ListedThread(*row) if row else None

    def say(self, thread: str, words: str) -> int:
        """Add what the person said, and move the thread to the top of its owner's list; raises JobFailed."""
        with self._database.transaction() as connection:
            if not self._touch(connection, thread):
                raise JobFailed(GONE)
            return _added(connection, thread, said=words)

    def rename(self, thread: str, title: str) -> None:
        """Give the thread another title."""
        with self._database.transaction() as connection:
            connection.execute(_TOUCH, {"of_thread": thread, "title": title})

    def delete(self, thread: str) -> None:
        """Delete the thread with all that was said and shown in it."""
        with self._database.transaction() as connection:
            connection.execute(_DELETE_ENTRIES, {"of_thread": thread})
            connection.execute(_DELETE_THREAD, {"of_thread": thread})

    def reword(self, entry: LogEntry, words: str) -> None:
        """Put other words in the place of what the person said."""
        self._change(entry, said=words)

    def last_said(self, thread: str) -> LogEntry | None:
        """Return what the person said last."""
        return next(iter(self._entries(_SAID, {"of_thread": thread})), None)

    def touch(self, thread: str) -> None:
        """Move the thread to the top of its owner's list."""
        with self._database.transaction() as connection:
            self._touch(connection, thread)

    def show(self, thread: str, reply: Reply, closes: LogEntry | None = None) -> int:
        """Add what the bot showed; it closes the question before it, both or neither."""
        with self._database.transaction() as connection:
            if closes:
                connection.execute(_CHANGE, {"of_number": closes.number, "turn": 0})
            return _added(connection, thread, reply=reply_json(reply), turn=reply.turn)

    def replace(self, entry: LogEntry, reply: Reply) -> None:
        """Put the reply in the place of an entry; it stands as a question again."""
        self._change(entry, reply=reply_json(reply), turn=reply.turn, answer=None)

    def answer(self, entry: LogEntry, label: str | None) -> None:
        """Note how a question was answered; None opens it again."""
        self._change(entry, answer=label)

    def close(self, entry: LogEntry) -> None:
        """Note that an entry asks nothing any more: what it was about is done."""
        self._change(entry, turn=0)

    def question(self, thread: str) -> LogEntry | None:
        """Return the last question of the thread that stands, or whose answer nothing was shown of yet."""
        return next(iter(self._entries(_QUESTION, {"of_thread": thread})), None)

    def entry(self, thread: str, number: int) -> LogEntry | None:
        """Return one entry of the thread."""
        return next(iter(self._entries(_ENTRY, {"of_thread": thread, "of_number": number})), None)

    def latest(self, thread: str, most: int, before: int | None = None) -> tuple[LogEntry, ...]:
        """Return the last entries of a thread, or the last ones before a number, oldest first."""
        query = _LATEST.where(page_entries.c.number < before) if before else _LATEST
        return tuple(reversed(self._entries(query.limit(most), {"of_thread": thread})))

    def _entries(self, query: Select[Any], values: dict[str, Any]) -> list[LogEntry]:
        with self._database.reading() as connection:
            return [_entry(row) for row in connection.execute(query, values)]

    def _touch(self, connection: Connection, thread: str) -> bool:
        """Tell whether the thread is there."""
        return connection.execute(_TOUCH, {"of_thread": thread, "used": self._clock()}).rowcount > 0

    def _change(self, entry: LogEntry, **values: object) -> None:
        with self._database.transaction() as connection:
            connection.execute(_CHANGE, {"of_number": entry.number, **values})


# Built once: that takes longer than to execute them.
_THREAD = select(page_threads.c.id, page_threads.c.title, page_threads.c.used)
_THREADS = _THREAD.where(page_threads.c.owner == bindparam("of_owner")).order_by(page_threads.c.used.desc())
_OWN_THREAD = _THREAD.where(page_threads.c.id == bindparam("of_thread"), page_threads.c.owner == bindparam("of_owner"))
_TOUCH = update(page_threads).where(page_threads.c.id == bindparam("of_thread"))
_ENTRIES = select(page_entries).where(page_entries.c.thread == bindparam("of_thread"))
_LATEST = _ENTRIES.order_by(page_entries.c.number.desc())
_QUESTION = _LATEST.where(page_entries.c.turn > 0).limit(1)
_SAID = _LATEST.where(page_entries.c.said.is_not(None)).limit(1)
_DELETE_ENTRIES = delete(page_entries).where(page_entries.c.thread == bindparam("of_thread"))
_DELETE_THREAD = delete(page_threads).where(page_threads.c.id == bindparam("of_thread"))
_ENTRY = _ENTRIES.where(page_entries.c.number == bindparam("of_number"))
_CHANGE = update(page_entries).where(page_entries.c.number == bindparam("of_number"))


def _added(
    connection: Connection, thread: str, *, said: str | None = None, reply: str | None = None, turn: int = 0
) -> int:
    row = {"thread": thread, "said": said, "reply": reply, "turn": turn}
    key = connection.execute(insert(page_entries), row).inserted_primary_key
    assert key
    return int(key[0])


def _entry(row: Row[Any]) -> LogEntry:
    reply = reply_from_json(row.reply) if row.reply else Reply()
    return LogEntry(row.number, row.said or "", reply, row.answer, asks=row.turn > 0)
