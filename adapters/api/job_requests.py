"""Jobs made of what was asked for: by name found, checked by the guard, and bound to an approval."""

from dataclasses import replace
from typing import Any, Final

from aiohttp import web

from adapters.api.connections import QueryBody, checked_query, connection_of
from adapters.api.job_bodies import (
    CompareBody,
    ComparedQueryBody,
    EmailBody,
    MatchBody,
    OneJobBody,
    ReadBody,
    WriteBody,
)
from adapters.api.request import ApiCall
from adapters.api.results import result_of
from router.catalog.connection import Connection
from router.errors import NotAllowed
from router.jobs.approval import job_digest
from router.jobs.compare_sql import CompareSql
from router.jobs.compared_queries import Queried
from router.jobs.mail.addresses import recipients_of
from router.jobs.mail.mail_config import MailConfig
from router.jobs.mail.message import subject_of
from router.jobs.match_sql import MatchSql
from router.jobs.payloads import report_of, texts_of
from router.jobs.read_sql import ReadSql, digest
from router.jobs.results.cells import line
from router.jobs.runner import JobBackend
from router.jobs.send_email import SendEmail
from router.jobs.write_data import Columns, WriteData
from router.memory.thread import ResultRef
from router.policy import require_read, require_write
from router.sql.comparing.plan import ComparePlan
from router.sql.comparing.wording import report_sentences
from router.sql.writing.order import matched

DELETING_MODES: Final = ("truncate", "drop")
"""Modes that take rows away: the table's name is said once more."""

DIFFERENCES_MAX: Final = 100
"""Differences that a report keeps at most."""


def job_of(site: JobBackend, call: ApiCall, asked: OneJobBody, thread: str) -> Any:
    """Return the job that is asked for; raises HTTPException, or BotError, with what is wrong."""
    match asked:
        case ReadBody():
            return _reading(site, call, asked, thread)
        case MatchBody():
            return MatchSql.of(*_both_sides(site, call, asked), call.user, thread=thread)
        case CompareBody():
            _require_plan(asked.plan)
            left, right = _both_sides(site, call, asked)
            return CompareSql.of(left, right, call.user, plan=asked.plan, name=line(asked.name), thread=thread)
        case WriteBody():
            return _writing(site, call, asked, thread)
        case EmailBody():
            return _letter(site, call, asked, thread)


def mail_config_of(site: JobBackend) -> MailConfig:
    """Return how e-mails are sent; raises NotAllowed if none are."""
    if site.mail_config is None:
        raise NotAllowed("The bot has no mail server, so nothing can be e-mailed. Your administrator can set SMTP_URL.")
    return site.mail_config


def _reading(site: JobBackend, call: ApiCall, asked: QueryBody, thread: str = "") -> ReadSql:
    connection, schema, sql = checked_query(site, call, asked)
    approval = digest(sql, connection.name, schema.name, call.user.id)
    people = {"asker": call.user.id, "approver": call.approver.id}
    return ReadSql(connection.name, schema.name, schema.dialect, sql, **people, approval=approval, thread=thread)


def _both_sides(site: JobBackend, call: ApiCall, asked: MatchBody | CompareBody) -> tuple[Queried, Queried]:
    return _side(site, call, asked.left, "the left query"), _side(site, call, asked.right, "the right query")


def _side(site: JobBackend, call: ApiCall, asked: ComparedQueryBody, name: str) -> Queried:
    if asked.approver and not call.acting:
        raise web.HTTPForbidden(
            text="Somebody else can be named as the approver of a query with the scope act_for only."
        )
    job, approver = _reading(site, call, asked), asked.approver or call.approver
    label = line(asked.label) or name
    return Queried(job.connection, job.schema, job.sql, label, approver, job.approval, asked.question)


