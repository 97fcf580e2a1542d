"""A server whose CREATE and RENAME commit, made of a real SQLite: it is sent SQLite's own SQL, what it keeps is real.

`Killed` stands for a SIGKILL: after the statement of the given number nothing reaches the database any more, and what
was not committed is undone.
"""

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

from router.sql.writing.dialects import WriteDialect

COMMITTING = WriteDialect(
    name="mysql",
    label="Shim",
    quote='"',
    mark="?",
    ddl_commits=True,
    schemas="SELECT 'main'",
    table="SELECT type = 'view' FROM sqlite_master WHERE ? = 'main' AND name = ? AND type IN ('table', 'view')",
    columns=(
        'SELECT name, type, NOT "notnull", dflt_value IS NOT NULL, hidden > 1 FROM pragma_table_xinfo '
        "WHERE schema = ? AND arg = ? ORDER BY cid"
    ),
    log="CREATE TABLE IF NOT EXISTS {name} (job TEXT PRIMARY KEY, target TEXT, {rows} INTEGER, written TEXT)",
    rename="ALTER TABLE {waiting} RENAME TO {bare}",
    swap=("ALTER TABLE {name} RENAME TO {bare_old}", "ALTER TABLE {waiting} RENAME TO {bare}"),
    count="SELECT count(*) FROM (SELECT 1 FROM {name} LIMIT {most})",
    binds={"bool": int},
)
IN_ONE = replace(
    COMMITTING,
    ddl_commits=False,
    swap=("DROP TABLE {name}", "ALTER TABLE {waiting} RENAME TO {bare}"),
    many=3,
)
"""The same as a server that can undo a CREATE, and takes INSERTs of three rows."""


class Killed(BaseException):
    """The process is gone."""


class Shim:
    """What looks like a DBAPI module; everything sent is counted, and from statement `last` on nothing happens."""

    Error = sqlite3.Error

    def __init__(self, last: int | None = None) -> None:
        self.last, self.count = last, 0
        self.sent: list[str] = []

    def connect(self, database: str) -> "Connection":
        """Open the file."""
        return Connection(sqlite3.connect(database, isolation_level=None), self)

    def step(self, sql: str) -> None:
        """Count a statement; raises Killed once there were enough."""
        if self.last is not None and self.count >= self.last:
            raise Killed
        self.count += 1
        self.sent.append(sql)


class Connection:
    """A connection that begins a transaction with the first statement, as servers do."""

    def __init__(self, database: sqlite3.Connection, shim: Shim) -> None:
        self._database, self._shim = database, shim

    def cursor(self) -> "Cursor":
        """Return a cursor."""
        return Cursor(self._database, self._shim)

    def commit(self) -> None:
        """Commit, if the process still lives."""
        self._shim.step("COMMIT")
        if self._database.in_transaction:
            self._database.execute("COMMIT")

    def rollback(self) -> None:
        """Undo."""
        self._shim.step("ROLLBACK")
        if self._database.in_transaction:
            self._database.execute("ROLLBACK")

    def close(self) -> None:
        """Close; also what the system does for a process that is gone."""
        self._database.close()


class Cursor:
    """A cursor that counts."""

    def __init__(self, database: sqlite3.Connection, shim: Shim) -> None:
        self._cursor, self._database, self._shim = database.cursor(), database, shim

    @property
    def rowcount(self) -> int:
        """The rows of the last statement."""
        return self._cursor.rowcount

    @property
    def description(self) -> Any:
        """The columns of the last query."""
        return self._cursor.description

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> None:
        """Run a statement."""
        self._begin(sql)
        self._cursor.execute(sql, values)

    def executemany(self, sql: str, rows: list[tuple[Any, ...]]) -> None:
        """Run a statement for each row."""
        self._begin(sql)
        self._cursor.executemany(sql, rows)

    def fetchall(self) -> list[Any]:
        """Return all rows."""
        return self._cursor.fetchall()

    def close(self) -> None:
        """Close."""
        self._cursor.close()

    def _begin(self, sql: str) -> None:
        self._shim.step(sql)
        if not self._database.in_transaction:
            self._database.execute("BEGIN")


def url_of(path: Path) -> str:
    """Return the URL under which the shim finds the file."""
    return f"shim:///{path}"
