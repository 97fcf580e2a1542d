"""The read job: runs approved SQL and keeps its rows."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from router.jobs.audit import Audit, AuditEntry, audited
from router.jobs.results.store import Results
from router.memory.thread import ResultRef
from router.observing.spans import span
from router.sql.databases.session import Progress, Session
from router.sql.dialect import Name
from router.sql.explain.explanation import headed
from router.sql.guard import check
from router.sql.scope import Scope


@dataclass(frozen=True, slots=True)
class ReadSql:
    """One reading: the exact text, who asked, who approved, and the digest that the approval is bound to."""

    connection: str
    schema: str
    dialect: Name
    sql: str
    asker: str
    approver: str
    approval: str
    thread: str = ""


def digest(sql: str, connection: str, schema: str, requester: str) -> str:
    """Return the sha256 that an approval is bound to: with another text, place or requester it is another one."""
    return hashlib.sha256(json.dumps([sql, connection, schema, requester]).encode()).hexdigest()


def read_sql(
    job: ReadSql,
    *,
    session: Session,
    scope: Scope | None,
    results: Results,
    audit: Audit,
    cap: int,
    progress: Progress,
    largest: int | None = None,
    unmatched: Callable[[float], str] = lambda seconds: "",
    clock: Callable[[], float] = monotonic,
) -> ResultRef:
    """Run the approved text, keep at most `cap` rows and return where they lie; the trail tells of it before and after.

    What is kept takes at most `largest` bytes; the rest is not read. `unmatched` is told the seconds, and says what
    joins left out.

    Raises NotAllowed if the approval is for another text or the guard refuses this one; JobFailed; Stopped.
    """
    entry = AuditEntry("started", job.thread, job.asker, job.approver, job.connection, sql=job.sql, digest=job.approval)
    with audited(audit, entry, refusal=_refusal(job, scope), clock=clock) as work:

        def report(rows: int) -> None:
            work.rows = (rows,)
            progress(f"{rows:,} rows read…")

        with span("database", "read", dialect=job.dialect) as seen:
            columns, batches = session.stream(job.sql, cuts=True)
            columns = headed(columns, job.sql, job.dialect)
            ref = results.store(columns, batches, cap, report, work.seconds, largest, unmatched)
            seen.note(rows=ref.total)
    return ref


def _refusal(job: ReadSql, scope: Scope | None) -> str:
    if job.approval != digest(job.sql, job.connection, job.schema, job.asker):
        return "The approval was given for another text, so nothing was run. Look at the SQL and press Run again."
    verdict = check(job.sql, job.dialect, scope)
    if not verdict.allowed:
        return verdict.reason
    if verdict.sql != job.sql:
        return "The SQL is not in the form that was checked, so nothing was run. Look at it and press Run again."
    return ""
