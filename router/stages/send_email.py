"""E-mailing a result: to whom and with which words, how it will look, and a person's Yes to exactly this."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from sqlglot import exp

from router.cards import Field, Option, Text
from router.cards import Form as Inputs
from router.errors import BotError, JobFailed, NotAllowed, Unclear
from router.jobs.approval import job_digest
from router.jobs.job_entry import JobState
from router.jobs.mail.addresses import own_address, recipients_of
from router.jobs.mail.mail_config import MailRules
from router.jobs.mail.message import subject_of
from router.jobs.payloads import SEND_EMAIL
from router.jobs.send_email import Form, SendEmail
from router.language.wording import counted
from router.machine import Work
from router.memory.draft import Draft, Place
from router.memory.thread import Mailing, WrittenTable
from router.policy import may_read, require_approve
from router.stages.approvals import Approvable, approve_job, note_done, was_done
from router.stages.shown import answer_of, require_seen, sources, title_of
from router.stages.task_cards import Preview, TaskConfirm, TaskForm
from router.stages.tasks import forget, mailing_of, say_unused, set_mailing
from router.turn import Said, Turn, remember_notes
from router.understanding.button_words import folded, says_approval
from router.understanding.values.forms import MailValues, mail_patch
from router.understanding.values.people import copies_blindly

OTHER_FORMS = {
    "table": Option("inline", "In the e-mail", overflow=True),
    "csv": Option("csv", "As CSV", overflow=True),
    "xlsx": Option("xlsx", "As Excel", overflow=True),
}
"""The buttons at the e-mail for its rows in another form."""

MAIL_FORM_OPTIONS = (Option("table", "In the e-mail"), Option("csv", "As CSV"), Option("xlsx", "As Excel"))

FILE_FORM_NAMES = {"csv": "CSV", "xlsx": "Excel"}

EMAIL_INLINE_ROWS_MAX = 50
"""Rows up to which a result is shown in the e-mail itself, if nothing else was asked for."""

NO_PEOPLE = (
    "This form needs e-mail addresses, such as ana@example.com, or `me`; what is in it stays. Back to the result leads "
    "to the rows, where you can ask something else."
)

LAST_RECIPIENT = (
    "Nothing was changed: the e-mail has to go to somebody. Type who should get it instead, such as "
    "`to ana@example.com`, or `cancel`."
)

AS_IT_IS = "Nothing was changed: the e-mail is like that already."

WHAT_TO_CHANGE = (
    "Nothing was sent. What should I change? Type it, such as `add bob@example.com`, `subject: Orders in May` or `as "
    "CSV`, or press Edit."
)

LOOK_AT_PEOPLE = (
    "I can't tell for sure who should get it. Type `to`, `add` or `without` with an address, or use the form."
)

SENT_ALREADY = "This e-mail was sent already. Send it again?"
MAY_BE_SENT = "The e-mail may or may not have gone out. Send it again?"

SENDING = ("send", "send it")
"""Words for the button Send that mean this e-mail; the others for an e-mail may mean one that is to be begun."""

SEND_OR_NOT = (
    "Nothing was sent yet. Type `send`, or press Send, and this e-mail goes to {people}. To change it, type what "
    "should be different; `cancel` leads back to the result."
)

NO_BCC = (
    "I send no blind copies: whoever gets the e-mail sees who else does. Nobody was added; type `add` and the address "
    "to send it openly."
)


class NeedDetails(TaskForm):
    """Ask to whom it goes, and with which words."""

    card = "email_form"
    accepts = frozenset(["to", "subject", "message", "inline"])
    takes_any_text = True
    fields = frozenset(["to", "subject", "body", "form", "rows"])
    help = (
        "Type one or more e-mail addresses with commas between; `me` is your own. You'll see the e-mail before it goes."
    )

    def form(self, turn: Turn) -> Inputs:
        """Return the form, with what is known of the e-mail."""
        return mail_form(turn, mailing_of(turn))

    def fill(self, turn: Turn, values: Mapping[str, str]) -> bool:
        """Take the form; what is wrong with a field is said at it."""
        given: dict[str, Any] = {name: values[name] for name in ("to", "subject", "body", "form")}
        written = table_written(turn)
        of_table = written is not None and values.get("rows") == "the_table"
        if written and of_table and given["subject"] == subject_of_answer(turn, Mailing()):
            given["subject"] = f"Table {written.table}"
        mailing = checked(turn, replace(mailing_of(turn), **given, of_table=of_table))
        if written and of_table and not any(mailing.problem):
            mailing = replace(mailing, place=turn.memory.place)
            turn.memory.place = Place(written.connection, written.schema)
            table = exp.table_(written.table, db=written.schema or None, quoted=True)
            dialect = turn.services.connections.require(written.connection).dialect.name
            turn.memory.draft = Draft(method="provide", sql=exp.select("*").from_(table).sql(dialect))
        set_mailing(turn, mailing)
        return True

    def patch(self, turn: Turn, text: str) -> bool:
        """Take what a sentence says of the e-mail."""
        changed = _patched(turn, text)
        if changed is None:
            turn.unclear(turn.refusal or NO_PEOPLE)
        elif any(changed.problem):
            turn.unclear(changed.problem[1])
        else:
            set_mailing(turn, changed)
            return True
        return False


class ConfirmEmail(TaskConfirm):
    """Show the e-mail as it will go."""

    card = "email_confirm"
    accepts = frozenset(["to", "add_to", "drop_to", "subject", "message", "inline"])
    takes_any_text = True
    yes = ("email", "again", "yes")
    what_to_change = WHAT_TO_CHANGE
    help = "Check the recipients and the text, then press Send. Nothing is sent before that."

    def preview(self, turn: Turn) -> Preview:
        """Return recipients, subject and text, and what goes along; what was sent already is asked about."""
        mailing, answer = mailing_of(turn), answer_of(turn)
        form, count, people = _form(turn, mailing), counted(answer.result.total, "row"), ", ".join(mailing.recipients)
        name = FILE_FORM_NAMES.get(form)
        rows = f"A file with {count} ({name})." if name else f"The {count} as a table in the e-mail."
        asked = "the question, the SQL" if answer.draft.question else "the SQL"
        asked = "what came of the comparison, both queries" if answer.compared else asked
        cards = (
            Text(f"To: {people}\nSubject: {mailing.subject}"),
            *((Text(mailing.body),) if mailing.body else ()),
            Text(f"Includes: {rows} Also {asked}, and your name.", "quiet"),
        )
        approvable, doubt = Approvable(job_digest(_job(turn, mailing)), f"E-mail {count} to {people}"), _doubt(turn)
        send = Option("again", "Send again", "danger") if doubt else Option("email", "Send", "primary")
        others = tuple(way for name, way in OTHER_FORMS.items() if name != form)
        return Preview(cards, approvable, doubt or "Send this e-mail?", send, others)

    def is_yes(self, turn: Turn) -> bool:
        """Return whether the e-mail is to go; a word for an e-mail may mean another one, and so does nothing."""
        given = turn.incoming.input
        if turn.word("again"):
            return bool(says_approval(turn.typed) and _doubt(turn))
        if isinstance(given, Said) and turn.word("email") and folded(given.text) not in SENDING:
            turn.unclear(SEND_OR_NOT.format(people=", ".join(mailing_of(turn).recipients)))
            return False
        return turn.word("email", "yes") is not None

    def change(self, turn: Turn) -> bool:
        """Take another form of the rows, or what a sentence says of the e-mail; the form asks for what is wrong."""
        mailing, given = mailing_of(turn), turn.incoming.input
        word: Literal["inline", "csv", "xlsx"] | None = turn.word("inline", "csv", "xlsx")
        if word:
            set_mailing(turn, replace(mailing, form="table" if word == "inline" else word))
            return True
        changed = _patched(turn, given.text) if isinstance(given, Said) and not turn.refusal else None
        if changed is None:
            return False
        if changed == mailing or changed.problem[1] == LOOK_AT_PEOPLE:
            turn.unclear(changed.problem[1] or AS_IT_IS)
            return False
        set_mailing(turn, changed)
        return True

    def approve(self, turn: Turn) -> None:
        """Keep the Yes; raises NotAllowed, also if the rows may not be seen today, or Stale if late."""
        mailing = mailing_of(turn)
        turn.results.ref(answer_of(turn).result)
        for connection in sources(turn):
            require_approve(turn.user, connection, turn.owner)
        target = f"{', '.join(mailing.recipients)} ({_form(turn, mailing)})"
        # By the key of its job, a mailbox can tell that an e-mail is the same.
        approval, key = approve_job(turn, mailing.key, job_digest(_job(turn, mailing)), target)
        set_mailing(turn, replace(mailing, approval=approval, key=key))


class SendMail(Work):
    """Have the e-mail sent, and say to whom it went."""

    doing = "Sending the e-mail…"
    durable = True

    def work(self, turn: Turn) -> Literal["sent"]:
        mailing = mailing_of(turn)
        if mailing.approval is None:
            raise NotAllowed("This was not approved, so nothing was sent.")
        require_seen(turn)
        for connection in sources(turn):
            require_approve(mailing.approval.by, connection, turn.owner)
        job = _job(turn, mailing)
        approved = replace(job, approver=mailing.approval.by.id, approval=mailing.approval.digest)
        turn.does(SEND_EMAIL.request(approved, mailing.key), mailing.approval.by, undone="Nothing was sent.")
        note_done(turn, approved.approval)
        turn.note(f"✓ Sent to {', '.join(mailing.recipients)}.")
        remember_notes(turn)
        forget(turn)
        return "sent"

    def failed(self, turn: Turn) -> Literal["failed"]:
        remember_notes(turn)
        set_mailing(turn, replace(mailing_of(turn), approval=None))
        return "failed"


def mail_form(turn: Turn, mailing: Mailing) -> Inputs:
    """Return the form of an e-mail, with what is known of it."""
    name, wrong = mailing.problem
    subject, written = subject_of_answer(turn, mailing), table_written(turn)
    table = f"All of the table {written.table}, read anew" if written else ""
    rows = (Option("result", "The result above"), Option("the_table", table))
    fields = (
        Field("to", "To", "people", mailing.to or own_address(turn.owner), problem=wrong if name == "to" else ""),
        Field("subject", "Subject", value=subject, problem=wrong if name == "subject" else ""),
        Field("body", "Message", "text", mailing.body, optional=True),
        Field("form", "Send the rows", "radio", _form(turn, mailing), options=MAIL_FORM_OPTIONS),
        *((Field("rows", "Which rows", "radio", "result", options=rows),) if written else ()),
    )
    return Inputs("E-mail this result", fields, "Preview")


def table_written(turn: Turn) -> WrittenTable | None:
    """Return the table that the result was written to, if the person may read it."""
    written = turn.memory.written
    may = written and may_read(turn.owner, turn.services.connections.require(written.connection))
    return written if may else None


def mail_rules(turn: Turn) -> MailRules:
    """Return the rules of sending; raises NotAllowed if the bot has no mail server."""
    if turn.services.mail_config is None:
        raise NotAllowed("E-mail isn't set up here. Please ask your administrator.")
    return turn.services.mail_config


def _patched(turn: Turn, text: str) -> Mailing | None:
    """Return the e-mail as a typed sentence changes it, checked; None if it says nothing of it, or leaves nobody.

    What of the sentence was not used is said. Raises Unclear for a blind copy.
    """
    mailing = mailing_of(turn)
    if copies_blindly(text):
        raise Unclear(NO_BCC)
    values = mail_patch(text, mailing.recipients)
    say_unused(turn, values.unread.text)
    owner = ("me", turn.owner.email) if turn.owner.email else ()
    if {each.casefold() for each in values.dropped} & {name.casefold() for name in owner}:
        values = replace(values, dropped=(*values.dropped, *owner))
    if (
        values.dropped
        and not values.unsure
        and not values.recipients(people_of(mailing.recipients, mailing.to) or ("me",))
    ):
        turn.unclear(LAST_RECIPIENT)
        return None
    return changed_mail(turn, mailing, values) if values else None


def people_of(recipients: tuple[str, ...], typed: str) -> tuple[str, ...]:
    """Return who gets an e-mail: the addresses, or as they were typed, if they are not looked up yet."""
    return recipients or tuple(filter(None, re.split(r"\s*[,;]\s*", typed)))


def patched(turn: Turn, mailing: Mailing, values: MailValues) -> Mailing:
    """Return the e-mail with what a sentence says of it."""
    before = people_of(mailing.recipients, mailing.to)
    to = values.recipients(before) if not values.unsure else (*before, *values.to, *values.added)
    return replace(
        mailing,
        to=", ".join(dict.fromkeys(to)) or mailing.to,
        subject=values.subject or mailing.subject,
        body=values.body or mailing.body,
        form=values.form or mailing.form,
    )


def changed_mail(turn: Turn, mailing: Mailing, values: MailValues) -> Mailing:
    """Return the e-mail with what a sentence says of it, checked; if it is not plain who gets it, the form asks."""
    changed = patched(turn, mailing, values)
    changed = replace(changed, to=changed.to or own_address(turn.owner))
    return replace(changed, recipients=(), problem=("to", LOOK_AT_PEOPLE)) if values.unsure else checked(turn, changed)


def checked(turn: Turn, mailing: Mailing) -> Mailing:
    """Return the e-mail with a subject and its recipients' addresses, and with what is wrong with a field."""
    mailing = replace(mailing, subject=subject_of_answer(turn, mailing), recipients=(), problem=("", ""))
    field = "to"
    try:
        mailing, field = replace(mailing, recipients=mailable(turn, mailing.to)), "subject"
        subject_of(mailing.subject)
    except BotError as error:
        return replace(mailing, problem=(field, str(error)))
    return mailing


