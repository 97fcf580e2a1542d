"""Databases that another process opens: which jobs it has to do, and how it is asked for their tables."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from router.catalog.connection import Connection, Connections
from router.catalog.schema import Schema
from router.errors import JobFailed
from router.jobs.cancellation import Stopping
from router.jobs.job_entry import JobState, Request
from router.jobs.payloads import READ_CATALOG, databases_of
from router.jobs.read_catalog import FOUND, ReadCatalog
from router.jobs.runner import Runner
from router.sql.databases.session import Estimate
from router.sql.scope import Scope
from router.sql.writing.order import Existing

PATIENCE_SECONDS: Final = 60.0
"""Seconds that a question waits until a process that opens the database begins to look."""


def done_elsewhere(connections: Connections, emails: bool, request: Request) -> bool:
    """Tell whether other processes have to do a job: they open its databases, or send the e-mails."""
    try:
        names = databases_of(request)
    except JobFailed:  # whoever does it says so
        return False
    return not (names or emails) or any(name in connections and connections[name].elsewhere for name in names)


class CatalogElsewhere:
    """Has others look at the tables of databases that this process does not open; thread-safe."""

    def __init__(self, jobs: Runner, patience: float = PATIENCE_SECONDS) -> None:
        self._jobs, self._patience = jobs, patience

    def schemas(self, connection: Connection) -> tuple[str, ...]:
        """Return the names of the schemas that may be read, the default one first."""
        found: tuple[str, ...] = self._ask(connection, ReadCatalog(connection.name, "schemas"))
        return found

    def schema(self, connection: Connection, schema: str) -> Schema:
        """Return a schema as the database has it now."""
        found: Schema = self._ask(connection, ReadCatalog(connection.name, "schema", schema))
        return found

    def existing(self, connection: Connection, schema: str, table: str) -> Existing | None:
        """Return what lies in a table."""
        found: Existing | None = self._ask(connection, ReadCatalog(connection.name, "existing", schema, table))
        return found

    @contextmanager
    def trial(self, connection: Connection, scope: Scope) -> Iterator["TrialElsewhere"]:
        """Lend what has SQL looked at there."""
        yield TrialElsewhere(
            lambda sql, stopping: self._ask(
                connection, ReadCatalog(connection.name, "estimate", scope.default, sql=sql), stopping
            )
        )

    def _ask(self, connection: Connection, job: ReadCatalog, stopping: Stopping | None = None) -> Any:
        """Return what was found; what is kept of it, which can be values of columns, is deleted at once."""
        request = READ_CATALOG.request(job, f"catalog {secrets.token_hex(16)}")
        away = (
            f"{connection.label} is away: the machine that opens its database does not answer. Nothing was done, and "
            "everything so far is kept. Try again in a while, or tell your administrator."
        )
        stopping = stopping or Stopping()
        stopping.demand_going_on()
        entry = self._jobs.submit(request)
        try:
            entry = self._jobs.wait(entry.id, lambda entry, doing: None, stopping, self._patience, away)
        finally:
            self._jobs.ledger.delete(entry.id)
        stopping.demand_going_on()
        if entry.state != JobState.DONE:
            raise JobFailed(entry.error)
        return FOUND[job.part].validate_python(entry.outcome["found"])


class TrialElsewhere:
    """Has another process look at SQL without running it; used by one thread, except `cancel`."""

    def __init__(self, ask: Callable[[str, Stopping], Any]) -> None:
        self._ask, self._stopping = ask, Stopping()

    def check(self, sql: str) -> Estimate:
        """Return what the planner expects; raises JobFailed with the database's reason, or Stopped after `cancel`."""
        found: Estimate = self._ask(sql, self._stopping)
        return found

    def cancel(self) -> None:
        """Have the database abandon it."""
        self._stopping.stop()
