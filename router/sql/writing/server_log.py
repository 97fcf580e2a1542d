"""The table that says which jobs were loaded (a row without a time) and written (with one): once a schema."""

from datetime import UTC, datetime

from router.errors import JobFailed
from router.sql.writing.names import LOG, quoted
from router.sql.writing.order import Order
from router.sql.writing.server_link import Link


class Log:
    """Reads and writes the logs of a server's schemas, through its one connection."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._rows = quoted("rows", mark=link.tongue.quote)

    def make(self, schema: str) -> None:
        """Make the table where there is none."""
        if self._link.there(schema, LOG):
            return
        try:
            self._link.define(self._link.tongue.log.format(name=self._name(schema), rows=self._rows))
        except JobFailed:
            if not self._link.there(schema, LOG):  # else another job was quicker
                raise

    def noted(self, schema: str, job: str) -> tuple[int, bool] | None:
        """Return the job's rows, and whether they were written and not only loaded; None where nothing is known."""
        if not self._link.there(schema, LOG):
            return None
        asked = f"SELECT {self._rows}, written FROM {self._valued(schema)} WHERE job = {self._link.marks(1)}"
        found = self._link.rows(asked, (job,))
        return (int(found[0][0]), found[0][1] is not None) if found else None

    def note(self, order: Order, rows: int, done: bool) -> None:
        """Add the job to the log, within the transaction."""
        columns = f"job, target, {self._rows}, written"
        values = (order.job, order.table, rows, _now() if done else None)
        self._link.run(f"INSERT INTO {self._valued(order.schema)} ({columns}) VALUES ({self._link.marks(4)})", values)

    def note_done(self, schema: str, job: str) -> None:
        """Say that what was loaded is written now."""
        first, second = self._link.marks(2).split(", ")
        self._link.run(f"UPDATE {self._valued(schema)} SET written = {first} WHERE job = {second}", (_now(), job))
        self._link.commit()

    def forget(self, schema: str, job: str) -> None:
        """Say no more that the job was loaded."""
        if self._link.there(schema, LOG):
            asked = f"DELETE FROM {self._valued(schema)} WHERE job = {self._link.marks(1)} AND written IS NULL"
            self._link.run(asked, (job,))
            self._link.commit()

    def _name(self, schema: str) -> str:
        return self._link.name(schema, LOG)

    def _valued(self, schema: str) -> str:
        return self._link.valued(self._name(schema))


def _now() -> datetime:
    """Return the time in UTC, as a column without a zone takes it."""
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)
