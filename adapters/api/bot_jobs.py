"""Jobs that a bot hands over in somebody's name: judged here by the rights of whoever asked and whoever approved."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import Field

from adapters.api.auth import API_USER_ID_PREFIX, TokenScope
from adapters.api.jobs import JobAnswer, SubmittedJob, demand_room, entry_of, job_answer
from adapters.api.problems import RequestRefused, conflict, not_found, unprocessable
from adapters.api.request import PLATFORM, ApiBody, ApiCall, ApiParameters, EmptyAnswer, Site, WholeNumber
from adapters.api.results import visible_result
from adapters.wire import same
from router.catalog.connection import Connection
from router.catalog.targets import demand_target
from router.errors import BotError, JobFailed, NotAllowed
from router.jobs.compared_queries import PairJob
from router.jobs.job_entry import Kind, Request
from router.jobs.payloads import BUILDERS, texts_of
from router.jobs.read_sql import ReadSql
from router.jobs.send_email import SendEmail
from router.jobs.write_data import WriteData
from router.memory.draft import User
from router.memory.thread import key_from
from router.policy import demand_approve, demand_approve_write, demand_query, demand_read, demand_write

BOT_KEY_PREFIX: Final = "bot"
"""The beginning of the ledger's keys of such jobs."""

_SHA256 = re.compile(r"[0-9a-f]{64}")


class HandOverBody(ApiBody):
    """A job as a bot hands it over, in the form that the ledger keeps."""

    kind: Kind
    version: int = Field(ge=1, le=1000, description="The version of the payload.")
    payload: dict[str, Any] = Field(description="What is to be done, without what stands in the headers and beside it.")
    connection: str = Field(min_length=1, max_length=200, description="The name of the connection.")
    name: str = Field("", max_length=400, description="What people shall know the job as.")
    thread: str = Field(min_length=1, max_length=1000, description="The talk that it belongs to.")


class ThreadBody(ApiBody):
    """A talk of a bot."""

    thread: str = Field(min_length=1, max_length=1000)


class RetryParameters(ApiParameters):
    """The attempt that is to be followed by another."""

    attempt: WholeNumber = Field(
        ge=0, le=10**9, description="The number of the last attempt; if it is not, nothing is done."
    )


def hand_over(site: Site, call: ApiCall, body: HandOverBody) -> SubmittedJob:
    """Have a job done that was asked for and approved in a talk; the same key finds the job that it made before."""
    if not _SHA256.fullmatch(call.key):
        raise unprocessable("The header Idempotency-Key holds a SHA-256 in hexadecimal here.")
    _demand_thread(body.thread)
    key = _job_key(call, call.key)
    if known := site.backend.jobs.find(key):
        if known.request.asker != call.user.id:
            raise unprocessable("This Idempotency-Key stands for a request of somebody else. Nothing was begun.")
        approved = known.request.payload.get("approval")
        if (known.request.kind, approved) != (body.kind, body.payload.get("approval")):
            raise conflict(f"This Idempotency-Key stands for another request, {known.id}. Nothing was begun.")
        return SubmittedJob(job_answer(site, call, known), new=False)
    demand_room(site, call)
    given = Request(
        key,
        body.kind,
        body.payload,
        body.version,
        name=body.name,
        asker=call.user.id,
        approver=call.approver.id,
        connection=site.backend.connections.demand(body.connection).name,
        thread=body.thread,
    )
    job = _job(given)
    _judge(site, call, given, job)
    entry = site.backend.jobs.submit(BUILDERS[body.kind].request(job, key))
    return SubmittedJob(job_answer(site, call, entry), new=True)


def find_job(site: Site, call: ApiCall, key: str) -> JobAnswer:
    """Answer with the job that was handed over under a key."""
    if found := site.backend.jobs.find(_job_key(call, key)):
        return job_answer(site, call, found)
    raise not_found("There is no job of this key.")


def retry_job(site: Site, call: ApiCall, job: str, query: RetryParameters) -> JobAnswer:
    """Have a job done again that was not done, where this was its last attempt; else answer with it as it is."""
    entry = entry_of(site, call, job)
    if not entry.over:
        raise conflict(f"{entry.id} is {entry.state.lower()}: it is not over yet.")
    _judge(site, call, entry.request, _job(entry.request))
    site.backend.jobs.retry(entry.id, query.attempt)
    return job_answer(site, call, site.backend.jobs.ledger.get(entry.id))


