"""Jobs made from the rows of a result: written into a table, or e-mailed.

What can be seen beforehand to fail is refused, with a sentence.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Final

from pydantic import Field

from adapters.api.connections import connection_of, schema_of
from adapters.api.jobs import PreparedJob, SubmittedJob, submit_once
from adapters.api.problems import InvalidField, conflict, unprocessable
from adapters.api.query_jobs import demand_own_approval
from adapters.api.request import CONNECTION_NUMBER_MAX, ApiBody, ApiCall, Site
from adapters.api.results import result_of
from router.catalog.connection import Connection
from router.catalog.targets import hidden_in
from router.errors import BotError, NotAllowed
from router.jobs.mail.addresses import recipients_of
from router.jobs.mail.mail_config import MailConfig
from router.jobs.mail.message import subject_of
from router.jobs.payloads import SEND_EMAIL, WRITE_DATA, report_of, texts_of
from router.jobs.results.cells import line
from router.jobs.results.pages import CUT_CELLS
from router.jobs.send_email import Form, SendEmail, email_digest
from router.jobs.write_data import Columns, WriteData
from router.memory.thread import Mode
from router.policy import demand_write
from router.sql.comparing.wording import report_sentences
from router.sql.writing.column_types import kept_as_texts, texts_sentence
from router.sql.writing.names import demand_sound, demand_table
from router.sql.writing.order import Existing, Refusal, ResultField, WriteOrder, matched, unfilled

JOB_WITH_ROWS_PATTERN: Final = r"^[CR]-[2-9A-HJKMNP-TV-Z]{8}$"
"""The form of the numbers of jobs that have rows."""

DELETING_MODES: Final = ("truncate", "drop")
"""Modes that take rows away: the table's name is said once more."""


class ColumnTargetBody(ApiBody):
    """A column of the result, and the column of the table that takes it."""

    source: str = Field(min_length=1, max_length=200)
    target: str = Field(min_length=1, max_length=128)


class WriteBody(ApiBody):
    """Rows of a reading that is done, on their way into a table: all of them or none, and never twice."""

    result: str = Field(
        pattern=JOB_WITH_ROWS_PATTERN, description="The number of the read or compare job whose rows are written."
    )
    connection: int = Field(
        ge=1, le=CONNECTION_NUMBER_MAX, description="The number of the connection that is written to."
    )
    schema_name: str = Field(
        "", alias="schema", max_length=128, description="The schema; without one, the connection's first."
    )
    table: str = Field(min_length=1, max_length=128)
    mode: Mode = Field(
        description="create: a new table. append: rows are added. truncate: the rows that are there are deleted first. "
        "drop: the table is made anew."
    )
    confirm: str = Field(
        "", max_length=128, description="The table's name once more, where the mode deletes rows: truncate and drop."
    )
    columns: list[ColumnTargetBody] | None = Field(
        None, min_length=1, max_length=1000, description="Which column goes where; without, columns of one name."
    )
    name: str = Field("", max_length=200, description="What people shall know the job as.")


class EmailBody(ApiBody):
    """Rows of a reading that is done, on their way to people."""

    result: str = Field(
        pattern=JOB_WITH_ROWS_PATTERN, description="The number of the read or compare job whose rows are sent."
    )
    recipients: list[Annotated[str, Field(min_length=1, max_length=320)]] = Field(
        min_length=1, max_length=200, description="Addresses; `me` is that of the token's person."
    )
    subject: str = Field(min_length=1, max_length=400)
    body: str = Field("", max_length=20_000, description="What stands above the rows, in plain text.")
    format: Form = Field("xlsx", description="table: the rows stand in the e-mail. csv, xlsx: they go along as a file.")


def write(site: Site, call: ApiCall, body: WriteBody) -> SubmittedJob:
    """Have the rows of a reading written, with the token's person as the one who asks and approves."""
    return submit_once(site, call, lambda key: _writing(site, call, body, key))


