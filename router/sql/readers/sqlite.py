"""SQLite in the child: a file opened read-only, and an authorizer inside the engine."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from router.sql.readers import sqlite_tables
from router.sql.readers.batches import Batches
from router.sql.readers.bounds import Bounds, scope_of
from router.sql.readers.refused import Refused
from router.sql.readers.sqlite_rules import Rules, rules_for

LARGEST_VALUE = 64 * 2**20
"""Bytes; keeps one value from filling the memory."""

EFFECTIVE = os.access in os.supports_effective_ids

NO_ROWS = "This session only reads tables: a statement that returns no rows was refused."


class SqliteReader:
    """At most one open SQLite file, and at most one statement on it."""

    errors = (sqlite3.Error, sqlite3.Warning, UnicodeError)
    memory_errors = (MemoryError,)
    threads = 1

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._connection: sqlite3.Connection | None = None
        self._cursor: sqlite3.Cursor | None = None
        self._rules: Rules | None = None
        self._batches: Batches | None = None

    def open(self, path: str, scope: Bounds | None) -> None:
        """Open the file, to read the tables and columns of `scope` only; everything for None."""
        self.close()
        self._connection = opened(Path(path))
        self._connection.execute(f"PRAGMA hard_heap_limit = {self._memory * 3 // 4}").close()
        self._rules = rules_for(self._connection, scope_of(scope))
        self._connection.set_authorizer(self._rules)

    def check(self, sql: str) -> tuple[int | None, str]:
        """Compile `sql`; no rows are estimated, as SQLite's planner counts nothing."""
        program = self._start(f"EXPLAIN {sql}").fetchall()
        self._end()
        if not any(opcode == "ResultRow" for _, opcode, *_ in program):
            raise Refused(NO_ROWS)
        return None, ""

    def stream(self, sql: str, cuts: bool = False) -> list[tuple[str, str]]:
        """Start `sql` and return its columns; all kinds are "text", as SQLite types values and not columns.

        See `Batches` for `cuts`.
        """
        cursor = self._start(sql)
        if cursor.description is None:
            self._end()
            raise Refused(NO_ROWS)
        self._batches = Batches(lambda count: self._fetch(cursor, count), cuts=cuts)
        return [(column[0], "text") for column in cursor.description]

    def rows(self, most: int) -> tuple[list[bytes], bool]:
        """Return packed lists of the next rows, and whether more may follow."""
        assert self._batches is not None
        return self._batches.next(most)

    def tables(self) -> list[tuple[Any, ...]]:
        """Return what the file holds."""
        with self._past_the_scope() as file:
            return sqlite_tables.tables(file)

    def describe(self, names: Sequence[tuple[str, int, int]]) -> list[Any]:
        """Return what the file says about these tables, in their order."""
        with self._past_the_scope() as file:
            return sqlite_tables.described(file, names)

    def views(self) -> list[tuple[str, str]]:
        """Return the views, each with its text."""
        with self._past_the_scope() as file:
            return sqlite_tables.views(file)

    @contextmanager
    def _past_the_scope(self) -> Iterator[sqlite3.Connection]:
        """Lend the file without the rules of the scope, for what the bot itself asks."""
        assert self._connection is not None
        self._connection.set_authorizer(None)
        try:
            yield self._connection
        finally:
            self._connection.set_authorizer(self._rules)

    def interrupt(self) -> None:
        """Have the engine abandon what it does; called by another thread."""
        connection = self._connection
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.interrupt()

    def close(self) -> None:
        """Close the file."""
        self._end()
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _start(self, sql: str) -> sqlite3.Cursor:
        assert self._connection is not None
        assert self._rules is not None
        self._end()
        self._rules.begin(sql)
        try:
            self._cursor = self._connection.execute(sql)
        except sqlite3.Error:
            self._refuse()
            raise
        return self._cursor

    def _fetch(self, cursor: sqlite3.Cursor, count: int) -> list[tuple[Any, ...]]:
        try:
            return cursor.fetchmany(count)
        except sqlite3.Error:
            self._refuse()
            raise

    def _refuse(self) -> None:
        if self._rules and self._rules.refusal:
            raise Refused(self._rules.refusal) from None

    def _end(self) -> None:
        self._batches = None
        if self._cursor is not None:
            self._cursor.close()
            self._cursor = None


def opened(path: Path) -> sqlite3.Connection:
    """Open a file that is only read."""
    try:
        return _connected(path, "mode=ro")
    except sqlite3.Error:
        # A database in WAL mode needs a file beside it, which a folder without write access refuses. Without a log
        # nobody is writing. A file is opened anew for each session, so nothing is missed for long.
        if path.with_name(path.name + "-wal").exists() or os.access(path.parent, os.W_OK, effective_ids=EFFECTIVE):
            raise
        return _connected(path, "mode=ro&immutable=1")


def _connected(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?{how}",
        uri=True,
        timeout=5,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=0,
    )
    try:
        connection.text_factory = _text
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000)  # LIKE is not interrupted
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        with suppress(sqlite3.OperationalError):  # sets up these two tables; absent where SQLite has no JSON
            connection.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _text(data: bytes) -> str:
    """Return a text, whatever was stored as one: asked for each, so the usual way must cost little."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")
