"""Writing into a DuckDB file: one transaction, filled by DuckDB's appender."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import duckdb

from router.sql.databases.files import existing, file_of
from router.sql.dialect import DIALECTS, Name
from router.sql.readers.duckdb import LOCKED_UP
from router.sql.writing.duckdb_words import blocked, in_use, refusal_of
from router.sql.writing.fitting import Fitting, Row
from router.sql.writing.making import columns_of, made
from router.sql.writing.names import LOG, quoted
from router.sql.writing.natives import field_of
from router.sql.writing.order import Column, Existing, Field, Order
from router.sql.writing.presence import MOST_COUNTED, chosen, demand_mode, demand_seen
from router.sql.writing.refusal import Refusal
from router.sql.writing.target import Batches, Progress, Target

ROWS_BETWEEN_FLUSHES = 60_000
"""About half of DuckDB's own row group: few enough to keep the memory small."""

LONGEST_WAIT = 30.0
"""Seconds to wait for somebody else who has the file open."""

WRITING: dict[Path, Lock] = {}
"""A lock a file; other processes cannot have it open."""

R = TypeVar("R")


class DuckTarget(Target):
    """One DuckDB file, which nobody else can open as long as this is open."""

    dialect: Name = "duckdb"

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__()
        self._path = existing(file_of(url, DIALECTS["duckdb"]))
        self._wait = min(timeout, LONGEST_WAIT)
        self._database = self._open()

    def schemas(self) -> tuple[str, ...]:
        """Return the schemas of the file."""
        rows = self._rows(
            "SELECT schema_name FROM duckdb_schemas() WHERE NOT internal AND database_name = current_database() "
            "UNION SELECT 'main' ORDER BY 1"
        )
        return tuple(row[0] for row in rows)

    def table(self, schema: str, table: str) -> Existing | None:
        """Return what lies in the table."""
        return self._table(schema, table, counted=True)

    def _table(self, schema: str, table: str, counted: bool) -> Existing | None:
        found = self._rows(
            "SELECT schema_name, table_name, false FROM duckdb_tables() WHERE database_name = current_database() "
            "AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?) UNION ALL "
            "SELECT schema_name, view_name, true FROM duckdb_views() WHERE database_name = current_database() "
            "AND lower(schema_name) = lower(?) AND lower(view_name) = lower(?)",
            [schema, table, schema, table],
        )
        if not found:
            return None
        home, name, view = found[0]
        described = self._rows(
            "SELECT c.column_name, c.data_type, c.is_nullable, c.column_default FROM duckdb_columns() c "
            "WHERE c.database_name = current_database() AND c.schema_name = ? AND c.table_name = ? "
            "ORDER BY c.column_index",
            [home, name],
        )
        computed = self._computed(home, name)
        columns = tuple(
            Column(field_of(each, native, "duckdb"), nullable, default is not None, each in computed)
            for each, native, nullable, default in described
        )
        count = 0
        if counted:
            count = self._rows(f"SELECT count(*) FROM (SELECT 1 FROM {quoted(home, name)} LIMIT {MOST_COUNTED + 1})")[
                0
            ][0]
        return Existing(home, name, columns, min(count, MOST_COUNTED), count > MOST_COUNTED, view)

    def written(self, schema: str, job: str) -> int | None:
        """Return how many rows this job wrote into the schema."""
        there = self._rows(
            "SELECT 1 FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = ? "
            "AND table_name = ?",
            [schema, LOG],
        )
        if not there:
            return None
        rows = self._rows(f'SELECT "rows" FROM {quoted(schema, LOG)} WHERE job = ?', [job])
        return int(rows[0][0]) if rows else None

    def _write(self, order: Order, batches: Batches, progress: Progress) -> int:
        with self._alone():
            try:
                self._run("BEGIN")
                rows = self.written(order.schema, order.job)
                if rows is None:
                    rows = self._load(order, batches, progress)
                self._demand_going()
                self._run("COMMIT", table=order.table)
            except BaseException:
                with suppress(duckdb.Error):
                    self._database.execute("ROLLBACK")
                raise
        return rows

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait for the other writers of this file: DuckDB would not make them wait, but fail one of them."""
        writing = WRITING.setdefault(self._path, Lock())
        until = time.monotonic() + self._wait
        while not writing.acquire(timeout=0.1):
            self._demand_going()
            if time.monotonic() > until:
                raise in_use(self._path)
        try:
            yield
        finally:
            writing.release()

    def _interrupt(self) -> None:
        self._database.interrupt()

    def close(self) -> None:
        """Close the file, for others to open it."""
        self._database.close()

    def _open(self) -> duckdb.DuckDBPyConnection:
        """Open the file; whoever reads it in this process or another one is waited for."""
        until = time.monotonic() + self._wait
        while True:
            try:
                return duckdb.connect(self._path, config=LOCKED_UP)
            except duckdb.Error as error:
                if not blocked(error) or time.monotonic() > until or self._stop.wait(0.1):
                    raise refusal_of(error, self._path) from error

    def _load(self, order: Order, batches: Batches, progress: Progress) -> int:
        there = self._table(order.schema, order.table, counted=order.deletes)
        demand_mode(order, there)
        demand_seen(order, there)
        name = quoted(order.schema, order.table)
        if order.mode in ("create", "drop"):
            fields = tuple(made(field, self.dialect) for field in order.fields)
            if there is not None:
                self._run(f"DROP TABLE {name}", table=order.table)
            self._run(f"CREATE TABLE {name} ({columns_of(fields)})", table=order.table)
        else:
            assert there is not None
            fields = chosen(order, there, caseless=True)
            if order.mode == "truncate":
                self._run(f"DELETE FROM {name}", table=order.table)
        rows = self._fill(name, fields, order.table, batches, progress)
        log = quoted(order.schema, LOG)
        columns = 'job VARCHAR PRIMARY KEY, target VARCHAR, "rows" BIGINT, written TIMESTAMP'
        self._run(f"CREATE TABLE IF NOT EXISTS {log} ({columns})")
        self._run(f"INSERT INTO {log} VALUES (?, ?, ?, now()::TIMESTAMP)", [order.job, order.table, rows])
        return rows

    def _fill(self, name: str, fields: tuple[Field, ...], table: str, batches: Batches, progress: Progress) -> int:
        columns = [field.name for field in fields]
        appender = self._said(lambda: self._database.appender(name, columns=columns), table)
        fitting, waiting = Fitting(fields), 0
        try:
            for rows in batches:
                self._demand_going()
                self._append(appender, fitting, rows, table)
                waiting += len(rows)
                if waiting >= ROWS_BETWEEN_FLUSHES:
                    self._said(appender.flush, table)
                    waiting = 0
                progress(fitting.total)
            self._said(appender.flush, table)
        except BaseException:
            appender.clear()  # what it still holds must not be written by its end, after the transaction
            raise
        return fitting.total

    def _append(self, appender: Any, fitting: Fitting, rows: list[Row], table: str) -> None:
        fitted = fitting.fit(rows)
        try:
            self._said(lambda: appender.append_rows(fitted), table)
        except Refusal:
            if culprit := fitting.culprit(rows, nulls=False):
                raise culprit from None
            raise

    def _computed(self, schema: str, table: str) -> set[str]:
        """Return the columns that DuckDB computes; it shows them in the text of the table only."""
        rows = self._rows(
            "SELECT column_name FROM information_schema.columns WHERE table_catalog = current_database() "
            "AND table_schema = ? AND table_name = ? AND is_generated = 'ALWAYS'",
            [schema, table],
        )
        return {row[0] for row in rows}

    def _rows(self, sql: str, values: list[Any] | None = None) -> list[Any]:
        return self._said(lambda: self._database.execute(sql, values or []).fetchall())

    def _run(self, sql: str, values: list[Any] | None = None, table: str = "") -> None:
        self._said(lambda: self._database.execute(sql, values or []), table)

    def _said(self, call: Callable[[], R], table: str = "") -> R:
        try:
            return call()
        except (duckdb.Error, RuntimeError, OverflowError, UnicodeError) as error:
            self._demand_going()
            raise refusal_of(error, self._path, table) from error
