"""Databases that are a file, read in a child process: the engine, and what it runs, never work in the bot itself."""

import logging
import re
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, cast

from router.errors import JobFailed
from router.sql.databases.child import CHILDREN, MEMORY_MAX_BYTES, Child, ChildDied, Kind
from router.sql.databases.connection_pool import POOL_CLOSED
from router.sql.databases.deadline import Deadline, driver_message
from router.sql.databases.error_sentences import ErrorSentences, before_values, note
from router.sql.databases.files import file_of, require_file, write_note
from router.sql.databases.session import Described, Estimate, PooledDatabase, Session
from router.sql.databases.session import Kind as ColumnKind
from router.sql.dialect import DIALECTS, Dialect
from router.sql.readers.child import BUG, DONE, MEMORY, REFUSED, SAID
from router.sql.readers.wire import sendable
from router.sql.scope import Scope

log = logging.getLogger("icc_bot")

OPEN_SECONDS = 20.0
PLAN_SECONDS = 5.0
"""A plan computes what is constant in the statement, and is made before anybody approved it."""

CLOSE_SECONDS = 2.0

ASK_FOR_LESS = "Nothing was changed. Ask for less: a shorter period, fewer tables, or totals in place of single rows."


class FileDatabase(PooledDatabase):
    """One file, opened in a child for each session and closed with it."""

    dialect: Dialect

    def __init__(self, url: str, timeout: float) -> None:
        self._path = file_of(url, self.dialect)
        self._timeout = timeout
        self._pool = CHILDREN[cast(Kind, self.dialect.name)]
        self._closed = False

    def _session(self, connection: Child, scope: Scope | None, deadline: Deadline) -> "FileSession":
        if self._closed:
            raise JobFailed(POOL_CLOSED)
        require_file(self._path)
        session = FileSession(self, connection, deadline, scope)
        session.open()
        return session

    @property
    def path(self) -> str:
        """The file."""
        return str(self._path)

    def ping(self) -> None:
        """Open the file, which reads its first page."""
        with self.session():
            pass

    def can_write(self) -> str | None:
        """Return whether the operating system lets this process write the file."""
        return write_note(self._path, self.dialect)

    def close(self) -> None:
        """Open no more sessions: the children are there for all files."""
        self._closed = True

    @abstractmethod
    def unopened(self, words: str) -> str:
        """Return why the file cannot be opened, by the engine's words."""

    @abstractmethod
    def refused(self, words: str, errors: ErrorSentences, planning: bool) -> str:
        """Return why a statement cannot run, by the engine's words; while it is planned no row is read."""


class FileSession(Session):
    """A reading session in one child."""

    def __init__(self, database: FileDatabase, child: Child, deadline: Deadline, scope: Scope | None) -> None:
        super().__init__(ErrorSentences(database.dialect.label, scope), deadline)
        self._database, self._child, self._scope = database, child, scope

    def open(self) -> None:
        """Open the file."""
        try:
            scope = self._scope and sendable(self._scope)
            answer = self._child.ask(OPEN_SECONDS, "open", self._database.path, scope)
        except TimeoutError:
            raise JobFailed("The database file did not open in time. Nothing was run. Try again in a moment.") from None
        except ChildDied as error:
            raise JobFailed(_died(error)) from error
        _said(answer, self._database.unopened)

    def _start(self, sql: str) -> None:
        """Give the statement the whole time, in a process of its own if the one before was ended for its time."""
        super()._start(sql)
        if self._child.killed and self._deadline.failure() is None:
            self._child.end()
            self._child.start()
            self.open()

    def check(self, sql: str) -> Estimate:
        """Plan `sql` and return what the planner expects, if it counts."""
        self._start(sql)
        rows, note = self.ask("check", sql, within=PLAN_SECONDS)
        return Estimate(rows=rows, note=note)

    def stream(
        self, sql: str, batch: int = 1000, cuts: bool = False
    ) -> tuple[tuple[Described, ...], Iterator[list[tuple[Any, ...]]]]:
        """Start `sql`; its rows are computed when they are asked for, a few megabytes at a time."""
        self._start(sql)
        columns = tuple(Described(name, cast(ColumnKind, kind)) for name, kind in self.ask("stream", sql, cuts))
        return columns, self._batches(batch, self._deadline.statement)

    def _abandon(self) -> None:
        self._child.kill()

    def _close(self) -> None:
        if self._child.worn:
            return  # it ends with the session
        try:
            self._child.ask(CLOSE_SECONDS, "close")
        except (ChildDied, TimeoutError):
            self._child.kill()

    def ask(self, name: str, *given: Any, within: float = float("inf"), statement: int | None = None) -> Any:
        """Return what the child answers; raises JobFailed, or Stopped after `cancel`."""
        try:
            with self._deadline.working(statement):
                answer = self._child.ask(min(within, self._deadline.left), name, *given)
        except TimeoutError:
            raise self._deadline.failure() or JobFailed(
                f"The database did not come to a plan of this query within {within:g} s, so it was given up. "
                "Nothing was run. Please write it more simply."
            ) from None
        except ChildDied as error:
            raise self._deadline.failure() or JobFailed(_died(error)) from error
        return _said(answer, lambda words: self._refused(words, name == "check" or not self._plans(name, *given)))

    def _plans(self, name: str, *given: Any) -> bool:
        """Return whether a statement that failed can be planned: then it failed in a row."""
        try:
            within = min(PLAN_SECONDS, self._deadline.left)
            return name != "stream" or self._child.ask(within, "check", given[0])[0] != SAID
        except (ChildDied, TimeoutError):
            return True

    def _refused(self, words: str, planning: bool) -> str:
        note(self._errors.label, words)
        return self._database.refused(words, self._errors, planning)

    def _batches(self, batch: int, statement: int) -> Iterator[list[tuple[Any, ...]]]:
        more = True
        while more:
            rows, more = self.ask("rows", batch, statement=statement)
            if rows:
                yield rows


