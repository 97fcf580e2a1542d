"""How rows get into a table: by a database's own way for many rows, or as INSERTs."""

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import chain
from typing import Any, Protocol

from router.sql.dialect import Name
from router.sql.writing.conversions import Row
from router.sql.writing.dialects import WriteDialect, valued
from router.sql.writing.names import quoted
from router.sql.writing.order import ResultField

Send = Callable[[Any, list[Row]], None]


class Loader(Protocol):
    """Takes the rows of one table; made of a connection, the quoted name of the table, and its columns."""

    def __init__(
        self, connection: Any, name: str, fields: Sequence[ResultField], dialect: WriteDialect, module: Any
    ) -> None: ...

    def send(self, rows: list[Row]) -> None:
        """Take more rows."""

    def end(self) -> int | None:
        """Return how many rows arrived, None if the database has to be asked."""

    def abandon(self, error: BaseException) -> None:
        """Let go of what was not sent yet."""


class Inserts:
    """Sends INSERTs, as arrays by the driver's executemany or with many rows each."""

    def __init__(
        self, connection: Any, name: str, fields: Sequence[ResultField], dialect: WriteDialect, module: Any
    ) -> None:
        self._connection = connection
        self._send = inserting(name, fields, dialect, module)

    def send(self, rows: list[Row]) -> None:
        """Insert the rows."""
        with closing(self._connection.cursor()) as cursor:
            self._send(cursor, rows)

    def end(self) -> int | None:
        """Return None."""
        return None

    def abandon(self, error: BaseException) -> None:
        """Do nothing, as all was sent."""


ROWS_BETWEEN_FLUSHES = 60_000
"""About half of DuckDB's own row group: few enough to keep the memory small."""


class Appender:
    """Hands rows to DuckDB's appender."""

    def __init__(
        self, connection: Any, name: str, fields: Sequence[ResultField], dialect: WriteDialect, module: Any
    ) -> None:
        self._appender = connection.appender(name, columns=[field.name for field in fields])
        self._waiting = 0

    def send(self, rows: list[Row]) -> None:
        """Append the rows."""
        self._appender.append_rows(rows)
        self._waiting += len(rows)
        if self._waiting >= ROWS_BETWEEN_FLUSHES:
            self.end()

    def end(self) -> int | None:
        """Hand over what waits."""
        self._appender.flush()
        self._waiting = 0
        return None

    def abandon(self, error: BaseException) -> None:
        """Forget what waits: it must not be written by the appender's end, after the transaction."""
        self._appender.clear()


LOADERS: dict[Name, type[Loader]] = {"duckdb": Appender}
"""The databases' own ways; the others get INSERTs."""


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
