"""Jobs that a bot hands over in somebody's name: judged here by the rights of whoever asked and whoever approved."""

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from adapters.api import answers
from adapters.api.acting import OURS
from adapters.api.bodies import Again, Handed, Thread
from adapters.api.call import PLATFORM, Call, Done, Site
from adapters.api.jobs import demand_room, entry_of, shown
from adapters.api.keeping import judged
from adapters.api.problems import Refused, conflicting, unfit, unknown
from adapters.api.tokens import Scope
from adapters.wire.people import same
from router.catalog.connection import Connection
from router.catalog.targets import demand_schema
from router.errors import BotError, JobFailed, NotAllowed
from router.jobs.compare_sql import CompareSql
from router.jobs.entries import Entry, Kind, Request
from router.jobs.match_sql import MatchSql
from router.jobs.payloads import BUILDERS, texts_of
from router.jobs.queried import unapproved
from router.jobs.read_sql import ReadSql
from router.jobs.send_email import SendEmail
from router.jobs.write_data import WriteData
from router.memory import User, key_from
from router.policy import demand_approve, demand_approve_write, demand_query, demand_read, demand_write

SCOPES: Final[dict[Kind, Scope]] = {
    "read_sql": "read",
    "write_data": "write",
    "send_email": "email",
    "match_sql": "read",
    "compare_sql": "read",
}

BOT: Final = "bot"
"""What the ledger's keys of such jobs begin with."""

_KEY = re.compile(r"[0-9a-f]{64}")


def hand_over(site: Site, call: Call) -> Done:
    """Have a job done that was asked for and approved in a talk; the same key finds the job that it made before."""
    asked: Handed = call.body
    if not _KEY.fullmatch(call.key):
        raise unfit("The header Idempotency-Key holds a SHA-256 in hexadecimal here.")
    demand_thread(asked.thread)
    key = _key(call, call.key)
    if known := site.tools.jobs.find(key):
        if known.request.asker != call.user.id:
            raise unfit("This Idempotency-Key stands for a request of somebody else. Nothing was begun.")
        approved = known.request.payload.get("approval")
        if (known.request.kind, approved) != (asked.kind, asked.payload.get("approval")):
            raise conflicting(f"This Idempotency-Key stands for another request, {known.id}. Nothing was begun.")
        return _shown(site, call, known, HTTPStatus.OK)
    demand_room(site, call)
    connection = _connection(site, asked.connection)
    given = Request(
        key,
        asked.kind,
        asked.payload,
        asked.version,
        name=asked.name,
        asker=call.user.id,
        approver=_approver(call).id,
        connection=connection.name,
        thread=asked.thread,
    )
    job = _job(given)
    judge(site, call, given, job)
    entry = site.tools.jobs.submit(BUILDERS[asked.kind].request(job, key))
    return _shown(site, call, entry, HTTPStatus.ACCEPTED)


def find_job(site: Site, call: Call) -> Done:
    """Answer with the job that was handed over under a key."""
    if found := site.tools.jobs.find(_key(call, call.path["key"])):
        return _shown(site, call, found, HTTPStatus.OK)
    raise unknown("There is no job of this key.")


def retry_job(site: Site, call: Call) -> Done:
    """Have a job done again that was not done, where this was its last attempt; else answer with it as it is."""
    entry = entry_of(site, call, call.path["job"])
    asked: Again = call.query
    if not entry.over:
        raise conflicting(f"{entry.id} is {entry.state.lower()}: it is not over yet.")
    judge(site, call, entry.request, _job(entry.request))
    site.tools.jobs.retry(entry.id, asked.attempt)
    return _shown(site, call, site.tools.jobs.ledger.get(entry.id), HTTPStatus.OK)


def forget_thread(site: Site, call: Call) -> Done:
    """Delete what is kept of the jobs of a talk."""
    asked: Thread = call.body
    demand_thread(asked.thread)
    site.tools.jobs.forget(asked.thread)
    return Done(answers.Gone())


