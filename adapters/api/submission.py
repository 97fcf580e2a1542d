"""Jobs that are begun: once for each key, by the rights of the people, and each with its line in the audit trail."""

import secrets
from dataclasses import dataclass
from typing import Any, Final

from pydantic import Field

from adapters.api.job_bodies import CompareBody, JobBody, MatchBody, OneJobBody, ReadBody
from adapters.api.job_requests import job_of
from adapters.api.jobs import JobAnswer, entry_of, job_answer, ledger_key
from adapters.api.problems import RequestRefused, conflict, forbidden, too_many, unprocessable
from adapters.api.request import PLATFORM, ApiBody, ApiCall, ApiParameters, EmptyAnswer, Site, WholeNumber
from adapters.api.rights import demand_rights, demand_scope
from adapters.wire import JOB_KINDS
from router.errors import BotError
from router.jobs.job_entry import WAITING, JobEntry, Request
from router.jobs.payloads import BUILDERS, texts_of
from router.jobs.send_email import SendEmail
from router.jobs.write_data import WriteData
from router.memory.thread import key_from

UNFINISHED_JOBS_MAX: Final = 20
"""Jobs of one person that are not over yet."""

COMPARED_PARTS: Final = frozenset({"schema", "sql", "table", "mode", "result", "recipients", "subject", "body", "plan"})
"""Parts of a job of a talk that are the same where it is sent again under its key."""


@dataclass(frozen=True, slots=True)
class SubmittedJob:
    """The job of a request; `new` where this request made it, and not one before under the same key."""

    job: JobAnswer
    new: bool


class RetryParameters(ApiParameters):
    """The attempt that is to be followed by another."""

    attempt: WholeNumber = Field(
        ge=0, le=10**9, description="The number of the last attempt; if it is not, nothing is done."
    )


class ThreadBody(ApiBody):
    """A talk."""

    thread: str = Field(min_length=1, max_length=1000)


def submit_job(site: Site, call: ApiCall, body: JobBody) -> SubmittedJob:
    """Have a job done that the person who asks may have done; the same key finds the job that it made before.

    The scope that it needs is `read` for the kinds read, match and compare, else that of the kind's name.
    """
    asked = body.root
    if asked.thread:
        if not call.acting:
            raise forbidden("A talk can be named with the scope act_for only.")
        _demand_talk(asked.thread)
    thread = asked.thread or call.thread
    key = ledger_key(call, call.key) if call.key else f"{thread} {secrets.token_hex(16)}"
    if known := site.backend.jobs.find(key):
        return _submitted_before(site, call, asked, known)
    _demand_room(site, call)
    kind = JOB_KINDS[asked.kind]
    try:
        demand_scope(call, kind)
        job = job_of(site, call, asked, thread)
        request = BUILDERS[kind].request(job, key)
        demand_rights(site, call, request, job)
    except (BotError, RequestRefused) as error:
        connection, sql = _named_in(asked)
        site.record("refused", call, connection, thread, approver=call.approver.id, sql=sql, error=str(error))
        raise
    _record_approved(site, call, request, job)
    entry = site.backend.jobs.submit(request)
    if entry.request.thread != thread:  # somebody was quicker
        return _submitted_before(site, call, asked, entry)
    return SubmittedJob(job_answer(site, call, entry), new=True)


def retry_job(site: Site, call: ApiCall, job: str, query: RetryParameters) -> JobAnswer:
    """Have a job done again that was not done, where this was its last attempt; else answer with it as it is."""
    entry = entry_of(site, call, job)
    if not entry.over:
        raise conflict(f"{entry.id} is {entry.state.lower()}: it is not over yet.")
    if entry.request.asker != call.user.id:
        raise forbidden("Only the person who asked for a job can have it done again.")
    value = BUILDERS[entry.request.kind].job(entry.request)
    demand_rights(site, call, entry.request, value)
    _record_approved(site, call, entry.request, value)
    site.backend.jobs.retry(entry.id, query.attempt)
    return job_answer(site, call, site.backend.jobs.ledger.get(entry.id))


def forget_thread(site: Site, call: ApiCall, body: ThreadBody) -> EmptyAnswer:
    """Delete what is kept of the jobs of a talk."""
    _demand_talk(body.thread)
    site.backend.jobs.forget(body.thread)
    return EmptyAnswer()


def _demand_talk(thread: str) -> None:
    """Do nothing where it is a talk of a bot; raises RequestRefused."""
    try:
        platform = key_from(thread).platform
    except ValueError:
        platform = ""
    if platform in ("", PLATFORM):
        raise unprocessable("There is no such talk.")


def _demand_room(site: Site, call: ApiCall) -> None:
    """Do nothing where the person may ask for one more job; raises RequestRefused."""
    unfinished = site.backend.jobs.ledger.latest(UNFINISHED_JOBS_MAX, asker=call.user.id, states=WAITING)
    if len(unfinished) == UNFINISHED_JOBS_MAX:
        raise too_many(
            f"{UNFINISHED_JOBS_MAX} jobs of yours are not over yet. Nothing was begun. Wait for one of them, or cancel "
            "it.",
            retry_seconds=5,
        )


def _submitted_before(site: Site, call: ApiCall, asked: OneJobBody, known: JobEntry) -> SubmittedJob:
    """Return the job that the key made before; raises RequestRefused where it stands for another request."""
    if known.request.asker != call.user.id:
        raise unprocessable("This Idempotency-Key stands for a request of somebody else. Nothing was begun.")
    if not (_same_in_talk(asked, known.request) if asked.thread else _same_request(call, known.request)):
        raise unprocessable(
            f"This Idempotency-Key stands for another request, {known.id}. Nothing was begun. Send another key."
        )
    return SubmittedJob(job_answer(site, call, known), new=False)


def _same_request(call: ApiCall, known: Request) -> bool:
    return key_from(known.thread).thread == key_from(call.thread).thread


def _same_in_talk(asked: OneJobBody, known: Request) -> bool:
    given = asked.model_dump(mode="json", by_alias=True, exclude_none=True)
    same = all(known.payload.get(name) == given[name] for name in COMPARED_PARTS & given.keys())
    return same and known.kind == JOB_KINDS[asked.kind]


def _named_in(asked: OneJobBody) -> tuple[str, str]:
    """Return the connection that a request names, and its SQL, as they were sent."""
    match asked:
        case ReadBody():
            return str(asked.connection), asked.sql
        case MatchBody() | CompareBody():
            return str(asked.left.connection), f"{asked.left.sql};\n\n{asked.right.sql}"
    return str(asked.connection or ""), ""


def _record_approved(site: Site, call: ApiCall, request: Request, job: Any) -> None:
    target = ""
    match job:
        case WriteData():
            target = f"{job.schema}.{job.table} ({job.mode})"
        case SendEmail():
            target = f"{', '.join(job.recipients)} ({job.form})"
    sql = texts_of(request)
    people = {"approver": call.approver.id, "digest": job.approval}
    site.record("approved", call, request.connection, request.thread, sql=sql, target=target, **people)
