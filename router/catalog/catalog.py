"""The catalog: the databases' tables, read when first needed, kept for a while, shared by all threads."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from typing import Protocol

from router.catalog.availability import require_there, why_away
from router.catalog.caches import SingleFlight
from router.catalog.connection import Connection, Connections
from router.catalog.reflect.reflection import read_schema, read_schemas
from router.catalog.schema import ALL_SCHEMAS, Schema, SchemaTable, are_together
from router.catalog.tables import Trial
from router.catalog.targets import hidden_in, require_target, target_opener
from router.catalog.values import EMPTY_INDEX, ValueIndex, index_of
from router.errors import JobFailed, NotAllowed
from router.memory.draft import User
from router.observing.spans import span
from router.sql.databases.session import PooledDatabase
from router.sql.opening import open_database
from router.sql.scope import Scope
from router.sql.writing.order import Existing, shown_of
from router.storage.clock import Clock, now

log = logging.getLogger(__name__)


def open_connection(connection: Connection) -> PooledDatabase:
    """Return the reading way to the connection's database."""
    return open_database(connection.url, connection.dialect, connection.timeout)


class Elsewhere(Protocol):
    """Has another process look at tables; raises JobFailed if none does, or it says so."""

    def schemas(self, connection: Connection) -> tuple[str, ...]:
        """Return the names of the schemas that may be read, the default one first."""

    def schema(self, connection: Connection, schema: str) -> Schema:
        """Return a schema as the database has it now."""


