"""Who does the jobs of the ledger: for each kind, what it needs of the bot, and what it tells of its work."""

from collections.abc import Mapping

from router.catalog.catalog import Catalog
from router.jobs.audit import Audit
from router.jobs.entries import Kind
from router.jobs.payloads import READ_SQL, said_of
from router.jobs.read_sql import read_sql
from router.jobs.results import Results
from router.jobs.work import Outcome, Work, Worker


def workers(catalog: Catalog, results: Results, audit: Audit) -> Mapping[Kind, Worker]:
    """Return a worker for every kind of job."""

    def read(work: Work) -> Outcome:
        job = READ_SQL.job(work.entry.request)
        connection = catalog.connections.demand(job.connection)
        scope = catalog.schema(job.connection, job.schema).scope
        with catalog.database(job.connection).session(scope) as session:
            work.runs(session)
            ref = read_sql(
                job,
                session=session,
                scope=scope,
                results=results,
                audit=audit,
                cap=connection.max_rows,
                progress=lambda doing: work.tell(work.rows, doing),
            )
        return Outcome(ref.total, said_of(ref))

    return {"read_sql": read}
