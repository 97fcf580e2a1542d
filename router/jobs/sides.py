"""Both queries of a job at work: what allows them is looked at again, and the trail tells of each before and after."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from time import monotonic

from router.catalog.catalog import Catalog
from router.catalog.connection import Connection
from router.errors import BotError, NotAllowed, Stopped
from router.jobs.audit import Audit, Entry, Outcome
from router.jobs.queried import Queried, Sided, unapproved
from router.memory import User
from router.sql.comparing.side import Side
from router.sql.guard import check

Rights = Callable[[User, User, Connection], None]
"""Raises NotAllowed where the first may not read a database, or the second not approve what the first asks of it."""


class Sides:
    """The two queries of one job; used by one thread, once."""

    def __init__(self, job: Sided, id: str, catalog: Catalog, audit: Audit, rights: Rights) -> None:
        self._job, self._id, self._catalog, self._audit, self._rights = job, id, catalog, audit, rights
        self.rows = (0, 0)
        """What was read of each so far."""

    @contextmanager
    def opened(self, clock: Callable[[], float] = monotonic) -> Iterator[tuple[Side, Side]]:
        """Lend both sides, each with a session of its own.

        Raises NotAllowed where the approval is for something else, somebody lost a right or the guard refuses a text;
        JobFailed where a database is away.
        """
        entries = tuple(self._entry(query) for query in self._queries)
        with ExitStack() as stack:
            try:
                self._demand_allowed()
                # In one order for all, so that no two jobs wait for one another's connections.
                lent = {each: self._side(each, stack) for each in sorted(set(self._places()))}
            except NotAllowed as error:
                for entry in entries:
                    self._audit.add(replace(entry, event="refused", error=str(error)))
                raise
            left, right = (lent[place] for place in self._places())
            for entry in entries:
                self._audit.add(entry)
            began = clock()
            try:
                yield left, right
            except BaseException as error:
                self._end(entries, clock() - began, "stopped" if isinstance(error, Stopped) else "failed", error)
                raise
            self._end(entries, clock() - began, "done")

    @property
    def _queries(self) -> tuple[Queried, Queried]:
        return self._job.left, self._job.right

    def _places(self) -> tuple[tuple[str, int], ...]:
        return tuple((query.connection.casefold(), number) for number, query in enumerate(self._queries))

    def _demand_allowed(self) -> None:
        if refusal := unapproved(self._job):
            raise NotAllowed(refusal)
        for query in self._queries:
            self._rights(self._job.person, query.approver, self._catalog.connections.demand(query.connection))

    def _side(self, place: tuple[str, int], stack: ExitStack) -> Side:
        query = self._queries[place[1]]
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

    def _entry(self, query: Queried) -> Entry:
        return Entry(
            "started",
            self._job.thread,
            self._job.person.id,
            query.approver.id,
            query.connection,
            sql=query.sql,
            digest=query.approval,
            job=self._id,
        )

    def _end(
        self, entries: tuple[Entry, ...], seconds: float, outcome: Outcome, error: BaseException | None = None
    ) -> None:
        """Note the end; the words of an error that is our bug may hold anything, so only its name."""
        words = "" if error is None else str(error) if isinstance(error, BotError) else type(error).__name__
        for entry, rows in zip(entries, self.rows, strict=True):
            ended = replace(entry, event="finished", rows=rows, seconds=round(seconds, 3))
            self._audit.add(replace(ended, outcome=outcome, error=words))