def mailable(turn: Turn, people: str) -> tuple[str, ...]:
    """Return the addresses of people; raises Unclear for somebody who cannot be mailed."""
    recipients = recipients_of(people, turn.owner)
    if wrong := mail_rules(turn).problem(recipients):
        raise Unclear(wrong)
    return recipients


def _job(turn: Turn, mailing: Mailing) -> SendEmail:
    answer, owner = answer_of(turn), turn.owner
    asked = answer.draft.title if answer.draft.leans else answer.draft.question
    return SendEmail(
        connection=answer.connection,
        recipients=mailing.recipients,
        subject=mailing.subject,
        body=mailing.body,
        form=_form(turn, mailing),
        result=answer.result.id,
        sort=answer.sort,
        sender=mail_rules(turn).sender.text,
        name=mailing.subject,
        asker=owner.id,
        asker_name=owner.name,
        asker_address=owner.email,
        question=f"{asked} (its SQL was changed by hand)" if asked and answer.draft.changed else asked,
        source=" and ".join(connection.label for connection in sources(turn)),
        sql=answer.draft.sql,
        told=answer.draft.explanation if answer.compared else "",
        thread=str(turn.incoming.key),
    )


def _doubt(turn: Turn) -> str:
    """Return the question for an e-mail that went out already, or may have; "" for one that surely did not."""
    mailing = mailing_of(turn)
    if was_done(turn, job_digest(_job(turn, mailing))):
        return SENT_ALREADY
    try:
        job = turn.services.jobs.find(mailing.key) if mailing.key else None
    except JobFailed:  # nobody can be asked, so it may
        return MAY_BE_SENT
    return MAY_BE_SENT if job and job.state not in (JobState.FAILED, JobState.CANCELLED) else ""


def _form(turn: Turn, mailing: Mailing) -> Form:
    return mailing.form or ("table" if answer_of(turn).result.total <= EMAIL_INLINE_ROWS_MAX else "xlsx")


def subject_of_answer(turn: Turn, mailing: Mailing) -> str:
    """Return the subject that was given, or else what the rows are."""
    return mailing.subject or title_of(answer_of(turn).draft) or "Query result"
