"""The e-mail job: sends a stored result to people, to all of them or none, and never twice by itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from router.errors import JobFailed, Unclear
from router.jobs.approval import job_digest
from router.jobs.audit import Audit, AuditEntry, audited
from router.jobs.mail.addresses import Address, address_of
from router.jobs.mail.body import BESIDE_A_FILE, IN_THE_MAIL, MailReport, as_html, as_text
from router.jobs.mail.mail_config import MailConfig
from router.jobs.mail.mailer import LARGE, Mailer
from router.jobs.mail.message import Attachment, EmailContent, file_name, message_bytes, subject_of
from router.jobs.progress import Outcome
from router.jobs.results.export import FORMATS, note_on
from router.jobs.results.reader import Sort
from router.jobs.results.store import Results
from router.language.wording import size_words
from router.sql.databases.session import Progress

Form = Literal["table", "csv", "xlsx"]
"""The form of the rows: shown in the e-mail itself, or a file."""

_BASE64_FACTOR = 1.37
"""The factor by which a file is larger in an e-mail than on a disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SendEmail:
    """One e-mail: what goes to whom and how, as whom, who asked, who approved, and the digest of the approval.

    `connection` is where the rows were read, `source` what the recipients know it as, `sender` where it goes from.
    """

    connection: str
    recipients: tuple[str, ...]
    subject: str
    body: str
    form: Form | Literal["none"]
    """"none": it takes no rows along, and is about no result."""
    result: str
    sender: str
    name: str
    asker: str
    approver: str = ""
    approval: str = ""
    asker_name: str = ""
    asker_address: str = ""
    question: str = ""
    source: str = ""
    sql: str = ""
    sort: Sort | None = None
    """The order that its rows are shown in; None for that they were read in."""
    told: str = ""
    """Further words on the rows, such as the outcome of a comparison."""
    thread: str = ""


def send_email(
    job: SendEmail,
    *,
    id: str,
    mailer: Mailer,
    results: Results,
    audit: Audit,
    progress: Progress,
    sending: Callable[[], None],
    now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone(),
) -> Outcome:
    """Send the approved e-mail under the job's `id`; `sending` is called before what cannot be taken back.

    The trail tells of it before and after. Raises NotAllowed if the approval is for something else or the rules
    forbid it, JobFailed or Stopped: nobody got it; Unsure if that cannot be known.
    """
    target = f"{', '.join(job.recipients)} ({job.form})"
    who, read = (job.thread, job.asker, job.approver), (job.connection, job.question, job.sql)
    entry = AuditEntry("started", *who, *read, job.approval, job=id, target=target)
    with audited(audit, entry, refusal=_refusal(job, mailer.mail_config), final=True) as work:
        recipients = [address_of(text) for text in job.recipients]
        report, attachment = _report(job, id, mailer.mail_config, results, progress, now())
        rows = report.table.total if report.table else 0
        work.rows = (rows,)
        content = _content(job, id, mailer.mail_config, recipients, report, attachment, now())
        progress(f"Sending {size_words(len(content))}…")
        mailer.send(content, recipients, sending)
    return Outcome(rows, {"recipients": list(job.recipients), "bytes": len(content)})


def _refusal(job: SendEmail, mail_config: MailConfig) -> str:
    if job.approval != job_digest(job):
        return (
            "The approval was given for another e-mail, so nothing was sent. "
            "Look at what is to be sent and approve it again."
        )
    if job.sender != mail_config.sender.text:
        return "The bot sends from another address now, so nothing was sent. Ask for the e-mail again."
    try:
        subject_of(job.subject)
    except Unclear as error:
        return f"{error} Nothing was sent."
    return mail_config.problem(job.recipients)


def _report(
    job: SendEmail, id: str, mail_config: MailConfig, results: Results, progress: Progress, now: datetime
) -> tuple[MailReport, Attachment | None]:
    """Read the rows again from where they are stored; raises JobFailed if they are gone or too many."""
    who = job.asker_name or job.asker_address
    if job.form == "none":
        return MailReport(job.body, None, job.question, job.source, job.sql, who, now, id), None
    attachment, note = None, ""
    if job.form != "table":
        progress("Writing the file…")
        path = results.file(job.result, job.form, lambda rows: progress(f"{rows:,} rows written…"), job.sort)
        _require_room(path.stat().st_size * _BASE64_FACTOR, mail_config)
        note = note_on(path)
        attachment = Attachment(
            file_name(job.name or job.question, now, job.form), FORMATS[job.form], path.read_bytes()
        )
    table = results.page(job.result, 0, BESIDE_A_FILE if attachment else IN_THE_MAIL, job.sort)
    read = results.read_at(job.result).astimezone(now.tzinfo)
    file = attachment.name if attachment else ""
    about = (job.question, job.source, job.sql, who, read, id)
    return MailReport(job.body, table, *about, file, job.told, note), attachment


def _content(
    job: SendEmail,
    id: str,
    mail_config: MailConfig,
    recipients: Sequence[Address],
    report: MailReport,
    attachment: Attachment | None,
    now: datetime,
) -> bytes:
    content = message_bytes(
        EmailContent(
            f"{id}@{mail_config.sender.domain}",
            (mail_config.name, mail_config.sender),
            recipients,
            job.subject.strip(),
            as_text(report),
            as_html(report),
            now,
            _reply_to(job),
            attachment,
        )
    )
    _require_room(len(content), mail_config)
    return content


def _require_room(length: float, mail_config: MailConfig) -> None:
    if length > mail_config.largest:
        raise JobFailed(
            f"The e-mail would have {size_words(int(length))}, and at most "
            f"{size_words(mail_config.largest)} may be sent. "
            f"Nothing was sent. {LARGE}"
        )


def _reply_to(job: SendEmail) -> tuple[str, Address] | None:
    try:
        return (job.asker_name, address_of(job.asker_address)) if job.asker_address else None
    except Unclear:  # what a platform knows of a person need not be an address
        return None
