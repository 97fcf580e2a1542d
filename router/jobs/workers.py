"""The workers of the ledger's jobs, one for each kind."""

from collections.abc import Callable, Mapping

from router.catalog.catalog import Catalog
from router.catalog.targets import Open, hidden_in, require_target
from router.errors import NotAllowed
from router.jobs.audit import Audit
from router.jobs.compare_sql import compare_sql
from router.jobs.compared_queries import Rights, Sides
from router.jobs.job_entry import Kind
from router.jobs.mail.mail_config import MailConfig
from router.jobs.mail.mailer import Mailer
from router.jobs.match_sql import match_sql
from router.jobs.payloads import (
    COMPARE_SQL,
    MATCH_SQL,
    READ_CATALOG,
    READ_SQL,
    SEND_EMAIL,
    WRITE_DATA,
    looked_at,
    reported,
    said_of,
)
from router.jobs.progress import Outcome, RunningJob, Worker
from router.jobs.read_catalog import read_catalog
from router.jobs.read_sql import read_sql
from router.jobs.results.store import Results
from router.jobs.send_email import send_email
from router.jobs.unmatched_rows import unmatched_rows
from router.jobs.write_data import write_data
from router.memory.draft import User
from router.sql.comparing.plan import BothSessions

DemandResult = Callable[[User | None, str], None]
"""Raises NotAllowed if rows that were kept may not be used today, by this person or (None) by anybody."""


def workers(
    catalog: Catalog,
    target: Open,
    results: Results,
    audit: Audit,
    rights: Rights,
    mail_config: MailConfig | None = None,
    require_result: DemandResult = lambda user, result: None,
) -> Mapping[Kind, Worker]:
    """Return a worker for every kind of job; without `mail_config`, no e-mail is sent."""

    def read(work: RunningJob) -> Outcome:
        job = READ_SQL.job(work.entry.request)
        connection = catalog.connections.require(job.connection)
        schema = catalog.schema(job.connection, job.schema)
        scope = schema.scope
        with catalog.database(job.connection).session(scope) as session:
            work.runs(session.cancel)
            ref = read_sql(
                job,
                session=session,
                scope=scope,
                results=results,
                audit=audit,
                cap=connection.max_rows,
                largest=connection.max_result_bytes,
                unmatched=lambda seconds: unmatched_rows(job.sql, schema, session, seconds),
                progress=lambda doing: work.tell(work.rows, doing),
            )
        return Outcome(ref.total, said_of(ref))

    def write(work: RunningJob) -> Outcome:
        job = WRITE_DATA.job(work.entry.request)
        connection = catalog.connections.require(job.connection)
        require_target(connection, catalog.schemas(job.connection), job.schema, job.table)
        require_result(None, job.result)
        with target(job.connection) as opened:
            work.runs(opened.cancel)
            return write_data(
                job,
                id=work.id,
                target=opened,
                hidden=hidden_in(connection, job.schema, job.table),
                results=results,
                audit=audit,
                progress=lambda doing: work.tell(work.rows, doing),
            )

    def send(work: RunningJob) -> Outcome:
        job = SEND_EMAIL.job(work.entry.request)
        if mail_config is None:
            raise NotAllowed("The bot has no mail server (any more). Nothing was sent. Tell your administrator.")
        if job.form != "none":
            require_result(User(job.asker, job.asker_name, job.asker_address), job.result)
        mailer = Mailer(mail_config)
        work.runs(mailer.cancel)
        return send_email(
            job,
            id=work.id,
            mailer=mailer,
            results=results,
            audit=audit,
            progress=lambda doing: work.tell(work.rows, doing),
            sending=work.sending,
        )

    def match(work: RunningJob) -> Outcome:
        job = MATCH_SQL.job(work.entry.request)
        sides = Sides(job, work.id, catalog, audit, rights)
        with sides.opened() as (left, right):
            work.runs(BothSessions(left.session, right.session).cancel)
            work.tell(0, "Looking at the first rows of both…")
            found = match_sql(job, left, right, lambda query: catalog.schema(query.connection, query.schema))
            sides.rows = found.rows
        return Outcome(sum(found.rows), looked_at(found))

    def compare(work: RunningJob) -> Outcome:
        job = COMPARE_SQL.job(work.entry.request)
        sides = Sides(job, work.id, catalog, audit, rights)

        def told(left: int, right: int, doing: str) -> None:
            sides.rows = left, right
            work.tell(left + right, doing)

        with sides.opened() as (left, right):
            work.runs(BothSessions(left.session, right.session).cancel)
            found = [catalog.connections.require(query.connection) for query in (job.left, job.right)]
            cap = min(each.max_compared_rows for each in found)
            report, ref = compare_sql(job.plan, left, right, results=results, cap=cap, progress=told)
            sides.rows = report.left_rows, report.right_rows
        return Outcome(sum(sides.rows), reported(report, ref))

    return {
        "read_sql": read,
        "write_data": write,
        "send_email": send,
        "match_sql": match,
        "compare_sql": compare,
        "read_catalog": lambda work: read_catalog(READ_CATALOG.job(work.entry.request), catalog),
    }
