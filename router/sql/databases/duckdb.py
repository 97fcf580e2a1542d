"""DuckDB: a file opened read-only without access to anything outside it, and a watch that interrupts."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from router.errors import Failed, JobFailed
from router.sql.databases import Database, Described, Estimate, Session
from router.sql.databases.duckdb_plan import estimate_of
from router.sql.databases.duckdb_scope import refusal_of
from router.sql.databases.duckdb_values import kind_of
from router.sql.databases.files import existing, file_of, write_note
from router.sql.databases.pool import Pool
from router.sql.databases.running import Running, one_line
from router.sql.dialect import DIALECTS
from router.sql.guard import Scope

LOCKED_UP: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",  # no other file, no network, no ATTACH, no COPY
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",  # a name in the SQL never means a variable of this program
    "lock_configuration": "true",
}

BETWEEN_LOOKS = 0.05
"""Seconds between two looks at the clock."""

R = TypeVar("R")


class DuckDatabase(Database):
    """One DuckDB file, which is held open only while somebody reads: DuckDB lets nobody write it as long as it is."""

    def __init__(self, url: str, timeout: float) -> None:
        self._path = file_of(url, DIALECTS["duckdb"])
        self._timeout = timeout
        self._pool = Pool(self._open, sound=lambda _: True, reset=lambda _: False, end=lambda c: c.close())

    @contextmanager
    def session(self, scope: Scope | None = None) -> Iterator[Session]:
        """Lend a session that reads the tables of `scope` only, as DuckDB's own binder names them."""
        with self._pool.lend() as connection:
            session = DuckSession(connection, scope, Running(self._timeout))
            try:
                yield session
            finally:
                session.end()

    def ping(self) -> None:
        """Open the file and read from it."""
        with self._pool.lend() as connection:
            connection.execute("SELECT count(*) FROM information_schema.tables").fetchall()

    def can_write(self) -> str | None:
        """Say whether the operating system lets this process write the file."""
        return write_note(self._path, DIALECTS["duckdb"])

    def close(self) -> None:
        """Lend no more sessions."""
        self._pool.close()

    def _open(self) -> duckdb.DuckDBPyConnection:
        try:
            return duckdb.connect(existing(self._path), read_only=True, config=LOCKED_UP)
        except duckdb.Error as error:
            raise JobFailed(_unopened(self._path, str(error))) from error


class DuckSession(Session):
    """A reading session on one connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, scope: Scope | None, running: Running) -> None:
        self._connection, self._scope, self._running = connection, scope, running
        if scope and scope.default:
            self._ask(lambda: _look_first_in(connection, scope.default))
        threading.Thread(target=self._watch, name="duckdb-watch", daemon=True).start()

    def check(self, sql: str) -> Estimate:
        """Plan `sql` and return the planner's expectation."""
        self._running.start(sql)
        self._only_select(sql)
        row = self._ask(lambda: self._connection.execute(f"EXPLAIN (FORMAT JSON) {sql}").fetchone())
        return estimate_of(row[1]) if row else Estimate()

    def stream(self, sql: str, batch: int = 1000) -> tuple[tuple[Described, ...], Iterator[list[tuple[Any, ...]]]]:
        """Start `sql`; its rows are computed when they are asked for."""
        self._running.start(sql)
        statement = self._only_select(sql)
        self._ask(lambda: self._connection.execute(statement))
        columns = tuple(Described(str(c[0]), kind_of(c[1])) for c in self._connection.description or ())
        return columns, self._batches(batch, self._running.statement)

    def cancel(self) -> None:
        """Stop this session for good; any thread may call it."""
        self._running.stop()  # the watch looks at it

    def end(self) -> None:
        """Give the connection up: what is still being read fails from now on."""
        self._running.end()

    def _watch(self) -> None:
        while not self._running.wait_for_end(BETWEEN_LOOKS):
            if self._running.over:
                self._connection.interrupt()

    def _only_select(self, sql: str) -> duckdb.Statement:
        """Return the one SELECT that `sql` is, within the scope; raises JobFailed."""
        statements = self._ask(lambda: self._connection.extract_statements(sql))
        if len(statements) != 1:
            raise JobFailed(f"DuckDB was given {len(statements)} statements; one SELECT may run at a time.")
        if statements[0].type != duckdb.StatementType.SELECT:
            raise JobFailed("This session only reads tables: the statement was refused.")
        scope = self._scope
        if scope and (refusal := self._ask(lambda: refusal_of(self._connection, sql, scope))):
            raise JobFailed(refusal)
        return statements[0]

    def _batches(self, batch: int, statement: int) -> Iterator[list[tuple[Any, ...]]]:
        while rows := self._ask(lambda: self._connection.fetchmany(batch), statement):
            yield rows

    def _ask(self, call: Callable[[], R], statement: int | None = None) -> R:
        try:
            with self._running.working(statement):
                return call()
        except (duckdb.Error, RuntimeError, UnicodeError) as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> Failed:
        return self._running.failure() or JobFailed(f"DuckDB refused the statement: {_words_of(error)}.")


def _look_first_in(connection: duckdb.DuckDBPyConnection, schema: str) -> None:
    """Make `schema` the one of bare names; the setting is locked, but USE is not one."""
    row = connection.execute("SELECT current_database(), current_schema()").fetchone()
    if row and row[1] != schema:
        connection.execute("USE " + ".".join('"' + part.replace('"', '""') + '"' for part in (row[0], schema)))


def _words_of(error: Exception) -> str:
    """Return DuckDB's message without its class and without the drawing of the place in the SQL."""
    message = str(error).split("\n\nLINE ")[0]
    return one_line(message.split("Error: ", 1)[-1])


def _unopened(path: Path, words: str) -> str:
    """Return why the file cannot be opened."""
    if "lock on file" in words or "different configuration" in words:
        return (
            f"The DuckDB file {path.name} is open for writing elsewhere, and DuckDB lets nobody else in meanwhile. "
            "Please try again when that has finished."
        )
    if "not a valid DuckDB database" in words:
        return f"The file {path.name} is not a DuckDB database."
    return f"The DuckDB file {path.name} cannot be opened: {one_line(words.replace(str(path), path.name))}."
