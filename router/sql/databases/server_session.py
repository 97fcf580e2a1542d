"""One reading session on a database server: a read-only transaction around each statement."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from router.errors import Failed, JobFailed
from router.sql.databases import Described, Estimate, Session
from router.sql.databases.running import Running
from router.sql.databases.server_values import kind_of, plain_rows
from router.sql.databases.server_words import sentence_of
from router.sql.databases.servers import Server, spoken
from router.sql.databases.weight import BATCH_BYTES, Scale, gathered

R = TypeVar("R")

LONG_VALUE = 1_000_000
"""What a value is taken to weigh whose column has no declared size: a LOB, JSON, XML."""

OUT_OF_TIME = (3024, 1969)
"""The numbers under which MySQL and MariaDB end a statement for its time."""


class ServerSession(Session):
    """A reading session on one connection; `kill` stops the session of the given number from a second connection."""

    def __init__(
        self, connection: Any, server: Server, module: Any, schema: str, running: Running, kill: Callable[[int], None]
    ) -> None:
        self._connection, self._server, self._module = connection, server, module
        self._running, self._kill = running, kill
        self._lending = threading.Lock()
        self._cursor: Any = None
        self._number = 0
        self._unread = False
        self._prepare(schema)

    def check(self, sql: str) -> Estimate:
        """Parse or plan `sql` on the server, which gives no estimate that could be compared."""
        self._begin(sql)
        if not self._server.check:
            self._ask(lambda: self._cursor.parse(sql))
        else:
            text = sql.replace(self._server.escape, 2 * self._server.escape) if self._server.escape else sql
            asked = self._server.check.format(text=text.replace("'", "''"))
            self._ask(lambda: (self._cursor.execute(asked), self._cursor.fetchall()))
        self._close()
        return Estimate()

    def stream(
        self, sql: str, batch: int = 1000, cuts: bool = False
    ) -> tuple[tuple[Described, ...], Iterator[list[tuple[Any, ...]]]]:
        """Start `sql`; its rows are fetched when they are asked for."""
        self._begin(sql)
        self._cursor.arraysize = self._rows_at_once(sql, batch)
        self._ask(lambda: self._cursor.execute(sql, **self._server.execute))
        if not self._cursor.description:
            self._close()
            raise JobFailed("This session only reads tables: a statement that returns no rows was refused.")
        self._unread = True
        columns = tuple(Described(str(c[0]), kind_of(self._module, c[1])) for c in self._cursor.description)
        scale = Scale(len(columns), deep=[place for place, each in enumerate(columns) if each.kind in ("text", "blob")])
        return columns, self._batches(scale, batch, self._running.statement)

    def cancel(self) -> None:
        """Stop this session for good; any thread may call it. SQL Server stops between two batches only."""
        self._running.stop()
        with self._lending:  # not a moment later, when the connection is somebody else's
            if not self._running.ended:
                self._interrupt()

    def end(self) -> None:
        """Give the connection up: what is still being read fails from now on."""
        with self._lending:
            self._running.end()
        spoilt = self._unread and bool(self._server.kill)
        self._close()
        if spoilt:
            with suppress(self._module.Error):
                self._connection.close()

    def _prepare(self, schema: str) -> None:
        """Learn the session's number and which server it is, and have bare names looked up in `schema`."""
        cursor = self._connection.cursor()
        try:
            if self._server.whoami:
                self._ask(lambda: cursor.execute(self._server.whoami))
                number, version = cursor.fetchall()[0]
                self._number, self._server = int(number), spoken(self._server, str(version))
            if self._server.schema and schema:
                mark = self._server.quote
                name = mark + schema.replace(mark, mark * 2) + mark
                self._ask(lambda: cursor.execute(self._server.schema.format(name=name)))
        finally:
            cursor.close()

    def _begin(self, sql: str) -> None:
        """Open a read-only transaction and a cursor in it."""
        if not sql.lstrip(" \t\r\n(").lower().startswith(("select", "with")):
            raise JobFailed("This session only reads tables: the statement was refused.")
        self._running.start(sql)
        self._close()
        cursor = self._connection.cursor()
        try:
            for statement in self._server.begin:
                text = statement.format(ms=int(self._running.timeout * 1000) * self._server.patience)
                self._ask(lambda text=text: cursor.execute(text))  # type: ignore[misc]
        finally:
            cursor.close()
        streaming = self._server.cursor
        kind = (getattr(self._module.cursors, streaming),) if streaming else ()
        self._cursor = self._connection.cursor(*kind)

    def _rows_at_once(self, sql: str, batch: int) -> int:
        """Return how many rows the driver may fetch by itself, which Oracle's does: judged by the columns' sizes.

        Once a statement runs, that cannot be changed any more, so the columns are asked for beforehand.
        """
        if self._server.check:
            return batch
        cursor = self._connection.cursor()
        try:
            self._ask(lambda: cursor.parse(sql))
            sizes = [column[3] or LONG_VALUE * (column[1] in self._long_types()) for column in cursor.description or ()]
        finally:
            cursor.close()
        return max(1, min(batch, BATCH_BYTES // max(1, sum(sizes))))

    def _long_types(self) -> tuple[Any, ...]:
        names = ("CLOB", "NCLOB", "BLOB", "LONG", "LONG_NVARCHAR", "LONG_RAW", "JSON", "XMLTYPE", "VECTOR", "OBJECT")
        return tuple(getattr(self._module, f"DB_TYPE_{name}", None) for name in names)

    def _batches(self, scale: Scale, batch: int, statement: int) -> Iterator[list[tuple[Any, ...]]]:
        def fetched() -> list[tuple[Any, ...]]:
            return gathered(self._cursor.fetchmany, scale, batch)

        while rows := self._ask(fetched, statement):
            yield plain_rows(rows)
        self._unread = False

    def _ask(self, call: Callable[[], R], statement: int | None = None) -> R:
        try:
            with self._running.working(statement), self._watched():
                return call()
        except (self._module.Error, UnicodeError) as error:
            raise self._failure(error) from error

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Have a server that counts the reader's time too told when the statement's own time is over."""
        if self._server.patience == 1:
            yield
            return
        ended = False

        def late() -> None:
            with self._lending:
                if not ended:
                    self._interrupt()

        clock = threading.Timer(self._running.left, late)
        clock.daemon = True
        clock.start()
        try:
            yield
        finally:
            clock.cancel()
            with self._lending:  # what is interrupted is this call and none after it
                ended = True

    def _failure(self, error: Exception) -> Failed:
        if failure := self._running.failure():
            return failure
        if error.args and error.args[0] in OUT_OF_TIME:
            seconds = self._running.timeout * self._server.patience
            return JobFailed(f"The rows were not read within {seconds:g} s, so {self._server.label} ended the query.")
        return JobFailed(sentence_of(error, self._server.label))

    def _interrupt(self) -> None:
        with suppress(self._module.Error, JobFailed):  # the time-out in the database remains
            if self._server.kill:
                self._kill(self._number)
            elif hasattr(self._connection, "cancel"):
                self._connection.cancel()

    def _close(self) -> None:
        """Close the cursor and end its transaction, whatever became of them."""
        if self._cursor is None:
            return
        if self._unread and self._server.kill:  # MySQL sends all the rows before it listens again
            self._interrupt()
        self._unread = False
        with suppress(self._module.Error):
            self._cursor.close()
        with suppress(self._module.Error):
            self._connection.rollback()
        self._cursor = None
