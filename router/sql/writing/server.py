"""Writing into Oracle, MySQL, MariaDB and SQL Server through their drivers, by what `server_tongues` says of each.

The rows are loaded into a staging table that is named by the job, with the types of the table they are for. SQL Server
does all in one transaction. Oracle and MySQL commit with every CREATE and RENAME; so for a new table the log says
"loaded" (a row without a time) before the RENAME, which is the last step: a job that is killed then finds its staging
table again and goes on from there, or does not find it, which means that the RENAME was done. Rows for a table that is
there go into it together with the log's row, in one transaction, by INSERT ... SELECT.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from router.errors import BotError
from router.sql.writing.fitting import Fitting
from router.sql.writing.making import columns_of, made
from router.sql.writing.names import LOG, OLD, OURS, quoted, staging
from router.sql.writing.natives import field_of
from router.sql.writing.order import Column, Existing, Field, Order
from router.sql.writing.presence import MOST_COUNTED, chosen, demand_mode, demand_seen
from router.sql.writing.refusal import nothing_written
from router.sql.writing.server_link import Link
from router.sql.writing.server_log import Log
from router.sql.writing.server_rows import inserting
from router.sql.writing.server_tongues import Tongue
from router.sql.writing.target import Batches, Progress, Target


class ServerTarget(Target):
    """One database on a server; `module` is the DBAPI driver and `tongue` its row, the usual ones where not given."""

    def __init__(self, url: str, timeout: float, module: Any = None, tongue: Tongue | None = None) -> None:
        super().__init__()
        self._link = Link(url, timeout, self._stop.is_set, module, tongue)
        self._tongue = self._link.tongue
        self._log = Log(self._link)
        self.dialect = self._tongue.name

    def schemas(self) -> tuple[str, ...]:
        """Return the schemas that are not the server's own."""
        return tuple(str(row[0]) for row in self._link.rows(self._tongue.schemas))

    def table(self, schema: str, table: str) -> Existing | None:
        """Return what lies in the table."""
        return self._table(schema, table, counted=True)

    def _table(self, schema: str, table: str, counted: bool) -> Existing | None:
        found = self._link.rows(self._tongue.table, (schema, table))
        if not found:
            return None
        columns = tuple(
            Column(field_of(str(name), str(native), self.dialect), bool(nullable), bool(filled), bool(computed))
            for name, native, nullable, filled, computed in self._link.rows(self._tongue.columns, (schema, table))
        )
        count = 0
        if counted:
            asked = self._tongue.count.format(name=self._link.name(schema, table), most=MOST_COUNTED + 1)
            count = int(self._link.rows(asked)[0][0])
        return Existing(schema, table, columns, min(count, MOST_COUNTED), count > MOST_COUNTED, bool(found[0][0]))

    def written(self, schema: str, job: str) -> int | None:
        """Return how many rows this job wrote; a RENAME of which the log does not know yet is noted in it."""
        noted = self._log.noted(schema, job)
        if noted is None:
            return None
        rows, done = noted
        if not done:
            if self._link.there(schema, staging(job)):
                return None
            self._log.note_done(schema, job)
        return rows

    def sweep(self, schema: str, alive: Callable[[str], bool]) -> tuple[str, ...]:
        """Drop the staging tables of jobs that are not alive, after taking their "loaded" out of the log."""
        names = [str(row[0]) for row in self._link.rows(self._tongue.leftovers, (schema,))]
        dead = [name for name in names if name != LOG and not alive(name.removeprefix(OLD).removeprefix(OURS))]
        for name in dead:
            if not name.startswith(OLD):
                self._log.forget(schema, name.removeprefix(OURS))
            self._link.define(f"DROP TABLE {self._link.name(schema, name)}")
        self._link.commit()
        return tuple(dead)

    def _interrupt(self) -> None:
        self._link.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._link.rollback()
        self._link.close()

    def _write(self, order: Order, batches: Batches, progress: Progress) -> int:
        try:
            self._link.hold(order.schema, staging(order.job))
            if (done := self.written(order.schema, order.job)) is not None:
                return done  # by another process, while this one waited
            new = order.mode in ("create", "drop")
            noted = self._log.noted(order.schema, order.job)
            rows = noted[0] if noted else self._load(order, batches, progress)
            self._demand_going()
            if new:
                self._swap(order, rows, loaded=noted is not None)
            else:
                self._pour(order, rows)
        except BaseException:
            self._undo(order)
            raise
        return rows

    def _load(self, order: Order, batches: Batches, progress: Progress) -> int:
        """Fill a new staging table."""
        there = self._table(order.schema, order.table, counted=False)
        demand_mode(order, there)
        if order.mode in ("create", "drop") or there is None:
            fields = tuple(made(field, self.dialect) for field in order.fields)
        else:
            fields = chosen(order, there, caseless=self.dialect != "oracle")
        self._log.make(order.schema)
        name = self._link.name(order.schema, staging(order.job))
        if self._link.there(order.schema, staging(order.job)):
            self._link.define(f"DROP TABLE {name}")
        self._link.define(f"CREATE TABLE {name} ({columns_of(fields, self._tongue.quote)})")
        rows = self._fill(name, fields, order, batches, progress)
        arrived = int(self._link.rows(f"SELECT count(*) FROM {name}")[0][0])
        if arrived != rows:
            raise nothing_written(f"{rows:,} rows were sent, and {arrived:,} arrived")
        return rows

    def _fill(self, name: str, fields: tuple[Field, ...], order: Order, batches: Batches, progress: Progress) -> int:
        send = inserting(name, fields, self._tongue, self._link.module)
        fitting = Fitting(fields, self._tongue.binds)
        cursor = self._link.cursor()
        try:
            for rows in batches:
                self._demand_going()
                fitted = fitting.fit(rows)
                if culprit := fitting.culprit(rows, nulls=False):
                    raise culprit
                self._link.said(lambda: send(cursor, fitted), order.table)  # noqa: B023 — called at once
                if self._tongue.ddl_commits:
                    self._link.commit()
                progress(fitting.total)
        finally:
            with suppress(self._link.module.Error):
                cursor.close()
        return fitting.total

    def _swap(self, order: Order, rows: int, loaded: bool) -> None:
        """Give the staging table the name of the order, in the place of what has it now."""
        self._link.hold(order.schema, order.table)
        there = self._table(order.schema, order.table, counted=order.deletes)
        demand_mode(order, there)
        demand_seen(order, there)
        if self._tongue.ddl_commits and not loaded:
            self._log.note(order, rows, done=False)
            self._link.commit()
        self._demand_going()
        names = self._link.names(order)
        for statement in (self._tongue.rename,) if there is None else self._tongue.swap:
            self._link.define(statement.format(**names))
        if not self._tongue.ddl_commits:
            self._log.note(order, rows, done=True)
            self._link.commit()
            return
        self._log.note_done(order.schema, order.job)
        if self._link.there(order.schema, OLD + order.job):
            with suppress(BotError):  # the sweep will
                self._link.define(f"DROP TABLE {names['old']}")

    def _pour(self, order: Order, rows: int) -> None:
        """Put the rows of the staging table into the table of the order, and the job into the log."""
        self._link.hold(order.schema, order.table)
        there = self._table(order.schema, order.table, counted=False)
        demand_mode(order, there)
        names = self._link.names(order)
        if order.mode == "truncate":
            if self._tongue.ddl_commits:
                self._link.commit()  # what is counted below is what is there now
            if self._link.lock:
                self._link.run(self._link.lock.format(**names))
            if order.deletes:
                demand_seen(order, self._table(order.schema, order.table, counted=True))
            self._link.run(f"DELETE FROM {names['name']}")
        columns = ", ".join(quoted(field.name, mark=self._tongue.quote) for field in order.fields)
        self._link.run(f"INSERT INTO {names['name']} ({columns}) SELECT {columns} FROM {names['waiting']}")
        self._log.note(order, rows, done=True)
        self._demand_going()
        self._link.commit()
        with suppress(BotError):  # the sweep will
            self._link.define(f"DROP TABLE {names['waiting']}")
            self._link.commit()

    def _undo(self, order: Order) -> None:
        """Leave nothing of a job that failed; nothing is touched once the staging table was renamed."""
        self._link.rollback()
        if self._tongue.ddl_commits:
            with suppress(BotError):  # the next try, or the sweep, will
                if self._link.there(order.schema, staging(order.job)):
                    self._log.forget(order.schema, order.job)
                    self._link.define(f"DROP TABLE {self._link.name(order.schema, staging(order.job))}")
