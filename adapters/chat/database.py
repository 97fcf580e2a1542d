"""The SQLite files of the chat platforms: readable by their owner only, and whole after a kill."""

import sqlite3
from pathlib import Path


def opened(path: Path, tables: str) -> sqlite3.Connection:
    """Return the file with these tables, made where it is not there; every statement is committed at once."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600)
    file = sqlite3.connect(path, isolation_level=None, timeout=10)
    file.execute("PRAGMA journal_mode=WAL")
    file.execute("PRAGMA synchronous=NORMAL")
    file.executescript(tables)
    return file
