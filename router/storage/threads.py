"""The store of threads: JSON texts, committed before an answer is sent.

In a home it is a SqliteDict of compressed texts, on a server a table; both are held to the same promises by
`tests/router/storage/test_thread_stores.py`.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import pydantic_core
from pydantic import TypeAdapter
from sqlalchemy import Select, delete, select
from sqlalchemy.exc import SQLAlchemyError
from sqlitedict import SqliteDict

from router.errors import JobFailed, StateAway
from router.memory.thread import MEMORY_VERSION, Memory, ThreadKey, key_from
from router.memory.understanding import TypedAt
from router.storage.clock import Clock, now
from router.storage.database import Database, upsert
from router.storage.packed_text import packed, unpacked
from router.storage.server import ServerAway, repeated_if_cut
from router.storage.tables import threads

_MEMORY = TypeAdapter(Memory)

TYPED_AT: dict[str, TypedAt] = {
    "START": "open",
    "NEED_NATURAL_LANGUAGE": "open",
    "SHOW_RESULTS": "rows",
    "CONFIRM_GENERATED_SQL": "sql",
    "CONFIRM_USER_SQL": "own_sql",
    "CONFIRM_EMAIL_QUERY": "email_sql",
    "NEED_USER_SQL": "provide",
    "NEED_EMAIL_QUERY": "provide_email",
}
"""The word for each stage of version 1 at which a message was typed that is still to be understood."""

MERGED_STAGES = {
    "CHOOSE_TARGET_SCHEMA": "CHOOSE_TARGET",
    "FETCH_TABLES": "FETCH_SCHEMAS",
    "CHOOSE_TARGET_TABLE": "CHOOSE_TARGET",
    "NAME_JOB": "CONFIRM_WRITE",
    "CONFIRM_RESEND": "CONFIRM_EMAIL",
    "CHOOSE_VALUE": "WRITE_SQL",
    "CHOOSE_FIRST_VALUE": "WRITE_FIRST_SQL",
    "CHOOSE_SECOND_VALUE": "WRITE_SECOND_SQL",
}
"""The stages that ask today what a stage of its own asked before."""

TASKS = ("writing", "mailing", "repeating", "comparing")


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
        return [key for text in self._threads if (key := key_from(text)).platform == platform and key.team == team]

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
        """Remember the thread; it is on the server's disk when this returns."""
        row = {"thread": str(key), "platform": key.platform, "team": key.team, "memory": to_json(memory)}
        with self._sentence(), self._database.writing() as connection:
            upsert(connection, threads, {**row, "saved": self._clock()})

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
        """Do nothing: the database is closed by whoever opened it."""

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


def to_json(memory: Memory) -> str:
    """Return the memory as JSON, without the fields that have their defaults: these are half of it."""
    written = _MEMORY.dump_python(memory, mode="json", exclude_defaults=True)
    return pydantic_core.to_json({"version": memory.version} | written).decode()


def from_json(text: str) -> Memory:
    """Return the memory from JSON; unknown fields of another version are ignored, missing ones take defaults."""
    return _MEMORY.validate_python(upgraded(json.loads(text)))


def upgraded(stored: dict[str, Any]) -> dict[str, Any]:
    """Return a stored memory in today's shape: one `if` a version."""
    if stored.get("version", 1) < 2:
        stored = {**_with_tasks(stored), "trail": [_with_tasks(step) for step in stored.get("trail", ())]}
        if heard := stored.get("understanding"):
            stored["understanding"] = {**heard, "typed_at": TYPED_AT.get(heard.get("stage", ""), "ask")}
    if stored.get("version", 1) < 3:
        stored = _with_steps(stored)
    if stored.get("understanding", {}).get("typed_at") == "value":
        stored["understanding"]["typed_at"] = "ask"
    stored = {**_with_stage(stored), "trail": [_with_stage(step) for step in stored.get("trail", ())]}
    return {**stored, "version": MEMORY_VERSION}


def _with_stage(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a memory, or a step of its trail, at the stage that asks today what one of its own asked before."""
    return {**fields, "stage": MERGED_STAGES[fields["stage"]]} if fields.get("stage") in MERGED_STAGES else fields


def _with_tasks(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a memory, or a step of its trail, whose tasks were fields of its own before version 2."""
    return {**fields, "tasks": {name: fields[name] for name in TASKS if name in fields}}


def _with_steps(stored: Any) -> Any:
    """Return what is stored, with the explanation of each query as its one step: before version 3 it was one text."""
    if isinstance(stored, list):
        return [_with_steps(each) for each in stored]
    if not isinstance(stored, dict):
        return stored
    fields = {name: _with_steps(value) for name, value in stored.items()}
    if "sql" in fields and (explanation := fields.pop("explanation", "")):
        fields["steps"] = [explanation]
    return fields
