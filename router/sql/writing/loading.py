"""Loading of rows into a table: by a database's own way for many rows, or as INSERTs."""

from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from itertools import chain
from typing import Any

from router.sql.dialect import Name
from router.sql.writing.dialects import WriteDialect, valued
from router.sql.writing.fitting import Row
from router.sql.writing.names import quoted
from router.sql.writing.order import ResultField


class Loader:
    """Takes the rows of one table, whose `name` is quoted; sends INSERTs unless the database has a way of its own."""

    def __init__(
        self, connection: Any, name: str, fields: Sequence[ResultField], dialect: WriteDialect, module: Any
    ) -> None:
        self._connection, self._module = connection, module
        self._open(name, fields, dialect)

    def _open(self, name: str, fields: Sequence[ResultField], dialect: WriteDialect) -> None:
        columns = ", ".join(quoted(field.name, mark=dialect.quote) for field in fields)
        marks = (
            dialect.marks.get(field.kind, "{mark}").format(mark=dialect.mark.format(number=number))
            for number, field in enumerate(fields, 1)
        )
        self._insert = valued(f"INSERT INTO {name} ({columns}) VALUES ", dialect)
        self._marks = f"({', '.join(marks)})"
        self._most = dialect.many
        self._sizes = [getattr(self._module, dialect.sizes.get(field.native, ""), None) for field in fields]
        self._arrived = 0

    def send(self, rows: list[Row]) -> None:
        """Take more rows: at once by the driver's own way, or so many in one INSERT."""
        with closing(self._connection.cursor()) as cursor:
            if not self._most:
                if any(self._sizes):
                    cursor.setinputsizes(*self._sizes)
                cursor.executemany(self._insert + self._marks, rows)
                self._arrived += cursor.rowcount
                return
            for start in range(0, len(rows), self._most):
                part = rows[start : start + self._most]
                cursor.execute(self._insert + ", ".join([self._marks] * len(part)), tuple(chain.from_iterable(part)))

    def end(self) -> int | None:
        """Send what waits, and return how many rows arrived; None if the database has to be asked."""
        return None

    def abandon(self, error: BaseException) -> None:
        """Forget what waits."""


class CountedInserts(Loader):
    """Counts what SQLite inserts, which is less if a constraint of the table says ON CONFLICT IGNORE."""

    def end(self) -> int | None:
        """Return how many rows arrived."""
        return self._arrived


ROWS_BETWEEN_FLUSHES = 60_000
"""About half of DuckDB's own row group: few enough to keep the memory small."""


class Appender(Loader):
    """Hands rows to DuckDB's appender."""

    def _open(self, name: str, fields: Sequence[ResultField], dialect: WriteDialect) -> None:
        self._appender = self._connection.appender(name, columns=[field.name for field in fields])
        self._waiting = 0

    def send(self, rows: list[Row]) -> None:
        """Append the rows."""
        self._appender.append_rows(rows)
        self._waiting += len(rows)
        if self._waiting >= ROWS_BETWEEN_FLUSHES:
            self.end()

    def end(self) -> int | None:
        """Write what waits."""
        self._appender.flush()
        self._waiting = 0
        return None

    def abandon(self, error: BaseException) -> None:
        """Forget what waits: it must not be written by the appender's end, after the transaction."""
        self._appender.clear()


class Copy(Loader):
    """Hands rows to PostgreSQL's COPY."""

    def _open(self, name: str, fields: Sequence[ResultField], dialect: WriteDialect) -> None:
        columns = ", ".join(quoted(field.name) for field in fields)
        self._copying = ExitStack()
        self._cursor = self._connection.cursor()
        self._copy = self._copying.enter_context(self._cursor.copy(f"COPY {name} ({columns}) FROM STDIN"))

    def send(self, rows: list[Row]) -> None:
        """Copy the rows."""
        for row in rows:
            self._copy.write_row(row)

    def end(self) -> int | None:
        """End the COPY, of which PostgreSQL takes all or nothing, and return its rows."""
        self._copying.close()
        return int(self._cursor.rowcount)

    def abandon(self, error: BaseException) -> None:
        """Break the COPY off."""
        with suppress(self._module.Error):
            self._copying.__exit__(type(error), error, error.__traceback__)


LOADERS: dict[Name, type[Loader]] = {
    "sqlite": CountedInserts,
    "duckdb": Appender,
    "postgres": Copy,
}
"""The databases' own ways; the others get INSERTs."""
