"""The bot's database on a PostgreSQL server, which any number of processes on any number of machines share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.util import find_spec
from math import inf
from threading import Event
from time import monotonic
from typing import Any, ParamSpec, TypeVar, cast

from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolEmpty

from router.errors import JobFailed

P = ParamSpec("P")
T = TypeVar("T")

SERVER, DRIVER = "postgresql", "postgresql+psycopg"

CONNECTIONS_KEPT, CONNECTIONS_MORE = 10, 20
"""Connections of one process: what it keeps open, and what it opens besides for a moment."""

CONNECT_SECONDS = 10

LOCK_MILLISECONDS = 10_000
"""Milliseconds that a writer waits for another writer, as with a file."""

WRITERS_LOCK = 0x1CC_B07
"""The number of the advisory lock that a transaction holds; every process of the bot has the same."""

AWAY_PATIENCE_SECONDS = 120.0
"""Seconds that callers who may wait wait for a server that is away."""

AWAY_RETRY_SECONDS = 0.5
"""Seconds between two tries of one who waits."""

NEEDS_DRIVER = (
    "ICC_BOT_DATABASE_URL names a PostgreSQL server, which needs its driver: pip install 'icc-bot[postgres]'."
)


def server_url(given: str) -> str | None:
    """Return an address as our driver takes it; None if it is none of a PostgreSQL server."""
    try:
        url = make_url(given.strip())
        scheme = url.drivername.partition("+")[0]
        return None if scheme not in (SERVER, "postgres") or not url.database else _ours(url)
    except (ArgumentError, ValueError):
        return None


def _ours(url: URL) -> str:
    return url.set(drivername=DRIVER).render_as_string(hide_password=False)


def server_engine(url: URL) -> Engine:
    """Open a server's database without a look at its tables; a connection that was lost is replaced by another."""
    if not find_spec("psycopg"):
        raise JobFailed(NEEDS_DRIVER)
    engine = create_engine(
        url.set(drivername=DRIVER),
        hide_parameters=True,  # values may be secrets, and an error's text is logged
        pool_size=CONNECTIONS_KEPT,
        max_overflow=CONNECTIONS_MORE,
        pool_use_lifo=True,
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": CONNECT_SECONDS,
            "application_name": "icc-bot",
            "options": f"-c lock_timeout={LOCK_MILLISECONDS}",
        },
    )
    event.listen(engine, "before_cursor_execute", _without_nul, retval=True)
    return engine


class ServerAway(OperationalError):
    """The server does not answer, so nothing was done."""


class ConnectionCut(ServerAway):
    """The server went away meanwhile: nobody knows whether what was being committed is."""


class ServerConnections:
    """Lends connections; who may wait does while the server is away, so that nothing is lost. A file never is."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._is_server = engine, engine.dialect.name == SERVER
        self._reading = engine.execution_options(reading=True)
        if self._is_server:
            self._reading = engine.execution_options(isolation_level="AUTOCOMMIT")
            event.listen(self._reading, "do_execute", self._query)
        self.may_wait: Callable[[], bool] = lambda: False
        """Return whether the caller may wait: nobody does unless a process that is at work sets this."""
        self._away, self._back, self._ending = False, -inf, Event()

    @contextmanager
    def lent(self, *, reading: bool = False, wait: bool = True) -> Iterator[Connection]:
        """Lend a connection; raises ServerAway if there is none, and ConnectionCut if it is lost in the block.

        On one for `reading`, a query that is cut off is sent again, each being a transaction of its own.
        """
        connect = (self._reading if reading else self._engine).connect
        with self._patiently(connect, wait=wait) if self._is_server else connect() as connection:
            try:
                yield connection
            except DBAPIError as error:
                if error.connection_invalidated:
                    self._away = True
                    raise ConnectionCut(error.statement, None, error.orig or error) from error
                raise

    @property
    def seconds_back(self) -> float:
        """The seconds since the server was last found to be back, without end if it never was away."""
        return 0.0 if self._away else monotonic() - self._back

    def wait_no_more(self) -> None:
        """Have nobody wait any longer, since the process ends."""
        self._ending.set()

    def _query(self, cursor: Any, query: str, given: Any, context: Any) -> bool:
        """Send a query, once more if the connection was cut off; in place of SQLAlchemy."""
        try:
            cursor.execute(query, given)
        except Exception as error:
            connection, raised = context.root_connection, cast(Any, error)
            if not self._engine.dialect.is_disconnect(raised, connection.connection.dbapi_connection, cursor):
                raise
            self._away = True
            connection.invalidate()
            connection.rollback()
            context.cursor = self._patiently(lambda: connection.connection.cursor())
            context.cursor.execute(query, given)
        return True

    def _patiently(self, connect: Callable[[], T], *, wait: bool = True) -> T:
        """Return what connects, once it does; raises ServerAway if it does not in time."""
        began = monotonic()
        while True:
            try:
                connected = connect()
            except (OperationalError, PoolEmpty) as error:
                self._away, waited = True, monotonic() - began
                if not (wait and self.may_wait()) or waited > AWAY_PATIENCE_SECONDS:
                    raise ServerAway("connect", None, error) from error
                if self._ending.wait(AWAY_RETRY_SECONDS):
                    raise ServerAway("connect", None, error) from error
            else:
                if self._away:
                    self._away, self._back = False, monotonic()
                return connected


def repeated_if_cut(call: Callable[P, T]) -> Callable[P, T]:
    """Return what makes a call once more whose connection was cut off: done twice, it has to be as done once."""

    @wraps(call)
    def made(*given: P.args, **named: P.kwargs) -> T:
        try:
            return call(*given, **named)
        except Exception as error:
            if not isinstance(error, ConnectionCut) and not isinstance(error.__cause__, ConnectionCut):
                raise
        return call(*given, **named)

    return made


def write_alone(connection: Connection) -> None:
    """Wait until nobody else is in a transaction that took this lock; it is given back at the transaction's end.

    What we read, and then write by, must not change in between, as it cannot in a file.
    """
    connection.execute(_LOCK, {"lock": WRITERS_LOCK})


_LOCK = text("SELECT pg_advisory_xact_lock(:lock)")


def _without_nul(
    connection: Connection, cursor: Any, statement: str, given: Any, context: Any, many: bool
) -> tuple[str, Any]:
    """Return what is executed, with U+FFFD for the one letter that PostgreSQL's texts cannot hold."""
    if many:
        return statement, [_clean(row) for row in given]
    return statement, _clean(given)


def _clean(given: Any) -> Any:
    if isinstance(given, dict) and any(isinstance(value, str) and "\0" in value for value in given.values()):
        return {
            name: value.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value
            for name, value in given.items()
        }
    return given
