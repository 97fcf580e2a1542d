"""SQLite: a file opened read-only, an authorizer inside the engine, and a clock that it looks at while it works."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from router.errors import Failed, JobFailed
from router.sql.databases import Database, Described, Estimate, Session
from router.sql.databases.files import existing, file_of, writable, write_note
from router.sql.databases.pool import Pool
from router.sql.databases.running import Running, one_line
from router.sql.databases.sqlite_rules import Rules, rules_for
from router.sql.dialect import DIALECTS
from router.sql.guard import Scope

STEPS_BETWEEN_LOOKS = 5000
"""Engine instructions between two looks at the clock: well under a millisecond."""

LARGEST_VALUE = 64 * 2**20
"""Bytes; keeps one value from filling the memory."""

NO_ROWS = "This session only reads tables: a statement that returns no rows was refused."

R = TypeVar("R")


class SqliteDatabase(Database):
    """One SQLite file."""

    def __init__(self, url: str, timeout: float) -> None:
        self._path = file_of(url, DIALECTS["sqlite"])
        self._timeout = timeout
        self._pool = Pool(self._open, sound=self._sound, reset=_reset, end=_end)

    @contextmanager
    def session(self, scope: Scope | None = None) -> Iterator[Session]:
        """Lend a session that reads the tables of `scope` only, enforced by the engine."""
        with self._pool.lend() as connection:
            try:
                rules = rules_for(connection, None if scope is None else [name for _, name in scope.tables])
            except sqlite3.Error as error:
                raise JobFailed(self._unreadable(error)) from error
            session = SqliteSession(connection, rules, Running(self._timeout))
            try:
                yield session
            finally:
                session.end()

    def ping(self) -> None:
        """Read the file's first page."""
        with self._pool.lend() as connection:
            try:
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            except sqlite3.Error as error:
                raise JobFailed(self._unreadable(error)) from error

    def can_write(self) -> str | None:
        """Say whether the operating system lets this process write the file."""
        return write_note(self._path, DIALECTS["sqlite"])

    def close(self) -> None:
        """Close all pooled connections."""
        self._pool.close()

    def _open(self) -> "Connection":
        existing(self._path)
        try:
            return self._connect("mode=ro", immutable=False)
        except sqlite3.Error as error:
            # A database in WAL mode needs a file beside it, which a folder without write access refuses. Without a
            # log nobody is writing, and `sound` gives the connection up as soon as that changes.
            if not self._unchanging():
                raise JobFailed(self._unreadable(error)) from error
        try:
            return self._connect("mode=ro&immutable=1", immutable=True)
        except sqlite3.Error as error:
            raise JobFailed(self._unreadable(error)) from error

    def _connect(self, how: str, immutable: bool) -> "Connection":
        connection = sqlite3.connect(
            f"{self._path.as_uri()}?{how}",
            uri=True,
            factory=Connection,
            timeout=5,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=0,  # a statement compiled for one scope must not serve another
        )
        connection.immutable, connection.stamp = immutable, self._stamp(immutable)
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

    def _unchanging(self) -> bool:
        log = self._path.with_name(self._path.name + "-wal")
        return not log.exists() and not writable(self._path.parent)

    def _stamp(self, immutable: bool) -> tuple[int, ...]:
        """Return what must stay the same for a connection to be lent again."""
        try:
            status = self._path.stat()
        except OSError:
            return ()
        same_file = (status.st_dev, status.st_ino)
        return (*same_file, status.st_mtime_ns, self._unchanging()) if immutable else same_file

    def _sound(self, connection: "Connection") -> bool:
        return connection.stamp == self._stamp(connection.immutable)

    def _unreadable(self, error: sqlite3.Error) -> str:
        return f"The database file {self._path.name} cannot be read: {one_line(error)}."


class Connection(sqlite3.Connection):
    """An open file, and what it looked like when it was opened."""

    immutable = False
    stamp: tuple[int, ...] = ()


class SqliteSession(Session):
    """A reading session on one connection."""

    def __init__(self, connection: Connection, rules: Rules, running: Running) -> None:
        self._connection, self._rules, self._running = connection, rules, running
        self._cursor: sqlite3.Cursor | None = None
        connection.set_authorizer(rules)
        connection.set_progress_handler(lambda: running.over, STEPS_BETWEEN_LOOKS)

    def check(self, sql: str) -> Estimate:
        """Compile `sql` and return an empty estimate, as SQLite's planner counts nothing."""
        program = self._start(f"EXPLAIN {sql}").fetchall()
        self._close_cursor()
        if not any(opcode == "ResultRow" for _, opcode, *_ in program):
            raise JobFailed(NO_ROWS)
        return Estimate()

    def stream(self, sql: str, batch: int = 1000) -> tuple[tuple[Described, ...], Iterator[list[tuple[Any, ...]]]]:
        """Start `sql`; all kinds are "text", as SQLite types values and not columns."""
        cursor = self._start(sql)
        if cursor.description is None:
            self._close_cursor()
            raise JobFailed(NO_ROWS)
        columns = tuple(Described(column[0], "text") for column in cursor.description)
        return columns, self._batches(cursor, batch, self._running.statement)

    def cancel(self) -> None:
        """Stop this session for good; any thread may call it."""
        self._running.stop()  # the engine looks at it every few thousand instructions

    def end(self) -> None:
        """Give the connection up: what is still being read fails from now on."""
        self._running.end()
        self._close_cursor()
        self._connection.set_authorizer(None)
        self._connection.set_progress_handler(None, 0)

    def _start(self, sql: str) -> sqlite3.Cursor:
        self._close_cursor()
        self._running.start(sql)
        self._rules.begin(sql)
        self._cursor = self._ask(lambda: self._connection.execute(sql))
        return self._cursor

    def _batches(self, cursor: sqlite3.Cursor, batch: int, statement: int) -> Iterator[list[tuple[Any, ...]]]:
        while rows := self._ask(lambda: cursor.fetchmany(batch), statement):
            yield rows

    def _ask(self, call: Callable[[], R], statement: int | None = None) -> R:
        try:
            with self._running.working(statement):
                return call()
        except (sqlite3.Error, sqlite3.Warning, UnicodeError) as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> Failed:
        if failure := self._running.failure():
            return failure
        return JobFailed(self._rules.refusal or f"SQLite refused the statement: {one_line(error)}.")

    def _close_cursor(self) -> None:
        if self._cursor is not None:
            self._cursor.close()
            self._cursor = None


def _text(data: bytes) -> str:
    """Return a text, whatever was stored as one: asked for each, so the usual way must cost little."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def _reset(connection: Connection) -> bool:
    return not connection.in_transaction


def _end(connection: Connection) -> None:
    connection.close()
