"""Results of another process, as its jobs API gives them to one person."""

import logging
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from sys import maxsize
from typing import Annotated, Any
from urllib.parse import quote

from pydantic import BeforeValidator, TypeAdapter

from adapters.remote.client import ApiAway, ApiClient, parse_answer
from adapters.wire import RESULT_PAGE_ROWS_MAX, ResultFacts, from_wire
from router.cards import Table
from router.errors import JobFailed
from router.jobs.results.export import file_order
from router.jobs.results.pages import page_of
from router.jobs.results.reader import Progress, Row, Sort, ignore_progress
from router.memory.draft import User
from router.memory.thread import ResultRef
from router.sql.writing.order import ResultField

log = logging.getLogger("icc_bot")


@dataclass(frozen=True, slots=True)
class RowsPage:
    """Some rows of a result, exactly, and the offset of the next ones."""

    result: ResultRef
    rows: list[tuple[Annotated[Any, BeforeValidator(from_wire)], ...]]
    next: int | None


_FACTS = TypeAdapter(ResultFacts)
_PAGE = TypeAdapter(RowsPage)


class RemoteResults:
    """All results of another process; files of them lie in a folder here for as long as results live."""

    def __init__(self, client: ApiClient, folder: Path, lifetime: timedelta) -> None:
        self._client, self._folder, self._lifetime = client, folder, lifetime
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.expire()

    def seen_by(self, user: User) -> "RemoteResultAccess":
        """Return the results as this person may see them: the API judges that."""
        return RemoteResultAccess(self._client, self._folder, user)

    def delete(self, result: str) -> None:
        """Delete a result and its files."""
        for path in self._folder.glob(f"{result}.*"):
            path.unlink(missing_ok=True)
        try:
            self._client.delete(f"{_path(result)}/result")
        except ApiAway:
            log.error("the jobs API keeps the rows of result %s until their time is over", result)

    def expire(self) -> None:
        """Delete files past their time."""
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # a half of a file is gone once it is whole
                if path.stat().st_mtime + self._lifetime.total_seconds() <= time.time():
                    path.unlink()


class RemoteResultAccess:
    """Results as one person may see them; thread-safe."""

    def __init__(self, client: ApiClient, folder: Path, by: User) -> None:
        self._client, self._folder, self._by = client, folder, by

    def ref(self, result: ResultRef | str) -> ResultRef:
        """Return the reference that was stored with the rows."""
        return self._facts(result).result

    def read_at(self, result: ResultRef | str) -> datetime:
        """Return when the rows were stored, in UTC."""
        return self._facts(result).read_at.astimezone(UTC)

    def page(self, result: ResultRef | str, offset: int = 0, limit: int = 20, sort: Sort | None = None) -> Table:
        """Return `limit` rows after the first `offset` as a table of text."""
        offset = max(0, offset)
        pages = self._pages(result, offset, limit, RESULT_PAGE_ROWS_MAX, sort)
        first = next(pages)
        # Wide rows come in several pages; of each row, little is shown.
        rows = chain(first.rows, chain.from_iterable(page.rows for page in pages))
        return page_of(first.result, rows, offset, sort)

    def rows(self, result: ResultRef | str, batch: int = 1000, sort: Sort | None = None) -> Iterator[list[Row]]:
        """Give all rows in this order in lists of at most `batch`, as values equal to those that were stored.

        In an order, the API sorts them again for each list: that is for results of few rows.
        """
        for page in self._pages(result, 0, maxsize, batch, sort):
            if page.rows:
                yield page.rows

    def fields(self, result: ResultRef | str) -> tuple[ResultField, ...]:
        """Return a field a column of the result, as a table can keep it."""
        return self._facts(result).fields

    def file(
        self, result: ResultRef | str, form: str, progress: Progress = ignore_progress, sort: Sort | None = None
    ) -> Path:
        """Return the result in this order as a file of this form; `progress` is told how many rows are there."""
        ref = self.ref(result)
        path = self._folder / f"{ref.id}{file_order(sort)}.{form}"
        if not path.exists():
            half = path.with_suffix(f".{secrets.token_hex(8)}")
            try:
                self._client.fetch(f"{_path(ref)}/files/{form}", self._by, half, _ordered(sort))
                half.rename(path)
            except OSError as error:
                raise JobFailed(
                    f"The file could not be written ({error}). The rows are still kept: try again, or take fewer rows."
                ) from error
            finally:
                half.unlink(missing_ok=True)
            progress(ref.total)
        return path

    def _facts(self, result: ResultRef | str) -> ResultFacts:
        return parse_answer(_FACTS, self._client.get(f"{_path(result)}/result", self._by))

    def _pages(
        self, result: ResultRef | str, offset: int, limit: int, batch: int, sort: Sort | None
    ) -> Iterator[RowsPage]:
        """Give rows after the first `offset`, until there are `limit` or no more, in pages of at most `batch`."""
        query = {"exact": "true", **_ordered(sort)}
        while True:
            some = min(limit, batch, RESULT_PAGE_ROWS_MAX)
            found = self._client.get(f"{_path(result)}/rows", self._by, {**query, "offset": offset, "limit": some})
            page = parse_answer(_PAGE, found)
            yield page
            limit -= len(page.rows)
            if page.next is None or limit <= 0:
                return
            offset = page.next


def _path(result: ResultRef | str) -> str:
    return f"/v1/jobs/{quote(result if isinstance(result, str) else result.id, safe='')}"


def _ordered(sort: Sort | None) -> dict[str, str]:
    """Return the parameter that stands for an order; none for that the rows were read in."""
    return {"sort": f"{sort[0]}:{sort[1]}"} if sort else {}
