"""Results that the jobs API keeps: pages of them in any order, and files, which are kept here too for a while."""

import logging
import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter

from adapters.remote.client import API_MISUNDERSTOOD, ApiAway, ApiClient, Json, understood
from adapters.wire import RESULT_PAGE_ROWS_MAX
from adapters.wire.values import from_wire
from router.cards import Table
from router.errors import JobFailed
from router.jobs.progress import throttled
from router.jobs.results.pages import page_of
from router.jobs.results.reader import Progress, Row, Sort, silent
from router.memory.draft import User
from router.memory.thread import ResultRef
from router.sql.writing.order import ResultField

log = logging.getLogger("icc_bot")

_REF = TypeAdapter(ResultRef)
_FIELDS = TypeAdapter(tuple[ResultField, ...])
_RESULT_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


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
        if _RESULT_ID.fullmatch(result):
            for path in self._folder.glob(f"{result}.*"):
                path.unlink(missing_ok=True)
            try:
                self._client.delete(f"/v1/results/{result}")
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
        return understood(_REF, self._known(result).get("result"))

    def read_at(self, result: ResultRef | str) -> datetime:
        """Return when the rows were stored, in UTC."""
        return understood(TypeAdapter(datetime), self._known(result).get("read_at")).astimezone(UTC)

    def page(self, result: ResultRef | str, offset: int = 0, limit: int = 20, sort: Sort | None = None) -> Table:
        """Return `limit` rows after the first `offset` as a table of text."""
        offset = max(0, offset)
        ref, first, following = self._rows(result, offset, limit, sort)

        def rows() -> Iterator[Row]:
            """Give wide rows as they come: of each, little is shown."""
            some, end, left = first, following, limit
            while True:
                yield from some
                left -= len(some)
                if end is None or left <= 0:
                    return
                _, some, end = self._rows(result, end, left, sort)

        return page_of(ref, rows(), offset, sort)

    def rows(self, result: ResultRef | str, batch: int = 1000) -> Iterator[list[Row]]:
        """Give all rows in lists of at most `batch`, as values equal to those that were stored."""
        end: int | None = 0
        while end is not None:
            _, rows, end = self._rows(result, end, min(batch, RESULT_PAGE_ROWS_MAX), None)
            if rows:
                yield rows

    def fields(self, result: ResultRef | str) -> tuple[ResultField, ...]:
        """Return a field a column of the result, as a table can keep it."""
        return understood(_FIELDS, self._client.get(f"{_path(result)}/fields", self._by).get("fields"))

    def file(self, result: ResultRef | str, form: str, progress: Progress = silent) -> Path:
        """Return the result as a file of this form; `progress` is told about how many of the rows are there."""
        ref = self.ref(result)
        path = self._folder / f"{ref.id}.{form}"
        if not path.exists():
            tell = throttled(progress)
            half = path.with_suffix(f".{secrets.token_hex(8)}")
            try:
                os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
                self._client.fetch(
                    f"{_path(ref)}/files/{form}", self._by, half, lambda part: tell(int(ref.total * part))
                )
                half.rename(path)
            except OSError as error:
                raise JobFailed(
                    f"The file could not be written ({error}). The rows are still kept: try again, or take fewer rows."
                ) from error
            finally:
                half.unlink(missing_ok=True)
        return path

    def _known(self, result: ResultRef | str) -> Json:
        return self._client.get(_path(result), self._by)

    def _rows(
        self, result: ResultRef | str, offset: int, limit: int, sort: Sort | None
    ) -> tuple[ResultRef, list[Row], int | None]:
        order = {"sort": f"{sort[0]}:{sort[1]}"} if sort else {}
        limit = min(limit, RESULT_PAGE_ROWS_MAX)
        found = self._client.get(f"{_path(result)}/rows", self._by, {"offset": offset, "limit": limit, **order})
        following = found.get("next")
        return understood(_REF, found.get("result")), _values(found.get("rows")), following


def _path(result: ResultRef | str) -> str:
    return f"/v1/results/{quote(result if isinstance(result, str) else result.id, safe='')}"


def _values(rows: Any) -> list[Row]:
    try:
        return [tuple(map(from_wire, row)) for row in rows]
    except (ValueError, TypeError) as error:
        raise JobFailed(API_MISUNDERSTOOD) from error
