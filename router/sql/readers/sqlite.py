"""SQLite in the child: a file opened read-only, and an authorizer inside the engine."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from router.sql.readers.batches import Batches
from router.sql.readers.sqlite_authorizer import SqliteAuthorizer, rules_for
from router.sql.readers.wire import Bounds, ReaderRefusal, scope_of

# The schema of an SQLite file, through its own pragmas: exact types, and one query for all columns.

TABLES_SQL = """SELECT name, type = 'view', wr FROM pragma_table_list
    WHERE schema = 'main' AND type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"""
COLUMNS_SQL = 'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid'
FOREIGN_KEYS_SQL = 'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq'

VIEWS = "SELECT name, sql FROM sqlite_master WHERE type = 'view'"

Described = tuple[list[tuple[str, str, int, int]] | None, list[tuple[int, str, str, str | None]], int | None]
"""A table's columns (name, type, not null, place in the primary key), keys, and rows; None for what is not known."""


def sqlite_tables(file: sqlite3.Connection) -> list[tuple[str, int, int]]:
    """Return the tables and views: name, whether it is a view, whether it has no row numbers."""
    return file.execute(TABLES_SQL).fetchall()


def sqlite_views(file: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return each view with the text that made it."""
    return file.execute(VIEWS).fetchall()


def described(file: sqlite3.Connection, names: Sequence[tuple[str, int, int]]) -> list[Described]:
    """Return what is known of each table; no columns for a view on a table that is gone."""
    estimates = _statistics(file)
    found: list[Described] = []
    for name, view, without_rowid in names:
        try:
            columns = file.execute(COLUMNS_SQL, (name,)).fetchall()
        except sqlite3.OperationalError:
            found.append((None, [], None))
            continue
        rows = None if view else estimates.get(name, None if without_rowid else _highest_rowid(file, name))
        found.append((columns, file.execute(FOREIGN_KEYS_SQL, (name,)).fetchall(), rows))
    return found


def _statistics(file: sqlite3.Connection) -> dict[str, int]:
    """Return the rows that ANALYZE counted, where it was run."""
    try:
        rows = file.execute("SELECT tbl, max(CAST(stat AS INTEGER)) FROM sqlite_stat1 GROUP BY tbl").fetchall()
    except sqlite3.OperationalError:
        return {}
    return {table: rows for table, rows in rows if rows is not None}


def _highest_rowid(file: sqlite3.Connection, table: str) -> int | None:
    """Return an upper bound that costs one step down a tree; a count would read the whole table."""
    name = table.replace('"', '""')
    highest: Any
    try:
        highest = file.execute(f'SELECT max(_rowid_) FROM "{name}"').fetchone()[0]
    except sqlite3.OperationalError:
        return None
    return max(0, highest) if isinstance(highest, int) else 0


VALUE_MAX_BYTES = 64 * 2**20
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
        self._rules: SqliteAuthorizer | None = None
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
            raise ReaderRefusal(NO_ROWS)
        return None, ""

    def stream(self, sql: str, cuts: bool = False) -> list[tuple[str, str]]:
        """Start `sql` and return its columns; all kinds are "text", as SQLite types values and not columns.

        See `Batches` for `cuts`.
        """
        cursor = self._start(sql)
        if cursor.description is None:
            self._end()
            raise ReaderRefusal(NO_ROWS)
        self._batches = Batches(lambda count: self._fetch(cursor, count), cuts=cuts)
        return [(column[0], "text") for column in cursor.description]

    def rows(self, most: int) -> tuple[list[bytes], bool]:
        """Return packed lists of the next rows, and whether more may follow."""
        assert self._batches is not None
        return self._batches.next(most)

    def tables(self) -> list[tuple[Any, ...]]:
        """Return what the file holds."""
        with self._past_the_scope() as file:
            return sqlite_tables(file)

    def describe(self, names: Sequence[tuple[str, int, int]]) -> list[Any]:
        """Return what the file says about these tables, in their order."""
        with self._past_the_scope() as file:
            return described(file, names)

    def views(self) -> list[tuple[str, str]]:
        """Return the views, each with its text."""
        with self._past_the_scope() as file:
            return sqlite_views(file)

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
            raise ReaderRefusal(self._rules.refusal) from None

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
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_MAX_BYTES)
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
