"""The store of threads: JSON texts, committed before an answer is sent.

In a home it is a SqliteDict of compressed texts, on a server a table; both are held to the same promises by
`tests/router/storage/test_thread_stores.py`.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

import pydantic_core
from pydantic import TypeAdapter
from sqlalchemy import Select, delete, select
from sqlalchemy.exc import SQLAlchemyError
from sqlitedict import SqliteDict

from router.errors import JobFailed, StateAway
from router.memory.thread import Memory, ThreadKey, key_from
from router.storage.clock import Clock, now
from router.storage.database import Database, upsert
from router.storage.packed_text import packed, unpacked
from router.storage.server import ServerAway, repeated_if_cut
from router.storage.tables import threads

_MEMORY = TypeAdapter(Memory)


class ThreadStore(Protocol):
    """The engine's view of a store."""

    def load(self, key: ThreadKey) -> Memory | None: ...
    def save(self, key: ThreadKey, memory: Memory) -> None: ...
    def keys(self, platform: str, team: str) -> list[ThreadKey]: ...
    def forget(self, key: ThreadKey) -> None: ...


class KeptThreads(ThreadStore, Protocol):
    """The view of those who look after what is kept."""

    def every(self) -> list[ThreadKey]: ...
    def close(self) -> None: ...


class SqliteStore:
    """Threads in one SQLite file; safe to use from several threads; what was saved survives a kill of the process."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._threads = SqliteDict(
            str(path), tablename="threads", encode=packed, decode=unpacked, journal_mode="WAL", outer_stack=False
        )

    def load(self, key: ThreadKey) -> Memory | None:
        """Return what is remembered of the thread, or None."""
        text = self._threads.get(str(key))
        return None if text is None else from_json(text)

    def save(self, key: ThreadKey, memory: Memory) -> None:
        """Remember the thread; it is on disk when this returns."""
        self._threads[str(key)] = to_json(memory)
        self._threads.commit(blocking=True)

    def keys(self, platform: str, team: str) -> list[ThreadKey]:
        """Return the keys of all threads of a team."""
        return [key for key in self.every() if (key.platform, key.team) == (platform, team)]

    def every(self) -> list[ThreadKey]:
        """Return the keys of all threads."""
        return [key_from(text) for text in self._threads]

    def forget(self, key: ThreadKey) -> None:
        """Delete what is remembered of the thread."""
        with suppress(KeyError):  # two events may tell at once that a team has gone
            del self._threads[str(key)]
            self._threads.commit(blocking=True)

    def close(self) -> None:
        """Close the file."""
        self._threads.close()


class TableStore:
    """Threads in a table of the bot's database; safe to use from several threads and processes."""

    def __init__(self, database: Database, clock: Clock = now) -> None:
        self._database, self._clock = database, clock

    def load(self, key: ThreadKey) -> Memory | None:
        """Return what is remembered of the thread, or None."""
        with self._sentence(), self._database.reading() as connection:
            text = connection.execute(select(threads.c.memory).where(threads.c.thread == str(key))).scalar()
        return None if text is None else from_json(text)

    @repeated_if_cut
    def save(self, key: ThreadKey, memory: Memory) -> None:
        """Remember the thread; it is committed when this returns."""
        with self._sentence(), self._database.writing() as connection:
            upsert(connection, threads, thread_row(key, memory, self._clock()))

    def keys(self, platform: str, team: str) -> list[ThreadKey]:
        """Return the keys of all threads of a team."""
        return self._keys(select(threads.c.thread).where(threads.c.platform == platform, threads.c.team == team))

    def every(self) -> list[ThreadKey]:
        """Return the keys of all threads."""
        return self._keys(select(threads.c.thread))

    def forget(self, key: ThreadKey) -> None:
        """Delete what is remembered of the thread."""
        with self._sentence(), self._database.writing() as connection:
            connection.execute(delete(threads).where(threads.c.thread == str(key)))

    def close(self) -> None:
        """Leave the database open: its opener closes it."""

    def _keys(self, query: Select[tuple[str]]) -> list[ThreadKey]:
        with self._sentence(), self._database.reading() as connection:
            return [key_from(row.thread) for row in connection.execute(query.order_by(threads.c.thread))]

    @contextmanager
    def _sentence(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            failure = StateAway if isinstance(error, ServerAway) else JobFailed
            raise failure(
                f"This talk cannot be read or kept right now ({type(error).__name__}). Try again in a minute."
            ) from error


def thread_row(key: ThreadKey, memory: Memory, saved: datetime) -> dict[str, Any]:
    """Return a thread as the table has it."""
    return {
        "thread": str(key),
        "platform": key.platform,
        "team": key.team,
        "memory": to_json(memory),
        "saved": saved,
    }


def to_json(memory: Memory) -> str:
    """Return the memory as JSON, without the fields that have their defaults: these are half of it."""
    written = _MEMORY.dump_python(memory, mode="json", exclude_defaults=True)
    return pydantic_core.to_json({"version": memory.version} | written).decode()


def from_json(text: str) -> Memory:
    """Return the memory from JSON; unknown fields of another version are ignored, missing ones take defaults."""
    return _MEMORY.validate_json(text)
