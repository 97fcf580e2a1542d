"""Writing into an SQLite file: one transaction around everything, so that nothing is ever left half done.

SQLite keeps integers, floats, texts and blobs. Decimals of up to 15 digits become numbers, longer ones texts; dates and
times become texts in ISO form, which its own date functions read; booleans are 0 and 1, NaN is the text NaN.
"""

import re
import sqlite3
import time
from decimal import Decimal
from typing import Any

from router.sql.cell_text import plain
from router.sql.databases.error_sentences import note
from router.sql.dialect import Name
from router.sql.writing.column_types import field_of
from router.sql.writing.conversions import Bind, RowFitter
from router.sql.writing.file_target import FileTarget
from router.sql.writing.names import quoted
from router.sql.writing.order import (
    CHANGE_ROWS,
    TRY_LATER,
    Existing,
    ExistingColumn,
    Kind,
    Refusal,
    ResultField,
    UnfitValue,
    WriteOrder,
    column_without_value,
    key_taken,
    nothing_written,
)
from router.sql.writing.target import Batches, Progress

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


class SqliteTarget(FileTarget):
    """One SQLite file, opened for writing; a constraint holds here even where other programs do not ask for it."""

    dialect: Name = "sqlite"
    _errors = (sqlite3.Error,)
    _begin = "BEGIN IMMEDIATE"

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__(url, timeout)
        self._database = self._ask(self._open)

    def schemas(self) -> tuple[str, ...]:
        """Return the one that a file has."""
        return ("main",)

    def _interrupt(self) -> None:
        """Nothing more is needed: the engine looks at the flag every few thousand instructions."""

    def _refusal(self, error: Exception, order: WriteOrder | None) -> Refusal:
        return refusal_of(error, self._path.name, order)

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

    def _table(self, schema: str, table: str, counted: bool) -> Existing | None:
        """Return what lies in the table; a hidden column is none of it."""
        asked = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND lower(name) = lower(?)"
        found = self._rows(asked, [table])
        if not found:
            return None
        name, kind = found[0]
        rows = self._rows(f"PRAGMA table_xinfo({quoted(name)})")
        alone = len([row for row in rows if row[5]]) == 1
        columns = (_column(row, alone) for row in rows if row[6] != 1)
        return self._existing("main", name, columns, counted, kind == "view")

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
