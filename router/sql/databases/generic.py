"""Oracle, MySQL, MariaDB and SQL Server, read through their drivers by what `servers` says of each."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, TypeVar

from sqlalchemy.engine import URL, make_url

from router.errors import JobFailed
from router.sql.databases import Database, Session
from router.sql.databases.excess import Excess, Look, MayRead, not_seen, seen
from router.sql.databases.mysql_excess import excess_of as mysql_excess_of
from router.sql.databases.pool import Pool
from router.sql.databases.running import Running
from router.sql.databases.server_excess import LOOKS
from router.sql.databases.server_session import ServerSession
from router.sql.databases.server_words import sentence_of
from router.sql.databases.servers import SERVERS, Server
from router.sql.guard import Scope

R = TypeVar("R")

GRACE = 5
"""Seconds that a driver waits on where the server ends statements by itself: the connection is still good then."""


class ServerDatabase(Database):
    """One database on a server; `module` is the DBAPI driver, the server's usual one where it is not given."""

    def __init__(self, url: str, timeout: float, module: Any = None) -> None:
        parts = make_url(url)
        self._backend = parts.get_backend_name()
        self._server = SERVERS[self._backend]
        self._timeout = timeout
        self._module = module or import_module(self._server.driver)
        self._arguments = arguments_of(parts, self._server, self._module, timeout)
        self._pool = Pool(self._open, sound=self._sound, reset=self._reset, end=self._end)

    @contextmanager
    def session(self, scope: Scope | None = None) -> Iterator[Session]:
        """Lend a session that looks bare names up in the scope's schema; without a scope, name tables in full.

        Which tables may be read, the guard and the user's rights say.
        """
        with self._pool.lend() as connection:
            schema, running = scope.default if scope else "", Running(self._timeout)
            session = ServerSession(connection, self._server, self._module, schema, running, self._kill)
            try:
                yield session
            finally:
                session.end()

    def ping(self) -> None:
        """Have the server answer, on a new connection where the idle ones died."""
        with self._pool.lend() as connection:
            self._said(lambda: _rows_of(connection, self._server.ping))

    def can_write(self) -> str | None:
        """Read the user's rights; nothing is tried, as a CREATE TABLE commits by itself on these servers."""
        connection = self._open()
        try:
            for query in self._server.rights:
                rows = self._said(lambda: _rows_of(connection, query))  # noqa: B023 — called at once
                if rows:
                    return f"The reading user has {rows[0][0]}."
            return None
        finally:
            self._end(connection)

    def excess(self, may_read: MayRead) -> tuple[Excess, ...]:
        """Read the user's grants, or look at what the dictionary says of its rights."""
        connection = self._open()

        def run(query: str) -> list[Any]:
            return _rows_of(connection, query)

        try:
            if self._server.driver == "pymysql":
                return self._said(lambda: tuple(mysql_excess_of(run, self._module.Error, may_read)))
            return tuple(each for look in LOOKS[self._backend] for each in self._looked(look, run, may_read))
        finally:
            self._end(connection)

    def close(self) -> None:
        """Close all pooled connections."""
        self._pool.close()

    def _looked(self, look: Look, run: Callable[[str], list[Any]], may_read: MayRead) -> Iterator[Excess]:
        try:
            rows = run(look.query)
        except self._module.Error as error:
            yield not_seen(look.about, sentence_of(error, self._server.label).rstrip("."))
        else:
            yield from seen(look, rows, may_read)

    def _said(self, call: Callable[[], R]) -> R:
        try:
            return call()
        except self._module.Error as error:
            raise JobFailed(sentence_of(error, self._server.label)) from error

    def _open(self) -> Any:
        connection = self._said(lambda: self._module.connect(**self._arguments))
        if hasattr(connection, "call_timeout"):  # python-oracledb's: milliseconds for each round trip
            connection.call_timeout = math.ceil(self._timeout * 1000)
        return connection

    def _kill(self, number: int) -> None:
        connection = self._open()
        try:
            _rows_of(connection, self._server.kill.format(id=number))
        finally:
            self._end(connection)

    def _sound(self, connection: Any) -> bool:
        try:
            _rows_of(connection, self._server.ping)
        except self._module.Error:
            return False
        return True

    def _reset(self, connection: Any) -> bool:
        try:
            connection.rollback()
        except self._module.Error:
            return False
        return True

    def _end(self, connection: Any) -> None:
        with suppress(self._module.Error):
            connection.close()


def arguments_of(url: URL, server: Server, module: Any, timeout: float) -> dict[str, Any]:
    """Return what the driver connects with: what the URL says, and time limits so that nothing waits for ever."""
    dialect: Any = url.set(drivername=f"{url.get_backend_name()}+{server.driver}").get_dialect()
    _, given = dialect(dbapi=module).create_connect_args(url)
    wait = math.ceil(timeout) + (GRACE if server.kill else 0)
    limit = {server.wait_argument: wait} if server.wait_argument else {}
    return {**server.connect, **limit, **given}


def _rows_of(connection: Any, sql: str) -> list[Any]:
    cursor = connection.cursor()
    try:
        cursor.execute(sql)
        return list(cursor.fetchall()) if cursor.description else []
    finally:
        cursor.close()
