"""The look at a database's tables that another process asked for, which does not open it: a small job of the ledger."""

from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from router.catalog.catalog import Catalog
from router.catalog.reflect.reflection import read_schemas
from router.catalog.schema import Schema
from router.errors import NotAllowed
from router.jobs.progress import Outcome, RunningJob
from router.memory.draft import User
from router.sql.databases.session import Estimate
from router.sql.guard import check
from router.sql.writing.order import Existing

Part = Literal["schemas", "schema", "estimate", "existing"]

FOUND: Final[dict[Part, TypeAdapter[Any]]] = {
    "schemas": TypeAdapter(tuple[str, ...]),
    "schema": TypeAdapter(Schema),
    "estimate": TypeAdapter(Estimate),
    "existing": TypeAdapter(Existing | None),
}
"""The types of what is found."""


@dataclass(frozen=True, slots=True)
class ReadCatalog:
    """One look: at the names of schemas, a schema, what the planner expects of SQL, or a table that is written to."""

    connection: str
    part: Part
    schema: str = ""
    table: str = ""
    sql: str = ""


def read_catalog(job: ReadCatalog, catalog: Catalog, work: RunningJob) -> Outcome:
    """Look at what is asked for; what was read before by this process is read anew."""
    found = FOUND[job.part].dump_python(_look(job, catalog, work), mode="json")
    return Outcome(0, {"found": found})


def _look(job: ReadCatalog, catalog: Catalog, work: RunningJob) -> Any:
    connection = catalog.connections.demand(job.connection)
    match job.part:
        case "schemas":
            return read_schemas(connection, catalog.database(connection.name))
        case "schema":
            return catalog.schema(connection.name, job.schema, fresh=True)
        case "estimate":
            scope = catalog.schema(connection.name, job.schema).scope
            verdict = check(job.sql, connection.dialect.name, scope)
            if not verdict.allowed:
                raise NotAllowed(verdict.reason)
            with catalog.database(connection.name).session(scope) as session:
                work.runs(session.cancel)
                return session.check(verdict.sql)
    return catalog.existing(connection.name, job.schema, job.table, User(""))
