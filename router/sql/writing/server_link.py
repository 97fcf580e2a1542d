"""One connection to a server through its DBAPI driver, which opens anew where it was lost."""

import math
import re
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import sha1
from importlib import import_module
from typing import Any, TypeVar

from sqlalchemy.engine import make_url

from router.errors import JobFailed, Stopped
from router.sql.databases.error_sentences import note, words_of
from router.sql.databases.server import arguments_of
from router.sql.databases.server_sql import SERVERS, spoken
from router.sql.writing.names import OLD_TABLE_PREFIX, quoted, staging
from router.sql.writing.order import (
    CHANGE_ROWS,
    TELL_ADMINISTRATOR,
    TRY_LATER,
    ConnectionLost,
    Refusal,
    WriteOrder,
    column_without_value,
    key_taken,
    nothing_written,
)
from router.sql.writing.server_sql import WRITE_DIALECTS, WriteDialect, valued
from router.sql.writing.target import LOCK_WAIT_SECONDS

# Refusals as sentences, by their numbers.

_ERROR_CODE = re.compile(r"\b((?:ORA|DPY)-\d+)\b")

_MEANINGS: tuple[tuple[str, str, str], ...] = (
    ("ORA-00955 1050 2714", "There is a table or view of this name already", "Choose another name."),
    ("ORA-00942 1146 208", "A table is not there (any more), or this user may not see it", "Choose another one."),
    ("ORA-01918 1049 2760", "There is no such schema, or this user may not use it", "Choose another one."),
    ("ORA-01031 ORA-01950 1044 1142 1227 262 229", "The user of this connection lacks a right", TELL_ADMINISTRATOR),
    ("ORA-02291 ORA-02292 1451 1452", "A row refers to a row of another table that is not there", CHANGE_ROWS),
    ("ORA-02290 3819 4025 547", "A row breaks a rule of the table", CHANGE_ROWS),
    ("ORA-12899 1406 8152 2628", "A text is too long for its column", CHANGE_ROWS),
    ("ORA-01438 ORA-01722 1264 1366 1292 245 8114 8115", "A value does not fit its column", CHANGE_ROWS),
    (
        "ORA-01653 ORA-01654 ORA-01652 ORA-01536 1021 1114 1105 9002",
        "The database has no room left",
        TELL_ADMINISTRATOR,
    ),
    (
        "ORA-00054 ORA-30006 ORA-00060 1205 1213 1222 3572",
        "The table is being changed by somebody else, and did not become free in time",
        TRY_LATER,
    ),
    ("DPY-4024 3024 1317 1969", "The database took longer than it may", TELL_ADMINISTRATOR),
    ("ORA-16000 1290 1792 1836 3906", "The database may only be read", TELL_ADMINISTRATOR),
)
_NULL_ERRORS = frozenset("ORA-01400 ORA-01407 1048 1364 515".split())  # noqa: SIM905
_COLUMN = re.compile(r"""\b(?:column|field) '([^']+)'|\."([^"]+)"\)""", re.IGNORECASE)
_GONE = frozenset("ORA-03113 ORA-03114 ORA-03135 ORA-02396 DPY-4011 DPY-1001 2006 2013 2055 20003 20004 20047".split())  # noqa: SIM905
_KEY_ERRORS = frozenset("ORA-00001 1062 2627 2601".split())  # noqa: SIM905


def refusal_of(error: Exception, label: str, order: WriteOrder | None = None) -> JobFailed:
    """Return what a driver's error means for the person; ConnectionLost where the connection is gone.

    The log has the server's own words, which may hold values, and names that the person may not know.
    """
    note(label, error)
    number = number_of(error)
    if number in _GONE:
        return ConnectionLost(f"The connection to the database was lost. Nothing was written. {TRY_LATER}")
    if number in _NULL_ERRORS:
        column = _COLUMN.search(words_of(error))
        return column_without_value((column[1] or column[2]) if column else "", order)
    if number in _KEY_ERRORS:
        return key_taken((), order, number)
    for numbers, sentence, advice in _MEANINGS:
        if number and number in numbers.split():
            return nothing_written(f"{sentence} ({number})", advice)
    what = f'"{order.table}" cannot be written' if order else f"{label} refused a statement"
    return nothing_written(f"{what} ({number or type(error).__name__})")


def number_of(error: Exception) -> str:
    """Return the number under which the server's manual explains the error, "" where it has none."""
    if found := _ERROR_CODE.search(str(error)):
        return found[1]
    first = error.args[0] if error.args else ""
    return str(first) if isinstance(first, int) else ""


R = TypeVar("R")


