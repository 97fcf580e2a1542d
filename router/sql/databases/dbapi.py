"""Servers that are read through a DBAPI driver: the pool of their connections, and the life of a session on one."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, suppress
from typing import Any, TypeVar

from router.errors import Failed, JobFailed
from router.sql.databases.connection_pool import ConnectionPool
from router.sql.databases.deadline import Deadline
from router.sql.databases.error_sentences import ErrorSentences
from router.sql.databases.excess import Excess, MayRead, Run
from router.sql.databases.session import PooledDatabase, Session

R = TypeVar("R")


class DriverSession(Session):
    """A reading session on one connection of the driver `module`."""

    def __init__(self, connection: Any, module: Any, errors: ErrorSentences, deadline: Deadline) -> None:
        super().__init__(errors, deadline)
        self._connection, self._module = connection, module

    def _abandon(self) -> None:
        self._interrupt()
        self._deadline.later(self._lending, self._hang_up)

    def _start(self, sql: str) -> None:
        """End the statement before, and give this one the whole time."""
        super()._start(sql)
        self._ask(self._close)

    def _batches(self, fetch: Callable[[], list[tuple[Any, ...]]]) -> Iterator[list[tuple[Any, ...]]]:
        """Return an iterator of what `fetch` returns for the statement that runs now, until that is nothing."""
        statement = self._deadline.statement
        return iter(lambda: self._ask(fetch, statement), [])

    def _ask(self, call: Callable[[], R], statement: int | None = None) -> R:
        """Return what a call returns; with `statement`, its number, it is about rows that are no longer planned."""
        try:
            with self._deadline.working(statement), self._watched():
                return call()
        except (self._module.Error, UnicodeError) as error:
            raise self._deadline.failure() or self._failure(error, planning=statement is None) from error

    @abstractmethod
    def _failure(self, error: Exception, planning: bool) -> Failed:
        """Return what a driver's error means."""

    @abstractmethod
    def _watched(self) -> AbstractContextManager[object]:
        """Interrupt the server, or hang up on it, if it does not end a statement by itself."""

    @abstractmethod
    def _interrupt(self) -> None:
        """Have the server end what it does; raises nothing if it does not hear."""

    @abstractmethod
    def _hang_up(self) -> None:
        """Break the connection off, so that nobody waits for a server that does not hear."""


class DriverDatabase(PooledDatabase):
    """One database on a server, as the user of its URL; `module` is the DBAPI driver."""

    def __init__(self, module: Any, timeout: float, ping: str = "SELECT 1") -> None:
        self._module, self._timeout, self._ping = module, timeout, ping
        self._pool = ConnectionPool(self._open, sound=self._sound, reset=self._reset, end=self._end)

    def ping(self) -> None:
        """Have the server answer, on a new connection if the idle ones died."""
        with self._pool.lend() as connection:
            self._said(lambda: rows_of(connection, self._ping))

    def excess(self, may_read: MayRead) -> tuple[Excess, ...]:
        """Look at the user's rights and roles, on a connection without the layers of a session."""
        connection = self._open()
        try:
            return self._said(lambda: tuple(self._excess(lambda query: rows_of(connection, query), may_read)))
        finally:
            self._end(connection)

    @abstractmethod
    def _open(self) -> Any:
        """Return a new connection; raises JobFailed."""

    @abstractmethod
    def _excess(self, run: Run, may_read: MayRead) -> Iterator[Excess]:
        """Yield what the user could do beyond reading."""

    @abstractmethod
    def _sentence(self, error: Exception) -> str:
        """Return what a driver's error means if no statement of a person's runs."""

    def _said(self, call: Callable[[], R]) -> R:
        try:
            return call()
        except self._module.Error as error:
            raise JobFailed(self._sentence(error)) from error

    def _sound(self, connection: Any) -> bool:
        return self._works(lambda: rows_of(connection, self._ping))

    def _reset(self, connection: Any) -> bool:
        return self._works(connection.rollback)

    def _works(self, call: Callable[[], object]) -> bool:
        try:
            call()
        except self._module.Error:
            return False
        return True

    def _end(self, connection: Any) -> None:
        with suppress(self._module.Error):
            connection.close()


def rows_of(connection: Any, sql: str) -> list[Any]:
    """Run a statement, and return its rows if it has any."""
    with closing(connection.cursor()) as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall()) if cursor.description else []