def email(site: Site, call: ApiCall, body: EmailBody) -> SubmittedJob:
    """Have the rows of a reading e-mailed, with the token's person as the one who asks and approves."""
    return submit_once(site, call, lambda key: _emailing(site, call, body, key))


def _writing(site: Site, call: ApiCall, asked: WriteBody, key: str) -> PreparedJob:
    connection = connection_of(site, call, asked.connection)
    demand_write(call.user, connection)
    demand_own_approval(site, call, connection, writes=True, target=asked.table)
    _, ref, _ = result_of(site, call, asked.result)
    schema = schema_of(site, connection, asked.schema_name).name
    _demand_sound(lambda: demand_table(asked.table, connection.dialect.name))
    there = _existing_table(site, call, connection, schema, asked)
    table = there.name if there else asked.table
    columns = _columns(asked, site.backend.results.fields(ref), there)
    fields = tuple(field for _, field in columns)
    order = WriteOrder("check", schema, table, asked.mode, fields, hidden=hidden_in(connection, schema, table))
    _demand_sound(lambda: demand_sound(order, connection.dialect.name))
    job = WriteData(
        connection.name,
        schema,
        table,
        asked.mode,
        columns,
        ref.id,
        line(asked.name) or table,
        asker=call.user.id,
        approver=call.user.id,
        approval="",
        thread=call.thread,
    )
    job = replace(job, approval=job.digest)
    target = f"{schema}.{table} ({asked.mode})"
    site.record("approved", call, connection.name, approver=call.user.id, digest=job.approval, target=target)
    notes = ["There were more rows than were kept: only these are written."] if ref.capped else []
    notes += [CUT_CELLS] if ref.shortened else []
    texts = kept_as_texts(fields, connection.dialect.name) if asked.mode in ("create", "drop") else ()
    notes += [texts_sentence(texts, connection.dialect.label)] if texts else []
    return WRITE_DATA.request(job, key), notes


def _existing_table(
    site: Site, call: ApiCall, connection: Connection, schema: str, asked: WriteBody
) -> Existing | None:
    """Return the table as it is now; raises RequestRefused where the mode does not go with that."""
    there = site.backend.catalog.existing(connection.name, schema, asked.table, call.user)
    name = there.name if there else asked.table
    if there and there.view:
        raise conflict(f"{name} is a view: rows cannot be written to it. Nothing was written.")
    if there and asked.mode == "create":
        raise conflict(f"There is a table {name} already. Nothing was written. Take another name, or another mode.")
    if there is None and asked.mode in ("append", "truncate"):
        raise conflict(f"There is no table {name}. Nothing was written. The mode create makes it.")
    if asked.mode in DELETING_MODES and asked.confirm.casefold() != name.casefold():
        sentence = "Must be the table's name: the mode deletes what is in it."
        raise unprocessable(
            "Rows would be deleted. Nothing was written.", InvalidField(field="confirm", sentence=sentence)
        )
    return there


def _demand_sound(demand: Callable[[], None]) -> None:
    try:
        demand()
    except Refusal as error:
        raise unprocessable(str(error)) from error


def _columns(asked: WriteBody, fields: Sequence[ResultField], there: Existing | None) -> Columns:
    """Return what the job writes; raises RequestRefused with every column that finds no place, or must have a value."""
    kept = there if asked.mode in ("append", "truncate") else None
    if asked.columns is not None:
        return _given_columns(asked.columns, fields, kept)
    if kept is None:
        return tuple(enumerate(fields))
    matching = matched(fields, kept.columns)
    wrong = [f'No column of {kept.name} has the name of the column "{name}".' for name in matching.unplaced]
    _demand_none(*(InvalidField(field="columns", sentence=sentence) for sentence in (*wrong, *matching.problems)))
    return tuple((place, replace(fields[place], name=field.name)) for place, field in matching.pairs)


