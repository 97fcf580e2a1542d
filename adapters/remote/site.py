"""Another process's installation: its connections, rules, schemas and tables, as its jobs API tells them."""

import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Lock
from typing import Any, Final, TypeVar
from urllib.parse import quote

from pydantic import TypeAdapter, ValidationError

from adapters.remote.client import (
    API_MISUNDERSTOOD,
    NO_QUERY,
    ApiAway,
    ApiClient,
    ApiMissing,
    Query,
    understood,
)
from adapters.remote.jobs import RemoteJobs
from adapters.wire import RESULT_PAGE_ROWS_MAX, SiteInfo, connections_of, from_wire, rules_of
from router.cards import Table
from router.catalog.caches import SingleFlight
from router.catalog.connection import Connections
from router.catalog.schema import Schema
from router.catalog.values import EMPTY_INDEX, ValueIndex
from router.errors import BotError, JobFailed, SettingsError, Stopped
from router.jobs.cancellation import STOPPED_AS_ASKED, run_detached
from router.jobs.progress import throttled
from router.jobs.results.export import file_order
from router.jobs.results.pages import page_of
from router.jobs.results.reader import Progress, Row, Sort, silent
from router.memory.draft import User
from router.memory.thread import ResultRef
from router.sql.databases.session import Estimate
from router.sql.scope import Scope
from router.sql.writing.order import Existing, ResultField

log = logging.getLogger("icc_bot")

TABLES_LIFETIME: Final = timedelta(minutes=1)
"""The time for which something is believed without asking; then the API says whether it is still so."""

OTHER_VERSION: Final = (
    "BASE_URL: the jobs API there is of another version, and it and this bot do not understand one another. Bring both "
    "to the same version of icc-bot."
)

Key = tuple[str, str]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SchemaNames:
    """The schemas of a connection, as the API lists them."""

    schemas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """What the API knows of a result."""

    result: ResultRef
    read_at: datetime
    fields: tuple[ResultField, ...]


class Unreached(SettingsError):
    """Nobody answers at the address that the settings name."""


_FACTS = TypeAdapter(ResultFacts)
_REF = TypeAdapter(ResultRef)
_SITE = TypeAdapter(SiteInfo)
_NAMES = TypeAdapter(SchemaNames)
_SCHEMA = TypeAdapter(Schema)
_EXISTING = TypeAdapter(Existing | None)
_ESTIMATE = TypeAdapter(Estimate)
_RESULT_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


def site_at(client: ApiClient) -> SiteInfo:
    """Return what the API says of its site; raises SettingsError where the bot cannot use it."""
    try:
        return SiteInfo.model_validate(client.get("/v1/site"))
    except ValidationError:
        raise SettingsError([OTHER_VERSION]) from None
    except ApiMissing:
        raise SettingsError(
            [
                f"BASE_URL: {client.address} answers, and is no jobs API that a bot can use, or one of an earlier "
                "version."
            ]
        ) from None
    except ApiAway as error:
        raise Unreached([f"BASE_URL: {client.address} cannot be reached. Is icc-bot api at work there?"]) from error
    except BotError as error:
        raise SettingsError([f"BASE_URL: {client.address}: {error}"]) from None


class RemoteSite:
    """Everything of another site; `connections` follow its file."""

    def __init__(
        self, client: ApiClient, site: SiteInfo, files: Path, kept: timedelta, clock: Callable[[], datetime]
    ) -> None:
        self.client, self.connections, self.mail_config = client, _connections(site), rules_of(site)
        self.catalog = RemoteCatalog(client, self.connections, clock)
        self.results = RemoteResults(client, files, kept)
        self.jobs = RemoteJobs(client)
        self._tag = ""

    def renew(self) -> None:
        """Take over what changed at the site; raises JobFailed where that cannot be known now."""
        if found := self.client.changed("/v1/site", self._tag):
            given, tag = found
            self.connections.renew(_connections(understood(_SITE, given)))
            self._tag = tag


