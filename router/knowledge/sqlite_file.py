"""SQLite files of the bot's folder: readable by their owner only, and whole after a kill."""

import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Lock

_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

_VECTORS = """
CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL, question TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, question)
);
"""


def opened(path: Path, tables: str) -> sqlite3.Connection:
    """Return the file with these tables, made where it is not there; for several threads, which take turns."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600)
    file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    file.execute("PRAGMA journal_mode=WAL")
    file.executescript(tables)
    return file


def new_number(letter: str) -> str:
    """Return the number of something new, such as G-7F3K2Q4M."""
    return f"{letter}-{''.join(secrets.choice(_LETTERS) for _ in range(8))}"


class VectorFile:
    """A file that has the vectors of its texts beside its own tables; thread-safe."""

    def __init__(self, path: Path, tables: str) -> None:
        self._file, self._lock = opened(path, tables + _VECTORS), Lock()

    def vectors(self, model: str) -> dict[str, bytes]:
        """Return what a model made of texts."""
        with (
            self._lock,
            closing(self._file.execute("SELECT question, vector FROM vectors WHERE model = ?", (model,))) as cursor,
        ):
            return dict(cursor.fetchall())

    def keep_vectors(self, model: str, vectors: dict[str, bytes]) -> None:
        """Keep what a model made of texts."""
        with self._lock:
            rows = [(model, question, vector) for question, vector in vectors.items()]
            self._file.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