def _given_columns(pairs: Sequence[ColumnTargetBody], fields: Sequence[ResultField], kept: Existing | None) -> Columns:
    names = [field.name for field in fields]
    there = {column.field.name: column for column in kept.columns} if kept else {}
    found: list[tuple[int, ResultField]] = []
    wrong: list[InvalidField] = []
    for number, pair in enumerate(pairs):
        if names.count(pair.source) != 1:
            several = "several columns" if pair.source in names else "no column"
            wrong.append(_invalid_column(f"{number}.source", f"The result has {several} of this name."))
        elif kept and (pair.target not in there or there[pair.target].generated):
            wrong.append(
                _invalid_column(f"{number}.target", f"{kept.name} has no column of this name that can be written.")
            )
        else:
            place = names.index(pair.source)
            found.append((place, replace(fields[place], name=pair.target)))
    for what, counted in (("source", [pair.source for pair in pairs]), ("target", [pair.target for pair in pairs])):
        twice = [name for name, count in Counter(counted).items() if count > 1]
        wrong += [_invalid_column(f"*.{what}", f'"{name}" is there more than once.') for name in twice]
    taken = {pair.target for pair in pairs}
    for name, column in there.items():
        if unfilled(column) and name not in taken:
            wrong.append(_invalid_column("*.target", f'The column "{name}" of the table must have a value.'))
    _demand_none(*wrong)
    return tuple(found)


def _invalid_column(field: str, sentence: str) -> InvalidField:
    return InvalidField(field=f"columns.{field}", sentence=sentence)


def _demand_none(*wrong: InvalidField) -> None:
    if wrong:
        raise unprocessable(
            "The columns do not find each other. Nothing was written. Say in `columns` what goes where.", *wrong
        )


def _emailing(site: Site, call: ApiCall, asked: EmailBody, key: str) -> PreparedJob:
    mail_config = site.backend.mail_config
    if mail_config is None:
        raise NotAllowed("The bot has no mail server, so nothing can be e-mailed. Whoever runs it can set SMTP_URL.")
    entry, ref, connection = result_of(site, call, asked.result)
    recipients = _recipients(call, mail_config, asked)
    target = f"{', '.join(recipients)} ({asked.format})"
    sources = site.backend.access.sources(entry.request)
    for source in sources:
        demand_own_approval(site, call, source, target=target)
    job = SendEmail(
        connection=connection.name,
        recipients=recipients,
        subject=asked.subject.strip(),
        body=asked.body.strip(),
        form=asked.format,
        result=ref.id,
        sender=mail_config.sender.text,
        name=asked.subject.strip(),
        asker=call.user.id,
        approver=call.user.id,
        asker_name=call.user.name,
        asker_address=call.user.email,
        source=" and ".join(dict.fromkeys(source.label for source in sources)),
        sql=texts_of(entry.request),
        told=report_sentences(report_of(entry)) if entry.request.kind == "compare_sql" else "",
        thread=call.thread,
    )
    approved = replace(job, approval=email_digest(job))
    site.record("approved", call, connection.name, approver=call.user.id, digest=approved.approval, target=target)
    return SEND_EMAIL.request(approved, key), []


def _recipients(call: ApiCall, mail_config: MailConfig, asked: EmailBody) -> tuple[str, ...]:
    """Return the addresses; raises RequestRefused with each field that the rules of e-mails refuse."""
    wrong: list[InvalidField] = []
    recipients: tuple[str, ...] = ()
    try:
        recipients = recipients_of("\n".join(asked.recipients), call.user)
        if problem := mail_config.problem(recipients):
            wrong.append(InvalidField(field="recipients", sentence=problem))
    except BotError as error:
        wrong.append(InvalidField(field="recipients", sentence=str(error)))
    try:
        subject_of(asked.subject)
    except BotError as error:
        wrong.append(InvalidField(field="subject", sentence=str(error)))
    if wrong:
        raise unprocessable("Nothing was sent; `errors` says why.", *wrong)
    return recipients
