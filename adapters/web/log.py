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
from router.memory.thread import ThreadKey
from router.storage.clock import Clock, now
from router.storage.database import Database
from router.storage.erasure import erase_thread
from router.storage.tables import page_entries, page_threads

GONE: Final = "This conversation was deleted, so I didn't take that. Begin a new one."


@dataclass(frozen=True, slots=True)
class ListedThread:
    """A conversation as the list shows it; `used` is the time of its last message."""

    id: str
    title: str
    used: datetime


def key_of(thread: str) -> ThreadKey:
    """Return the key by which the core knows a thread of the page."""
    return ThreadKey("web", "", "", thread)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Something said by the person, or shown by the bot (`reply`, with no cards if the person spoke).

    `answer` is None while nobody answered it; then it is the label that was pressed, or empty for typed words.
    """

    number: int
    said: str
    reply: Reply
    answer: str | None

    @property
    def stands(self) -> bool:
        """Return whether this is a question that nobody has answered."""
        return self.reply.turn > 0 and self.answer is None


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
            self._touch(connection, thread)
            return _added(connection, thread, said=words)

    def rename(self, thread: str, title: str) -> None:
        """Give the thread another title."""
        with self._database.transaction() as connection:
            connection.execute(_TOUCH, {"of_thread": thread, "title": title})

    def delete(self, thread: str) -> None:
        """Delete the thread with all that was said and shown in it."""
        erase_thread(self._database, key_of(thread))

    def reword(self, number: int, words: str) -> None:
        """Put other words in the place of what the person said."""
        self._change(number, said=words)

    def last_said(self, thread: str) -> LogEntry | None:
        """Return what the person said last."""
        return next(iter(self._entries(_SAID, {"of_thread": thread})), None)

    def show(self, thread: str, reply: Reply, message: str = "") -> tuple[int, str]:
        """Have the bot's message be there, once, and the thread at the top of its owner's list.

        Returns the number of the entry, and the owner where the thread was not at the top. Raises JobFailed.
        """
        with self._database.transaction() as connection:
            owner = self._touch(connection, thread)
            number = connection.execute(_FIND, {"of_message": message}).scalar() if message else None
            if number is None:
                return _added(connection, thread, reply=reply_json(reply), message=message or None), owner
            connection.execute(_CHANGE, {"of_number": number, "reply": reply_json(reply), "answer": None})
            return number, owner

    def redraw(self, number: int, reply: Reply, answer: str | None = None, message: str = "") -> bool:
        """Put the reply in the place of an entry, under another id where one is given; return whether it is there."""
        named = {"message": message} if message else {}
        return self._change(number, reply=reply_json(reply), answer=answer, **named)

    def answer(self, number: int) -> bool:
        """Note that a question was answered, without how; return whether it stood until now."""
        with self._database.transaction() as connection:
            return connection.execute(_ANSWER, {"of_number": number}).rowcount > 0

    def remove(self, number: int) -> None:
        """Delete an entry."""
        with self._database.transaction() as connection:
            connection.execute(_REMOVE, {"of_number": number})

    def find(self, message: str) -> int | None:
        """Return the number of the entry that the bot knows by this id."""
        with self._database.reading() as connection:
            return connection.execute(_FIND, {"of_message": message}).scalar()

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

    def _touch(self, connection: Connection, thread: str) -> str:
        """Move the thread to the top of its owner's list; returns the owner where it was not there."""
        owner = connection.execute(_OWNER, {"of_thread": thread}).scalar()
        if owner is None:
            raise JobFailed(GONE)
        first = connection.execute(_THREADS.limit(1), {"of_owner": owner}).scalar()
        connection.execute(_TOUCH, {"of_thread": thread, "used": self._clock()})
        return "" if first == thread else owner

    def _change(self, number: int, **values: object) -> bool:
        with self._database.transaction() as connection:
            return connection.execute(_CHANGE, {"of_number": number, **values}).rowcount > 0


# Built once: that takes longer than to execute them.
_THREAD = select(page_threads.c.id, page_threads.c.title, page_threads.c.used)
_THREADS = _THREAD.where(page_threads.c.owner == bindparam("of_owner")).order_by(page_threads.c.used.desc())
_OWN_THREAD = _THREAD.where(page_threads.c.id == bindparam("of_thread"), page_threads.c.owner == bindparam("of_owner"))
_OWNER = select(page_threads.c.owner).where(page_threads.c.id == bindparam("of_thread"))
_TOUCH = update(page_threads).where(page_threads.c.id == bindparam("of_thread"))
_ENTRIES = select(page_entries).where(page_entries.c.thread == bindparam("of_thread"))
_LATEST = _ENTRIES.order_by(page_entries.c.number.desc())
_SAID = _LATEST.where(page_entries.c.said.is_not(None)).limit(1)
_IS_ENTRY = page_entries.c.number == bindparam("of_number")
_ENTRY = _ENTRIES.where(_IS_ENTRY)
_CHANGE = update(page_entries).where(_IS_ENTRY)
_ANSWER = _CHANGE.where(page_entries.c.answer.is_(None)).values(answer="")
_REMOVE = delete(page_entries).where(_IS_ENTRY)
_FIND = select(page_entries.c.number).where(page_entries.c.message == bindparam("of_message")).limit(1)


def _added(connection: Connection, thread: str, **values: str | None) -> int:
    key = connection.execute(insert(page_entries), {"thread": thread, **values}).inserted_primary_key
    assert key
    return int(key[0])


def _entry(row: Row[Any]) -> LogEntry:
    reply = reply_from_json(row.reply) if row.reply else Reply()
    return LogEntry(row.number, row.said or "", reply, row.answer)
