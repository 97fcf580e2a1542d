"""One database as the user who may write to it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from threading import Event
from typing import Any

from router.errors import JobFailed, Stopped
from router.sql.dialect import Name
from router.sql.writing.names import demand_sound
from router.sql.writing.order import ConnectionLost, Existing, WriteOrder

Progress = Callable[[int], None]
Batches = Iterable[list[tuple[Any, ...]]]

LOCK_WAIT_SECONDS = 30.0
"""Seconds to wait for somebody else who has the file open, or holds a lock."""


class Target(ABC):
    """Opened for one job and closed after it; used by one thread, except `cancel`, which any thread may call."""

    dialect: Name

    def __init__(self) -> None:
        self._stop = Event()

    @abstractmethod
    def schemas(self) -> tuple[str, ...]:
        """Return the schemas that are not the database's own, in alphabetical order."""

    @abstractmethod
    def table(self, schema: str, table: str) -> Existing | None:
        """Return what lies in this table now, None where there is no table or view of the name."""

    @abstractmethod
    def written(self, schema: str, job: str) -> int | None:
        """Return how many rows this job wrote into a table of `schema`, None where its log knows nothing of the job."""

    def write(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        """Write all rows or none, and never twice: a job that was written before only gives its number of rows.

        `progress` is told the number of rows so far. Raises JobFailed (mostly Refusal) or Stopped: nothing was written.
        """
        demand_sound(order, self.dialect)
        rows = self.written(order.schema, order.job)
        if rows is not None:
            return rows
        try:
            return self._write(order, batches, progress)
        except JobFailed as failure:
            rows = self._rows_after(failure, order)
            if rows is None:
                raise
            return rows

    def _rows_after(self, failure: JobFailed, order: WriteOrder) -> int | None:
        """Return what the log says after a failure: the same job may have been written elsewhere, or a COMMIT heard."""
        try:
            return self.written(order.schema, order.job)
        except JobFailed:
            if isinstance(failure, ConnectionLost):
                raise ConnectionLost(
                    "The connection to the database was lost, and it cannot be asked whether the rows were written. "
                    "Try again later: what was written is found in its log and not written twice."
                ) from failure
            return None

    @abstractmethod
    def _write(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        """Write all rows or none and note the job in the log of the schema, in one last step."""

    def cancel(self) -> None:
        """Make `write` end with Stopped and nothing written; without effect once the last step began."""
        self._stop.set()
        self._interrupt()

    @abstractmethod
    def _interrupt(self) -> None:
        """Make the database abandon what it does."""

    def _demand_going(self) -> None:
        if self._stop.is_set():
            raise Stopped("Stopped. Nothing was written.")

    def sweep(self, schema: str, alive: Callable[[str], bool]) -> tuple[str, ...]:
        """Drop what killed jobs that are not `alive` left in the schema, and return the names of the tables."""
        return ()

    @abstractmethod
    def close(self) -> None:
        """Let go of the database; what was not completed is undone."""