def judge(site: Site, call: Call, request: Request, job: Any) -> None:
    """Do nothing where the people may have this job done, and note it; raises NotAllowed or Refused, and notes that."""
    approver = _approver(call)
    noted = {
        "approver": approver.id,
        "sql": texts_of(request),
        "digest": job.approval,
        "target": _target(job),
        "thread": request.thread,
    }
    try:
        if SCOPES[request.kind] not in call.token.scopes:
            raise NotAllowed(f"The bot's token lacks the scope {SCOPES[request.kind]}. Nothing was begun.")
        _JUDGES[request.kind](site, call, job, _connection(site, request.connection), approver)
    except (BotError, Refused) as error:
        site.record("refused", call, request.connection, error=str(error), **noted)
        raise
    site.record("approved", call, request.connection, **noted)


def demand_thread(thread: str) -> None:
    """Do nothing where it is a talk of a bot; raises Refused."""
    try:
        platform = key_from(thread).platform
    except ValueError:
        platform = ""
    if platform in ("", PLATFORM):
        raise unfit("There is no such talk.")


def _read(site: Site, call: Call, job: ReadSql, connection: Connection, approver: User) -> None:
    demand_read(call.user, connection)
    demand_approve(approver, connection, call.user)
    if job.dialect != connection.dialect.name:
        raise NotAllowed(f"{connection.label} is {connection.dialect.label}, and the SQL is for something else.")


def _write(site: Site, call: Call, job: WriteData, connection: Connection, approver: User) -> None:
    judged(site, call, job.result)
    demand_write(call.user, connection)
    demand_approve_write(approver, connection, call.user)
    demand_schema(connection, job.schema)


def _send(site: Site, call: Call, job: SendEmail, connection: Connection, approver: User) -> None:
    office = site.tools.office
    if office is None:
        raise NotAllowed("The bot has no mail server (any more). Nothing was sent. Tell whoever runs this bot.")
    who = User(call.user.id, job.asker_name, job.asker_address)
    if job.form == "none":
        demand_read(call.user, connection)
        entry, source = None, connection
    else:
        entry, _, source = judged(site, call, job.result)
    if source.name != connection.name or not same(who, call.user):
        raise NotAllowed("The e-mail says something else than who asked for it and where its rows are from.")
    for each in site.tools.access.sources(entry.request) if entry else ():
        demand_approve(approver, each, call.user)
    if problem := office.problem(job.recipients):
        raise NotAllowed(problem)


def _both(site: Site, call: Call, job: MatchSql | CompareSql, connection: Connection, approver: User) -> None:
    """The approver of the left side is the one of the header; the right side may have had another one."""
    if refusal := unapproved(job):
        raise NotAllowed(refusal)
    if not (same(job.person, call.user) and same(job.left.approver, approver)):
        raise NotAllowed("The comparison says something else than who asked for it and who approved it.")
    for query in (job.left, job.right):
        if query.approver.id.startswith(OURS):
            raise NotAllowed("Nobody approves for those who have a token of their own.")
        demand_query(call.user, query.approver, _connection(site, query.connection))


_JUDGES: Final[Mapping[Kind, Callable[[Site, Call, Any, Connection, User], None]]] = {
    "read_sql": _read,
    "write_data": _write,
    "send_email": _send,
    "match_sql": _both,
    "compare_sql": _both,
}


def _key(call: Call, key: str) -> str:
    """Return the job's key: two bots never share one, whatever they send."""
    return f"{BOT} {call.token.name} {key}"


def _approver(call: Call) -> User:
    return call.approver or call.user


def _connection(site: Site, name: str) -> Connection:
    return site.tools.connections.demand(name)


def _job(request: Request) -> Any:
    try:
        return BUILDERS[request.kind].job(request)
    except JobFailed as error:
        raise unfit(str(error)) from None


def _target(job: Any) -> str:
    match job:
        case WriteData():
            return f"{job.schema}.{job.table} ({job.mode})"
        case SendEmail():
            return f"{', '.join(job.recipients)} ({job.form})"
    return ""


def _shown(site: Site, call: Call, entry: Entry, status: HTTPStatus) -> Done:
    return Done(shown(site, call, entry), status, {"Location": f"/v1/jobs/{entry.id}"})
