"""Databases that are a file, read in a child process: the engine, and what it runs, never work in the bot itself."""

import logging
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from router.errors import JobFailed
from router.sql.databases import Database, Described, Estimate, Kind, Session
from router.sql.databases.child import MEMORY_MAX_BYTES, Child, Died
from router.sql.databases.children import CHILDREN
from router.sql.databases.files import existing, file_of, write_note
from router.sql.databases.pipes import Overdue
from router.sql.databases.pool import Pool
from router.sql.databases.running import Running
from router.sql.dialect import Dialect
from router.sql.readers.bounds import bounds_of
from router.sql.readers.child import BUG, DONE, MEMORY, REFUSED
from router.sql.scope import Scope

log = logging.getLogger("icc_bot")

READERS = 24
"""Sessions on one file at a time."""

OPEN_SECONDS = 20.0
PLAN_SECONDS = 5.0
"""A plan computes what is constant in the statement, and is made before anybody approved it."""

CLOSE_SECONDS = 2.0

LESS = "Nothing was changed. Ask for less: a shorter period, fewer tables, or totals in place of single rows."


class FileDatabase(Database):
    """One file, opened in a child for each session and closed with it."""

    dialect: Dialect

    def __init__(self, url: str, timeout: float) -> None:
        self._path = file_of(url, self.dialect)
        self._timeout = timeout
        self._pool = Pool(self._child, sound=lambda _: True, reset=lambda _: False, end=CHILDREN.put, size=READERS)
        self._closed = False
        CHILDREN.opened()

    @contextmanager
    def session(self, scope: Scope | None = None) -> Iterator["FileSession"]:
        """Lend a session that reads the tables of `scope` only, enforced by the engine."""
        with self._pool.lend() as child:
            existing(self._path)
            session = FileSession(self, child, Running(self._timeout))
            session.open(str(self._path), scope)
            try:
                yield session
            finally:
                session.end()

    def ping(self) -> None:
        """Open the file, which reads its first page."""
        with self.session():
            pass

    def can_write(self) -> str | None:
        """Say whether the operating system lets this process write the file."""
        return write_note(self._path, self.dialect)

    def close(self) -> None:
        """Lend no more sessions, and end the idle children once no database needs them."""
        self._pool.close()
        if not self._closed:
            self._closed = True
            CHILDREN.closed()

    @abstractmethod
    def unopened(self, words: str) -> str:
        """Return why the file cannot be opened, by the engine's words."""

    @abstractmethod
    def refused(self, words: str) -> str:
        """Return why a statement cannot run, by the engine's words."""

    def _child(self) -> Child:
        try:
            return CHILDREN.take("duckdb" if self.dialect.name == "duckdb" else "sqlite")
        except Died as error:
            raise JobFailed(
                f"The file {self._path.name} could not be read, as {error}. Nothing was run. Try again in a moment."
            ) from error


class FileSession(Session):
    """A reading session in one child."""

    def __init__(self, database: FileDatabase, child: Child, running: Running) -> None:
        self._database, self._child, self._running = database, child, running

    def open(self, path: str, scope: Scope | None) -> None:
        """Open the file."""
        try:
            answer = self._child.ask(OPEN_SECONDS, "open", path, bounds_of(scope))
        except Overdue:
            raise JobFailed("The database file did not open in time. Nothing was run. Try again in a moment.") from None
        except Died as error:
            raise JobFailed(_died(error)) from error
        _said(answer, self._database.unopened)

    def check(self, sql: str) -> Estimate:
        """Plan `sql` and return what the planner expects, where it counts."""
        self._running.start(sql)
        rows, note = self.ask("check", sql, within=PLAN_SECONDS)
        return Estimate(rows=rows, note=note)

    def stream(
        self, sql: str, batch: int = 1000, cuts: bool = False
    ) -> tuple[tuple[Described, ...], Iterator[list[tuple[Any, ...]]]]:
        """Start `sql`; its rows are computed when they are asked for, a few megabytes at a time."""
        self._running.start(sql)
        columns = tuple(Described(name, cast(Kind, kind)) for name, kind in self.ask("stream", sql, cuts))
        return columns, self._batches(batch, self._running.statement)

    def cancel(self) -> None:
        """Stop this session for good; any thread may call it."""
        self._running.stop()
        if not self._running.ended:
            self._child.interrupt()

    def end(self) -> None:
        """Give the child up: what is still being read fails from now on."""
        self._running.end()
        if self._child.worn:
            return  # it ends with the session
        try:
            self._child.ask(CLOSE_SECONDS, "close")
        except (Died, Overdue):
            self._child.kill()

    def ask(self, name: str, *given: Any, within: float = float("inf"), statement: int | None = None) -> Any:
        """Return what the child answers; raises JobFailed, or Stopped after `cancel`."""
        try:
            with self._running.working(statement):
                answer = self._child.ask(min(within, self._running.left), name, *given)
        except Overdue:
            raise self._running.failure() or JobFailed(
                f"The database did not come to a plan of this query within {within:g} s, so it was given up. "
                "Nothing was run. Please write it more simply."
            ) from None
        except Died as error:
            raise self._running.failure() or JobFailed(_died(error)) from error
        return _said(answer, self._database.refused)

    def _batches(self, batch: int, statement: int) -> Iterator[list[tuple[Any, ...]]]:
        more = True
        while more:
            rows, more = self.ask("rows", batch, statement=statement)
            if rows:
                yield rows


def _said(answer: Any, words_of: Any) -> Any:
    """Return the value of an answer; raises JobFailed where it is another word."""
    kind, found = answer
    if isinstance(kind, list):  # rows
        return answer
    if kind == DONE:
        return found
    if kind == REFUSED:
        raise JobFailed(found)
    if kind == MEMORY:
        raise JobFailed(f"The query needs more memory than it may use here, so it was stopped. {LESS}")
    if kind == BUG:
        log.error("reading a file failed: %s", found)
        raise RuntimeError("a child that reads a file failed")
    raise JobFailed(words_of(found))


def _died(error: Died) -> str:
    return (
        f"The process that read the database ended before its answer ({error}), most likely since the query needs more "
        f"memory than the {MEMORY_MAX_BYTES // 2**20} MB that it may use. The next query finds a new one. {LESS}"
    )
