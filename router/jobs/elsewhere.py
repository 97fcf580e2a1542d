"""Databases that another process opens: which jobs it has to do, and how it is asked for their tables."""

import secrets
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final

from router.catalog.connection import Connection
from router.catalog.schema import Schema
from router.errors import DatabaseAway, JobFailed
from router.jobs.cancellation import SHUT_DOWN, Stopping
from router.jobs.job_entry import JobEntry, JobState, Request
from router.jobs.ledger import INTERRUPTED
from router.jobs.payloads import READ_CATALOG, databases_of
from router.jobs.read_catalog import FOUND, ReadCatalog
from router.jobs.runner import Runner
from router.sql.databases.session import Estimate
from router.sql.scope import Scope
from router.sql.writing.order import Existing

LOOKS_MAX: Final = 2
"""Times that is looked, where whoever did it ended or died meanwhile."""

PATIENCE_SECONDS: Final = 60.0
"""Seconds that a question waits until a process that opens the database begins to look."""


def done_elsewhere(opened: Collection[str] | None, emails: bool, request: Request) -> bool:
    """Tell whether other processes have to do a job: they open its databases, or send the e-mails.

    `opened` names those that this process opens, None for all. Any other is elsewhere, be it unknown here.
    """
    if opened is None and emails:
        return False
    try:
        names = databases_of(request)
    except JobFailed:  # whoever does it says so
        return False
    if opened is None or not names:
        return not (names or emails)
    here = {name.casefold() for name in opened}
    return any(name.casefold() not in here for name in names)


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
        away = (
            f"{connection.label} is away: the machine that opens its database does not answer. Nothing was done, and "
            "everything so far is kept. Try again in a while, or tell your administrator."
        )
        for _ in range(LOOKS_MAX):
            entry = self._look(job, stopping or Stopping(), away)
            if entry.state == JobState.DONE:
                return FOUND[job.part].validate_python(entry.outcome["found"])
            if entry.error not in (INTERRUPTED, SHUT_DOWN):
                raise (DatabaseAway if entry.error == away else JobFailed)(entry.error)
        raise DatabaseAway(away)

    def _look(self, job: ReadCatalog, stopping: Stopping, away: str) -> JobEntry:
        """Return what came of a look, which is `away` where nobody begins it; raises Stopped."""
        stopping.demand_going_on()
        entry = self._jobs.submit(READ_CATALOG.request(job, f"catalog {secrets.token_hex(16)}"))
        try:
            return self._jobs.wait(entry.id, lambda entry, doing: None, stopping, (self._patience, away))
        finally:
            self._jobs.ledger.delete(entry.id)
            stopping.demand_going_on()


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
