"""Copies of SQLite files that are in use: all as they were at one moment, while others go on using them."""

import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from router.errors import JobFailed

WAIT_SECONDS = 10.0
"""Seconds that a copy waits for a writer."""


def copy_databases(paths: Sequence[Path], folder: Path) -> None:
    """Copy files into a folder under their names; raises JobFailed if one cannot be read or written.

    Nobody waits longer than it takes to begin: the copies are read from snapshots, which all begin while nobody writes.
    """
    try:
        with ExitStack() as stack:
            sources = [stack.enter_context(closing(_opened(path))) for path in paths]
            _begin_together(paths, sources)
            for path, source in zip(paths, sources, strict=True):
                (folder / path.name).touch(mode=0o600)
                with closing(sqlite3.connect(folder / path.name)) as copy:
                    source.backup(copy)
    except sqlite3.Error as error:
        raise JobFailed(
            f"The databases in {paths[0].parent} could not be copied ({error}). Delete {folder}, and try again."
        ) from error


def _begin_together(paths: Sequence[Path], sources: Sequence[sqlite3.Connection]) -> None:
    with ExitStack() as stack:
        for path in paths:
            stack.enter_context(closing(_opened(path))).execute("BEGIN IMMEDIATE")
        for source in sources:
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()  # a snapshot begins with what is read first


def _opened(path: Path) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=WAIT_SECONDS)
