"""Writing into a DuckDB file: one transaction, filled by DuckDB's appender."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import duckdb

from router.sql.databases.error_sentences import note
from router.sql.databases.files import existing, file_of
from router.sql.dialect import DIALECTS, Name
from router.sql.readers.duckdb import LOCKED_UP
from router.sql.value_kinds import duckdb_text
from router.sql.writing.column_types import columns_of, field_of, made
from router.sql.writing.conversions import Bind, Row, RowFitter
from router.sql.writing.names import LOG_TABLE, quoted
from router.sql.writing.order import (
    CHANGE_ROWS,
    COUNTED_ROWS_MAX,
    TRY_LATER,
    Existing,
    ExistingColumn,
    Kind,
    Refusal,
    ResultField,
    WriteOrder,
    chosen,
    column_without_value,
    demand_mode,
    demand_seen,
    key_taken,
    nothing_written,
)
from router.sql.writing.target import LOCK_WAIT_SECONDS, Batches, Progress, Target

# Refusals as sentences.

_NULL = re.compile(r"NOT NULL constraint failed: .*?\.([^.]+)$")
_KEY = re.compile(r"duplicate key \"(.*)\"", re.IGNORECASE | re.DOTALL)
_RULES = (
    ("foreign key", "A row refers to a row of another table that is not there, or is referred to"),
    ("CHECK constraint failed", "A row breaks a rule of the table"),
    ("Conversion Error", "A value does not fit its column"),
)


def blocked(error: Exception) -> bool:
    """Tell whether somebody else has the file open."""
    return "lock on file" in str(error) or "different configuration" in str(error)


def in_use(path: Path) -> Refusal:
    """Return the refusal for a file that somebody else has."""
    return nothing_written(f"The file {path.name} is open elsewhere, and did not become free in time", TRY_LATER)


def refusal_of(error: Exception, path: Path, order: WriteOrder | None = None) -> Refusal:
    """Return what an error means for the person; the log has DuckDB's own words, which may hold values."""
    note("DuckDB", error)
    table = order.table if order else ""
    words = str(error).split("\n\n")[0].replace(str(path), path.name)
    if blocked(error):
        return in_use(path)
    if "No space left" in words or "out of disk" in words.lower():
        return nothing_written(f"The disk with the file {path.name} is full", "Make room on it, then try again.")
    if "Permission denied" in words or "read-only mode" in words or "Read-only file" in words:
        return nothing_written(f"The file {path.name} may not be written here", "Tell your administrator.")
    if "Conflict" in words or "conflict" in words:
        return nothing_written(f'"{table}" was changed by somebody else at the same time', TRY_LATER)
    if found := _NULL.search(words):
        return column_without_value(found[1], order)
    if found := _KEY.search(words):
        return key_taken(re.findall(r"(?:^|, )([^:,]+): ", found[1]), order)
    for part, sentence in _RULES:
        if part.lower() in words.lower():
            return nothing_written(sentence, CHANGE_ROWS)
    what = f'"{table}" cannot be written' if table else f"The file {path.name} cannot be used"
    return nothing_written(f"{what} ({words.partition(' Error:')[0] if ' Error:' in words else type(error).__name__})")


ROWS_BETWEEN_FLUSHES = 60_000
"""About half of DuckDB's own row group: few enough to keep the memory small."""

BINDS: dict[Kind, Bind] = dict.fromkeys(("date", "time", "timestamp", "timestamptz", "interval"), duckdb_text)

WRITING: dict[Path, Lock] = {}
"""A lock a file; other processes cannot have it open."""

R = TypeVar("R")


class DuckTarget(Target):
    """One DuckDB file, which nobody else can open as long as this is open."""

    dialect: Name = "duckdb"

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__()
        self._path = existing(file_of(url, DIALECTS["duckdb"]))
        self._wait = min(timeout, LOCK_WAIT_SECONDS)
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
            ExistingColumn(field_of(each, native, "duckdb"), nullable, default is not None, each in computed)
            for each, native, nullable, default in described
        )
        count = 0
        if counted:
            count = self._rows(
                f"SELECT count(*) FROM (SELECT 1 FROM {quoted(home, name)} LIMIT {COUNTED_ROWS_MAX + 1})"
            )[0][0]
        return Existing(home, name, columns, min(count, COUNTED_ROWS_MAX), count > COUNTED_ROWS_MAX, view)

    def written(self, schema: str, job: str) -> int | None:
        """Return how many rows this job wrote into the schema."""
        there = self._rows(
            "SELECT 1 FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = ? "
            "AND table_name = ?",
            [schema, LOG_TABLE],
        )
        if not there:
            return None
        rows = self._rows(f'SELECT "rows" FROM {quoted(schema, LOG_TABLE)} WHERE job = ?', [job])
        return int(rows[0][0]) if rows else None

    def _write(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        with self._alone():
            try:
                self._run("BEGIN")
                rows = self.written(order.schema, order.job)
                if rows is None:
                    rows = self._load(order, batches, progress)
                self._demand_going()
                self._run("COMMIT", order=order)
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

    def _load(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        there = self._table(order.schema, order.table, counted=order.deletes)
        demand_mode(order, there)
        demand_seen(order, there)
        name = quoted(order.schema, order.table)
        if order.mode in ("create", "drop"):
            fields = tuple(made(field, self.dialect) for field in order.fields)
            if there is not None:
                self._run(f"DROP TABLE {name}", order=order)
            self._run(f"CREATE TABLE {name} ({columns_of(fields)})", order=order)
        else:
            assert there is not None
            fields = chosen(order, there, caseless=True)
            if order.mode == "truncate":
                self._run(f"DELETE FROM {name}", order=order)
        rows = self._fill(name, fields, order, batches, progress)
        log = quoted(order.schema, LOG_TABLE)
        columns = 'job VARCHAR PRIMARY KEY, target VARCHAR, "rows" BIGINT, written TIMESTAMP'
        self._run(f"CREATE TABLE IF NOT EXISTS {log} ({columns})")
        self._run(f"INSERT INTO {log} VALUES (?, ?, ?, now()::TIMESTAMP)", [order.job, order.table, rows])
        return rows

    def _fill(
        self, name: str, fields: tuple[ResultField, ...], order: WriteOrder, batches: Batches, progress: Progress
    ) -> int:
        columns = [field.name for field in fields]
        appender = self._said(lambda: self._database.appender(name, columns=columns), order)
        fitting, waiting = RowFitter(fields, self.dialect, BINDS), 0
        try:
            for rows in batches:
                self._demand_going()
                self._append(appender, fitting, rows, order)
                waiting += len(rows)
                if waiting >= ROWS_BETWEEN_FLUSHES:
                    self._said(appender.flush, order)
                    waiting = 0
                progress(fitting.total)
            self._said(appender.flush, order)
        except BaseException:
            appender.clear()  # what it still holds must not be written by its end, after the transaction
            raise
        return fitting.total

    def _append(self, appender: Any, fitting: RowFitter, rows: list[Row], order: WriteOrder) -> None:
        fitted = fitting.fit(rows)
        try:
            self._said(lambda: appender.append_rows(fitted), order)
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

    def _run(self, sql: str, values: list[Any] | None = None, order: WriteOrder | None = None) -> None:
        self._said(lambda: self._database.execute(sql, values or []), order)

    def _said(self, call: Callable[[], R], order: WriteOrder | None = None) -> R:
        try:
            return call()
        except (duckdb.Error, RuntimeError, OverflowError, UnicodeError) as error:
            self._demand_going()
            raise refusal_of(error, self._path, order) from error