def forget_thread(site: Site, call: ApiCall, body: ThreadBody) -> EmptyAnswer:
    """Delete what is kept of the jobs of a talk."""
    _demand_thread(body.thread)
    site.backend.jobs.forget(body.thread)
    return EmptyAnswer()


def _judge(site: Site, call: ApiCall, request: Request, job: Any) -> None:
    """Do nothing where the people may have this job done, and note it; else raises what is wrong, and notes that."""
    noted = {
        "approver": call.approver.id,
        "sql": texts_of(request),
        "digest": job.approval,
        "target": _target(job),
        "thread": request.thread,
    }
    scope, demand = _RULES[request.kind]
    try:
        if scope not in call.token.scopes:
            raise NotAllowed(f"The bot's token lacks the scope {scope}. Nothing was begun.")
        demand(site, call, job, site.backend.connections.demand(request.connection))
    except (BotError, RequestRefused) as error:
        site.record("refused", call, request.connection, error=str(error), **noted)
        raise
    site.record("approved", call, request.connection, **noted)


def _demand_thread(thread: str) -> None:
    """Do nothing where it is a talk of a bot; raises RequestRefused."""
    try:
        platform = key_from(thread).platform
    except ValueError:
        platform = ""
    if platform in ("", PLATFORM):
        raise unprocessable("There is no such talk.")


def _demand_may_read(site: Site, call: ApiCall, job: ReadSql, connection: Connection) -> None:
    demand_read(call.user, connection)
    demand_approve(call.approver, connection, call.user)
    if job.dialect != connection.dialect.name:
        raise NotAllowed(f"{connection.label} is {connection.dialect.label}, and the SQL is for something else.")


def _demand_may_write(site: Site, call: ApiCall, job: WriteData, connection: Connection) -> None:
    visible_result(site, call, job.result)
    demand_write(call.user, connection)
    demand_approve_write(call.approver, connection, call.user)
    demand_target(connection, site.backend.catalog.schemas(connection.name), job.schema, job.table)


def _demand_may_send(site: Site, call: ApiCall, job: SendEmail, connection: Connection) -> None:
    mail_config = site.backend.mail_config
    if mail_config is None:
        raise NotAllowed("The bot has no mail server (any more). Nothing was sent. Tell your administrator.")
    who = User(call.user.id, job.asker_name, job.asker_address)
    if job.form == "none":
        demand_read(call.user, connection)
        entry, source = None, connection
    else:
        entry, _, source = visible_result(site, call, job.result)
    if source.name != connection.name or not same(who, call.user):
        raise NotAllowed("The e-mail says something else than who asked for it and where its rows are from.")
    for each in site.backend.access.sources(entry.request) if entry else ():
        demand_approve(call.approver, each, call.user)
    if problem := mail_config.problem(job.recipients):
        raise NotAllowed(problem)


def _demand_may_compare(site: Site, call: ApiCall, job: PairJob, connection: Connection) -> None:
    """The approver of the left side is the one of the header; the right side may have had another one."""
    if refusal := job.refusal:
        raise NotAllowed(refusal)
    if not (same(job.person, call.user) and same(job.left.approver, call.approver)):
        raise NotAllowed("The comparison says something else than who asked for it and who approved it.")
    for query in (job.left, job.right):
        if query.approver.id.startswith(API_USER_ID_PREFIX):
            raise NotAllowed("Nobody approves for those who have a token of their own.")
        demand_query(call.user, query.approver, site.backend.connections.demand(query.connection))


_RULES: Final[Mapping[Kind, tuple[TokenScope, Callable[[Site, ApiCall, Any, Connection], None]]]] = {
    "read_sql": ("read", _demand_may_read),
    "write_data": ("write", _demand_may_write),
    "send_email": ("email", _demand_may_send),
    "match_sql": ("read", _demand_may_compare),
    "compare_sql": ("read", _demand_may_compare),
}
"""The scope that a kind of job needs, and what its people must be allowed."""


def _job_key(call: ApiCall, key: str) -> str:
    """Return the job's key: two bots never share one, whatever they send."""
    return f"{BOT_KEY_PREFIX} {call.token.name} {key}"


def _job(request: Request) -> Any:
    try:
        return BUILDERS[request.kind].job(request)
    except JobFailed as error:
        raise unprocessable(str(error)) from None


def _target(job: Any) -> str:
    match job:
        case WriteData():
            return f"{job.schema}.{job.table} ({job.mode})"
        case SendEmail():
            return f"{', '.join(job.recipients)} ({job.form})"
    return ""
