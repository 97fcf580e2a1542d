"""Writing into Oracle, MySQL, MariaDB and SQL Server through their drivers, by what `server_tongues` says of each.

The rows are loaded into a staging table that is named by the job, with the types of the table they are for. SQL Server
does all in one transaction. Oracle and MySQL commit with every CREATE and RENAME; so for a new table the log says
"loaded" (a row without a time) before the RENAME, which is the last step: a job that is killed then finds its staging
table again and goes on from there, or does not find it, which means that the RENAME was done. Rows for a table that is
there go into it together with the log's row, in one transaction, by INSERT ... SELECT.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from router.errors import BotError, JobFailed
from router.sql.writing.column_types import columns_of, field_of, made
from router.sql.writing.conversions import Row, RowFitter
from router.sql.writing.names import LOG_TABLE, OLD_TABLE_PREFIX, OWN_TABLE_PREFIX, quoted, staging
from router.sql.writing.order import (
    COUNTED_ROWS_MAX,
    Existing,
    ExistingColumn,
    ResultField,
    WriteOrder,
    chosen,
    demand_mode,
    demand_seen,
    nothing_written,
)
from router.sql.writing.server_link import ServerLink
from router.sql.writing.server_sql import WriteDialect, valued
from router.sql.writing.target import Batches, Progress, Target

# Loading rows: as arrays by the driver's executemany, or as INSERTs of many rows each.

Send = Callable[[Any, list[Row]], None]


def inserting(name: str, fields: Sequence[ResultField], dialect: WriteDialect, module: Any) -> Send:
    """Return a function that sends rows into the table `name`, which is quoted, through a cursor."""
    columns = ", ".join(quoted(field.name, mark=dialect.quote) for field in fields)
    marks = ", ".join(_mark(field, number, dialect) for number, field in enumerate(fields, 1))
    insert = valued(f"INSERT INTO {name} ({columns}) VALUES ", dialect)
    sizes = [_size(field, dialect, module) for field in fields]

    def arrays(cursor: Any, rows: list[Row]) -> None:
        if any(sizes):
            cursor.setinputsizes(*sizes)
        cursor.executemany(f"{insert}({marks})", rows)

    def many(cursor: Any, rows: list[Row]) -> None:
        for start in range(0, len(rows), dialect.many):
            part = rows[start : start + dialect.many]
            cursor.execute(insert + ", ".join([f"({marks})"] * len(part)), tuple(chain.from_iterable(part)))

    return many if dialect.many else arrays


def _mark(field: ResultField, number: int, dialect: WriteDialect) -> str:
    mark = dialect.mark.format(number=number)
    return dialect.marks.get(field.kind, "{mark}").format(mark=mark)


def _size(field: ResultField, dialect: WriteDialect, module: Any) -> Any:
    found = dialect.sizes.get(field.native.upper())
    return getattr(module, found) if found else None


# The log of jobs, one table a schema: a row without a time is loaded, one with a time is written.


class WriteLog:
    """Reads and writes the logs of a server's schemas, through its one connection."""

    def __init__(self, link: ServerLink) -> None:
        self._link = link
        self._rows = quoted("rows", mark=link.dialect.quote)

    def make(self, schema: str) -> None:
        """Make the table where there is none."""
        if self._link.there(schema, LOG_TABLE):
            return
        try:
            self._link.define(self._link.dialect.log.format(name=self._name(schema), rows=self._rows))
        except JobFailed:
            if not self._link.there(schema, LOG_TABLE):  # else another job was quicker
                raise

    def noted(self, schema: str, job: str) -> tuple[int, bool] | None:
        """Return the job's rows, and whether they were written and not only loaded; None where nothing is known."""
        if not self._link.there(schema, LOG_TABLE):
            return None
        asked = f"SELECT {self._rows}, written FROM {self._valued(schema)} WHERE job = {self._link.marks(1)}"
        found = self._link.rows(asked, (job,))
        return (int(found[0][0]), found[0][1] is not None) if found else None

    def note(self, order: WriteOrder, rows: int, done: bool) -> None:
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
        if self._link.there(schema, LOG_TABLE):
            asked = f"DELETE FROM {self._valued(schema)} WHERE job = {self._link.marks(1)} AND written IS NULL"
            self._link.run(asked, (job,))
            self._link.commit()

    def _name(self, schema: str) -> str:
        return self._link.name(schema, LOG_TABLE)

    def _valued(self, schema: str) -> str:
        return self._link.valued(self._name(schema))


def _now() -> datetime:
    """Return the time in UTC, as a column without a zone takes it."""
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)


