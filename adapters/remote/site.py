"""Another process's installation: its connections, rules, schemas and tables, as its jobs API tells them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event, Lock
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter

from adapters.remote.client import (
    NO_QUERY,
    STOPPED_AS_ASKED,
    ApiAway,
    ApiClient,
    ApiMissing,
    Json,
    Query,
    run_detached,
    understood,
)
from adapters.remote.jobs import RemoteJobs
from adapters.remote.results import RemoteResults
from adapters.wire import WIRE_VERSION
from adapters.wire.site_info import SiteInfo, connections_of, rules_of
from router.catalog.caches import SingleFlight
from router.catalog.catalog import EMPTY_INDEX
from router.catalog.connection import Connections
from router.catalog.schema import Schema
from router.catalog.values import ValueIndex, names_known
from router.errors import BotError, JobFailed, SettingsError, Stopped
from router.memory.draft import User
from router.sql.databases.session import Estimate
from router.sql.scope import Scope
from router.sql.writing.order import Existing

TABLES_LIFETIME: Final = timedelta(minutes=1)
"""The time for which something is believed without asking; then the API says whether it is still so."""

_HOUSE = TypeAdapter(SiteInfo)
_NAMES = TypeAdapter(tuple[str, ...])
_SCHEMA = TypeAdapter(Schema)
_EXISTING = TypeAdapter(Existing | None)
_ESTIMATE = TypeAdapter(Estimate)

Key = tuple[str, str]
T = TypeVar("T")


class Unreached(SettingsError):
    """Nobody answers at the address that the settings name."""


def house_at(client: ApiClient) -> SiteInfo:
    """Return what the API says of its site; raises SettingsError where the bot cannot use it."""
    try:
        found, _ = client.changed("/v1/house", "") or ({}, "")
        if found.get("wire") != WIRE_VERSION:
            raise SettingsError([_other_version(str(found.get("version", "")))])
        return understood(_HOUSE, found)
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
        found = self.client.changed("/v1/house", self._tag)
        if found is None:
            return
        given, tag = found
        if given.get("wire") != WIRE_VERSION:
            raise JobFailed(_other_version(str(given.get("version", ""))))
        self.connections.renew(_connections(understood(_HOUSE, given)))
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
            read: tuple[str, ...] = self._asked(
                (known.name, "*"), f"/v1/connections/{known.id}/known", lambda given: _read(_NAMES, given, "schemas")
            )
            return read

        return self._names.get(known.name, ask)

    def schema(self, name: str, schema: str = "", fresh: bool = False) -> Schema:
        """Return the readable tables of a schema ("": the first one)."""
        known = self._connections.demand(name)
        if fresh:
            self.refresh(name)

        def ask() -> Schema:
            path, key = f"/v1/connections/{known.id}/known/tables", (known.name, f"={schema}")
            read: Schema = self._asked(key, path, lambda given: _read(_SCHEMA, given, "tables"), {"schema": schema})
            return read

        return self._schemas.get((known.name, schema), ask)

    def values(self, name: str, schema: str = "") -> ValueIndex:
        """Return an empty index: no value leaves the process that read it."""
        return EMPTY_INDEX

    def known_tables(self) -> frozenset[str]:
        """Return the names of all tables that were read so far, in lower case."""
        return frozenset(table.name.lower() for schema in self._schemas.made() for table in schema.tables)

    def known_words(self, name: str, schema: str) -> frozenset[str]:
        """Return the words of a schema's names of tables and columns, in lower case; none before it was read."""
        return names_known(self._schemas.made(), name, schema)

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
        path = f"/v1/connections/{self._connections.demand(name).id}/there"
        return _read(_EXISTING, self._client.get(path, by, {"schema": schema, "table": table}), "there")

    def _asked(self, key: Key, path: str, read: Callable[[Json], Any], query: Query = NO_QUERY) -> Any:
        """Return what the API says, which is what it said before where it says so."""
        name = key[0]
        with self._lock:
            tag, before = self._tagged.get(key, ("", None))
            anew = name in self._old
            self._old.discard(name)
        try:
            found = self._client.changed(path, tag, query={**query, **({"fresh": "true"} if anew else {})})
        except BaseException:
            with self._lock:
                self._old |= {name} if anew else set()
            raise
        if found is None:
            return before
        given, tag = found
        value = read(given)
        with self._lock:
            self._tagged[key] = tag, value
        return value


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
                lambda: self._client.post("/v1/trials", {**self._where, "sql": sql}, self._by), self._woken
            )
            if found.done() and not self._cancelled:
                return understood(_ESTIMATE, found.result())
        raise Stopped(STOPPED_AS_ASKED)

    def cancel(self) -> None:
        """Wait for it no longer."""
        self._cancelled = True
        self._woken.set()


def _read(adapter: TypeAdapter[T], given: Json, name: str) -> T:
    return understood(adapter, given.get(name))


def _connections(site: SiteInfo) -> Connections:
    try:
        return connections_of(site)
    except (ValueError, KeyError, TypeError):
        raise JobFailed(_other_version(site.version)) from None


def _other_version(version: str) -> str:
    return (
        f"BASE_URL: the jobs API there is of another version ({version[:20]}), and it and this bot do not understand "
        "one another. Bring both to the same version of icc-bot."
    )
