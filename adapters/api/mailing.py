"""Asking for rows to be e-mailed: recipients and words are checked first, by the rules of all e-mails of the bot."""

from dataclasses import replace

from adapters.api.bodies import Email
from adapters.api.call import Call, Done, Site
from adapters.api.jobs import Prepared, asked_for
from adapters.api.problems import Wrong, unfit
from adapters.api.reading import demand_own_approval
from adapters.api.rows import result_of
from router.errors import BotError, NotAllowed
from router.jobs.mail.addresses import recipients_of
from router.jobs.mail.lines import subject_of
from router.jobs.mail.office import Office
from router.jobs.payloads import SEND_EMAIL, report_of, texts_of
from router.jobs.send_email import SendEmail, digest
from router.sql.comparing.saying import says


def email(site: Site, call: Call) -> Done:
    """Have the rows of a reading e-mailed, with the token's person as the one who asks and approves."""
    return asked_for(site, call, _prepared)


def _prepared(site: Site, call: Call, key: str) -> Prepared:
    asked: Email = call.body
    office = site.tools.office
    if office is None:
        raise NotAllowed("The bot has no mail server, so nothing can be e-mailed. Whoever runs it can set SMTP_URL.")
    entry, ref, connection = result_of(site, call, asked.result)
    recipients = _recipients(call, office, asked)
    target = f"{', '.join(recipients)} ({asked.format})"
    sources = site.tools.access.sources(entry.request)
    for source in sources:
        demand_own_approval(site, call, source, target=target)
    job = SendEmail(
        connection=connection.name,
        recipients=recipients,
        subject=asked.subject.strip(),
        body=asked.body.strip(),
        form=asked.format,
        result=ref.id,
        sender=office.sender.text,
        name=asked.subject.strip(),
        asker=call.user.id,
        approver=call.user.id,
        asker_name=call.user.name,
        asker_address=call.user.email,
        source=" and ".join(dict.fromkeys(source.label for source in sources)),
        sql=texts_of(entry.request),
        told=says(report_of(entry)) if entry.request.kind == "compare_sql" else "",
        thread=call.thread,
    )
    approved = replace(job, approval=digest(job))
    site.record("approved", call, connection.name, approver=call.user.id, digest=approved.approval, target=target)
    return SEND_EMAIL.request(approved, key), []


def _recipients(call: Call, office: Office, asked: Email) -> tuple[str, ...]:
    """Return the addresses; raises Refused with each field that the rules of e-mails refuse."""
    wrong: list[Wrong] = []
    recipients: tuple[str, ...] = ()
    try:
        recipients = recipients_of("\n".join(asked.recipients), call.user)
        if problem := office.problem(recipients):
            wrong.append(Wrong(field="recipients", sentence=problem))
    except BotError as error:
        wrong.append(Wrong(field="recipients", sentence=str(error)))
    try:
        subject_of(asked.subject)
    except BotError as error:
        wrong.append(Wrong(field="subject", sentence=str(error)))
    if wrong:
        raise unfit("Nothing was sent; `errors` says why.", *wrong)
    return recipients
