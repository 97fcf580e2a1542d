"""PostgreSQL: a READ ONLY transaction, and each statement inside a server-side cursor, which can hold a SELECT only."""

import math
import os
import re
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus
from sqlalchemy.engine import make_url

from router.errors import Failed, JobFailed
from router.sql.databases.dbapi import DriverDatabase, DriverSession, rows_of
from router.sql.databases.deadline import HANG_UP_SECONDS, Deadline, driver_message
from router.sql.databases.error_sentences import ErrorSentences, note
from router.sql.databases.excess import Excess, MayRead, Run, excess_of
from router.sql.databases.postgres_rows import (
    RECEIVED_MAX_BYTES,
    Fetching,
    WatchedConnection,
    kind_of,
    register_readers,
)
from router.sql.databases.session import Described, Estimate
from router.sql.scope import Scope

# The planner's estimate, in words.

NOTED_SCAN_COST = 10_000.0
"""The planner's cost from which reading a whole table is worth a word: about a million short rows."""


def estimate_of(explained: list[dict[str, Any]]) -> Estimate:
    """Read the JSON of EXPLAIN: the rows of the whole, and a note on big tables that are read from end to end."""
    plan = explained[0]["Plan"]
    return Estimate(rows=int(plan["Plan Rows"]), note=note_on(plan))


def note_on(plan: dict[str, Any]) -> str:
    """Name the big tables that are read in full; told by cost, since the planner counts what passes the filter."""
    scanned = {
        str(node["Relation Name"])
        for node in nodes_of(plan)
        if node["Node Type"] == "Seq Scan" and node["Total Cost"] >= NOTED_SCAN_COST
    }
    if not scanned:
        return ""
    return f"It reads all of {' and '.join(sorted(scanned))}, which is big: this may take a while."


def nodes_of(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the node and all below it."""
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes_of(below)


NETWORK_PARAMETERS = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",  # ms: a server that vanished without a word is noticed
}

MEANINGS = {
    "standard_conforming_strings": "on",
    "transform_null_equals": "off",
    "DateStyle": "ISO",  # the site's order of day and month stays
    "IntervalStyle": "postgres",
    "extra_float_digits": "3",
    "bytea_output": "hex",
    "xmlbinary": "base64",
    "xmloption": "content",
}
"""The settings that change what SQL or the text of a value means: a role or a database may have others."""

BEGIN_SQL = """
BEGIN READ ONLY;
SET LOCAL statement_timeout = {timeout};
SET LOCAL lock_timeout = 5000;
SET LOCAL idle_in_transaction_session_timeout = 600000;
SET LOCAL cursor_tuple_fraction = 1.0;
{settings}
{path}
"""
"""Undone by the ROLLBACK that ends every statement. The fraction: rows are read to the end, so plan for that."""

HEALTHY_SQLSTATES = ("53", "54", "55", "57014")
"""SQL states of operational errors after which the connection is still there: limits, locks, cancelled."""

NOT_UTF8 = (
    "A text there is not UTF-8, so it cannot be read, and no row is shown. Leave out its column, or its row. "
    "Your administrator can store such texts in UTF-8: a database in SQL_ASCII takes any bytes."
)

STATEMENT_CLASSES = ("42", "0A", "22")
"""Classes of SQL states that are about the statement while it is planned: its grammar, names, types and constants."""

NO_PRIVILEGE = "42501"
"""The SQL state whose message names a table that may not be read."""

CONDITION = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""The joints in the name of a condition, as psycopg's classes have them."""

LABEL = "PostgreSQL"

Cursor = psycopg.ServerCursor[tuple[Any, ...]]


SCHEMAS = """
SELECT nspname::text FROM pg_catalog.pg_namespace
WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(oid, 'USAGE')
ORDER BY nspname
"""


def _creates_table(connection: psycopg.Connection[tuple[Any, ...]], schema: str) -> bool:
    name = sql.Identifier(schema, f"icc_bot_{secrets.token_hex(8)}")
    try:
        with connection.transaction(force_rollback=True):
            connection.execute("SET LOCAL lock_timeout = 5000; SET LOCAL statement_timeout = 10000")
            connection.execute("SET TRANSACTION READ WRITE")
            connection.execute(sql.SQL("CREATE TABLE {} ()").format(name))
    except psycopg.Error:
        return False
    return True


class PostgresDatabase(DriverDatabase):
    """One PostgreSQL database, as the user of its URL."""

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__(psycopg, timeout)
        self._parameters = parameters_of(url)

    def can_write(self) -> str | None:
        """Try to create a table in each schema, on a connection without the read-only layer."""
        connection = self._open()
        try:
            schemas = [schema for (schema,) in self._said(lambda: rows_of(connection, SCHEMAS))]
            schema = next((schema for schema in schemas if _creates_table(connection, schema)), None)
        finally:
            self._end(connection)
        return schema and f"The reading user created a table in the schema {schema} (it was rolled back)."

    def _session(self, connection: WatchedConnection, scope: Scope | None, deadline: Deadline) -> "PostgresSession":
        return PostgresSession(connection, scope, deadline)

    def _excess(self, run: Run, may_read: MayRead) -> Iterator[Excess]:
        run("SET statement_timeout = 10000; SET lock_timeout = 5000; SET search_path = pg_catalog")
        version = int(run("SHOW server_version_num")[0][0])
        return excess_of("postgres", run, _first_line, psycopg.Error, may_read, version)

    def _sentence(self, error: Exception) -> str:
        return sentence_of(error, ErrorSentences(LABEL))

    def _open(self) -> WatchedConnection:
        try:
            connection = WatchedConnection.connect(**self._parameters, autocommit=True, prepare_threshold=None)
        except psycopg.Error as error:
            raise JobFailed(f"The database cannot be reached: {reason_of(error)}.") from error
        register_readers(connection)
        with socket.socket(fileno=os.dup(connection.fileno())) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_MAX_BYTES)
        return connection

    def _reset(self, connection: WatchedConnection) -> bool:
        """Roll back, and discard session locks and settings, whatever a function left behind."""
        return super()._reset(connection) and self._works(lambda: rows_of(connection, "DISCARD ALL"))


