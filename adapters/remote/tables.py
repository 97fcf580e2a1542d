"""What the jobs API knows of the databases' tables, kept here for a while."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Event, Lock
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter

from adapters.remote.apart import apart
from adapters.remote.link import NOTHING, Json, Link, Query
from adapters.remote.trouble import STOPPED, understood
from router.catalog.connection import Connections
from router.catalog.indexing import NONE
from router.catalog.names import names_known
from router.catalog.schema import Schema
from router.catalog.shared import Shared
from router.catalog.values import ValueIndex
from router.errors import Stopped
from router.memory import User
from router.sql.databases import Estimate
from router.sql.scope import Scope
from router.sql.writing import Existing

LIFETIME: Final = timedelta(minutes=1)
"""How long something is believed without asking; then the API says whether it is still so."""

_NAMES = TypeAdapter(tuple[str, ...])
_SCHEMA = TypeAdapter(Schema)
_EXISTING = TypeAdapter(Existing | None)
_ESTIMATE = TypeAdapter(Estimate)

Key = tuple[str, str]
T = TypeVar("T")


class RemoteTables:
    """Schemas and tables by the name of their connection; thread-safe."""

    def __init__(self, link: Link, connections: Connections, clock: Callable[[], datetime]) -> None:
        self._link, self._connections = link, connections
        self._names = Shared[str, tuple[str, ...]](LIFETIME, clock)
        self._schemas = Shared[Key, Schema](LIFETIME, clock)
        self._lock = Lock()
        self._tagged: dict[Key, tuple[str, Any]] = {}
        """What came last, with its tag; under "*" the names of the schemas."""
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
        return NONE

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
        yield RemoteTrial(self._link, self._connections.demand(name).name, scope.default, by)

    def existing(self, name: str, schema: str, table: str, by: User) -> Existing | None:
        """Return what lies in a table that this person may write to."""
        path = f"/v1/connections/{self._connections.demand(name).id}/there"
        return _read(_EXISTING, self._link.get(path, by, {"schema": schema, "table": table}), "there")

    def _asked(self, key: Key, path: str, read: Callable[[Json], Any], query: Query = NOTHING) -> Any:
        """Return what the API says, which is what it said before where it says so."""
        name = key[0]
        with self._lock:
            tag, before = self._tagged.get(key, ("", None))
            anew = name in self._old
            self._old.discard(name)
        try:
            found = self._link.changed(path, tag, query={**query, **({"fresh": "true"} if anew else {})})
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

    def __init__(self, link: Link, connection: str, schema: str, by: User) -> None:
        self._link, self._by = link, by
        self._where = {"connection": connection, "schema": schema}
        self._woken, self._cancelled = Event(), False

    def check(self, sql: str) -> Estimate:
        """Return what the database expects; raises JobFailed with its reason, or Stopped after `cancel`."""
        self._woken.clear()
        if not self._cancelled:
            found = apart(lambda: self._link.post("/v1/trials", {**self._where, "sql": sql}, self._by), self._woken)
            if found.done() and not self._cancelled:
                return understood(_ESTIMATE, found.result())
        raise Stopped(STOPPED)

    def cancel(self) -> None:
        """Wait for it no longer."""
        self._cancelled = True
        self._woken.set()


def _read(adapter: TypeAdapter[T], given: Json, name: str) -> T:
    return understood(adapter, given.get(name))
