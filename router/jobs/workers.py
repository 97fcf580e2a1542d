"""Who does the jobs of the ledger: for each kind, what it needs of the bot, and what it tells of its work."""

from collections.abc import Mapping

from router.catalog.catalog import Catalog
from router.catalog.targets import Open
from router.jobs.audit import Audit
from router.jobs.entries import Kind
from router.jobs.payloads import READ_SQL, WRITE_DATA, said_of
from router.jobs.read_sql import read_sql
from router.jobs.results import Results
from router.jobs.work import Outcome, Work, Worker
from router.jobs.write_data import write_data


def workers(catalog: Catalog, target: Open, results: Results, audit: Audit) -> Mapping[Kind, Worker]:
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

    def write(work: Work) -> Outcome:
        job = WRITE_DATA.job(work.entry.request)
        with target(job.connection) as opened:
            work.runs(opened)
            done = write_data(
                job,
                id=work.id,
                target=opened,
                results=results,
                audit=audit,
                progress=lambda doing: work.tell(work.rows, doing),
            )
        return Outcome(done.rows, {"table": done.table})

    return {"read_sql": read, "write_data": write}