class PostgresSession(DriverSession):
    """A reading session on one connection."""

    def __init__(self, connection: WatchedConnection, scope: Scope | None, deadline: Deadline) -> None:
        super().__init__(connection, psycopg, ErrorSentences(LABEL, scope), deadline)
        schema = scope.default if scope else ""
        path = f'SET LOCAL search_path = "{schema.replace(chr(34), chr(34) * 2)}";' if schema else ""
        settings = "".join(f"SET LOCAL {name} = {value};" for name, value in MEANINGS.items())
        timeout = math.ceil(deadline.timeout * 1000)
        self._begin = BEGIN_SQL.format(timeout=timeout, settings=settings, path=path).encode()
        self._cursor: Cursor | None = None
        self._fetching: Fetching | None = None

    def check(self, sql: str) -> Estimate:
        """Plan `sql` and return the planner's expectation."""
        self._declare(sql)  # refuses whatever is not one SELECT
        plan = self._ask(lambda: self._connection.cursor(binary=True).execute(f"EXPLAIN (FORMAT JSON) {sql}".encode()))
        row = plan.fetchone()
        return estimate_of(row[0]) if row else Estimate()

    def stream(
        self, sql: str, batch: int = 1000, cuts: bool = False
    ) -> tuple[tuple[Described, ...], Iterator[list[tuple[Any, ...]]]]:
        """Open a cursor for `sql`; its rows are computed when they are asked for."""
        cursor = self._declare(sql)
        columns = tuple(Described(c.name, kind_of(c.type_code)) for c in cursor.description or ())
        self._fetching = Fetching(self._connection, cursor.name, batch)
        return columns, self._batches(self._fetching.next)

    def _declare(self, sql: str) -> Cursor:
        self._start(sql)
        self._ask(lambda: self._connection.execute(self._begin))
        self._cursor = psycopg.ServerCursor(self._connection, "icc_bot")
        cursor = self._cursor
        return self._ask(lambda: cursor.execute(sql.encode()))

    @contextmanager
    def _watched(self) -> Iterator[None]:
        self._connection.until = time.monotonic() + self._deadline.left + HANG_UP_SECONDS
        try:
            yield
        finally:
            self._connection.until = math.inf

    def _interrupt(self) -> None:
        with suppress(psycopg.Error):  # it is gone, or the server too busy to hear: it is hung up on
            self._connection.cancel_safe(timeout=5)

    def _hang_up(self) -> None:
        """Break the connection off, so that nobody waits for a server that does not look at its clock.

        One long function, and a row on its way, are not interrupted by statement_timeout; the server ends the session
        as soon as it looks.
        """
        with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(self._connection.fileno())) as line:
            line.shutdown(socket.SHUT_RDWR)

    def _failure(self, error: Exception, planning: bool) -> Failed:
        return JobFailed(sentence_of(error, self._errors, planning))

    def _close(self) -> None:
        if self._fetching is not None:
            self._fetching.end()
            self._fetching = None
        with suppress(psycopg.Error):  # the connection is dead, which the next call or the pool will find
            if self._connection.info.transaction_status != TransactionStatus.IDLE:
                self._connection.rollback()
        if self._cursor is not None:
            with suppress(psycopg.Error):
                self._cursor.close()
            self._cursor = None


def parameters_of(url: str) -> dict[str, Any]:
    """Return what psycopg connects with, from an SQLAlchemy URL."""
    parts = make_url(url)
    given = parts.translate_connect_args(username="user", database="dbname")
    options = {name: value if isinstance(value, str) else ",".join(value) for name, value in parts.query.items()}
    return {**NETWORK_PARAMETERS, "application_name": "icc-bot", **given, **options, "client_encoding": "UTF8"}


def sentence_of(error: Exception, errors: ErrorSentences, planning: bool = True) -> str:
    """Return what an error means: PostgreSQL's own words while it plans, as it reads no row then.

    Later on the name of the condition says it, such as "division by zero".
    """
    if isinstance(error, psycopg.OperationalError) and not (error.sqlstate or "08").startswith(HEALTHY_SQLSTATES):
        return "The connection to the database was lost. Nothing was changed; please run the query again."
    note(LABEL, error)
    if isinstance(error, (psycopg.errors.CharacterNotInRepertoire, UnicodeError)):
        return NOT_UTF8
    state, diag = getattr(error, "sqlstate", None) or "", getattr(error, "diag", None)
    if diag is None or not state:
        return errors.of_rows(CONDITION.sub(" ", type(error).__name__).lower())
    if planning and state != NO_PRIVILEGE and state[:2] in STATEMENT_CLASSES:
        return errors.of_statement(". ".join(filter(None, (diag.message_primary, diag.message_hint))))
    return errors.of_rows(CONDITION.sub(" ", type(error).__name__).lower(), state)


def reason_of(error: psycopg.Error) -> str:
    """Return why there is no connection: the server's last word without host names and addresses."""
    return driver_message(str(error).rsplit("failed: ", 1)[-1])


def _first_line(error: Exception) -> str:
    return driver_message(str(error).partition("\n")[0])
