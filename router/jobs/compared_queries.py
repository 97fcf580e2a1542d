"""One side of a comparison, as a job carries it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, Self

from router.catalog.catalog import Catalog
from router.catalog.connection import Connection
from router.errors import NotAllowed
from router.jobs.approval import job_digest
from router.jobs.audit import Audit, AuditEntry, audited, note_refused
from router.jobs.read_sql import digest
from router.memory.draft import User
from router.sql.comparing.plan import Side
from router.sql.guard import check


@dataclass(frozen=True, slots=True)
class Queried:
    """A query that was approved: the exact text, by whom, and the digest that the approval is bound to.

    `label` is what people call it, such as "orders in Production"; `approval` is that of a reading of the same text.
    The approver is kept with name and address, so that their rights can be judged again when the query is run.
    """

    connection: str
    schema: str
    sql: str
    label: str
    approver: User
    approval: str
    question: str = ""

    def is_approved_for(self, asker: str) -> bool:
        """Return whether the approval is for this text, at this place, by this asker."""
        return self.approval == digest(self.sql, self.connection, self.schema, asker)


@dataclass(frozen=True, slots=True)
class PairJob:
    """A job on two queries that `person` asked for; connection to approval are of the left side, as in the ledger."""

    left: Queried
    right: Queried
    person: User
    connection: str
    asker: str
    approver: str
    approval: str
    thread: str = field(default="", kw_only=True)

    @classmethod
    def of(cls, left: Queried, right: Queried, person: User, *, thread: str = "", **choices: Any) -> Self:
        """Return the job that this person wants, with its approval."""
        row = left.connection, person.id, left.approver.id
        job = cls(left, right, person, *row, "", thread=thread, **choices)
        return replace(job, approval=job_digest(job))

    @property
    def refusal(self) -> str:
        """Return why the job is not what was approved; "" if it is."""
        row = self.asker, self.connection, self.approver
        whole = row == (self.person.id, self.left.connection, self.left.approver.id)
        sides = (self.left, self.right)
        if whole and self.approval == job_digest(self) and all(side.is_approved_for(self.asker) for side in sides):
            return ""
        return (
            "The approval was given for something else, so nothing was run. Look at both queries and approve them "
            "again."
        )


# A job at work: the rights to both queries are checked again, and the audit trail has each before and after.

Rights = Callable[[User, User, Connection], None]
"""Raises NotAllowed if the first may not read a database, or the second not approve what the first asks of it."""


class Sides:
    """The two queries of one job; used by one thread, once."""

    def __init__(self, job: PairJob, id: str, catalog: Catalog, audit: Audit, rights: Rights) -> None:
        self._job, self._id, self._catalog, self._audit, self._rights = job, id, catalog, audit, rights
        self.rows = (0, 0)
        """The rows that were read of each so far."""

    @contextmanager
    def opened(self, clock: Callable[[], float] = monotonic) -> Iterator[tuple[Side, Side]]:
        """Lend both sides, each with a session of its own.

        Raises NotAllowed if the approval is for something else, somebody lost a right or the guard refuses a text;
        JobFailed if a database is away.
        """
        queries = self._job.left, self._job.right
        entries = tuple(self._entry(query) for query in queries)
        with ExitStack() as stack:
            try:
                self._require_allowed()
                # In one order for all, so that no two jobs wait for one another's connections.
                in_turn = sorted((0, 1), key=lambda place: queries[place].connection.casefold())
                lent = {place: self._side(queries[place], stack) for place in in_turn}
            except NotAllowed as error:
                note_refused(self._audit, str(error), *entries)
                raise
            with audited(self._audit, *entries, clock=clock) as work:
                try:
                    yield lent[0], lent[1]
                finally:
                    work.rows = self.rows

    def _require_allowed(self) -> None:
        if self._job.refusal:
            raise NotAllowed(self._job.refusal)
        for query in (self._job.left, self._job.right):
            self._rights(self._job.person, query.approver, self._catalog.connections.require(query.connection))

    def _side(self, query: Queried, stack: ExitStack) -> Side:
        schema = self._catalog.schema(query.connection, query.schema)
        verdict = check(query.sql, schema.dialect, schema.scope)
        if not verdict.allowed:
            raise NotAllowed(verdict.reason)
        if verdict.sql != query.sql:
            raise NotAllowed(
                f"The SQL of {query.label} is not in the form that was checked, so nothing was run. Look at it again."
            )
        session = stack.enter_context(self._catalog.database(query.connection).session(schema.scope))
        return Side(query.label, schema.dialect, query.sql, session, schema.scope)

    def _entry(self, query: Queried) -> AuditEntry:
        return AuditEntry(
            "started",
            self._job.thread,
            self._job.person.id,
            query.approver.id,
            query.connection,
            sql=query.sql,
            digest=query.approval,
            job=self._id,
        )
