"""The log of jobs, one table a schema: a row without a time is loaded, one with a time is written."""

from datetime import UTC, datetime
from typing import Any

from router.errors import JobFailed
from router.sql.writing.dialects import valued
from router.sql.writing.link import Link
from router.sql.writing.names import LOG_TABLE, quoted
from router.sql.writing.order import WriteOrder


class WriteLog:
    """Reads and writes the logs of a database's schemas, through its one connection."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._rows = quoted("rows", mark=link.dialect.quote)

    def make(self, order: WriteOrder) -> None:
        """Make the table if there is none."""
        if self._link.has_table(order.schema, LOG_TABLE):
            return
        try:
            self._link.define(
                self._link.dialect.log.format(name=self._link.name(order.schema, LOG_TABLE), rows=self._rows), order
            )
        except JobFailed:
            if not self._link.has_table(order.schema, LOG_TABLE):  # else another job was quicker
                raise

    def noted(self, schema: str, job: str) -> tuple[int, bool] | None:
        """Return the job's rows, and whether they were written and not only loaded; None if nothing is known."""
        if not self._link.has_table(schema, LOG_TABLE):
            return None
        asked = f"SELECT {self._rows}, written FROM {self._valued(schema)} WHERE job = {self._link.marks(1)}"
        found = self._link.run(asked, (job,))
        return (int(found[0][0]), found[0][1] is not None) if found else None

    def note(self, order: WriteOrder, rows: int, done: bool) -> None:
        """Add the job to the log, within the transaction."""
        columns = f"job, target, {self._rows}, written"
        values = (order.job, order.table, rows, self._now() if done else None)
        self._link.run(
            f"INSERT INTO {self._valued(order.schema)} ({columns}) VALUES ({self._link.marks(4)})", values, order
        )

    def note_done(self, schema: str, job: str) -> None:
        """Say that what was loaded is written now."""
        first, second = self._link.marks(2).split(", ")
        self._link.run(f"UPDATE {self._valued(schema)} SET written = {first} WHERE job = {second}", (self._now(), job))
        self._link.commit()

    def forget(self, schema: str, job: str) -> None:
        """Say no more that the job was loaded."""
        if self._link.has_table(schema, LOG_TABLE):
            asked = f"DELETE FROM {self._valued(schema)} WHERE job = {self._link.marks(1)} AND written IS NULL"
            self._link.run(asked, (job,))
            self._link.commit()

    def _valued(self, schema: str) -> str:
        return valued(self._link.name(schema, LOG_TABLE), self._link.dialect)

    def _now(self) -> Any:
        """Return the time in UTC, as a column without a zone takes it."""
        now = datetime.now(UTC).replace(tzinfo=None, microsecond=0)
        bind = self._link.dialect.binds.get("timestamp")
        return bind(now) if bind else now