class Catalog:
    """Databases, schemas and tables by the name of their connection, compared without case."""

    def __init__(
        self,
        connections: Connections,
        open: Callable[[Connection], PooledDatabase] = open_connection,
        lifetime: timedelta = timedelta(hours=1),
        clock: Clock = now,
    ) -> None:
        self.connections = connections
        self.elsewhere: Elsewhere | None = None
        """What looks at tables where this process opens no database."""
        self._open, self._clock = open, clock
        # By all that decides what is read: nothing that was read by rights of before is found by those of today.
        self._databases = SingleFlight[Connection, PooledDatabase](timedelta.max, clock)
        self._names = SingleFlight[Connection, tuple[str, ...]](lifetime, clock)
        self._schemas = SingleFlight[tuple[Connection, str], Schema](lifetime, clock)
        self._together = SingleFlight[tuple[Connection, str], Schema](lifetime, clock)
        connections.on_change(self._let_go)

    def database(self, name: str) -> PooledDatabase:
        """Return the connection's database, opened when it is first asked for; raises JobFailed if it is away."""
        return self._database(self.connections.require(name))

    def trial(self, name: str, scope: Scope, by: User) -> AbstractContextManager[Trial]:
        """Lend a reading session in which SQL is tried out; the caller has checked the person's rights."""
        return self.database(name).session(scope)

    def existing(self, name: str, schema: str, table: str, by: User) -> Existing | None:
        """Return what lies in a table, as the user who may write; the caller has checked that the person may.

        Raises NotAllowed if rows may not be written into a table of this name; columns that nobody may read are
        left out.
        """
        connection = self.connections.require(name)
        require_target(connection, self.schemas(name), schema, table)
        with target_opener(self.connections)(name) as target:
            found = target.table(schema, table)
        if found is None:
            return None
        require_target(connection, self.schemas(name), found.schema, found.name)  # as the database itself spells it
        return shown_of(found, hidden_in(connection, found.schema, found.name))

    def schemas(self, name: str) -> tuple[str, ...]:
        """Return the allowed schemas that exist, the default one first; raises JobFailed if the database fails."""
        connection = self.connections.require(name)
        require_there(connection)
        return self._schema_names(connection)

    def schema(self, name: str, schema: str = "", fresh: bool = False) -> Schema:
        """Return the readable tables of a schema ("": the first one), read again if `fresh` or older than the lifetime.

        The tables of the connection's other schemas stand beside them; for ALL_SCHEMAS they are among them.

        Raises NotAllowed for a schema that may not be read or does not exist, JobFailed if the database fails.
        """
        return self._read(name, schema, fresh)

    def values(self, name: str, schema: str = "") -> ValueIndex:
        """Return what finds the values of a schema that `schema` returns; it is empty if no model may see one."""
        read = self._read(name, schema)
        return index_of(read) if self.connections.require(name).samples else EMPTY_INDEX

    def known(self) -> list[Schema]:
        """Return the schemas that were read so far; asks no database."""
        return self._schemas.made()

    def refresh(self, name: str) -> None:
        """Forget what is known of the connection's schemas; the next question reads them again."""
        connection = self.connections.require(name)
        self._forget(lambda key: key.name == connection.name)

    def close(self) -> None:
        """Close all databases; a later question would open them again."""
        for database in self._databases.drop():
            database.close()

    def _read(self, name: str, schema: str, fresh: bool = False) -> Schema:
        connection = self.connections.require(name)
        spelled = self._spelled(connection, schema)
        names = self._schema_names(connection)
        if self.elsewhere or not are_together(names):
            return self._read_alone(connection, spelled, fresh)
        key = (connection.way, spelled)
        return self._together.get(key, lambda: self._read_together(connection, names, spelled, fresh), fresh)

    def _read_together(self, connection: Connection, names: tuple[str, ...], spelled: str, fresh: bool) -> Schema:
        """Return a schema with the tables of the others beside it, or all; one that fails besides is left out."""
        default = names[0] if spelled == ALL_SCHEMAS else spelled
        main, others = self._read_alone(connection, default, fresh), list[SchemaTable]()
        for each in names:
            if each != default:
                try:
                    others += self._read_alone(connection, each, fresh).tables
                except JobFailed as error:
                    log.warning("The schema %s of %s is left out: %s", each, connection.name, error)
        if spelled == ALL_SCHEMAS:
            return replace(main, tables=(*main.tables, *others))
        return replace(main, beside=tuple(others))

    def _read_alone(self, connection: Connection, spelled: str, fresh: bool) -> Schema:
        def read() -> Schema:
            with span("database", "schema", connection=connection.name):
                if self.elsewhere:
                    return self.elsewhere.schema(connection, spelled)
                return read_schema(connection, self._database(connection), spelled, self._clock())

        return self._schemas.get((connection.way, spelled), read, fresh)

    def _database(self, connection: Connection) -> PooledDatabase:
        if why_away(connection):
            # A file that comes back is another one than that which is held open.
            self._close(lambda key: key.name == connection.name)
            require_there(connection)
        return self._databases.get(connection.way, lambda: self._open(connection))

    def _schema_names(self, connection: Connection) -> tuple[str, ...]:
        def read() -> tuple[str, ...]:
            if self.elsewhere:
                return self.elsewhere.schemas(connection)
            return read_schemas(connection, self._database(connection))

        return self._names.get(connection.way, read)

    def _let_go(self) -> None:
        """Forget what connections of before told; a database that is not asked any more closes after what runs."""
        held = {connection.way for connection in self.connections.values()}
        self._forget(lambda key: key not in held)
        self._close(lambda key: key not in held)

    def _forget(self, unwanted: Callable[[Connection], bool]) -> None:
        """Forget what is known of the schemas of connections."""
        self._names.drop(unwanted)
        for kept in (self._schemas, self._together):
            kept.drop(lambda key: unwanted(key[0]))

    def _close(self, unwanted: Callable[[Connection], bool]) -> None:
        for database in self._databases.drop(unwanted):
            database.close()

    def _spelled(self, connection: Connection, schema: str) -> str:
        names = self._schema_names(connection)
        if not names:
            raise JobFailed(
                f"{connection.label} has no schema that may be read. Nothing was run. "
                "Your administrator can name one under `schemas` in connections.toml."
            )
        if not schema:
            return names[0]
        if schema == ALL_SCHEMAS:
            return schema if are_together(names) else names[0]
        exact = [name for name in names if name == schema]
        for name in exact or [name for name in names if name.lower() == schema.lower()]:
            return name
        raise NotAllowed(f'{connection.label} has no schema "{schema}" that may be read. It has {", ".join(names)}.')
