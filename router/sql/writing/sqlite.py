"""Writing into an SQLite file: one transaction around everything, so that nothing is ever left half done.

SQLite keeps integers, floats, texts and blobs. Decimals of up to 15 digits become numbers, longer ones texts; dates and
times become texts in ISO form, which its own date functions read; booleans are 0 and 1, NaN is the text NaN.
"""

import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, TypeVar

from router.sql.cell_text import plain
from router.sql.databases.error_sentences import note
from router.sql.databases.files import existing, file_of
from router.sql.dialect import DIALECTS, Name
from router.sql.writing.column_types import columns_of, field_of, made
from router.sql.writing.conversions import Bind, RowFitter
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
    UnfitValue,
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

_RULES = (
    (r"CHECK constraint failed", "A row breaks a rule of the table"),
    (r"FOREIGN KEY constraint failed", "A row refers to a row of another table that is not there, or is referred to"),
    (r"cannot store (\w+) value in (\w+) column", "A column takes {1}, and one of the rows holds {0}"),
    (r"too many columns on (.+)", "These are more columns than SQLite takes"),
)


_NULL = re.compile(r"NOT NULL constraint failed: .*?\.([^.]+)$")
_KEY = re.compile(r"(?:^|, )[^.,]+\.([^,]+)")


def refusal_of(error: Exception, file: str, order: WriteOrder | None) -> Refusal:
    """Return what an error means for the person; the log has SQLite's own words, which may name what they may not."""
    note("SQLite", error)
    words, table = str(error), order.table if order else ""
    code = getattr(error, "sqlite_errorname", "") or ""
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return nothing_written(f"Somebody else is using the file {file}, and it did not become free in time", TRY_LATER)
    if code.startswith("SQLITE_FULL"):
        return nothing_written(f"The disk with the file {file} is full", "Make room on it, then try again.")
    if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
        return nothing_written(f"The file {file} may not be written here", "Tell your administrator.")
    if code.startswith(("SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return nothing_written(f"The file {file} cannot be written ({code})", "Tell your administrator.")
    if found := _NULL.search(words):
        return column_without_value(found[1], order)
    if words.startswith("UNIQUE constraint failed: "):
        return key_taken(_KEY.findall(words.partition(": ")[2]), order)
    for pattern, sentence in _RULES:
        if found := re.search(pattern, words):
            return nothing_written(sentence.format(*found.groups()), CHANGE_ROWS)
    what = f'"{table}" cannot be written' if table else f"The file {file} cannot be read"
    return nothing_written(f"{what} ({code or type(error).__name__})")


STEPS_BETWEEN_LOOKS = 50_000
R = TypeVar("R")


class SqliteTarget(Target):
    """One SQLite file, opened for writing; a constraint holds here even where other programs do not ask for it."""

    dialect: Name = "sqlite"

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__()
        self._path = existing(file_of(url, DIALECTS["sqlite"]))
        self._wait = min(timeout, LOCK_WAIT_SECONDS)
        self._database = self._ask(self._open)

    def schemas(self) -> tuple[str, ...]:
        """Return the one that a file has."""
        return ("main",)

    def table(self, schema: str, table: str) -> Existing | None:
        """Return what lies in the table; a hidden column is none of it."""
        return self._ask(lambda: self._table(table, counted=True))

    def written(self, schema: str, job: str) -> int | None:
        """Return how many rows this job wrote into this file."""
        return self._ask(lambda: self._written(job))

    def _write(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        try:
            self._ask(lambda: self._database.execute("BEGIN IMMEDIATE"), order)
            rows = self._ask(lambda: self._written(order.job))
            if rows is None:
                rows = self._load(order, batches, progress)
            self._demand_going()
            self._ask(self._commit, order)
        finally:
            with suppress(sqlite3.Error):
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
        return rows

    def _interrupt(self) -> None:
        """Nothing more is needed: the engine looks at the flag every few thousand instructions."""

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(
            f"{self._path.as_uri()}?mode=rw",
            uri=True,
            timeout=self._wait,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()  # undoes what a killed writer left
            database.set_progress_handler(self._stop.is_set, STEPS_BETWEEN_LOOKS)
        except BaseException:
            database.close()
            raise
        return database

    def _ask(self, call: Callable[[], R], order: WriteOrder | None = None) -> R:
        try:
            return call()
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            self._demand_going()
            raise refusal_of(error, self._path.name, order) from error

    def _table(self, table: str, counted: bool) -> Existing | None:
        found = self._database.execute(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND lower(name) = lower(?)", (table,)
        ).fetchone()
        if found is None:
            return None
        name, kind = found
        rows = self._database.execute(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
        alone = len([row for row in rows if row[5]]) == 1
        columns = tuple(_column(row, alone) for row in rows if row[6] != 1)
        count = 0
        if counted:
            asked = f"SELECT count(*) FROM (SELECT 1 FROM {quoted(name)} LIMIT {COUNTED_ROWS_MAX + 1})"
            count = self._database.execute(asked).fetchone()[0]
        return Existing("main", name, columns, min(count, COUNTED_ROWS_MAX), count > COUNTED_ROWS_MAX, kind == "view")

    def _written(self, job: str) -> int | None:
        log = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        if self._database.execute(log, (LOG_TABLE,)).fetchone() is None:
            return None
        row = self._database.execute(f'SELECT "rows" FROM {LOG_TABLE} WHERE job = ?', (job,)).fetchone()
        return None if row is None else int(row[0])

    def _load(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        there = self._ask(lambda: self._table(order.table, counted=order.deletes), order)
        demand_mode(order, there)
        demand_seen(order, there)
        name = quoted(order.table if there is None else there.name)
        if order.mode in ("create", "drop"):
            fields = tuple(made(field, self.dialect) for field in order.fields)
            if there is not None:
                self._ask(lambda: self._database.execute(f"DROP TABLE {name}"), order)
                name = quoted(order.table)
            self._ask(lambda: self._database.execute(f"CREATE TABLE {name} ({columns_of(fields)})"), order)
        else:
            assert there is not None
            fields = chosen(order, there, caseless=True)
            if order.mode == "truncate":
                self._ask(lambda: self._database.execute(f"DELETE FROM {name}"), order)
        rows = self._fill(name, fields, order, batches, progress)
        self._ask(lambda: self._note(order, rows), order)
        return rows

    def _fill(
        self, name: str, fields: tuple[ResultField, ...], order: WriteOrder, batches: Batches, progress: Progress
    ) -> int:
        marks = ", ".join("?" for _ in fields)
        insert = f"INSERT INTO {name} ({', '.join(quoted(field.name) for field in fields)}) VALUES ({marks})"
        fitting = RowFitter(fields, self.dialect, BINDS)
        for rows in batches:
            self._demand_going()
            fitted = fitting.fit(rows)
            try:
                self._database.executemany(insert, fitted)
            except UnicodeError as error:
                raise fitting.culprit(rows, nulls=False) or error from None
            except sqlite3.Error as error:
                self._demand_going()
                raise refusal_of(error, self._path.name, order) from error
            progress(fitting.total)
        return fitting.total

    def _note(self, order: WriteOrder, rows: int) -> None:
        self._database.execute(
            f'CREATE TABLE IF NOT EXISTS {LOG_TABLE} (job TEXT PRIMARY KEY, target TEXT, "rows" INTEGER, written TEXT)'
        )
        now = datetime.now(UTC).isoformat(" ", "seconds")
        self._database.execute(f"INSERT INTO {LOG_TABLE} VALUES (?, ?, ?, ?)", (order.job, order.table, rows, now))

    def _commit(self) -> None:
        """Commit; whoever still reads the old rows is waited for, as SQLite itself does not do it for a COMMIT."""
        until = time.monotonic() + self._wait
        while True:
            try:
                self._database.execute("COMMIT")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until or self._stop.wait(0.05):
                    raise
            else:
                return


def _column(row: tuple[Any, ...], alone: bool) -> ExistingColumn:
    """Read one row of PRAGMA table_xinfo; an INTEGER PRIMARY KEY is filled by SQLite."""
    _, name, native, not_null, default, key, hidden = row
    field = field_of(name, native, "sqlite")
    number = key == 1 and alone and native.upper() == "INTEGER"
    return ExistingColumn(field, not (not_null or number), default is not None or number, hidden in (2, 3))


def _decimal(value: Decimal) -> Any:
    """Return a text, which a column of numbers makes a number of; what a float would change is refused."""
    if value.is_finite() and Decimal(repr(float(value))) != value:
        raise UnfitValue("has more digits than SQLite keeps in a column of numbers")
    return plain(value)


BINDS: dict[Kind, Bind] = {
    "decimal": _decimal,
    **dict.fromkeys(("float", "any"), lambda value: value if value == value else "NaN"),
    "bool": int,
    **dict.fromkeys(("date", "time", "timestamp", "timestamptz", "uuid", "interval"), plain),
}
