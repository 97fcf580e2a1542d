"""Where threads are remembered: a SqliteDict of JSON texts, committed before an answer is sent."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from pydantic import TypeAdapter
from sqlitedict import SqliteDict

from router.memory import Memory, ThreadKey, key_from

_MEMORY = TypeAdapter(Memory)


class Store(Protocol):
    """The engine's view of a store."""

    def load(self, key: ThreadKey) -> Memory | None: ...
    def save(self, key: ThreadKey, memory: Memory) -> None: ...
    def keys(self, platform: str, team: str) -> list[ThreadKey]: ...
    def forget(self, key: ThreadKey) -> None: ...


class SqliteStore:
    """Threads in one SQLite file; safe to use from several threads; what was saved survives a kill of the process."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._threads = SqliteDict(
            str(path), tablename="threads", encode=_plain, decode=_plain, journal_mode="WAL", outer_stack=False
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

    def forget(self, key: ThreadKey) -> None:
        """Delete what is remembered of the thread."""
        with suppress(KeyError):  # two events may tell at once that a team has gone
            del self._threads[str(key)]
            self._threads.commit(blocking=True)

    def close(self) -> None:
        """Close the file."""
        self._threads.close()


def _plain(text: Any) -> Any:
    return text


def to_json(memory: Memory) -> str:
    """Return the memory as JSON."""
    return _MEMORY.dump_json(memory).decode()


def from_json(text: str) -> Memory:
    """Return the memory from JSON; unknown fields of another version are ignored, missing ones take defaults."""
    return _MEMORY.validate_python(upgraded(json.loads(text)))


def upgraded(stored: dict[str, Any]) -> dict[str, Any]:
    """Return a stored memory in today's shape; a place for renamed fields, one `if` a version."""
    return stored
