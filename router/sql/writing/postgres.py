"""Writing into PostgreSQL: COPY inside one transaction, so that nothing is ever left half done, not even by a kill.

Rows for a table that is there go straight into it: others see them at the COMMIT only, and PostgreSQL names the column
and the row of whatever it refuses. A new table is filled under the job's own name and renamed in the same transaction,
so that an old table of its name is locked for that moment only. Old rows are deleted and not truncated, as readers go
on seeing them until the COMMIT.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import psycopg

from router.sql.databases.postgres import parameters_of, reason_of
from router.sql.dialect import Name
from router.sql.writing.fitting import Fitting
from router.sql.writing.making import columns_of, made
from router.sql.writing.names import LOG, quoted, staging
from router.sql.writing.order import Existing, Field, Order
from router.sql.writing.postgres_copy import copy_of
from router.sql.writing.postgres_tables import existing_of, schemas_of
from router.sql.writing.postgres_words import refusal_of
from router.sql.writing.presence import chosen, demand_mode, demand_seen, taken
from router.sql.writing.refusal import nothing_written
from router.sql.writing.target import Batches, Progress, Target

LONGEST_WAIT = 30.0
"""Seconds to wait for a lock that somebody else holds."""

QUICKER = (psycopg.errors.DuplicateTable, psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation)
"""What PostgreSQL says to the second of two who make a table at once."""

R = TypeVar("R")
Connection = psycopg.Connection[tuple[Any, ...]]


class PostgresTarget(Target):
    """One PostgreSQL database, as the user of its URL."""

    dialect: Name = "postgres"

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__()
        self._parameters = parameters_of(url)
        self._timeout = timeout
        self._connection = self._open()

    def schemas(self) -> tuple[str, ...]:
        """Return the schemas in which this user may create tables or write some."""
        return self._ask(lambda: schemas_of(self._connection))

    def table(self, schema: str, table: str) -> Existing | None:
        """Return what lies in the table."""
        return self._ask(lambda: existing_of(self._connection, schema, table, counted=True))

    def written(self, schema: str, job: str) -> int | None:
        """Return how many rows this job wrote into the schema; connects again where the connection was lost."""
        if self._connection.broken:
            self.close()
            self._connection = self._open()
        return self._ask(lambda: self._written(schema, job))

    def _write(self, order: Order, batches: Batches, progress: Progress) -> int:
        self._ask(lambda: self._make_log(order.schema), order)
        return self._ask(lambda: self._transaction(order, batches, progress), order)

    def _transaction(self, order: Order, batches: Batches, progress: Progress) -> int:
        with self._connection.transaction():
            self._run("SET LOCAL statement_timeout = 0")
            rows = self._load(order, batches, progress)
            log = quoted(order.schema, LOG)
            self._run(f"INSERT INTO {log} VALUES (%s, %s, %s, now())", (order.job, order.table, rows))
            self._demand_going()
        return rows

    def _load(self, order: Order, batches: Batches, progress: Progress) -> int:
        there = existing_of(self._connection, order.schema, order.table, counted=False)
        demand_mode(order, there)
        name = quoted(order.schema, order.table)
        if order.mode in ("create", "drop"):
            waiting = quoted(order.schema, staging(order.job))
            fields = tuple(made(field, self.dialect) for field in order.fields)
            self._run(f"CREATE TABLE {waiting} ({columns_of(fields)})")
            rows = self._fill(waiting, fields, batches, progress)
            if order.mode == "drop":
                if there is not None:
                    self._lock(name, order)
                self._run(f"DROP TABLE IF EXISTS {name}")
            self._rename(waiting, order)
            return rows
        assert there is not None
        fields = chosen(order, there)
        if order.mode == "truncate":
            self._lock(name, order)
            self._run(f"DELETE FROM {name}")
        return self._fill(name, fields, batches, progress)

    def _lock(self, name: str, order: Order) -> None:
        """Let nobody else write: two of these at once would each see the old rows only, and both leave theirs."""
        self._run(f"LOCK TABLE {name} IN SHARE ROW EXCLUSIVE MODE")
        if order.deletes:
            demand_seen(order, existing_of(self._connection, order.schema, order.table, counted=True))

    def _fill(self, name: str, fields: tuple[Field, ...], batches: Batches, progress: Progress) -> int:
        fitting, copying = Fitting(fields), copy_of(name, fields)
        with self._connection.cursor() as cursor:
            with cursor.copy(copying.statement.encode()) as copy:
                if copying.types:
                    copy.set_types(copying.types)
                for rows in batches:
                    self._demand_going()
                    fitted = copying.wrapped(fitting.fit(rows))
                    try:
                        for row in fitted:
                            copy.write_row(row)
                    except UnicodeError:
                        raise fitting.culprit(rows, nulls=True) or nothing_written("A text is not Unicode") from None
                    progress(fitting.total)
            if cursor.rowcount != fitting.total:
                raise nothing_written(f"{fitting.total:,} rows were sent, and {cursor.rowcount:,} arrived")
        return fitting.total

    def _rename(self, waiting: str, order: Order) -> None:
        try:
            self._run(f"ALTER TABLE {waiting} RENAME TO {quoted(order.table)}")
        except QUICKER as error:
            raise taken(order) from error

    def _make_log(self, schema: str) -> None:
        """Make the table that says which jobs were written, where there is none."""
        if self._has_log(schema):
            return
        columns = 'job text PRIMARY KEY, target text, "rows" bigint, written timestamptz'
        with suppress(*QUICKER):
            self._run(f"CREATE TABLE IF NOT EXISTS {quoted(schema, LOG)} ({columns})")

    def _has_log(self, schema: str) -> bool:
        asked = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = %s"
        return self._connection.execute(asked, (schema, LOG)).fetchone() is not None

    def _written(self, schema: str, job: str) -> int | None:
        if not self._has_log(schema):
            return None
        asked = f'SELECT "rows" FROM {quoted(schema, LOG)} WHERE job = %s'
        row = self._connection.execute(asked.encode(), (job,)).fetchone()
        return None if row is None else int(row[0])

    def _interrupt(self) -> None:
        with suppress(psycopg.Error):  # it is gone, or the server too busy to hear: the flag remains
            self._connection.cancel_safe(timeout=5)

    def close(self) -> None:
        """Close the connection; a transaction that is open is undone."""
        self._connection.close()

    def _open(self) -> Connection:
        try:
            connection = psycopg.connect(**self._parameters, autocommit=True, prepare_threshold=None)
            wait, limit = min(self._timeout, LONGEST_WAIT), self._timeout
            connection.execute(
                f"SET lock_timeout = {math.ceil(wait * 1000)}; SET statement_timeout = {math.ceil(limit * 1000)}; "
                "SET standard_conforming_strings = on; SET timezone = 'UTC'".encode()
            )
        except psycopg.Error as error:
            raise nothing_written(f"The database cannot be reached: {reason_of(error)}") from error
        return connection

    def _run(self, sql: str, values: tuple[Any, ...] | None = None) -> None:
        self._connection.execute(sql.encode(), values)

    def _ask(self, call: Callable[[], R], order: Order | None = None) -> R:
        try:
            return call()
        except (psycopg.Error, OverflowError) as error:
            if not self._connection.broken:
                self._demand_going()
            raise refusal_of(error, order) from error
