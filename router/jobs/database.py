"""One table in a database that several processes may share: made where it is not there, used in transactions."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Table, create_engine, event, or_
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateIndex, CreateTable

from router.errors import JobFailed

LOST = timedelta(seconds=60)
"""Without a sign of life for this long, whoever held a row is taken for dead."""

_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Those of a row's number: none that is mistaken for another."""


class Database:
    """The way to a table whose rows have a holder and a time at which that was last seen; thread-safe."""

    def __init__(self, url: str, table: Table) -> None:
        """Open it, and make the table where there is none yet; raises JobFailed."""
        self._table = table
        self._engine = create_engine(url)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _durable)
        with self.transaction() as database:
            _make(table, database)

    def beside(self, suffix: str) -> Path | None:
        """Return the path of this suffix beside the database; None where it is no file on this machine."""
        file = self._engine.url.database if self._engine.dialect.name == "sqlite" else None
        return Path(file).with_suffix(suffix) if file else None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Commit what is done in the block, or nothing of it; raises JobFailed where the database fails."""
        try:
            with self._engine.begin() as database:
                yield database
        except SQLAlchemyError as error:
            raise JobFailed(
                f"The list of {self._table.name} cannot be read or written ({type(error).__name__}), so nothing was "
                "begun. Tell whoever runs the bot."
            ) from error

    def unheld(self, now: float) -> ColumnElement[bool]:
        """Return what is true of rows that nobody holds, or somebody who has died by `now`."""
        return or_(self._table.c.holder == "", self._table.c.seen < now - LOST.total_seconds())

    def close(self) -> None:
        """Close it."""
        self._engine.dispose()


def number(kind: str) -> str:
    """Return a new number for a row of a kind, such as R-7F3K2Q4M."""
    return f"{kind[0].upper()}-{''.join(secrets.choice(_LETTERS) for _ in range(8))}"


def time_of(stamp: float | None) -> datetime | None:
    """Return a time as a row has it, seconds since 1970, with its zone."""
    return None if stamp is None else datetime.fromtimestamp(stamp, UTC)


def _make(table: Table, database: Connection) -> None:
    """Make a table and its indexes where they are not there yet; other processes may do so at the same moment."""
    database.execute(CreateTable(table, if_not_exists=True))
    for index in table.indexes:
        database.execute(CreateIndex(index, if_not_exists=True))


def _durable(database: Any, _record: Any) -> None:
    """Have SQLite keep what was committed, also where the power fails, and wait for other processes."""
    for setting in ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL"):
        database.execute(f"PRAGMA {setting}")