def _require_plan(plan: ComparePlan) -> None:
    if problem := plan.problem():
        raise web.HTTPUnprocessableEntity(text=problem)
    within = plan.tolerances
    if not (0 <= plan.first <= DIFFERENCES_MAX and 0 <= within.absolute <= 1e300 and 0 <= within.relative <= 1):
        raise web.HTTPUnprocessableEntity(
            text=f"`first` is 0 to {DIFFERENCES_MAX}, `absolute` 0 to 1e300, `relative` 0 to 1. Nothing was begun."
        )


def _writing(site: JobBackend, call: ApiCall, asked: WriteBody, thread: str) -> WriteData:
    connection = connection_of(site, call, asked.connection)
    require_write(call.user, connection)  # before the table is looked at
    known = asked.schema_name in site.catalog.schemas(connection.name)  # its tables need not be read
    schema = asked.schema_name if known else site.catalog.schema(connection.name, asked.schema_name).name
    _, ref = result_of(site, call, asked.result)
    if asked.mode in DELETING_MODES and asked.confirm.casefold() != asked.table.casefold():
        raise web.HTTPUnprocessableEntity(
            text="Rows would be deleted. Nothing was written. `confirm` must be the table's name."
        )
    job = WriteData(
        connection.name,
        schema,
        asked.table,
        asked.mode,
        _columns(site, call, asked, connection, schema, ref),
        ref.id,
        line(asked.name) or asked.table,
        asker=call.user.id,
        approver=call.approver.id,
        approval="",
        thread=thread,
        seen=asked.seen,
    )
    return replace(job, approval=job_digest(job))


def _columns(
    site: JobBackend, call: ApiCall, asked: WriteBody, connection: Connection, schema: str, ref: ResultRef
) -> Columns:
    """Return what the job writes; raises HTTPException if a column finds no place."""
    fields = site.results.fields(ref)
    if asked.columns is not None:
        names: list[int | str] = [field.name for field in fields]
        found = []
        for pair in asked.columns:
            places = [place for place, name in enumerate(names) if pair.source in (place, name)]
            if len(places) != 1:
                raise web.HTTPUnprocessableEntity(
                    text=f'The result has not one column "{pair.source}". Nothing was written.'
                )
            found.append((places[0], replace(fields[places[0]], name=pair.target)))
        return tuple(found)
    there = None
    if asked.mode in ("append", "truncate"):
        there = site.catalog.existing(connection.name, schema, asked.table, call.user)
    if there is None:
        return tuple(enumerate(fields))
    matching = matched(fields, there.columns)
    wrong = [f'No column of {there.name} has the name of the column "{name}".' for name in matching.unplaced]
    if wrong or matching.problems:
        raise web.HTTPUnprocessableEntity(
            text=" ".join([*wrong, *matching.problems, "Nothing was written. Say in `columns` what goes where."])
        )
    return tuple((place, replace(fields[place], name=field.name)) for place, field in matching.pairs)


def _letter(site: JobBackend, call: ApiCall, asked: EmailBody, thread: str) -> SendEmail:
    mail_config = mail_config_of(site)
    subject_of(asked.subject)
    if asked.format == "none":
        connection = connection_of(site, call, asked.connection or "")
        require_read(call.user, connection)
        result, sql, told = "", asked.sql, asked.told
        sources: tuple[Connection, ...] = (connection,)
    else:
        entry, ref = result_of(site, call, asked.result or "")
        sources, result = site.access.sources(entry.request), ref.id
        sql = asked.sql or texts_of(entry.request)
        told = asked.told or (report_sentences(report_of(entry)) if entry.request.kind == "compare_sql" else "")
    job = SendEmail(
        connection=sources[0].name,
        recipients=recipients_of("\n".join(asked.recipients), call.user),
        subject=asked.subject,
        body=asked.body,
        form=asked.format,
        result=result,
        sender=mail_config.sender.text,
        name=line(asked.name) or asked.subject,
        asker=call.user.id,
        approver=call.approver.id,
        asker_name=call.user.name,
        asker_address=call.user.email,
        question=asked.question,
        source=" and ".join(dict.fromkeys(source.label for source in sources)),
        sql=sql,
        sort=asked.sort,
        told=told,
        thread=thread,
    )
    return replace(job, approval=job_digest(job))
