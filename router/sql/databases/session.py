"""Reading sessions on real databases: read-only, one statement, with a time-out, cancellable.

The second layer of safety lives here, one file a database; `open_database` picks the file.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock, Timer
from typing import Any, Literal

from router.language.wording import counted
from router.sql.databases.connection_pool import ConnectionPool
from router.sql.databases.deadline import Deadline
from router.sql.databases.error_sentences import ErrorSentences
from router.sql.databases.excess import Excess, MayRead
from router.sql.scope import Scope

Kind = Literal["text", "number", "date", "bool", "blob"]


@dataclass(frozen=True, slots=True)
class Described:
    """A column of a running query: its name as the database gives it, its kind if the driver tells (else "text")."""

    name: str
    kind: Kind


EXPECTED_ROWS_MIN = 1_000
"""Estimates of fewer rows warn nobody, and are often wrong."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The planner's estimate: rows if the database gives them, and a sentence about full scans or ""."""

    rows: int | None = None
    note: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The expectation in words, as far as there is one: how many rows, if they are many, and the note."""
        many = self.rows is not None and self.rows >= EXPECTED_ROWS_MIN
        rows = f"The database expects about {counted(self.rows or 0, 'row')}." if many else ""
        return tuple(filter(None, (rows, self.note)))


class Session(ABC):
    """One reading session; used by one thread, except `cancel`, which any thread may call."""

    def __init__(self, errors: ErrorSentences, deadline: Deadline) -> None:
        self._errors, self._deadline = errors, deadline
        self._lending = Lock()

    @abstractmethod
    def check(self, sql: str) -> Estimate:
        """Prepare or EXPLAIN `sql` without running it; raises JobFailed with the database's reason in one line."""

    @abstractmethod
    def stream(
        self, sql: str, batch: int = 1000, cuts: bool = False
    ) -> tuple[tuple[Described, ...], Iterator[list[tuple[Any, ...]]]]:
        """Start `sql`; return its columns and an iterator of lists of at most `batch` rows, fetched when asked for.

        Bounded memory whatever the size of the result: if a row may be too large to be handed over, its long cells
        are cut with `cuts`, and it raises JobFailed without. A statement that was started before in this session ends.
        Raises JobFailed (also while iterating), or Stopped after `cancel`.
        """

    def cancel(self) -> None:
        """Make the database abandon the running statement, now; this session runs nothing more, the next one does.

        Any thread may call it. SQL Server stops between two batches only.
        """
        self._deadline.stop()
        with self._lending:  # not a moment later, when the connection is somebody else's
            if not self._deadline.ended:
                self._abandon()

    def end(self) -> None:
        """Give the connection up: what is still being read fails from now on."""
        with self._lending:
            self._deadline.end()
        self._close()

    @abstractmethod
    def _abandon(self) -> None:
        """Have the database end what it does, from another thread."""

    @abstractmethod
    def _close(self) -> None:
        """End the statement and what it holds, whatever became of it."""

    def _start(self, sql: str) -> None:
        """Give the statement the whole time, and take its names for such as may be said."""
        self._deadline.start(sql)
        self._errors.start(sql)


@contextmanager
def ended_after(seconds: float, session: Session) -> Iterator[None]:
    """Cancel a session, which runs nothing more, if the block takes longer than this."""
    timer = Timer(seconds, session.cancel)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class PooledDatabase(ABC):
    """The pooled way to one database; thread-safe."""

    _pool: ConnectionPool[Any]
    _timeout: float
    """Seconds that a statement may work."""

    @contextmanager
    def session(self, scope: Scope | None = None) -> Iterator[Session]:
        """Lend a reading session, in which bare names are looked up in the scope's schema.

        If the engine can enforce it, only the tables of `scope` are readable in it; else the guard and the user's
        rights say which.
        """
        with self._pool.lend() as connection:
            session = self._session(connection, scope, Deadline(self._timeout))
            try:
                yield session
            finally:
                session.end()

    @abstractmethod
    def _session(self, connection: Any, scope: Scope | None, deadline: Deadline) -> Session:
        """Return a session on a connection that is lent."""

    @abstractmethod
    def ping(self) -> None:
        """Prove that the database answers; raises JobFailed."""

    def can_write(self) -> str | None:
        """Try a harmless write as the reading user, roll it back; return what worked as a sentence.

        None if it was refused, or nothing can be tried without changing something.
        """
        return None

    def excess(self, may_read: MayRead) -> tuple[Excess, ...]:
        """Return what the reading user could do if the guard failed; nothing if the database has no users.

        `may_read` tells which tables, by schema and name, the connection lets people read.
        """
        return ()

    def close(self) -> None:
        """Close all pooled connections."""
        self._pool.close()


Progress = Callable[[str], None]
