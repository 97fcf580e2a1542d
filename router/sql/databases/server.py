"""Oracle, MySQL, MariaDB and SQL Server, read through their drivers by what `servers` says of each."""

import math
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from importlib import import_module
from typing import Any
from uuid import UUID

from sqlalchemy.engine import URL, make_url

from router.errors import Failed, JobFailed
from router.sql.databases.dbapi import DriverDatabase, DriverSession, rows_of
from router.sql.databases.deadline import HANG_UP_SECONDS, Deadline
from router.sql.databases.error_sentences import ErrorSentences
from router.sql.databases.excess import Excess, MayRead, Run, excess_of
from router.sql.databases.mysql_grants import mysql_excess_of
from router.sql.databases.row_weight import BATCH_BYTES, gathered
from router.sql.databases.server_sql import SERVERS, spoken
from router.sql.databases.session import (
    Described,
    Estimate,
    Kind,
)
from router.sql.dialect import ServerDialect
from router.sql.scope import Scope
from router.sql.value_kinds import DAY_MICROS, READERS, ExactTime, Interval, JsonText, Reader, bit_reader

# The drivers' values as plain Python ones.

PLAIN_VALUE_TYPES = frozenset(
    {
        *(type(None), bool, int, float, Decimal, str, bytes, date, datetime, time, UUID, list, dict, tuple),
        *(Interval, ExactTime, JsonText),
    }
)

DRIVER_KINDS: tuple[tuple[str, Kind], ...] = (
    ("NUMBER", "number"),
    ("DECIMAL", "number"),
    ("DATETIME", "date"),
    ("DATE", "date"),
    ("BINARY", "blob"),
)
"""The drivers' names for their type objects, not all of which every driver has."""

MYSQL_CODES: dict[Any, Kind] = {246: "number", **dict.fromkeys((249, 250, 251, 252), "text")}
"""MySQL's types that PyMySQL sorts wrongly: a new decimal, and TEXT, which has the codes of a BLOB."""


def kind_of(module: Any, type_code: Any) -> Kind:
    """Return the kind of a column by its type code, compared with the driver's own type objects."""
    if type_code == getattr(module, "DB_TYPE_BOOLEAN", object()):
        return "bool"
    if type_code in MYSQL_CODES and hasattr(module, "FIELD_TYPE"):
        return MYSQL_CODES[type_code]
    return next((kind for name, kind in DRIVER_KINDS if type_code == getattr(module, name, object())), "text")


MYSQL_BIT_CODE = 16


def bits_of(module: Any, description: Any) -> dict[int, Reader]:
    """Return what reads the columns of MySQL that are bits, by their places: how many they are, the column says."""
    mysql = hasattr(module, "FIELD_TYPE")
    return {place: bit_reader(c[3]) for place, c in enumerate(description) if mysql and c[1] == MYSQL_BIT_CODE}


def plain_rows(rows: list[tuple[Any, ...]], readers: Mapping[int, Reader] = {}) -> list[tuple[Any, ...]]:
    """Return the rows as tuples of plain values, those at some places by their readers."""
    if not readers and all(type(value) in PLAIN_VALUE_TYPES for row in rows for value in row):
        return [tuple(row) for row in rows]
    return [tuple(readers.get(place, plain_value)(value) for place, value in enumerate(row)) for row in rows]


def plain_value(value: Any) -> Any:
    """Return a driver's value as a plain one: intervals as ours, and the text of what only the driver knows."""
    if type(value) in PLAIN_VALUE_TYPES:
        return value
    if isinstance(value, timedelta):
        micros = value // timedelta(microseconds=1)
        days = math.trunc(Decimal(micros) / DAY_MICROS)
        return Interval(0, days, micros - days * DAY_MICROS)
    if type(value).__name__ == "IntervalYM":  # python-oracledb's
        return Interval(12 * value.years + value.months)
    return str(value)


LONG_VALUE_BYTES = 1_000_000
"""The assumed weight in bytes of a value whose column has no declared size: a LOB, JSON, XML."""

MYSQL_TIMEOUT_ERRORS = (3024, 1969)
"""The numbers under which MySQL and MariaDB end a statement for its time."""


