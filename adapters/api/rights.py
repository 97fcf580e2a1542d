"""The rights to have a job done: those of the token, of the person who asks, and of the one who approved."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from aiohttp import web

from adapters.api.auth import API_USER_ID_PREFIX, TokenScope
from adapters.api.job_requests import mail_config_of
from adapters.api.request import ApiCall
from adapters.api.results import result_of
from router.catalog.connection import Connection
from router.catalog.targets import require_target
from router.errors import NotAllowed, NotFound
from router.jobs.compared_queries import PairJob
from router.jobs.job_entry import Kind, Request
from router.jobs.read_sql import ReadSql
from router.jobs.runner import JobBackend
from router.jobs.send_email import SendEmail
from router.jobs.write_data import WriteData
from router.memory.draft import User
from router.policy import require_approve, require_approve_write, require_read, require_write


def require_rights(site: JobBackend, call: ApiCall, request: Request, job: Any) -> None:
    """Raise HTTPException, NotAllowed or NotFound unless the people may have this job done."""
    require_scope(call, request.kind)
    require = _RULES[request.kind][1]
    require(site, call, job, site.connections.require(request.connection))


def require_scope(call: ApiCall, kind: Kind) -> None:
    """Raise HTTPException unless the token may have this kind of job done for anybody."""
    scope = _RULES[kind][0]
    if scope not in call.token.scopes:
        raise web.HTTPForbidden(text=f"This token lacks the scope {scope}.")


def _require_may_read(site: JobBackend, call: ApiCall, job: ReadSql, connection: Connection) -> None:
    require_read(call.user, connection)
    _require_approval(call, call.approver, connection)


def _require_may_write(site: JobBackend, call: ApiCall, job: WriteData, connection: Connection) -> None:
    result_of(site, call, job.result)
    require_write(call.user, connection)
    _require_approval(call, call.approver, connection, require_approve_write)
    require_target(connection, site.catalog.schemas(connection.name), job.schema, job.table)


def _require_may_send(site: JobBackend, call: ApiCall, job: SendEmail, connection: Connection) -> None:
    if job.form == "none":
        if not call.acting:
            raise web.HTTPForbidden(text="An e-mail without rows can be sent with the scope act_for only.")
        require_read(call.user, connection)
    else:
        entry, _ = result_of(site, call, job.result)
        for source in site.access.sources(entry.request):
            _require_approval(call, call.approver, source)
    if problem := mail_config_of(site).problem(job.recipients):
        raise NotAllowed(problem)


def _require_may_compare(site: JobBackend, call: ApiCall, job: PairJob, connection: Connection) -> None:
    for query in (job.left, job.right):
        if call.acting and query.approver.id.startswith(API_USER_ID_PREFIX):
            raise NotAllowed("Nobody approves for those who have a token of their own.")
        source = site.connections.require(query.connection)
        require_read(call.user, source)
        _require_approval(call, query.approver, source)


def _require_approval(
    call: ApiCall,
    approver: User,
    connection: Connection,
    require: Callable[[User, Connection, User], None] = require_approve,
) -> None:
    """Raise NotAllowed unless the approval counts; a program that acts for nobody learns no approver's name."""
    try:
        require(approver, connection, call.user)
    except NotFound:
        raise
    except NotAllowed:
        if call.acting:
            raise
        raise NotAllowed(
            f"You may not approve this for {connection.label} yourself, and through the API nobody else can. Nothing "
            "was begun. Ask in a talk with the bot, where those who approve see it."
        ) from None


_RULES: Final[Mapping[Kind, tuple[TokenScope, Callable[[JobBackend, ApiCall, Any, Connection], None]]]] = {
    "read_sql": ("read", _require_may_read),
    "write_data": ("write", _require_may_write),
    "send_email": ("email", _require_may_send),
    "match_sql": ("read", _require_may_compare),
    "compare_sql": ("read", _require_may_compare),
}
"""The scope that a kind of job needs, and what its people must be allowed."""