def _said(answer: Any, words_of: Any) -> Any:
    """Return the value of an answer; raises JobFailed if it is another word."""
    kind, found = answer
    if isinstance(kind, list):  # rows
        return answer
    if kind == DONE:
        return found
    if kind == REFUSED:
        raise JobFailed(found)
    if kind == MEMORY:
        raise JobFailed(f"The query needs more memory than it may use here, so it was stopped. {ASK_FOR_LESS}")
    if kind == BUG:
        log.error("reading a file failed: %s", found)
        raise RuntimeError("a child that reads a file failed")
    raise JobFailed(words_of(found))


def _died(error: ChildDied) -> str:
    return (
        f"The process that read the database ended before its answer ({error}), most likely since the query needs more "
        f"memory than the {MEMORY_MAX_BYTES // 2**20} MB that it may use. The next query finds a new one. "
        f"{ASK_FOR_LESS}"
    )


class SqliteDatabase(FileDatabase):
    """One SQLite file: see `router.sql.readers.sqlite` for how it is read."""

    dialect = DIALECTS["sqlite"]

    def tables(self) -> list[tuple[str, str, int]]:
        """Return the tables: name, type (table, view, virtual or shadow), whether it has no row numbers."""
        return self._asked("tables")

    def described(self, tables: list[tuple[str, str, int]]) -> list[tuple[Any, Any, int | None]]:
        """Return columns, keys and rows of each of these tables, as `router.sql.readers.sqlite` tells them."""
        return self._asked("describe", tables)

    def views(self) -> list[tuple[str, str]]:
        """Return each view with the text that made it."""
        return self._asked("views")

    def _asked(self, name: str, *given: Any) -> list[Any]:
        with self.session() as session:
            return list(cast(FileSession, session).ask(name, *given))

    def unopened(self, words: str) -> str:
        """Return why the file cannot be read."""
        return f"The database file {self._path.name} cannot be read: {driver_message(words)}."

    def refused(self, words: str, errors: ErrorSentences, planning: bool) -> str:
        """Return SQLite's reason; behind the colon it has a name, without quotes."""
        if not planning:
            return errors.refused(before_values(words))
        return errors.of_statement(re.sub(r"^((?:no such|ambiguous|misuse) [^:]*): (.+)$", r"\1: '\2'", words))


# A DuckDB file is held open only while somebody reads: nobody can write one as long as it is open.


DUCKDB_ROW_ERRORS = {
    "Conversion": "a value of the rows or of the query does not fit the type that it needs",
    "Out of Range": "a number becomes too large for its type",
}
"""The meaning of the classes of errors that DuckDB raises while it reads rows."""


class DuckDatabase(FileDatabase):
    """One DuckDB file: see `router.sql.readers.duckdb` for how it is read."""

    dialect = DIALECTS["duckdb"]

    def unopened(self, words: str) -> str:
        """Return why the file cannot be opened."""
        name = self._path.name
        if "lock on file" in words or "different configuration" in words:
            return (
                f"The DuckDB file {name} is open for writing elsewhere, and DuckDB lets nobody else in meanwhile. "
                "Please try again when that has finished."
            )
        if "not a valid DuckDB database" in words:
            return f"The file {name} is not a DuckDB database."
        return f"The DuckDB file {name} cannot be opened: {driver_message(words.replace(str(self._path), name))}."

    def refused(self, words: str, errors: ErrorSentences, planning: bool) -> str:
        """Return DuckDB's message without its class and without the drawing of the place in the SQL.

        Of an error in a row, what its class means: error() lets a query say anything, and a PIVOT reads rows while it
        is planned.
        """
        kind, _, message = words.split("\n\nLINE ")[0].partition(" Error: ")
        if kind in ("Parser", "Binder", "Catalog"):
            return errors.of_statement(message)
        return errors.of_rows(DUCKDB_ROW_ERRORS.get(kind, "a function of the query could not be computed"))
