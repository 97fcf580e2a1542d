"""One connection to a server through its DBAPI driver, which opens anew where it was lost."""

import math
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import sha1
from importlib import import_module
from typing import Any, TypeVar

from sqlalchemy.engine import make_url

from router.errors import Stopped
from router.sql.databases.generic import arguments_of
from router.sql.databases.servers import SERVERS, spoken
from router.sql.writing.names import OLD, quoted, staging
from router.sql.writing.order import Order
from router.sql.writing.refusal import LATER, Lost, Refusal, nothing_written
from router.sql.writing.server_tongues import TONGUES, Tongue, valued
from router.sql.writing.server_words import refusal_of

LONGEST_WAIT = 30.0
"""Seconds to wait for a lock that somebody else holds."""

R = TypeVar("R")


class Link:
    """Statements go through here: their refusals become sentences; `stopped` says whether somebody pressed Stop.

    `module` is the DBAPI driver and `tongue` its row: the usual ones of the URL where they are not given.
    """

    def __init__(
        self, url: str, timeout: float, stopped: Callable[[], bool], module: Any = None, tongue: Tongue | None = None
    ) -> None:
        parts = make_url(url)
        self._server = server = SERVERS.get(parts.get_backend_name())
        self.tongue = tongue or TONGUES[parts.get_backend_name()]
        self.module = module or import_module(server.driver if server else self.tongue.name)
        self._arguments = {"database": parts.database}
        if server:
            self._arguments = arguments_of(parts, server, self.module, timeout)
        self._timeout, self._stopped = timeout, stopped
        self._seconds = math.ceil(min(timeout, LONGEST_WAIT))
        self._connection: Any = None
        self._number = 0
        self._label = self.tongue.label
        self.said(self._open)

    def _open(self) -> None:
        self._connection = self.module.connect(**self._arguments)
        if hasattr(self._connection, "call_timeout"):  # python-oracledb's: milliseconds for each round trip
            self._connection.call_timeout = math.ceil(self._timeout * 1000)
        if self._server and self._server.whoami:
            number, version = self._execute(self._server.whoami)[0]
            self._number, self._label = int(number), spoken(self._server, str(version)).label
        for statement in self.tongue.begin:
            self._execute(statement.format(seconds=self._seconds, milliseconds=1000 * self._seconds))
        if self.tongue.lock:
            self.lock = self.tongue.lock.replace("{seconds}", str(self._seconds))

    lock = ""
    """The statement that keeps others from writing into the table {name}, "" where the server has none."""

    def name(self, schema: str, table: str) -> str:
        """Return a table in this server's quotes."""
        return quoted(schema, table, mark=self.tongue.quote)

    def valued(self, sql: str) -> str:
        """Return a part of a statement that has values beside it, in which the driver may take % for a mark."""
        return valued(sql, self.tongue)

    def names(self, order: Order) -> dict[str, str]:
        """Return the tables of an order as the tongue's statements name them."""
        waiting, old = staging(order.job), OLD + order.job
        mark = self.tongue.quote
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
        return bool(self.rows(self.tongue.table, (schema, table)))

    def hold(self, schema: str, name: str) -> None:
        """Wait until no other job of the bot works on this name, and keep it until the connection ends.

        A server without such locks, such as a cluster, is left to its own. Raises Refusal where it takes too long.
        """
        if not self.tongue.hold:
            return
        key = sha1(f"{schema}.{name}".casefold().encode(), usedforsecurity=False).hexdigest()
        try:
            had = self.rows(self.tongue.hold.format(key=key, seconds=self._seconds))[0][0]
        except Refusal:
            return
        if not had:
            raise nothing_written("Another job is writing there, and did not become free in time", LATER)

    def marks(self, count: int) -> str:
        """Return so many marks for values."""
        return ", ".join(self.tongue.mark.format(number=number) for number in range(1, count + 1))

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        """Return all rows of a small query; connects again where the connection was lost."""
        if self._connection is None:
            self.said(self._open)
        return self.said(lambda: self._execute(sql, values))

    def run(self, sql: str, values: tuple[Any, ...] = ()) -> None:
        """Run a statement within the transaction."""
        self.said(lambda: self._execute(sql, values))

    def define(self, sql: str) -> None:
        """Run a statement about a table; where it commits, before and after it, that is done for all to see."""
        if self.tongue.ddl_commits:
            self.commit()
        self.run(sql)
        if self.tongue.ddl_commits:
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

    def said(self, call: Callable[[], R], table: str = "") -> R:
        """Return what `call` does; raises Refusal, Lost, or Stopped where the database was interrupted for that."""
        try:
            return call()
        except (self.module.Error, OverflowError, UnicodeError) as error:
            failure = refusal_of(error, self._label, table)
            if isinstance(failure, Lost):
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
