"""The result store: one SQLite file a result, in a folder that only the bot reads, for as long as results live."""

import os
import re
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from copy import copy
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import rmtree
from typing import Any, Self

from router.cards import Table
from router.errors import JobFailed
from router.jobs.progress import throttled
from router.jobs.results.codec import glimpse
from router.jobs.results.export import WRITERS, file_order
from router.jobs.results.pages import page_of
from router.jobs.results.reader import Progress, ResultReader, Row, Sort, fields_of, ignore_progress
from router.jobs.results.writer import ResultWriter
from router.language.wording import counted, whole_units
from router.memory.thread import ResultRef
from router.sql.databases.session import Described
from router.sql.writing.order import ResultField

_RESULT_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_WHOLE_SUFFIX, _PART_SUFFIX = ".sqlite", ".part"


class Results:
    """Rows that were read, each result kept for `lifetime`; thread-safe, and several processes may share the folder."""

    def __init__(self, folder: Path, lifetime: timedelta, clock: Callable[[], datetime]) -> None:
        self.folder = self._folder = folder
        self._lifetime, self._clock = lifetime, clock
        self._judge: Callable[[str], None] | None = None
        with self._disk():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.expire()

    def judged_by(self, judge: Callable[[str], None]) -> Self:
        """Return the same results, of which each look is judged first: `judge` raises what forbids it."""
        seen = copy(self)
        seen._judge = judge
        return seen

    def store(
        self,
        columns: Sequence[Described],
        batches: Iterable[list[tuple[Any, ...]]],
        cap: int,
        progress: Callable[[int], None],
        seconds: Callable[[], float],
        largest: int | None = None,
        unmatched: Callable[[float], str] = lambda seconds: "",
    ) -> ResultRef:
        """Keep at most `cap` rows and return where they lie; one more is asked for, to know whether there are more.

        The file has at most `largest` bytes. Long cells are cut, as `ResultWriter` says.
        `progress` is told the number of rows after each batch, `seconds` is asked at the end how long it all took, and
        `unmatched` then what joins left out.
        Whatever is raised, no file is left; JobFailed if the disk is full or cannot be written.
        """
        with self.writer(columns, cap, largest) as writer:
            for rows in batches:
                writer.add(rows)
                progress(writer.total)
                if writer.capped:
                    break
            took = seconds()
            return self.keep(writer, took, unmatched(took))

    @contextmanager
    def writer(self, columns: Sequence[Described], cap: int, largest: int | None = None) -> Iterator[ResultWriter]:
        """Lend a result that is empty still; what was not kept by the end of the block is deleted."""
        writer = ResultWriter(
            self._path(secrets.token_urlsafe(24)).with_suffix(_PART_SUFFIX), columns, cap, self._disk, largest
        )
        try:
            yield writer
        finally:
            writer.discard()

    def keep(self, writer: ResultWriter, seconds: float, unmatched: str = "") -> ResultRef:
        """Keep a result whose rows are all there, and took so many seconds; return where they lie."""
        ref = writer.finish(writer.path.stem, seconds, unmatched)
        with self._disk():
            now = self._clock().timestamp()
            os.utime(writer.path, (now, now))
            writer.path.rename(self._path(ref.id))
        return ref

    def page(self, result: ResultRef | str, offset: int = 0, limit: int = 20, sort: Sort | None = None) -> Table:
        """Return `limit` rows after the first `offset` as a table of text; raises JobFailed once the result expired."""
        with self.open(result) as reader:
            offset = max(0, offset)
            return page_of(reader.ref, reader.page(offset, limit, sort, glimpse), offset, sort)

    def rows(self, result: ResultRef | str, batch: int = 1000, sort: Sort | None = None) -> Iterator[list[Row]]:
        """Give all rows in lists of at most `batch`, as values equal to those that were stored; raises JobFailed.

        They come in this order, else in that they were read in.
        """
        with self.open(result) as reader:
            yield from reader.rows(batch, sort)

    def ref(self, result: ResultRef | str) -> ResultRef:
        """Return the reference that was stored with the rows; raises JobFailed if they expired."""
        with self.open(result) as reader:
            return reader.ref

    def read_at(self, result: ResultRef | str) -> datetime:
        """Return when the rows were stored, in UTC; raises JobFailed if they expired."""
        return datetime.fromtimestamp(self._path(self.ref(result).id).stat().st_mtime, UTC)

    def fields(self, result: ResultRef | str) -> tuple[ResultField, ...]:
        """Return a field a column of the result, as a table can keep it; raises JobFailed if the rows expired."""
        with self.open(result) as reader:
            return fields_of(reader)

    def file(
        self, result: ResultRef | str, form: str, progress: Progress = ignore_progress, sort: Sort | None = None
    ) -> Path:
        """Return the result in this order as a file of this form, made when first asked for; it expires with the rows.

        `progress` is told the rows so far now and then, never twice within half a second. Raises JobFailed.
        """
        with self.open(result) as reader:
            rows = self._path(reader.ref.id)
            path = rows.with_suffix(f"{file_order(sort)}.{form}")
            if not path.exists():
                half = rows.with_suffix(f".{secrets.token_hex(8)}")
                WRITERS[form](reader, half, throttled(progress), sort)
                with self._disk():
                    now = rows.stat().st_mtime
                    os.utime(half, (now, now))
                    half.rename(path)
        return path

    def delete(self, result: str) -> None:
        """Delete a result and its files."""
        if _RESULT_ID.fullmatch(result):
            for path in self._folder.glob(f"{result}.*"):
                path.unlink(missing_ok=True)

    def exists(self, result: ResultRef | str) -> bool:
        """Return whether the result can still be read."""
        name = result if isinstance(result, str) else result.id
        return _RESULT_ID.fullmatch(name) is not None and not self._expired(self._path(name))

    @property
    def gone(self) -> str:
        """The sentence for rows that are not there (any more)."""
        return f"This result is gone: I keep rows for {_days(self._lifetime)}. Press Run to read it again."

    @contextmanager
    def open(self, result: ResultRef | str) -> Iterator[ResultReader]:
        """Lend the result's file; raises JobFailed if it expired, never was, or is damaged."""
        name = result if isinstance(result, str) else result.id
        if self._judge:
            self._judge(name)
        if not self.exists(name):
            raise JobFailed(self.gone)
        self._fetch(name)
        try:
            with closing(ResultReader(self._path(name))) as reader:
                yield reader
        except sqlite3.Error as error:
            raise JobFailed(f"The stored rows cannot be read ({error}). Press Run to read them again.") from error

    def expire(self) -> None:
        """Delete results past their life-time and halves left by a killed process; called at start and now and then."""
        with self._disk():
            for path in self._folder.iterdir():
                if not (_is_abandoned(path) if path.suffix == _PART_SUFFIX else self._expired(path)):
                    continue
                if path.is_dir():  # where a spreadsheet was being put together
                    rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)

    def _fetch(self, name: str) -> None:
        """Have a result that exists lie in the folder."""

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{_WHOLE_SUFFIX}"

    def _expired(self, path: Path) -> bool:
        try:
            return path.stat().st_mtime + self._lifetime.total_seconds() <= self._clock().timestamp()
        except OSError:
            return True

    @contextmanager
    def _disk(self) -> Iterator[None]:
        """Turn what the disk says into a sentence; only around our own file, for a source may be an SQLite file too."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise JobFailed(
                f"The rows cannot be kept in {self._folder} ({error}), so nothing was kept of them. "
                "Tell your administrator, then press Run again."
            ) from error


def _is_abandoned(path: Path) -> bool:
    """Return whether nobody writes this half any more: a writer holds SQLite's lock, a killed one's is gone with it."""
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as database:
        try:
            database.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            return "locked" not in str(error)
    return True


def _days(length: timedelta) -> str:
    count, unit = whole_units(length)
    return counted(round(count), unit) if unit else "a moment"
