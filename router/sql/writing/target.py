"""One database as the user who may write to it: all rows or none, never twice, by what `dialects` says of each kind.

The rows of a job go into a table, and the job into a log in the same schema, in one transaction. Files take the rows
straight into the table, as they have no cheap RENAME. PostgreSQL does so for a table that is there; a new one is filled
under the job's own name, so that an old table of its name is locked for the moment of the RENAME only. Servers always
load a staging table, with the types of the table it is for, and pour it into that by INSERT ... SELECT.

Oracle and MySQL commit with every CREATE and RENAME; so for a new table the log says "loaded" (a row without a time)
before the RENAME, which is the last step: a job that is killed then finds its staging table and loads it again,
or does not find it, which means that the RENAME was done. Old rows are deleted and not truncated, so that
readers go on seeing them until the COMMIT.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Event
from typing import Any

from router.errors import BotError, JobFailed
from router.sql.writing.column_types import columns_of, field_of, made
from router.sql.writing.dialects import WriteDialect
from router.sql.writing.fitting import RowFitter
from router.sql.writing.link import Link
from router.sql.writing.names import OLD_TABLE_PREFIX, is_caseless, quoted, require_sound, staging
from router.sql.writing.order import (
    COUNTED_ROWS_MAX,
    ConnectionLost,
    Existing,
    ExistingColumn,
    ResultField,
    WriteOrder,
    chosen,
    nothing_written,
    require_mode,
    require_seen,
)
from router.sql.writing.write_log import WriteLog

Progress = Callable[[int], None]
Batches = Iterable[list[tuple[Any, ...]]]


class Target:
    """Opened for one job and closed after it; used by one thread, except `cancel`, which any thread may call.

    `module` is the DBAPI driver and `dialect` its row: the usual ones of the URL if they are not given.
    """

    def __init__(self, url: str, timeout: float, module: Any = None, dialect: WriteDialect | None = None) -> None:
        self._stop = Event()
        self._link = Link(url, timeout, self._stop, module, dialect)
        self._statements = self._link.dialect
        self._log = WriteLog(self._link)

    def schemas(self) -> tuple[str, ...]:
        """Return the schemas that are not the database's own, in alphabetical order."""
        return tuple(str(row[0]) for row in self._link.run(self._statements.schemas))

    def table(self, schema: str, table: str, counted: bool = True) -> Existing | None:
        """Return what lies in this table now, None if there is no table or view of the name.

        Its rows are counted only if they are to be `counted`.
        """
        found = self._link.run(self._statements.table, (schema, table))
        if not found:
            return None
        is_view, *as_spelled = found[0]
        schema, table = as_spelled or (schema, table)
        columns = tuple(map(self._column, self._link.run(self._statements.columns, (schema, table))))
        rows, more = self._count(schema, table) if counted else (0, False)
        return Existing(schema, table, columns, rows, more, bool(is_view))

    def _column(self, described: Sequence[Any]) -> ExistingColumn:
        name, native, nullable, filled, computed, *code_pages = described
        field = field_of(str(name), str(native), self._statements.name)
        if any(code_pages):
            field = replace(field, digits=int(code_pages[0]))
        return ExistingColumn(field, bool(nullable), bool(filled), bool(computed))

    def _count(self, schema: str, table: str) -> tuple[int, bool]:
        """Return the rows of a table, and whether there are more; those that may not be read are not counted."""
        name = self._link.name(schema, table)
        readable = self._statements.readable
        if readable and not self._link.run(readable, (name,))[0][0]:
            return 0, True
        asked = self._statements.count.format(name=name, most=COUNTED_ROWS_MAX + 1)
        count = int(self._link.run(asked)[0][0])
        return min(count, COUNTED_ROWS_MAX), count > COUNTED_ROWS_MAX

    def written(self, schema: str, job: str) -> int | None:
        """Return how many rows this job wrote into a table of `schema`, None if its log knows nothing of the job.

        A RENAME of which the log does not know yet is noted in it.
        """
        noted = self._log.noted(schema, job)
        if noted is None:
            return None
        rows, done = noted
        if not done:
            if self._link.has_table(schema, staging(job)):
                return None
            self._log.note_done(schema, job)
        return rows

    def write(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        """Write all rows or none, and never twice: a job that was written before only gives its number of rows.

        `progress` is given the number of rows so far. Raises JobFailed (mostly Refusal) or Stopped: nothing was
        written.
        """
        require_sound(order, self._statements.name)
        try:
            rows = self.written(order.schema, order.job)
            if rows is None:
                with self._link.alone():
                    rows = self._write(order, batches, progress)
        except JobFailed as failure:
            rows = self._rows_after(failure, order)
            if rows is None:
                raise
        if self._stages(order):
            self._drop_left(order)
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

    def _write(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        """Write all rows or none and note the job in the log of the schema, in one last step."""
        try:
            self._link.hold(order.schema, staging(order.job))
            if self._statements.log_first:
                self._log.make(order)
            if self._statements.begin:
                self._link.run(self._statements.begin)
            done = self.written(order.schema, order.job)
            if done is not None:  # by another process, while this one waited
                self._link.rollback()
                return done
            rows = self._load(order, batches, progress)
            self._link.require_going()
            self._complete(order, rows)
        except BaseException:
            self._undo(order)
            raise
        return rows

    def _stages(self, order: WriteOrder) -> bool:
        """Return whether the rows are loaded into a table of the job's own first."""
        return self._statements.staged == "always" or (self._statements.staged == "new" and order.makes)

    def _load(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        """Put the rows into a new staging table, or straight into the table of the order."""
        there = self.table(order.schema, order.table, counted=False)
        require_mode(order, there)
        if order.makes or there is None:
            fields = tuple(made(field, self._statements.name) for field in order.fields)
        else:
            fields = chosen(order, there, caseless=is_caseless(self._statements.name))
        self._log.make(order)
        names, stages = self._link.names(order), self._stages(order)
        name = names["waiting"] if stages else names["name"]
        if stages:
            self._drop_loaded(order)
        else:
            self._make_room(order)
        if stages or order.makes:
            self._link.define(f"CREATE TABLE {name} ({columns_of(fields, self._statements.quote)})", order)
        rows, arrived = self._fill(name, fields, order, batches, progress)
        if arrived is None and (stages or order.makes):
            arrived = int(self._link.run(f"SELECT count(*) FROM {name}")[0][0])
        if arrived not in (None, rows):
            raise nothing_written(f"{rows:,} rows were sent, and {arrived:,} arrived")
        return rows

    def _fill(
        self, name: str, fields: tuple[ResultField, ...], order: WriteOrder, batches: Batches, progress: Progress
    ) -> tuple[int, int | None]:
        """Send the rows into a table; return how many, and how many arrived, None if the driver does not say."""
        if self._statements.utc and any(field.kind == "timestamptz" for field in order.fields):
            self._link.run(self._statements.utc)
        fitting = RowFitter(fields, self._statements)
        loader = self._link.ask(lambda: self._link.loader(name, fields), order)
        try:
            for rows in batches:
                self._link.require_going()
                fitted = fitting.fit(rows)
                self._link.ask(lambda: loader.send(fitted), order)  # noqa: B023 — called at once
                if self._statements.ddl_commits:
                    self._link.commit()
                progress(fitting.total)
            return fitting.total, self._link.ask(loader.end, order)
        except BaseException as error:
            loader.abandon(error)
            raise

    def _make_room(self, order: WriteOrder) -> Existing | None:
        """Return what lies in the table of the order, looked at once more, without what the order replaces.

        A table that a staging table replaces is left for the swap.
        """
        names = self._link.names(order)
        self._link.hold(order.schema, order.table)
        there = self.table(order.schema, order.table, counted=False)
        require_mode(order, there)
        if there is None or order.mode not in ("truncate", "drop"):
            return there
        if self._statements.ddl_commits:
            self._link.commit()  # what is counted below is what is there now
        if self._statements.lock and not (order.makes and self._statements.ddl_commits):
            self._link.run(self._statements.lock.format(**names), order=order)
        if order.deletes:
            require_seen(order, self.table(order.schema, order.table))
        if order.mode == "truncate":
            self._link.run(f"DELETE FROM {names['name']}", order=order)
        elif not self._stages(order):
            self._link.define(f"DROP TABLE {names['name']}", order)
        return there

    def _complete(self, order: WriteOrder, rows: int) -> None:
        """Bring the rows to their place, if they are not there, and note the job in the log with them."""
        commits_new = order.makes and self._statements.ddl_commits
        if self._stages(order):
            there = self._make_room(order)
            if commits_new:
                self._log.note(order, rows, done=False)
                self._link.commit()
            self._link.require_going()
            self._bring(order, there)
        if commits_new:
            self._log.note_done(order.schema, order.job)
        else:
            self._log.note(order, rows, done=True)
            self._link.require_going()
            self._link.commit(order)

    def _bring(self, order: WriteOrder, there: Existing | None) -> None:
        """Give the staging table the name of the order, or pour its rows into the table of that name."""
        names = self._link.names(order)
        if order.makes:
            for statement in self._statements.swap if there else (self._statements.rename,):
                self._link.define(statement.format(**names), order)
            return
        columns = ", ".join(quoted(field.name, mark=self._statements.quote) for field in order.fields)
        self._link.run(f"INSERT INTO {names['name']} ({columns}) SELECT {columns} FROM {names['waiting']}", order=order)

    def _drop_left(self, order: WriteOrder) -> None:
        """Drop the tables that a job made for itself, once its rows are in their place."""
        with suppress(BotError):  # they lie there until the job is asked for again
            for table in (staging(order.job), OLD_TABLE_PREFIX + order.job):
                if self._link.has_table(order.schema, table):
                    self._link.define(f"DROP TABLE {self._link.name(order.schema, table)}")
                    self._link.commit()

    def _undo(self, order: WriteOrder) -> None:
        """Leave nothing of a job that failed; nothing is touched once the staging table was renamed."""
        self._link.rollback()
        if self._statements.ddl_commits:
            with suppress(BotError):  # the next try will
                self._drop_loaded(order)

    def _drop_loaded(self, order: WriteOrder) -> None:
        """Drop the staging table, if it is there, once the log does not say any more that it was loaded."""
        if self._link.has_table(order.schema, staging(order.job)):
            self._log.forget(order.schema, order.job)
            self._link.define(f"DROP TABLE {self._link.name(order.schema, staging(order.job))}")

    def cancel(self) -> None:
        """Make `write` end with Stopped and nothing written; without effect once the last step began."""
        self._stop.set()
        self._link.interrupt()

    def close(self) -> None:
        """Let go of the database; what was not completed is undone."""
        self._link.rollback()
        self._link.close()
