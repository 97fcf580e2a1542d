"""Writing into an SQLite file: one transaction around everything, so that nothing is ever left half done.

SQLite keeps integers, floats, texts and blobs. Decimals of up to 15 digits become numbers, longer ones texts; dates and
times become texts in ISO form, which its own date functions read; booleans are 0 and 1, NaN is the text NaN.
"""

import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, TypeVar

from router.sql.databases.files import existing, file_of
from router.sql.dialect import DIALECTS, Name
from router.sql.writing.fitting import Bind, Fitting
from router.sql.writing.making import columns_of, made
from router.sql.writing.names import LOG, quoted
from router.sql.writing.natives import field_of
from router.sql.writing.order import Column, Existing, Field, Kind, Order
from router.sql.writing.presence import MOST_COUNTED, chosen, demand_mode, demand_seen
from router.sql.writing.refusal import Clash
from router.sql.writing.sqlite_words import refusal_of
from router.sql.writing.target import Batches, Progress, Target
from router.sql.writing.texts import text_of

STEPS_BETWEEN_LOOKS = 50_000
LONGEST_WAIT = 30.0
"""Seconds to wait for somebody else who writes or reads the file."""

R = TypeVar("R")


class SqliteTarget(Target):
    """One SQLite file, opened for writing; a constraint holds here even where other programs do not ask for it."""

    dialect: Name = "sqlite"

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__()
        self._path = existing(file_of(url, DIALECTS["sqlite"]))
        self._wait = min(timeout, LONGEST_WAIT)
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

    def _write(self, order: Order, batches: Batches, progress: Progress) -> int:
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

    def _ask(self, call: Callable[[], R], order: Order | None = None) -> R:
        try:
            return call()
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            self._demand_going()
            raise refusal_of(error, self._path.name, order.table if order else "") from error

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
            asked = f"SELECT count(*) FROM (SELECT 1 FROM {quoted(name)} LIMIT {MOST_COUNTED + 1})"
            count = self._database.execute(asked).fetchone()[0]
        return Existing("main", name, columns, min(count, MOST_COUNTED), count > MOST_COUNTED, kind == "view")

    def _written(self, job: str) -> int | None:
        log = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        if self._database.execute(log, (LOG,)).fetchone() is None:
            return None
        row = self._database.execute(f'SELECT "rows" FROM {LOG} WHERE job = ?', (job,)).fetchone()
        return None if row is None else int(row[0])

    def _load(self, order: Order, batches: Batches, progress: Progress) -> int:
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

    def _fill(self, name: str, fields: tuple[Field, ...], order: Order, batches: Batches, progress: Progress) -> int:
        marks = ", ".join("?" for _ in fields)
        insert = f"INSERT INTO {name} ({', '.join(quoted(field.name) for field in fields)}) VALUES ({marks})"
        fitting = Fitting(fields, {field.kind: BINDS[field.kind] for field in fields if field.kind in BINDS})
        for rows in batches:
            self._demand_going()
            fitted = fitting.fit(rows)
            try:
                self._database.executemany(insert, fitted)
            except UnicodeError as error:
                raise fitting.culprit(rows, nulls=False) or error from None
            except sqlite3.Error as error:
                self._demand_going()
                raise refusal_of(error, self._path.name, order.table) from error
            progress(fitting.total)
        return fitting.total

    def _note(self, order: Order, rows: int) -> None:
        self._database.execute(
            f'CREATE TABLE IF NOT EXISTS {LOG} (job TEXT PRIMARY KEY, target TEXT, "rows" INTEGER, written TEXT)'
        )
        now = datetime.now(UTC).isoformat(" ", "seconds")
        self._database.execute(f"INSERT INTO {LOG} VALUES (?, ?, ?, ?)", (order.job, order.table, rows, now))

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


def _column(row: tuple[Any, ...], alone: bool) -> Column:
    """Read one row of PRAGMA table_xinfo; an INTEGER PRIMARY KEY is filled by SQLite."""
    _, name, native, not_null, default, key, hidden = row
    field = field_of(name, native, "sqlite")
    number = key == 1 and alone and native.upper() == "INTEGER"
    return Column(field, not (not_null or number), default is not None or number, hidden in (2, 3))


def _decimal(value: Decimal) -> Any:
    """Return a text, which a column of numbers makes a number of; what a float would change is refused."""
    if value.is_finite() and Decimal(repr(float(value))) != value:
        raise Clash("has more digits than SQLite keeps in a column of numbers")
    return text_of(value)


BINDS: dict[Kind, Bind] = {
    "decimal": _decimal,
    **dict.fromkeys(("float", "any"), lambda value: value if value == value else "NaN"),
    "bool": int,
    **dict.fromkeys(("date", "time", "timestamp", "timestamptz", "uuid", "interval"), text_of),
}
