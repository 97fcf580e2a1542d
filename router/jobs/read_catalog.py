"""The tables of databases as a process knows them that opens none: a small job has one that works look at them."""

import secrets
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Final

from pydantic import TypeAdapter

from router.catalog.catalog import Catalog
from router.catalog.connection import Connection
from router.catalog.reflect.reflection import read_schemas
from router.catalog.schema import Schema
from router.errors import DatabaseAway, JobFailed
from router.jobs.job_entry import JobState
from router.jobs.payloads import READ_CATALOG, ReadCatalog
from router.jobs.progress import Outcome
from router.jobs.runner import POLL_SECONDS, Runner

LOOK_MAX_SECONDS: Final = 60.0
"""Seconds that a look may take, with the time until a process begins it."""

_NAMES, _SCHEMA = TypeAdapter(tuple[str, ...]), TypeAdapter(Schema)


@dataclass(frozen=True, slots=True)
class CatalogElsewhere:
    """Has processes that work look at tables; thread-safe."""

    jobs: Runner

    def schemas(self, connection: Connection) -> tuple[str, ...]:
        """Return the names of the schemas that may be read, the default one first."""
        return _NAMES.validate_python(self._ask(connection, ReadCatalog(connection.name)))

    def schema(self, connection: Connection, schema: str) -> Schema:
        """Return a schema as the database has it now."""
        return _SCHEMA.validate_python(self._ask(connection, ReadCatalog(connection.name, schema)))

    def _ask(self, connection: Connection, job: ReadCatalog) -> object:
        """Return what was found; the job, which may hold values of columns, is deleted at once."""
        entry = self.jobs.submit(READ_CATALOG.request(job, f"catalog {secrets.token_hex(16)}"))
        end = monotonic() + LOOK_MAX_SECONDS
        try:
            while not entry.over:
                if monotonic() > end:
                    raise DatabaseAway(
                        f"{connection.label} is away: no process that opens its database answers. Everything so far is "
                        "kept. Try again in a while, or tell your administrator."
                    )
                sleep(POLL_SECONDS)
                entry = self.jobs.ledger.get(entry.id)
        finally:
            self.jobs.ledger.delete(entry.id)
        if entry.state != JobState.DONE:
            raise JobFailed(entry.error)
        return entry.outcome["found"]


def read_catalog(job: ReadCatalog, catalog: Catalog) -> Outcome:
    """Look at a schema, or at which there are; what this process read before is read again."""
    if job.schema:
        found = _SCHEMA.dump_python(catalog.schema(job.connection, job.schema, fresh=True), mode="json")
    else:
        connection = catalog.connections.require(job.connection)
        found = _NAMES.dump_python(read_schemas(connection, catalog.database(connection.name)), mode="json")
    return Outcome(0, {"found": found})