class RemoteCatalog:
    """Schemas and tables by the name of their connection; thread-safe."""

    def __init__(self, client: ApiClient, connections: Connections, clock: Callable[[], datetime]) -> None:
        self._client, self._connections = client, connections
        self._names = SingleFlight[str, tuple[str, ...]](TABLES_LIFETIME, clock)
        self._schemas = SingleFlight[Key, Schema](TABLES_LIFETIME, clock)
        self._lock = Lock()
        self._tagged: dict[Key, tuple[str, Any]] = {}
        """The last answers with their tags; under "*" the names of the schemas."""
        self._old: set[str] = set()
        """Connections whose tables are to be read anew."""

    def schemas(self, name: str) -> tuple[str, ...]:
        """Return the schemas that may be read, the default one first."""
        known = self._connections.demand(name)

        def ask() -> tuple[str, ...]:
            return self._asked((known.name, "*"), f"/v1/connections/{known.id}/schemas", _NAMES).schemas

        return self._names.get(known.name, ask)

    def schema(self, name: str, schema: str = "", fresh: bool = False) -> Schema:
        """Return the readable tables of a schema ("": the first one)."""
        known = self._connections.demand(name)
        if fresh:
            self.refresh(name)

        def ask() -> Schema:
            return self._asked(
                (known.name, f"={schema}"), f"/v1/connections/{known.id}/tables", _SCHEMA, {"schema": schema}
            )

        return self._schemas.get((known.name, schema), ask)

    def values(self, name: str, schema: str = "") -> ValueIndex:
        """Return an empty index: no value leaves the process that read it."""
        return EMPTY_INDEX

    def known(self) -> list[Schema]:
        """Return the schemas that were read so far."""
        return self._schemas.made()

    def refresh(self, name: str) -> None:
        """Forget what is known of the connection's schemas; the API reads them anew when it is asked next."""
        known = self._connections.demand(name)
        with self._lock:
            self._old.add(known.name)
        self._names.drop(lambda key: key == known.name)
        self._schemas.drop(lambda key: key[0] == known.name)

    @contextmanager
    def trial(self, name: str, scope: Scope, by: User) -> Iterator["RemoteTrial"]:
        """Lend what has the API look at SQL of this person's."""
        yield RemoteTrial(self._client, self._connections.demand(name).name, scope.default, by)

    def existing(self, name: str, schema: str, table: str, by: User) -> Existing | None:
        """Return what lies in a table that this person may write to."""
        path = f"/v1/connections/{self._connections.demand(name).id}/target"
        return understood(_EXISTING, self._client.get(path, by, {"schema": schema, "table": table}).get("table"))

    def _asked(self, key: Key, path: str, adapter: TypeAdapter[T], query: Query = NO_QUERY) -> T:
        """Return what the API says, which is what it said before where it says so."""
        name = key[0]
        with self._lock:
            tag, value = self._tagged.get(key, ("", None))
            anew = name in self._old
            self._old.discard(name)
        try:
            found = self._client.changed(path, tag, query={**query, **({"fresh": "true"} if anew else {})})
        except BaseException:
            with self._lock:
                self._old |= {name} if anew else set()
            raise
        if found:
            value = understood(adapter, found[0])
            with self._lock:
                self._tagged[key] = found[1], value
        unchanged: T = value
        return unchanged


class RemoteTrial:
    """Has the API look at SQL; used by one thread, except `cancel`."""

    def __init__(self, client: ApiClient, connection: str, schema: str, by: User) -> None:
        self._client, self._by = client, by
        self._where = {"connection": connection, "schema": schema}
        self._woken, self._cancelled = Event(), False

    def check(self, sql: str) -> Estimate:
        """Return what the database expects; raises JobFailed with its reason, or Stopped after `cancel`."""
        self._woken.clear()
        if not self._cancelled:
            found = run_detached(
                lambda: self._client.post("/v1/queries/check", {**self._where, "sql": sql}, self._by),
                self._woken,
                "jobs api",
            )
            if found.done() and not self._cancelled:
                return understood(_ESTIMATE, found.result())
        raise Stopped(STOPPED_AS_ASKED)

    def cancel(self) -> None:
        """Wait for it no longer."""
        self._cancelled = True
        self._woken.set()


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
                self._client.delete(f"/v1/jobs/{result}/result")
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

    def rows(self, result: ResultRef | str, batch: int = 1000, sort: Sort | None = None) -> Iterator[list[Row]]:
        """Give all rows in this order in lists of at most `batch`, as values equal to those that were stored.

        In an order, the API sorts them anew for each list: that is for results of few rows.
        """
        end: int | None = 0
        while end is not None:
            _, rows, end = self._rows(result, end, min(batch, RESULT_PAGE_ROWS_MAX), sort)
            if rows:
                yield rows

    def fields(self, result: ResultRef | str) -> tuple[ResultField, ...]:
        """Return a field a column of the result, as a table can keep it."""
        return self._facts(result).fields

    def file(self, result: ResultRef | str, form: str, progress: Progress = silent, sort: Sort | None = None) -> Path:
        """Return the result in this order as a file of this form; `progress` is told about how many rows are there."""
        ref = self.ref(result)
        path = self._folder / f"{ref.id}{file_order(sort)}.{form}"
        if not path.exists():
            tell = throttled(progress)
            half = path.with_suffix(f".{secrets.token_hex(8)}")
            try:
                os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
                self._client.fetch(
                    f"{_path(ref)}/files/{form}",
                    self._by,
                    half,
                    lambda part: tell(int(ref.total * part)),
                    _ordered(sort),
                )
                half.rename(path)
            except OSError as error:
                raise JobFailed(
                    f"The file could not be written ({error}). The rows are still kept: try again, or take fewer rows."
                ) from error
            finally:
                half.unlink(missing_ok=True)
        return path

    def _facts(self, result: ResultRef | str) -> ResultFacts:
        return understood(_FACTS, self._client.get(f"{_path(result)}/result", self._by))

    def _rows(
        self, result: ResultRef | str, offset: int, limit: int, sort: Sort | None
    ) -> tuple[ResultRef, list[Row], int | None]:
        limit = min(limit, RESULT_PAGE_ROWS_MAX)
        found = self._client.get(
            f"{_path(result)}/rows", self._by, {"exact": "true", "offset": offset, "limit": limit, **_ordered(sort)}
        )
        return understood(_REF, found.get("result")), _values(found.get("rows")), found.get("next")


def _path(result: ResultRef | str) -> str:
    return f"/v1/jobs/{quote(result if isinstance(result, str) else result.id, safe='')}"


def _ordered(sort: Sort | None) -> dict[str, str]:
    """Return the parameter that stands for an order; none for that the rows were read in."""
    return {"sort": f"{sort[0]}:{sort[1]}"} if sort else {}


def _values(rows: Any) -> list[Row]:
    try:
        return [tuple(map(from_wire, row)) for row in rows]
    except (ValueError, TypeError) as error:
        raise JobFailed(API_MISUNDERSTOOD) from error


def _connections(site: SiteInfo) -> Connections:
    try:
        return connections_of(site)
    except (ValueError, KeyError, TypeError):
        raise JobFailed(OTHER_VERSION) from None
