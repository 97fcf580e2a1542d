"""Writing into a file: one transaction around everything, the log of jobs in it, so that nothing is left half done."""

from abc import abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import UTC, datetime
from typing import Any, ClassVar, TypeVar

from router.sql.databases.files import existing, file_of
from router.sql.dialect import DIALECTS
from router.sql.writing.column_types import columns_of, made
from router.sql.writing.names import LOG_TABLE, quoted
from router.sql.writing.order import (
    COUNTED_ROWS_MAX,
    Existing,
    ResultField,
    WriteOrder,
    chosen,
    demand_mode,
    demand_seen,
)
from router.sql.writing.target import LOCK_WAIT_SECONDS, Batches, Progress, Target

R = TypeVar("R")


class FileTarget(Target):
    """One file of a database, through the connection `_database`."""

    _database: Any
    _errors: ClassVar[tuple[type[Exception], ...]]
    """What the engine raises with words of its own."""
    _begin: ClassVar[str]

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__()
        self._path = existing(file_of(url, DIALECTS[self.dialect]))
        self._wait = min(timeout, LOCK_WAIT_SECONDS)

    def table(self, schema: str, table: str) -> Existing | None:
        """Return what lies in the table."""
        return self._table(schema, table, counted=True)

    def written(self, schema: str, job: str) -> int | None:
        """Return how many rows this job wrote into the schema."""
        if self._table(schema, LOG_TABLE, counted=False) is None:
            return None
        rows = self._rows(f'SELECT "rows" FROM {quoted(schema, LOG_TABLE)} WHERE job = ?', [job])
        return int(rows[0][0]) if rows else None

    @abstractmethod
    def _table(self, schema: str, table: str, counted: bool) -> Existing | None:
        """Return what lies in a table; its rows only if they are to be `counted`."""

    @abstractmethod
    def _fill(
        self, name: str, fields: tuple[ResultField, ...], order: WriteOrder, batches: Batches, progress: Progress
    ) -> int:
        """Put the rows into a table, and return how many there were."""

    @abstractmethod
    def _refusal(self, error: Exception, order: WriteOrder | None) -> Exception:
        """Return what an error of the engine means for the person."""

    def _alone(self) -> AbstractContextManager[None]:
        """Wait for the other writers of this file, where the engine does not."""
        return nullcontext()

    def _commit(self) -> None:
        self._database.execute("COMMIT")

    def _write(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        with self._alone():
            try:
                self._run(self._begin, order=order)
                rows = self.written(order.schema, order.job)
                if rows is None:
                    rows = self._load(order, batches, progress)
                self._demand_going()
                self._ask(self._commit, order)
            except BaseException:
                with suppress(*self._errors):
                    self._database.execute("ROLLBACK")
                raise
        return rows

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
        self._run(f"CREATE TABLE IF NOT EXISTS {log} ({columns})", order=order)
        now = datetime.now(UTC).isoformat(" ", "seconds")
        self._run(f"INSERT INTO {log} VALUES (?, ?, ?, ?)", [order.job, order.table, rows, now], order)
        return rows

    def _existing(self, schema: str, name: str, columns: Any, counted: bool, view: bool) -> Existing:
        count = 0
        if counted:
            asked = f"SELECT count(*) FROM (SELECT 1 FROM {quoted(schema, name)} LIMIT {COUNTED_ROWS_MAX + 1})"
            count = self._rows(asked)[0][0]
        return Existing(schema, name, tuple(columns), min(count, COUNTED_ROWS_MAX), count > COUNTED_ROWS_MAX, view)

    def _rows(self, sql: str, values: list[Any] | None = None) -> list[Any]:
        return self._ask(lambda: list(self._database.execute(sql, values or []).fetchall()))

    def _run(self, sql: str, values: list[Any] | None = None, order: WriteOrder | None = None) -> None:
        self._ask(lambda: self._database.execute(sql, values or []), order)

    def _ask(self, call: Callable[[], R], order: WriteOrder | None = None) -> R:
        errors: tuple[type[Exception], ...] = (*self._errors, OverflowError, UnicodeError)
        try:
            return call()
        except errors as error:
            self._demand_going()
            raise self._refusal(error, order) from error

    def close(self) -> None:
        """Close the file, for others to open it."""
        self._database.close()
