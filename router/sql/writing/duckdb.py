"""Writing into a DuckDB file: one transaction, filled by DuckDB's appender."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import duckdb

from router.sql.databases.error_sentences import note
from router.sql.dialect import Name
from router.sql.readers.duckdb import LOCKED_UP
from router.sql.value_kinds import duckdb_text
from router.sql.writing.column_types import field_of
from router.sql.writing.conversions import Bind, Row, RowFitter
from router.sql.writing.file_target import FileTarget
from router.sql.writing.order import (
    CHANGE_ROWS,
    TRY_LATER,
    Existing,
    ExistingColumn,
    Kind,
    Refusal,
    ResultField,
    WriteOrder,
    column_without_value,
    key_taken,
    nothing_written,
)
from router.sql.writing.target import Batches, Progress

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


class DuckTarget(FileTarget):
    """One DuckDB file, which nobody else can open as long as this is open."""

    dialect: Name = "duckdb"
    _errors = (duckdb.Error, RuntimeError)
    _begin = "BEGIN"

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__(url, timeout)
        self._database = self._open()

    def schemas(self) -> tuple[str, ...]:
        """Return the schemas of the file."""
        rows = self._rows(
            "SELECT schema_name FROM duckdb_schemas() WHERE NOT internal AND database_name = current_database() "
            "UNION SELECT 'main' ORDER BY 1"
        )
        return tuple(row[0] for row in rows)

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
            "SELECT c.column_name, c.data_type, c.is_nullable, c.column_default, i.is_generated = 'ALWAYS' "
            "FROM duckdb_columns() c JOIN information_schema.columns i ON i.table_catalog = c.database_name "
            "AND i.table_schema = c.schema_name AND i.table_name = c.table_name AND i.column_name = c.column_name "
            "WHERE c.database_name = current_database() AND c.schema_name = ? AND c.table_name = ? "
            "ORDER BY c.column_index",
            [home, name],
        )
        columns = (
            ExistingColumn(field_of(each, native, "duckdb"), nullable, default is not None, bool(computed))
            for each, native, nullable, default, computed in described
        )
        return self._existing(home, name, columns, counted, view)

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

    def _refusal(self, error: Exception, order: WriteOrder | None) -> Refusal:
        return refusal_of(error, self._path, order)

    def _open(self) -> duckdb.DuckDBPyConnection:
        """Open the file; whoever reads it in this process or another one is waited for."""
        until = time.monotonic() + self._wait
        while True:
            try:
                return duckdb.connect(self._path, config=LOCKED_UP)
            except duckdb.Error as error:
                if not blocked(error) or time.monotonic() > until or self._stop.wait(0.1):
                    raise refusal_of(error, self._path) from error

    def _fill(
        self, name: str, fields: tuple[ResultField, ...], order: WriteOrder, batches: Batches, progress: Progress
    ) -> int:
        columns = [field.name for field in fields]
        appender = self._ask(lambda: self._database.appender(name, columns=columns), order)
        fitting, waiting = RowFitter(fields, self.dialect, BINDS), 0
        try:
            for rows in batches:
                self._demand_going()
                self._append(appender, fitting, rows, order)
                waiting += len(rows)
                if waiting >= ROWS_BETWEEN_FLUSHES:
                    self._ask(appender.flush, order)
                    waiting = 0
                progress(fitting.total)
            self._ask(appender.flush, order)
        except BaseException:
            appender.clear()  # what it still holds must not be written by its end, after the transaction
            raise
        return fitting.total

    def _append(self, appender: Any, fitting: RowFitter, rows: list[Row], order: WriteOrder) -> None:
        fitted = fitting.fit(rows)
        try:
            self._ask(lambda: appender.append_rows(fitted), order)
        except Refusal:
            if culprit := fitting.culprit(rows, nulls=False):
                raise culprit from None
            raise
