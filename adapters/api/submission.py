"""Jobs that are begun: once for each key, by the rights of the people, and each with its line in the audit trail."""

import secrets
from typing import Any, Final

from aiohttp import web
from pydantic import Field

from adapters.api.job_bodies import CompareBody, JobBody, MatchBody, OneJobBody, ReadBody
from adapters.api.job_requests import job_of
from adapters.api.jobs import JobAnswer, entry_of, job_answer, ledger_key
from adapters.api.request import PLATFORM, ApiBody, ApiCall, ApiParameters, record
from adapters.api.rights import require_rights, require_scope
from adapters.wire import JOB_KINDS
from router.errors import BotError
from router.jobs.job_entry import WAITING, JobEntry, Request
from router.jobs.payloads import BUILDERS, texts_of
from router.jobs.runner import JobBackend
from router.jobs.send_email import SendEmail
from router.jobs.write_data import WriteData
from router.memory.thread import key_from

UNFINISHED_JOBS_MAX: Final = 20
"""Jobs of one person that are not over yet."""


class RetryParameters(ApiParameters):
    """The attempt that is to be followed by another."""

    attempt: int = Field(ge=0, le=10**9, description="The number of the last attempt; if it is not, nothing is done.")


class ThreadBody(ApiBody):
    """A talk."""

    thread: str = Field(min_length=1, max_length=1000)


def submit_job(site: JobBackend, call: ApiCall, body: JobBody) -> JobAnswer:
    """Have a job done that the person who asks may have done; the same key finds the job that it made before.

    The scope that it needs is `read` for the kinds read, match and compare, else that of the kind's name.
    """
    asked = body.root
    if asked.thread:
        if not call.acting:
            raise web.HTTPForbidden(text="A talk can be named with the scope act_for only.")
        _require_talk(asked.thread)
    thread = asked.thread or call.thread
    key = ledger_key(call, call.key) if call.key else f"{thread} {secrets.token_hex(16)}"
    if known := site.jobs.find(key):
        return _submitted_before(site, call, known)
    _require_room(site, call)
    kind = JOB_KINDS[asked.kind]
    try:
        require_scope(call, kind)
        job = job_of(site, call, asked, thread)
        request = BUILDERS[kind].request(job, key)
        require_rights(site, call, request, job)
    except (BotError, web.HTTPException) as error:
        connection, sql = _named_in(asked)
        why = error.text if isinstance(error, web.HTTPException) else str(error)
        record(site, "refused", call, connection, thread, approver=call.approver.id, sql=sql, error=why)
        raise
    _record_approved(site, call, request, job)
    entry = site.jobs.submit(request)
    if entry.request.thread != thread:  # somebody was quicker
        return _submitted_before(site, call, entry)
    return job_answer(site, call, entry)


def retry_job(site: JobBackend, call: ApiCall, job: str, query: RetryParameters) -> JobAnswer:
    """Have a job done again that was not done, if this was its last attempt; else answer with it as it is."""
    entry = entry_of(site, call, job)
    if not entry.over:
        raise web.HTTPConflict(text=f"{entry.id} is {entry.state.lower()}: it is not over yet.")
    value = BUILDERS[entry.request.kind].job(entry.request)
    require_rights(site, call, entry.request, value)
    _record_approved(site, call, entry.request, value)
    site.jobs.retry(entry.id, query.attempt)
    return job_answer(site, call, site.jobs.ledger.get(entry.id))


def forget_thread(site: JobBackend, call: ApiCall, body: ThreadBody) -> None:
    """Delete what is kept of the jobs of a talk."""
    _require_talk(body.thread)
    site.jobs.forget(body.thread)


def _require_talk(thread: str) -> None:
    """Raise HTTPException unless it is a talk of a bot."""
    try:
        platform = key_from(thread).platform
    except ValueError:
        platform = ""
    if platform in ("", PLATFORM):
        raise web.HTTPUnprocessableEntity(text="There is no such talk.")


def _require_room(site: JobBackend, call: ApiCall) -> None:
    """Raise HTTPException unless the person may ask for one more job."""
    unfinished = site.jobs.ledger.latest(UNFINISHED_JOBS_MAX, asker=call.user.id, states=WAITING)
    if len(unfinished) == UNFINISHED_JOBS_MAX:
        sentence = (
            f"{UNFINISHED_JOBS_MAX} jobs of yours are not over yet. Nothing was begun. Wait for one, or cancel it."
        )
        raise web.HTTPTooManyRequests(text=sentence, headers={"Retry-After": "5"})


def _submitted_before(site: JobBackend, call: ApiCall, known: JobEntry) -> JobAnswer:
    """Return the job that the key made before; raises HTTPException if it stands for another request.

    The name of a program's request is made of its body; a bot makes its keys of what they stand for.
    """
    same = call.acting or key_from(known.request.thread).thread == key_from(call.thread).thread
    if known.request.asker != call.user.id or not same:
        raise web.HTTPUnprocessableEntity(
            text=f"This Idempotency-Key stands for another request, {known.id}. Nothing was begun. Send another key."
        )
    return job_answer(site, call, known)


def _named_in(asked: OneJobBody) -> tuple[str, str]:
    """Return the connection that a request names, and its SQL, as they were sent."""
    match asked:
        case ReadBody():
            return str(asked.connection), asked.sql
        case MatchBody() | CompareBody():
            return str(asked.left.connection), f"{asked.left.sql};\n\n{asked.right.sql}"
    return str(asked.connection or ""), ""


def _record_approved(site: JobBackend, call: ApiCall, request: Request, job: Any) -> None:
    target = ""
    match job:
        case WriteData():
            target = f"{job.schema}.{job.table} ({job.mode})"
        case SendEmail():
            target = f"{', '.join(job.recipients)} ({job.form})"
    sql = texts_of(request)
    people = {"approver": call.approver.id, "digest": job.approval}
    record(site, "approved", call, request.connection, request.thread, sql=sql, target=target, **people)