class ServerTarget(Target):
    """One database on a server; `module` is the DBAPI driver and `dialect` its row, the usual ones where not given."""

    def __init__(self, url: str, timeout: float, module: Any = None, dialect: WriteDialect | None = None) -> None:
        super().__init__()
        self._link = ServerLink(url, timeout, self._stop.is_set, module, dialect)
        self._statements = self._link.dialect
        self._log = WriteLog(self._link)
        self.dialect = self._statements.name

    def schemas(self) -> tuple[str, ...]:
        """Return the schemas that are not the server's own."""
        return tuple(str(row[0]) for row in self._link.rows(self._statements.schemas))

    def table(self, schema: str, table: str) -> Existing | None:
        """Return what lies in the table."""
        return self._table(schema, table, counted=True)

    def _table(self, schema: str, table: str, counted: bool) -> Existing | None:
        found = self._link.rows(self._statements.table, (schema, table))
        if not found:
            return None
        columns = tuple(
            ExistingColumn(field_of(str(name), str(native), self.dialect), bool(nullable), bool(filled), bool(computed))
            for name, native, nullable, filled, computed in self._link.rows(self._statements.columns, (schema, table))
        )
        count = 0
        if counted:
            asked = self._statements.count.format(name=self._link.name(schema, table), most=COUNTED_ROWS_MAX + 1)
            count = int(self._link.rows(asked)[0][0])
        return Existing(
            schema, table, columns, min(count, COUNTED_ROWS_MAX), count > COUNTED_ROWS_MAX, bool(found[0][0])
        )

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
        names = [str(row[0]) for row in self._link.rows(self._statements.leftovers, (schema,))]
        dead = [
            name
            for name in names
            if name != LOG_TABLE and not alive(name.removeprefix(OLD_TABLE_PREFIX).removeprefix(OWN_TABLE_PREFIX))
        ]
        for name in dead:
            if not name.startswith(OLD_TABLE_PREFIX):
                self._log.forget(schema, name.removeprefix(OWN_TABLE_PREFIX))
            self._link.define(f"DROP TABLE {self._link.name(schema, name)}")
        self._link.commit()
        return tuple(dead)

    def _interrupt(self) -> None:
        self._link.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._link.rollback()
        self._link.close()

    def _write(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
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

    def _load(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
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
        self._link.define(f"CREATE TABLE {name} ({columns_of(fields, self._statements.quote)})")
        rows = self._fill(name, fields, order, batches, progress)
        arrived = int(self._link.rows(f"SELECT count(*) FROM {name}")[0][0])
        if arrived != rows:
            raise nothing_written(f"{rows:,} rows were sent, and {arrived:,} arrived")
        return rows

    def _fill(
        self, name: str, fields: tuple[ResultField, ...], order: WriteOrder, batches: Batches, progress: Progress
    ) -> int:
        if self._statements.utc and any(field.kind == "timestamptz" for field in order.fields):
            self._link.run(self._statements.utc)
        send = inserting(name, fields, self._statements, self._link.module)
        fitting = RowFitter(fields, self.dialect, self._statements.binds)
        cursor = self._link.cursor()
        try:
            for rows in batches:
                self._demand_going()
                fitted = fitting.fit(rows)
                if culprit := fitting.culprit(rows, nulls=False):
                    raise culprit
                self._link.said(lambda: send(cursor, fitted), order)  # noqa: B023 — called at once
                if self._statements.ddl_commits:
                    self._link.commit()
                progress(fitting.total)
        finally:
            with suppress(self._link.module.Error):
                cursor.close()
        return fitting.total

    def _swap(self, order: WriteOrder, rows: int, loaded: bool) -> None:
        """Give the staging table the name of the order, in the place of what has it now."""
        self._link.hold(order.schema, order.table)
        there = self._table(order.schema, order.table, counted=order.deletes)
        demand_mode(order, there)
        demand_seen(order, there)
        if self._statements.ddl_commits and not loaded:
            self._log.note(order, rows, done=False)
            self._link.commit()
        self._demand_going()
        names = self._link.names(order)
        for statement in (self._statements.rename,) if there is None else self._statements.swap:
            self._link.define(statement.format(**names))
        if not self._statements.ddl_commits:
            self._log.note(order, rows, done=True)
            self._link.commit()
            return
        self._log.note_done(order.schema, order.job)
        if self._link.there(order.schema, OLD_TABLE_PREFIX + order.job):
            with suppress(BotError):  # the sweep will
                self._link.define(f"DROP TABLE {names['old']}")

    def _pour(self, order: WriteOrder, rows: int) -> None:
        """Put the rows of the staging table into the table of the order, and the job into the log."""
        self._link.hold(order.schema, order.table)
        there = self._table(order.schema, order.table, counted=False)
        demand_mode(order, there)
        names = self._link.names(order)
        if order.mode == "truncate":
            if self._statements.ddl_commits:
                self._link.commit()  # what is counted below is what is there now
            if self._link.lock:
                self._link.run(self._link.lock.format(**names))
            if order.deletes:
                demand_seen(order, self._table(order.schema, order.table, counted=True))
            self._link.run(f"DELETE FROM {names['name']}")
        columns = ", ".join(quoted(field.name, mark=self._statements.quote) for field in order.fields)
        self._link.run(f"INSERT INTO {names['name']} ({columns}) SELECT {columns} FROM {names['waiting']}", order=order)
        self._log.note(order, rows, done=True)
        self._demand_going()
        self._link.commit()
        with suppress(BotError):  # the sweep will
            self._link.define(f"DROP TABLE {names['waiting']}")
            self._link.commit()

    def _undo(self, order: WriteOrder) -> None:
        """Leave nothing of a job that failed; nothing is touched once the staging table was renamed."""
        self._link.rollback()
        if self._statements.ddl_commits:
            with suppress(BotError):  # the next try, or the sweep, will
                if self._link.there(order.schema, staging(order.job)):
                    self._log.forget(order.schema, order.job)
                    self._link.define(f"DROP TABLE {self._link.name(order.schema, staging(order.job))}")
