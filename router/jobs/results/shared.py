"""The result store of several machines: each result lies in the bot's database, in compressed parts.

The folder is a cache of it: a result is put together there when it is first looked at, and lies there as long as
results live. Whether there is a result, and for how long, the database alone says.
"""

import os
import secrets
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from router.errors import JobFailed
from router.jobs.results.store import Results
from router.jobs.results.writer import ResultWriter
from router.memory.thread import ResultRef
from router.storage.clock import now
from router.storage.database import Database, insert_new
from router.storage.server import repeated_if_cut
from router.storage.tables import result_parts, results

PART_BYTES = 512 * 1024
"""Bytes of a result's file in one part, before it is compressed."""

COMPRESSION_LEVEL = 1
"""The level of compression: rows are read once or twice, and most of what there is to gain comes first."""


class SharedResults(Results):
    """Rows that were read, for every process that has the same database.

    If it does not look after the folder, nothing is deleted there by itself.
    """

    def __init__(
        self,
        database: Database,
        folder: Path,
        lifetime: timedelta,
        clock: Callable[[], datetime] = now,
        *,
        looks_after: bool = True,
    ) -> None:
        self._database, self._looks_after = database, looks_after
        super().__init__(folder, lifetime, clock)

    def keep(self, writer: ResultWriter, seconds: float, unmatched: str = "") -> ResultRef:
        """Keep a result whose rows are all there, and took so many seconds; every process finds it afterwards."""
        ref = super().keep(writer, seconds, unmatched)
        try:
            self.share(ref.id)
        except BaseException:
            super().delete(ref.id)
            raise
        return ref

    @repeated_if_cut
    def share(self, name: str) -> bool:
        """Copy a result of the folder into the database; returns False if it is there already."""
        path = self._path(name)
        at = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
        with self._sentence(), self._disk(), self._database.writing() as connection:
            if not insert_new(connection, results, {"id": name, "bytes": path.stat().st_size, "at": at}):
                return False
            with path.open("rb") as file:
                for place, part in enumerate(iter(lambda: file.read(PART_BYTES), b"")):
                    row = {"result": name, "place": place, "data": zlib.compress(part, COMPRESSION_LEVEL)}
                    connection.execute(insert(result_parts), row)
        return True

    def is_alive(self, name: str) -> bool:
        """Return whether a result of the folder is not past its life-time."""
        return not self._expired(self._path(name))

    def exists(self, result: ResultRef | str) -> bool:
        """Return whether the result can still be read, by whichever process."""
        return self._at(result if isinstance(result, str) else result.id) is not None

    @repeated_if_cut
    def delete(self, result: str) -> None:
        """Delete a result and its files; copies on other machines cannot be read from then on."""
        with self._sentence(), self._database.writing() as connection:
            _delete(connection, results.c.id == result)
        super().delete(result)

    def expire(self) -> None:
        """Delete results past their life-time, here and in the database, and copies of what is there no more."""
        if not self._looks_after:
            return
        super().expire()
        with self._sentence(), self._database.writing() as connection:
            _delete(connection, results.c.at <= self._clock() - self._lifetime)
        with self._sentence(), self._database.reading() as connection:
            known = set(connection.execute(select(results.c.id)).scalars())
        for path in self._folder.iterdir():
            # A result that is being kept this moment is in the folder before it is in the database.
            if path.name.partition(".")[0] not in known and self._old(path):
                with suppress(OSError):
                    path.unlink()

    def _old(self, path: Path) -> bool:
        try:
            return path.stat().st_ctime < now().timestamp() - COPY_MIN_AGE.total_seconds()
        except OSError:
            return False

    def _at(self, name: str) -> datetime | None:
        """Return when a result was stored; None if it expired, or never was."""
        living = (results.c.id == name) & (results.c.at > self._clock() - self._lifetime)
        with self._sentence(), self._database.reading() as connection:
            return connection.execute(select(results.c.at).where(living)).scalar()

    @repeated_if_cut
    def _fetch(self, name: str) -> None:
        whole = self._path(name)
        if whole.exists():
            return
        at = self._at(name)
        if at is None:
            raise JobFailed(self.gone)
        half = whole.with_suffix(f".{secrets.token_hex(8)}")
        query = select(result_parts.c.data).where(result_parts.c.result == name).order_by(result_parts.c.place)
        try:
            # PostgreSQL streams within a transaction alone.
            with self._sentence(), self._disk(), self._database.writing() as connection:
                streamed = connection.execution_options(yield_per=1).execute(query)
                with open(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                    for part in streamed.scalars():
                        file.write(zlib.decompress(part))
                os.utime(half, (at.timestamp(), at.timestamp()))
                half.rename(whole)
        finally:
            half.unlink(missing_ok=True)

    @contextmanager
    def _sentence(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            raise JobFailed(
                f"The rows cannot be kept or read right now ({type(error).__name__}). Try again in a minute."
            ) from error


COPY_MIN_AGE = timedelta(hours=1)
"""The age from which a file of the folder is deleted that the database does not know."""


def _delete(connection: Connection, which: object) -> None:
    parts = select(results.c.id).where(which)  # type: ignore[arg-type]
    connection.execute(delete(result_parts).where(result_parts.c.result.in_(parts)))
    connection.execute(delete(results).where(which))  # type: ignore[arg-type]
