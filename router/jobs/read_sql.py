"""The read job: runs approved SQL and keeps its rows."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from router.errors import BotError, NotAllowed, Stopped
from router.jobs.audit import Audit, AuditEntry, EventOutcome
from router.jobs.progress import throttled
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

    Raises NotAllowed where the approval is for another text or the guard refuses this one; JobFailed; Stopped.
    """
    entry = AuditEntry("started", job.thread, job.asker, job.approver, job.connection, sql=job.sql, digest=job.approval)
    if refusal := _refusal(job, scope):
        audit.add(replace(entry, event="refused", error=refusal))
        raise NotAllowed(refusal)
    audit.add(entry)
    reading = _RowCounter(progress, clock)
    try:
        with span("database", "read", dialect=job.dialect) as seen:
            columns, batches = session.stream(job.sql, cuts=True)
            columns = headed(columns, job.sql, job.dialect)
            ref = results.store(columns, batches, cap, reading.report, reading.seconds, largest, unmatched)
            seen.note(rows=ref.total)
    except BaseException as error:
        audit.add(reading.end(entry, "stopped" if isinstance(error, Stopped) else "failed", error))
        raise
    audit.add(reading.end(entry, "done"))
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


class _RowCounter:
    """Counts the rows and the seconds of one reading, and tells the person of the rows."""

    def __init__(self, progress: Progress, clock: Callable[[], float]) -> None:
        self._clock, self._started, self._rows = clock, clock(), 0
        self._tell = throttled(lambda rows: progress(f"{rows:,} rows read…"), clock)

    def seconds(self) -> float:
        return self._clock() - self._started

    def report(self, rows: int) -> None:
        self._rows = rows
        self._tell(rows)

    def end(self, entry: AuditEntry, outcome: EventOutcome, error: BaseException | None = None) -> AuditEntry:
        """Return the line about the end; the words of an error that is our bug may hold anything, so only its name."""
        words = "" if error is None else str(error) if isinstance(error, BotError) else type(error).__name__
        seconds = round(self.seconds(), 3)
        return replace(entry, event="finished", rows=self._rows, seconds=seconds, outcome=outcome, error=words)
