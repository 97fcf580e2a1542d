"""One connection to a database that is written, through its DBAPI driver, which opens again if it was lost."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import sha1
from importlib import import_module
from math import ceil
from pathlib import Path
from threading import Event, Lock
from typing import Any, TypeVar

from sqlalchemy.engine import make_url

from router.errors import Stopped
from router.sql.databases.files import file_of, require_file
from router.sql.databases.server_sql import SERVERS, spoken
from router.sql.dialect import DIALECTS, by_backend
from router.sql.writing.connecting import CONNECT, Access, milliseconds, server_connection
from router.sql.writing.dialects import WRITE_DIALECTS, WriteDialect
from router.sql.writing.loading import LOADERS, Loader
from router.sql.writing.names import OLD_TABLE_PREFIX, quoted, staging
from router.sql.writing.order import TRY_LATER, ConnectionLost, Refusal, ResultField, WriteOrder, nothing_written
from router.sql.writing.refusals import code_of, meaning_of, refusal_of

LOCK_WAIT_SECONDS = 30.0
"""Seconds to wait for somebody else who has the file open, or holds a lock."""

WRITING: dict[Path, Lock] = {}
"""A lock a file, for the writers of this process."""

R = TypeVar("R")


class Link:
    """Statements go through here: their refusals become sentences; `stop` is set once somebody pressed Stop.

    `module` is the DBAPI driver and `dialect` its row: the usual ones of the URL if they are not given.
    """

    def __init__(
        self, url: str, timeout: float, stop: Event, module: Any = None, dialect: WriteDialect | None = None
    ) -> None:
        backend = make_url(url).get_backend_name()
        known = DIALECTS[dialect.name] if dialect else by_backend(backend)
        assert known is not None, url
        self.dialect = dialect or WRITE_DIALECTS[known.name]
        self.module = module or import_module(known.driver)
        self._server = SERVERS.get(backend)
        self._file = require_file(file_of(url, known)) if known.is_file else None
        self._wait = min(timeout, LOCK_WAIT_SECONDS)
        self._stop = stop
        self._access = Access(url, self._file, self.module, timeout, self._wait)
        self._connection: Any = None
        self._number = 0
        self._label = self.dialect.label
        self.ask(self._open)

    def _open(self) -> None:
        connect = CONNECT.get(self.dialect.name, server_connection)
        self._connection = self._when_free(lambda: connect(self._access))
        if self._server and self._server.whoami:
            number, version = self._execute(self._server.whoami)[0]
            self._number, self._label = int(number), spoken(self._server, str(version)).label
        waits = {"seconds": ceil(self._wait), "milliseconds": milliseconds(self._wait)}
        for statement in self.dialect.session:
            self._execute(statement.format(**waits, limit=milliseconds(self._access.timeout)))

    def _when_free(self, call: Callable[[], R]) -> R:
        """Return what `call` does once nobody else uses the file, for which engines do not always wait themselves."""
        until = time.monotonic() + self._wait
        while True:
            try:
                return call()
            except self.module.Error as error:
                if meaning_of(error) != "file in use" or time.monotonic() > until or self._stop.wait(0.1):
                    raise

    def name(self, schema: str, table: str) -> str:
        """Return a table in this database's quotes."""
        return quoted(schema, table, mark=self.dialect.quote)

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
            "seconds": str(ceil(self._wait)),
        }

    def has_table(self, schema: str, table: str) -> bool:
        """Return whether there is a table or view of this name."""
        return bool(self.run(self.dialect.table, (schema, table)))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until nobody else in this process writes into this file: DuckDB would fail one of them."""
        if self._file is None:
            yield
            return
        writing = WRITING.setdefault(self._file, Lock())
        until = time.monotonic() + self._wait
        while not writing.acquire(timeout=0.1):
            self.require_going()
            if time.monotonic() > until:
                raise nothing_written(
                    f"Somebody else is using the file {self._file.name}, and it did not become free in time", TRY_LATER
                )
        try:
            yield
        finally:
            writing.release()

    def hold(self, schema: str, name: str) -> None:
        """Wait until no other job of the bot works on this name, and keep it until the connection ends.

        A server that says it has no such locks, such as a cluster, is left to its own. Raises Refusal if it takes too
        long, or fails.
        """
        if not self.dialect.hold:
            return
        key = sha1(f"{schema}.{name}".casefold().encode(), usedforsecurity=False).hexdigest()
        try:
            had = self.run(self.dialect.hold.format(key=key, seconds=ceil(self._wait)))[0][0]
        except Refusal as refusal:
            cause = refusal.__cause__
            if isinstance(cause, Exception) and code_of(cause) in self.dialect.hold_missing.split():
                return
            raise
        if not had:
            raise nothing_written("Another job is writing there, and did not become free in time", TRY_LATER)

    def marks(self, count: int) -> str:
        """Return so many marks for values."""
        return ", ".join(self.dialect.mark.format(number=number) for number in range(1, count + 1))

    def run(self, sql: str, values: tuple[Any, ...] = (), order: WriteOrder | None = None) -> list[Any]:
        """Run a statement, and return its rows; connects again if the connection was lost, with its transaction."""
        if self._connection is None:
            self.ask(self._open)
        return self.ask(lambda: self._execute(sql, values), order)

    def define(self, sql: str, order: WriteOrder | None = None) -> None:
        """Run a statement about a table; if it commits, before and after it, that is done for all to see."""
        if self.dialect.ddl_commits:
            self.commit()
        self.run(sql, order=order)
        if self.dialect.ddl_commits:
            self.commit()

    def commit(self, order: WriteOrder | None = None) -> None:
        """End the transaction; SQLite does not wait by itself for others who still read the old rows."""
        self.ask(lambda: self._when_free(self._connection.commit), order)

    def rollback(self) -> None:
        """Undo the transaction, as far as there is one."""
        with suppress(self.module.Error):
            if self._connection is not None:
                self._connection.rollback()

    def loader(self, name: str, fields: Sequence[ResultField]) -> Loader:
        """Return what takes the rows of a table."""
        loader = LOADERS.get(self.dialect.name, Loader)
        return loader(self._connection, name, fields, self.dialect, self.module)

    def ask(self, call: Callable[[], R], order: WriteOrder | None = None) -> R:
        """Return what `call` does; raises Refusal, ConnectionLost, or Stopped if somebody pressed Stop."""
        try:
            return call()
        except (self.module.Error, OverflowError, UnicodeError, RuntimeError) as error:
            failure = refusal_of(error, self._label, order, self._file.name if self._file else "")
            if isinstance(failure, ConnectionLost):
                self.close()
            else:
                self.require_going()
            raise failure from error

    def require_going(self) -> None:
        """Raise Stopped if somebody pressed Stop."""
        if self._stop.is_set():
            raise Stopped("Stopped. Nothing was written.")

    def interrupt(self) -> None:
        """Make the database abandon the running statement, if its driver has a way to; any thread may call it."""
        connection = self._connection
        with suppress(self.module.Error):
            if connection is None:
                return
            if self._server and self._server.kill:  # from a second connection
                with closing(server_connection(self._access)) as second, closing(second.cursor()) as cursor:
                    cursor.execute(self._server.kill.format(id=self._number))
            elif hasattr(connection, self.dialect.interrupt):
                getattr(connection, self.dialect.interrupt)()

    def close(self) -> None:
        """Let go of the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(self.module.Error):
                connection.close()

    def _execute(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        if self.dialect.one_cursor:
            return list(self._connection.execute(sql, values).fetchall())
        with closing(self._connection.cursor()) as cursor:
            cursor.execute(sql, values) if values else cursor.execute(sql)
            return list(cursor.fetchall()) if cursor.description else []
