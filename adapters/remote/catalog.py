"""Schemas and tables of another process, and queries that its databases look at, as its jobs API tells them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from threading import Event
from typing import Final

from pydantic import TypeAdapter

from adapters.remote.client import NO_QUERY, ApiClient, Json, Query, parse_answer
from adapters.wire import SchemaNames
from router.catalog.caches import SingleFlight
from router.catalog.connection import Connection, Connections
from router.catalog.schema import Schema
from router.catalog.values import EMPTY_INDEX, ValueIndex
from router.errors import JobFailed, Stopped
from router.jobs.cancellation import STOPPED_AS_ASKED, run_detached
from router.memory.draft import User
from router.sql.databases.session import Estimate
from router.sql.scope import Scope
from router.sql.writing.order import Existing

TABLES_LIFETIME: Final = timedelta(minutes=10)
"""The time for which tables are believed without asking; a change of the connections ends it."""


_NAMES = TypeAdapter(SchemaNames)
_SCHEMA = TypeAdapter(Schema)
_EXISTING = TypeAdapter(Existing | None)
_ESTIMATE = TypeAdapter(Estimate)


class RemoteCatalog:
    """Schemas and tables by the name of their connection; thread-safe."""

    def __init__(self, client: ApiClient, connections: Connections, clock: Callable[[], datetime]) -> None:
        self._client, self._connections = client, connections
        self._names = SingleFlight[str, tuple[str, ...]](TABLES_LIFETIME, clock)
        self._schemas = SingleFlight[tuple[str, str], Schema](TABLES_LIFETIME, clock)

    def schemas(self, name: str) -> tuple[str, ...]:
        """Return the schemas that may be read, the default one first."""
        known = self._connections.require(name)
        return self._names.get(known.name, lambda: parse_answer(_NAMES, self._asked(known, "schemas")).schemas)

    def schema(self, name: str, schema: str = "", fresh: bool = False) -> Schema:
        """Return the readable tables of a schema ("": the first one)."""
        known = self._connections.require(name)
        if fresh:
            self.refresh(name)

        def ask() -> Schema:
            return parse_answer(_SCHEMA, self._asked(known, "tables", {"schema": schema}))

        return self._schemas.get((known.name, schema), ask)

    def values(self, name: str, schema: str = "") -> ValueIndex:
        """Return an empty index: no value leaves the process that read it."""
        return EMPTY_INDEX

    def known(self) -> list[Schema]:
        """Return the schemas that were read so far."""
        return self._schemas.made()

    def refresh(self, name: str) -> None:
        """Have the API read the connection's schemas again, and forget what is known of them."""
        known = self._connections.require(name)
        with suppress(JobFailed):  # such as a database that is away: the next question says so
            self._asked(known, "schemas", {"fresh": "true"})
        self._names.drop(lambda key: key == known.name)
        self._schemas.drop(lambda key: key[0] == known.name)

    def forget(self) -> None:
        """Forget all schemas, as their rights may be others."""
        self._names.drop()
        self._schemas.drop()

    @contextmanager
    def trial(self, name: str, scope: Scope, by: User) -> Iterator["RemoteTrial"]:
        """Lend what has the API look at SQL of this person's."""
        yield RemoteTrial(self._client, self._connections.require(name).name, scope.default, by)

    def existing(self, name: str, schema: str, table: str, by: User) -> Existing | None:
        """Return what lies in a table that this person may write to."""
        path = f"/v1/connections/{self._connections.require(name).id}/target"
        return parse_answer(_EXISTING, self._client.get(path, by, {"schema": schema, "table": table}).get("table"))

    def _asked(self, known: Connection, what: str, query: Query = NO_QUERY) -> Json:
        return self._client.get(f"/v1/connections/{known.id}/{what}", query=query)


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
                return parse_answer(_ESTIMATE, found.result())
        raise Stopped(STOPPED_AS_ASKED)

    def cancel(self) -> None:
        """Wait for it no longer."""
        self._cancelled = True
        self._woken.set()