class ServerSession(DriverSession):
    """A reading session on one connection; `kill` stops the session of the given number from a second connection."""

    def __init__(
        self,
        connection: Any,
        server: ServerDialect,
        module: Any,
        scope: Scope | None,
        deadline: Deadline,
        kill: Callable[[int], None],
    ) -> None:
        super().__init__(connection, module, ErrorSentences(server.label, scope), deadline)
        self._server, self._kill = server, kill
        self._cursor: Any = None
        self._number = 0
        self._unread = False
        self._prepare(scope.default if scope else "")

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
        bits = bits_of(self._module, self._cursor.description)

        def fetched() -> list[tuple[Any, ...]]:
            rows = gathered(self._cursor.fetchmany, batch)
            self._unread = bool(rows)
            return plain_rows(rows, bits)

        return columns, self._batches(fetched)

    def end(self) -> None:
        """Give the connection up, and close it if rows are on their way that nobody will read."""
        spoilt = self._unread and bool(self._server.kill)
        super().end()
        if spoilt:
            with suppress(self._module.Error):
                self._connection.close()

    def _prepare(self, schema: str) -> None:
        """Learn the session's number and which server it is, and have bare names looked up in `schema`."""
        if self._server.whoami:
            number, version = self._rows_of(self._server.whoami)[0]
            self._number, self._server = int(number), spoken(self._server, str(version))
            self._errors.label = self._server.label
        if self._server.schema and schema:
            mark = self._server.quote
            name = mark + schema.replace(mark, mark * 2) + mark
            self._rows_of(self._server.schema.format(name=name))

    def _rows_of(self, sql: str) -> list[Any]:
        return self._ask(lambda: rows_of(self._connection, sql))

    def _begin(self, sql: str) -> None:
        """Open a read-only transaction and a cursor in it."""
        if not sql.lstrip(" \t\r\n(").lower().startswith(("select", "with")):
            raise JobFailed("This session only reads tables: the statement was refused.")
        self._start(sql)
        for statement in self._server.begin:
            self._rows_of(statement.format(ms=int(self._deadline.timeout * 1000) * self._server.timeouts))
        streaming = self._server.cursor
        kind = (getattr(self._module.cursors, streaming),) if streaming else ()
        self._cursor = self._connection.cursor(*kind)

    def _rows_at_once(self, sql: str, batch: int) -> int:
        """Return how many rows the driver may fetch by itself, which Oracle's does: judged by the columns' sizes.

        Once a statement runs, that cannot be changed any more, so the columns are asked for beforehand.
        """
        if self._server.check:
            return batch
        with closing(self._connection.cursor()) as cursor:
            self._ask(lambda: cursor.parse(sql))
            columns = cursor.description or ()
        sizes = [column[3] or LONG_VALUE_BYTES * (column[1] in self._long_types()) for column in columns]
        return max(1, min(batch, BATCH_BYTES // max(1, sum(sizes))))

    def _long_types(self) -> tuple[Any, ...]:
        names = ("CLOB", "NCLOB", "BLOB", "LONG", "LONG_NVARCHAR", "LONG_RAW", "JSON", "XMLTYPE", "VECTOR", "OBJECT")
        return tuple(getattr(self._module, f"DB_TYPE_{name}", None) for name in names)

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Have a server that counts the reader's time too told when the statement's own time is over.

        If it does not listen, nobody waits for it.
        """
        if self._server.timeouts == 1:
            yield
            return
        with self._deadline.alarmed(self._interrupt), self._deadline.alarmed(self._hang_up, HANG_UP_SECONDS):
            yield

    def _hang_up(self) -> None:
        with suppress(OSError, AttributeError):  # it is closed already
            self._connection._sock.shutdown(socket.SHUT_RDWR)  # PyMySQL has no other way

    def _failure(self, error: Exception, planning: bool) -> Failed:
        if error.args and error.args[0] in MYSQL_TIMEOUT_ERRORS:
            seconds = self._deadline.timeout * self._server.timeouts
            return JobFailed(f"The rows were not read within {seconds:g} s, so {self._server.label} ended the query.")
        return JobFailed(self._errors.of_server(error, self._server))

    def _interrupt(self) -> None:
        with suppress(self._module.Error, JobFailed):  # the time-out in the database remains
            if self._server.kill and self._connection.open:
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


TIMEOUT_GRACE_SECONDS = 5
"""Seconds that a driver waits on if the server ends statements by itself: the connection is still good then."""


KILL_SECONDS = 2
"""Seconds that a server has to take the order to end a statement."""


class ServerDatabase(DriverDatabase):
    """One database on a server; `module` is the DBAPI driver, the server's usual one if it is not given."""

    def __init__(self, url: str, timeout: float, module: Any = None) -> None:
        self._url = make_url(url)
        self._backend = self._url.get_backend_name()
        self._server = SERVERS[self._backend]
        super().__init__(module or import_module(self._server.driver), timeout, self._server.ping)

    def _session(self, connection: Any, scope: Scope | None, deadline: Deadline) -> ServerSession:
        return ServerSession(connection, self._server, self._module, scope, deadline, self._kill)

    def _excess(self, run: Run, may_read: MayRead) -> Iterator[Excess]:
        if self._server.driver == "pymysql":
            return mysql_excess_of(run, self._module.Error, may_read)
        return excess_of(self._backend, run, self._sentence, self._module.Error, may_read)

    def _sentence(self, error: Exception) -> str:
        return ErrorSentences(self._server.label).of_server(error, self._server)

    def _open(self, **more: Any) -> Any:
        return self._said(lambda: connect_server(self._url, self._server, self._module, self._timeout, **more))

    def _kill(self, number: int) -> None:
        connection = self._open(connect_timeout=KILL_SECONDS, read_timeout=KILL_SECONDS)
        try:
            rows_of(connection, self._server.kill.format(id=number))
        finally:
            self._end(connection)


def connect_server(url: URL, server: ServerDialect, module: Any, timeout: float, **more: Any) -> Any:
    """Return a new connection, set so that SQL and the texts of values mean the same on each.

    `more` are arguments for the driver besides the usual ones. Raises the driver's own error.
    """
    connection = module.connect(**arguments_of(url, server, module, timeout) | more)
    if hasattr(connection, "call_timeout"):  # python-oracledb's: milliseconds for each round trip
        connection.call_timeout = math.ceil(timeout * 1000)
    for statement in server.settings:
        rows_of(connection, statement)
    return connection


def arguments_of(url: URL, server: ServerDialect, module: Any, timeout: float) -> dict[str, Any]:
    """Return what the driver connects with: what the URL says, and time limits so that nothing waits for ever."""
    dialect: Any = url.set(drivername=f"{url.get_backend_name()}+{server.driver}").get_dialect()
    _, given = dialect(dbapi=module).create_connect_args(url)
    wait = math.ceil(timeout) + (TIMEOUT_GRACE_SECONDS if server.kill else 0)
    limit = {server.wait_argument: wait} if server.wait_argument else {}
    mysql = hasattr(module, "FIELD_TYPE")
    reading = {"conv": {**module.converters.conversions, **READERS["mysql"]}} if mysql else {}
    return {**server.connect, **limit, **reading, **given}
