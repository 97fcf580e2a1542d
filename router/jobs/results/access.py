"""Rows that were kept, for those who may see them today: rights and guard are asked again at every look."""

from collections.abc import Callable
from functools import lru_cache, partial

from router.catalog.catalog import Catalog
from router.catalog.connection import Connection
from router.errors import NotAllowed, NotFound
from router.jobs.job_entry import JobEntry, Request
from router.jobs.ledger import Ledger
from router.jobs.payloads import queries_of
from router.jobs.results.store import Results
from router.memory.draft import User
from router.memory.thread import ResultRef
from router.sql.guard import check

Reads = Callable[[User, Connection], None]
"""Raises NotFound if a person may not read a database."""

_check = lru_cache(64)(check)
"""The guard; a page more of the same rows costs no second judgement while the tables are the same."""


class ResultRights:
    """Judges whether a person may see what jobs read, and lends the results of this process to them; thread-safe."""

    def __init__(self, ledger: Ledger, catalog: Catalog, reads: Reads, results: Results) -> None:
        self._ledger, self._catalog, self._reads, self.results = ledger, catalog, reads, results

    def seen_by(self, user: User) -> Results:
        """Return the results as this person may see them: each look raises NotFound if they may not today."""
        return self.results.judged_by(partial(self.require_result, user))

    def delete(self, result: str) -> None:
        """Delete a result and its files."""
        self.results.delete(result)

    def reading(self, result: str) -> JobEntry | None:
        """Return the job whose rows were kept under this id."""
        return self._ledger.reading(result)

    def require(self, user: User, request: Request) -> tuple[Connection, ...]:
        """Return the connections that a job's rows are from, that of its row first.

        Raises NotFound if one of them, or a table of it, is not for this person today.
        """
        sources = self.sources(request)
        for connection in sources:
            self._reads(user, connection)
        self.require_tables(request)
        return sources

    def sources(self, request: Request) -> tuple[Connection, ...]:
        """Return the connections that a job's rows are from; raises NotFound if there is one of them no more."""
        return tuple(self._catalog.connections.require(query.connection) for query in queries_of(request))

    def require_tables(self, request: Request) -> None:
        """Raise NotFound unless the tables and columns that a job read may be read today, by any asker."""
        for query in queries_of(request):
            connection = self._catalog.connections.require(query.connection)
            try:
                scope = self._catalog.schema(connection.name, query.schema).scope
            except NotAllowed as error:
                raise _shut(str(error)) from None
            verdict = _check(query.sql, connection.dialect.name, scope)
            if not verdict.allowed:
                raise _shut(verdict.reason)
            if verdict.sql != query.sql:  # such as `*`, if a column is hidden by now
                raise _shut("The query would be another one today.")

    def require_result(self, user: User | None, result: ResultRef | str) -> None:
        """Raise NotFound unless the person may see the rows of a result.

        Without a person, when nobody knows more of them than a number, the tables alone are judged.
        """
        entry = self.reading(result if isinstance(result, str) else result.id)
        if entry is None:
            raise NotFound(
                "These rows are gone, or not for you: I do not know any more where they are from. Ask for them again."
            )
        if user:
            self.require(user, entry.request)
        else:
            self.require_tables(entry.request)


def _shut(why: str) -> NotFound:
    """Return what is said of rows that were read when more was allowed."""
    return NotFound(
        f"These rows are not shown any more: what they were read from may not be read today. {why} They are kept until "
        "their time is over. Ask for something else, or ask your administrator."
    )
