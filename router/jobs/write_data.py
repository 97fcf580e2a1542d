"""The write job: puts the rows of a stored result into a table, all of them or none, and never twice."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from time import monotonic
from typing import Any

from router.errors import JobFailed
from router.jobs.approval import job_digest
from router.jobs.audit import Audit, AuditEntry, audited
from router.jobs.progress import Outcome
from router.jobs.results.reader import Row
from router.jobs.results.store import Results
from router.sql.databases.session import Progress
from router.sql.writing.order import Hidden, Mode, ResultField, WriteOrder
from router.sql.writing.target import Target

Columns = tuple[tuple[int, ResultField], ...]
"""The places of the result's columns, counted from 0, with the column of the table that each one goes into."""


@dataclass(frozen=True, slots=True)
class WriteData:
    """One writing: which rows go where and how, who asked, who approved, and the digest the approval is bound to.

    `seen` is the number of rows to be deleted that the approver saw; -1: any number.
    """

    connection: str
    schema: str
    table: str
    mode: Mode
    columns: Columns
    result: str
    name: str
    asker: str
    approver: str
    approval: str
    thread: str = ""
    seen: int = -1


def write_data(
    job: WriteData,
    *,
    id: str,
    target: Target,
    results: Results,
    audit: Audit,
    progress: Progress,
    hidden: Hidden = lambda name: False,
    clock: Callable[[], float] = monotonic,
) -> Outcome:
    """Write the approved rows under the job's `id` and return how many: all, or none, and never twice.

    The trail tells of it before and after. Raises NotAllowed if the approval is for something else, JobFailed
    (mostly Refusal) or Stopped: nothing was written.
    """
    where = ".".join(part for part in (job.schema, job.table) if part)
    entry = AuditEntry(
        "started",
        job.thread,
        job.asker,
        job.approver,
        job.connection,
        digest=job.approval,
        job=id,
        target=f"{where} ({job.mode})",
    )
    with audited(audit, entry, refusal=_refusal(job), clock=clock) as work:
        fields = tuple(field for _, field in job.columns)
        order = WriteOrder(id, job.schema, job.table, job.mode, fields, job.seen, hidden)
        rows = target.write(order, _batches(results, job), lambda rows: progress(f"{rows:,} rows written…"))
        work.rows = (rows,)
    return Outcome(rows, {"table": where})


def _refusal(job: WriteData) -> str:
    if job.approval != job_digest(job):
        return (
            "The approval was given for other rows or another table, so nothing was written. "
            "Look at what is to be written and approve it again."
        )
    return ""


def _batches(results: Results, job: WriteData) -> Iterator[list[Row]]:
    """Give the chosen columns of all rows; raises JobFailed at the end if rows are missing, so that none stay."""
    ref = results.ref(job.result)
    places = [place for place, _ in job.columns]
    if not all(0 <= place < len(ref.columns) for place in places):
        raise JobFailed("The result does not have these columns. Nothing was written. Choose the columns again.")
    pick = None if places == list(range(len(ref.columns))) else _picker(places)
    count = 0
    for rows in results.rows(ref):
        count += len(rows)
        yield rows if pick is None else list(map(pick, rows))
    if count != ref.total:
        raise JobFailed(
            f"Only {count:,} of the {ref.total:,} rows are still there. Nothing was written. "
            "Press Run to read them again."
        )


def _picker(places: list[int]) -> Callable[[Row], Row]:
    if len(places) == 1:
        (place,) = places
        return lambda row: (row[place],)
    picked: Callable[[Any], Row] = itemgetter(*places)
    return picked
