"""A small DBAPI driver with no server behind it: it writes down what it is sent and answers from a table."""

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import oracledb

Answer = list[tuple[Any, ...]] | Exception | Callable[[], Any]


class Cursor:
    """A cursor whose rows come from the driver's table, by the beginning of the statement."""

    description: list[tuple[Any, ...]] | None = None
    arraysize = 1

    def __init__(self, driver: "Driver") -> None:
        self._driver, self._rows = driver, iter(())  # type: ignore[var-annotated]

    def execute(self, sql: str, **options: Any) -> None:
        """Take the statement down and answer it."""
        self._driver.sent.append(sql)
        self._driver.options = options or self._driver.options
        rows = self._driver.answer(sql)
        self._driver.arraysize = self.arraysize
        self.description = None if rows is None else self._driver.columns
        self._rows = iter(rows or ())

    def parse(self, sql: str) -> None:
        """Take the statement down as parsed."""
        self._driver.sent.append(f"parse: {sql}")
        if self._driver.answer(sql) is not None:
            self.description = self._driver.columns

    def fetchmany(self, size: int) -> list[tuple[Any, ...]]:
        """Return the next rows."""
        return [row for _, row in zip(range(size), self._rows, strict=False)]

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return all rows."""
        return list(self._rows)

    def close(self) -> None:
        """Say so."""
        self._driver.sent.append("close cursor")


class Connection:
    """A connection that writes down what happens to it."""

    call_timeout = 0
    open = True

    def __init__(self, driver: "Driver") -> None:
        self.driver = driver

    def cursor(self, *_kind: type) -> Cursor:
        """Return a cursor of whatever kind."""
        return Cursor(self.driver)

    def cancel(self) -> None:
        """Say so, and let what waits go on."""
        self.driver.sent.append("cancel")
        self.driver.cancelled.set()

    def rollback(self) -> None:
        """Say so."""
        self.driver.sent.append("ROLLBACK")

    def close(self) -> None:
        """Say so."""
        self.driver.sent.append("close connection")


class Driver:
    """What looks like a DBAPI module; python-oracledb's own classes where it has some."""

    Error = oracledb.Error
    NUMBER = oracledb.NUMBER
    cursors = SimpleNamespace(SSCursor=Cursor)

    def __init__(self, answers: dict[str, Answer] | None = None) -> None:
        self.answers: dict[str, Answer] = {"SELECT CONNECTION_ID()": [(77, "8.4.7")], **(answers or {})}
        self.sent: list[str] = []
        self.opened: list[dict[str, Any]] = []
        self.options: dict[str, Any] = {}
        self.columns: list[tuple[Any, ...]] = [("N", self.NUMBER, *[None] * 5)]
        self.arraysize = 0
        self.cancelled = threading.Event()

    def __getattr__(self, name: str) -> Any:
        """Return python-oracledb's constants and types."""
        return getattr(oracledb, name)

    def connect(self, **arguments: Any) -> Connection:
        """Take the arguments down."""
        self.opened.append(arguments)
        return Connection(self)

    def answer(self, sql: str) -> list[tuple[Any, ...]] | None:
        """Return the rows for a statement, None for one without."""
        found = next((answer for start, answer in self.answers.items() if sql.startswith(start)), None)
        if callable(found) and not isinstance(found, Exception):
            found = found()
        if isinstance(found, Exception):
            raise found
        return found