class ServerLink:
    """Statements go through here: their refusals become sentences; `stopped` says whether somebody pressed Stop.

    `module` is the DBAPI driver and `dialect` its row: the usual ones of the URL where they are not given.
    """

    def __init__(
        self,
        url: str,
        timeout: float,
        stopped: Callable[[], bool],
        module: Any = None,
        dialect: WriteDialect | None = None,
    ) -> None:
        parts = make_url(url)
        self._server = server = SERVERS.get(parts.get_backend_name())
        self.dialect = dialect or WRITE_DIALECTS[parts.get_backend_name()]
        self.module = module or import_module(server.driver if server else self.dialect.name)
        self._arguments = {"database": parts.database}
        if server:
            self._arguments = arguments_of(parts, server, self.module, timeout)
        self._timeout, self._stopped = timeout, stopped
        self._seconds = math.ceil(min(timeout, LOCK_WAIT_SECONDS))
        self._connection: Any = None
        self._number = 0
        self._label = self.dialect.label
        self.said(self._open)

    def _open(self) -> None:
        self._connection = self.module.connect(**self._arguments)
        if hasattr(self._connection, "call_timeout"):  # python-oracledb's: milliseconds for each round trip
            self._connection.call_timeout = math.ceil(self._timeout * 1000)
        if self._server and self._server.whoami:
            number, version = self._execute(self._server.whoami)[0]
            self._number, self._label = int(number), spoken(self._server, str(version)).label
        for statement in self._server.settings if self._server else ():
            self._execute(statement)
        for statement in self.dialect.begin:
            self._execute(statement.format(seconds=self._seconds, milliseconds=1000 * self._seconds))
        if self.dialect.lock:
            self.lock = self.dialect.lock.replace("{seconds}", str(self._seconds))

    lock = ""
    """The statement that keeps others from writing into the table {name}, "" where the server has none."""

    def name(self, schema: str, table: str) -> str:
        """Return a table in this server's quotes."""
        return quoted(schema, table, mark=self.dialect.quote)

    def valued(self, sql: str) -> str:
        """Return a part of a statement that has values beside it, in which the driver may take % for a mark."""
        return valued(sql, self.dialect)

    def names(self, order: WriteOrder) -> dict[str, str]:
        """Return the tables of an order as the dialect's statements name them."""
        waiting, old = staging(order.job), OLD_TABLE_PREFIX + order.job
        mark = self.dialect.quote
        return {
            "name": self.name(order.schema, order.table),
            "bare": quoted(order.table, mark=mark),
            "bare_text": order.table.replace("'", "''"),
            "waiting": self.name(order.schema, waiting),
            "waiting_text": self.name(order.schema, waiting).replace("'", "''"),
            "old": self.name(order.schema, old),
            "bare_old": quoted(old, mark=mark),
        }

    def there(self, schema: str, table: str) -> bool:
        """Tell whether there is a table or view of this name."""
        return bool(self.rows(self.dialect.table, (schema, table)))

    def hold(self, schema: str, name: str) -> None:
        """Wait until no other job of the bot works on this name, and keep it until the connection ends.

        A server without such locks, such as a cluster, is left to its own. Raises Refusal where it takes too long.
        """
        if not self.dialect.hold:
            return
        key = sha1(f"{schema}.{name}".casefold().encode(), usedforsecurity=False).hexdigest()
        try:
            had = self.rows(self.dialect.hold.format(key=key, seconds=self._seconds))[0][0]
        except Refusal:
            return
        if not had:
            raise nothing_written("Another job is writing there, and did not become free in time", TRY_LATER)

    def marks(self, count: int) -> str:
        """Return so many marks for values."""
        return ", ".join(self.dialect.mark.format(number=number) for number in range(1, count + 1))

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        """Return all rows of a small query; connects again where the connection was lost."""
        if self._connection is None:
            self.said(self._open)
        return self.said(lambda: self._execute(sql, values))

    def run(self, sql: str, values: tuple[Any, ...] = (), order: WriteOrder | None = None) -> None:
        """Run a statement within the transaction."""
        self.said(lambda: self._execute(sql, values), order)

    def define(self, sql: str) -> None:
        """Run a statement about a table; where it commits, before and after it, that is done for all to see."""
        if self.dialect.ddl_commits:
            self.commit()
        self.run(sql)
        if self.dialect.ddl_commits:
            self.commit()

    def commit(self) -> None:
        """End the transaction."""
        self.said(self._connection.commit)

    def rollback(self) -> None:
        """Undo the transaction, as far as there is one."""
        with suppress(self.module.Error):
            if self._connection is not None:
                self._connection.rollback()

    def cursor(self) -> Any:
        """Return a cursor of the driver."""
        return self._connection.cursor()

    def said(self, call: Callable[[], R], order: WriteOrder | None = None) -> R:
        """Return what `call` does; raises Refusal, ConnectionLost, or Stopped where somebody pressed Stop."""
        try:
            return call()
        except (self.module.Error, OverflowError, UnicodeError) as error:
            failure = refusal_of(error, self._label, order)
            if isinstance(failure, ConnectionLost):
                self.close()
            elif self._stopped():
                raise Stopped("Stopped. Nothing was written.") from error
            raise failure from error

    def interrupt(self) -> None:
        """Make the server abandon the running statement, where its driver has a way to; any thread may call it."""
        connection = self._connection
        with suppress(self.module.Error):
            if self._server and self._server.kill and connection is not None:
                self._kill(self._server.kill.format(id=self._number))
            elif hasattr(connection, "cancel"):
                connection.cancel()

    def _kill(self, sql: str) -> None:
        """Stop the statement from a second connection."""
        with closing(self.module.connect(**self._arguments)) as second, closing(second.cursor()) as cursor:
            cursor.execute(sql)

    def close(self) -> None:
        """Let go of the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(self.module.Error):
                connection.close()

    def _execute(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        cursor = self._connection.cursor()
        try:
            cursor.execute(sql, values) if values else cursor.execute(sql)
            return list(cursor.fetchall()) if cursor.description else []
        finally:
            cursor.close()
