"""A table whose rows have a holder and a time at which that was last seen, as jobs and schedules have."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Table, or_
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from router.errors import JobFailed
from router.storage.clock import NEVER
from router.storage.database import Database

HEARTBEAT_SECONDS = 5.0
"""Seconds between two signs of life of a process, and between two looks for what a dead one left."""

HOLDER_TIMEOUT = timedelta(seconds=20)
"""The time without a sign of life after which a process is taken for dead."""


class LeaseTable:
    """The way to such a table in the bot's database; thread-safe, and several processes may share it."""

    def __init__(self, database: Database, table: Table) -> None:
        self._database, self._table = database, table

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Commit what is done in the block, or nothing of it; raises JobFailed if the database fails."""
        with self._sentence(), self._database.transaction(durable=True) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Commit as `transaction` does, if nothing depends on what was read in the block: others go on meanwhile."""
        with self._sentence(), self._database.writing(durable=True) as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Lend a connection for queries alone; raises JobFailed if the database fails."""
        with self._sentence(), self._database.reading() as connection:
            yield connection

    def unheld(self, now: datetime) -> ColumnElement[bool]:
        """Return what is true of rows that nobody holds, or somebody who has died by `now`.

        While the database was away nobody could give a sign of life: who holds something has time for it afterwards.
        """
        silent = self._database.server.seconds_back < HOLDER_TIMEOUT.total_seconds()
        return or_(self._table.c.holder == "", self._table.c.seen <= (NEVER if silent else now - HOLDER_TIMEOUT))

    @contextmanager
    def _sentence(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            raise JobFailed(
                f"The list of {self._table.name} cannot be read or written ({type(error).__name__}), so nothing was "
                "begun. Tell your administrator."
            ) from error
