"""E-mailing a result: to whom and with which words, how it will look, and a person's Yes to exactly this."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, get_args

from sqlglot import exp

from router.cards import Buttons, Card, Field, Option, Text
from router.cards import Form as Inputs
from router.errors import BotError, JobFailed, NotAllowed, Unclear
from router.jobs.job_entry import JobState
from router.jobs.mail.addresses import means_people, own_address, recipients_of
from router.jobs.mail.mail_config import MailRules
from router.jobs.mail.message import subject_of
from router.jobs.payloads import SEND_EMAIL
from router.jobs.send_email import Form, SendEmail, email_digest
from router.language.wording import counted
from router.machine import Work
from router.memory.draft import Draft, Place
from router.memory.thread import Mailing, WrittenTable
from router.policy import demand_approve, may_read
from router.stages.approvals import (
    Approvable,
    approval_of,
    awaited,
    demand_in_time,
    demand_owner_or_approver,
    key_of_job,
    note_done,
    only_approvers,
    was_done,
)
from router.stages.shown import answer_of, demand_seen, sources, title_of
from router.stages.tasks import LEAVE, DestinationAsk, forget, left, mailing_of, refused, say_unused, set_mailing
from router.turn import Filled, Said, Turn, keep
from router.understanding.button_words import approves, folded
from router.understanding.steps import result_action_of
from router.understanding.values.forms import MailValues, mail_patch
from router.understanding.values.people import copies_blindly

EMAIL_FORM_OPTIONS = {
    "table": Option("inline", "In the e-mail", overflow=True),
    "csv": Option("csv", "As CSV", overflow=True),
    "xlsx": Option("xlsx", "As Excel", overflow=True),
}

MAIL_FORM_OPTIONS = (Option("table", "In the e-mail"), Option("csv", "As CSV"), Option("xlsx", "As Excel"))

FILE_FORM_NAMES = {"csv": "CSV", "xlsx": "Excel"}

EMAIL_INLINE_ROWS_MAX = 50
"""Rows up to which a result is shown in the e-mail itself, where nothing else was asked for."""

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

# The rows that an e-mail takes along, once a result was written: those on show, or the table as it is now.

NO_BCC = (
    "I send no blind copies: whoever gets the e-mail sees who else does. Nobody was added; type `add` and the address "
    "to send it openly."
)


class ChooseRows(DestinationAsk):
    """Ask which rows are sent: those of the result, or those of the table that it was written to."""

    help = "The result is what you see above; the table is read anew, by a query that you approve first."

    def settle(self, turn: Turn) -> Literal["result"] | None:
        written = turn.memory.written
        # Whoever filled in the form of a result means that result, and what they typed is not to be lost.
        if written and not turn.filled and may_read(turn.owner, turn.services.connections.demand(written.connection)):
            return None
        set_mailing(turn, replace(mailing_of(turn), asked=True))
        return "result"

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        written = turn.memory.written
        assert written
        ways = (
            Option("result", "The result above", "primary"),
            Option("the_table", "The table"),
            LEAVE,
        )
        return (Buttons(f"Which rows should I e-mail: the result above, or all of the table {written.table}?", ways),)

    def answer(self, turn: Turn) -> Literal["result", "query", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        word, memory, written = turn.word("result", "the_table"), turn.memory, turn.memory.written
        if word is None:
            return turn.unclear()
        mailing = replace(mailing_of(turn), asked=True)
        set_mailing(turn, mailing)
        if word == "result":
            return "result"
        assert written
        set_mailing(turn, replace(mailing, place=memory.place))
        memory.place = Place(written.connection, written.schema)
        dialect = turn.services.connections.demand(written.connection).dialect.name
        memory.draft = Draft(method="provide", sql=_whole(written).sql(dialect))
        return "query"


def _whole(written: WrittenTable) -> exp.Select:
    schema = exp.to_identifier(written.schema, quoted=True) if written.schema else None
    return exp.select("*").from_(exp.Table(this=exp.to_identifier(written.table, quoted=True), db=schema))


class NeedDetails(DestinationAsk):
    """Ask to whom it goes, and with which words."""

    card = "email_form"
    accepts = frozenset(["to", "subject", "message", "inline"])
    believes = True
    fields = frozenset(["to", "subject", "body", "form"])
    help = (
        "Type one or more e-mail addresses with commas between; `me` is your own. You'll see the e-mail before it goes."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (mail_form(turn, mailing_of(turn)), Buttons("", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["filled", "wrong", "sentence", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        mailing, given = mailing_of(turn), turn.incoming.input
        if isinstance(given, Filled):
            mailing = _filled(turn, mailing, given.values)
        elif turn.typed and result_action_of(turn.text) == "email":
            turn.memory.sentence = turn.text
            return "sentence"
        elif correction := _patch(turn, mailing):
            if _leaves_nobody(mailing, correction):
                return turn.unclear(LAST_RECIPIENT)
            mailing = changed_mail(turn, mailing, correction)
        elif not means_people(turn.text, turn.owner):
            return turn.unclear(NO_PEOPLE)
        else:
            mailing = checked(turn, replace(mailing, to=turn.text))
        if any(mailing.problem) and not isinstance(given, Filled):
            return turn.unclear(mailing.problem[1])
        set_mailing(turn, mailing)
        return "wrong" if any(mailing.problem) else "filled"


class ConfirmEmail(DestinationAsk):
    """Show the e-mail as it will go; a person who may approves it."""

    card = "email_confirm"
    accepts = frozenset(["to", "add_to", "drop_to", "subject", "message", "inline"])
    believes = True
    approves = True
    help = "Check the recipients and the text, then press Send. Nothing is sent before that."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        mailing, result = mailing_of(turn), answer_of(turn).result
        form = _form(turn, mailing)
        count = counted(result.total, "row")
        rows = (
            f"The {count} as a table in the e-mail."
            if form == "table"
            else f"A file with {count} ({FILE_FORM_NAMES[form]})."
        )
        answer, people = answer_of(turn), ", ".join(mailing.recipients)
        queries = "the question, the SQL" if answer.draft.question else "the SQL"
        besides = "what came of the comparison, both queries" if answer.compared else queries
        body = (Text(mailing.body),) if mailing.body else ()
        connection = turn.services.connections.demand(answer.connection)
        asked = awaited(
            turn, connection, lambda: Approvable(email_digest(_job(turn, mailing)), f"E-mail {count} to {people}")
        )
        doubt = _doubt(turn, mailing)
        send = Option("again", "Send again", "danger") if doubt else Option("email", "Send", "primary")
        others = (way for name, way in EMAIL_FORM_OPTIONS.items() if name != form)
        ways = (only_approvers(turn, send, connection), Option("edit", "Edit"), *others, LEAVE)
        return (
            Text(f"To: {people}\nSubject: {mailing.subject}"),
            *body,
            Text(f"Includes: {rows} Also {besides}, and your name.", "quiet"),
            *asked,
            Buttons(doubt or "Send this e-mail?", ways),
        )

    def demand_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom the connection of the rows names as approvers."""
        connection = turn.services.connections.demand(answer_of(turn).connection)
        demand_owner_or_approver(turn, turn.pressed("email", "again"), connection)

    def answer(self, turn: Turn) -> Literal["yes", "form", "details", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        mailing = mailing_of(turn)
        if turn.word("edit"):
            return "details"
        word: Literal["inline", "csv", "xlsx"] | None = turn.word("inline", "csv", "xlsx")
        if word:
            set_mailing(turn, replace(mailing, form="table" if word == "inline" else word))
            return "form"
        given = turn.incoming.input
        if isinstance(given, Said) and turn.word("email") and folded(given.text) not in SENDING:
            return turn.unclear(SEND_OR_NOT.format(people=", ".join(mailing.recipients)))
        if correction := _patch(turn, mailing):
            return self._change(turn, mailing, correction)
        again = turn.word("again") and approves(turn.typed) and _doubt(turn, mailing)
        if not again and not turn.word("email", "yes"):
            return turn.unclear(WHAT_TO_CHANGE) if refused(turn) else turn.unclear()
        approve(turn, mailing)
        return "yes"

    def _change(self, turn: Turn, mailing: Mailing, correction: MailValues) -> Literal["form", "details", "unclear"]:
        if correction.unsure:
            return turn.unclear(LOOK_AT_PEOPLE)
        if _leaves_nobody(mailing, correction):
            return turn.unclear(LAST_RECIPIENT)
        changed = changed_mail(turn, mailing, correction)
        if changed == mailing:
            return turn.unclear(AS_IT_IS)
        set_mailing(turn, changed)
        return "details" if any(changed.problem) else "form"


class SendMail(Work):
    """Have the e-mail sent, and say to whom it went."""

    doing = "Sending the e-mail…"
    durable = True

    def work(self, turn: Turn) -> Literal["sent"]:
        mailing = mailing_of(turn)
        if mailing.approval is None:
            raise NotAllowed("This was not approved, so nothing was sent.")
        demand_seen(turn)
        for connection in sources(turn):
            demand_approve(mailing.approval.by, connection, turn.owner)
        job = _job(turn, mailing)
        approved = replace(job, approver=mailing.approval.by.id, approval=mailing.approval.digest)
        turn.does(SEND_EMAIL.request(approved, mailing.key), mailing.approval.by, undone="Nothing was sent.")
        note_done(turn, approved.approval)
        turn.note(f"✓ Sent to {', '.join(mailing.recipients)}.")
        keep(turn)
        forget(turn)
        return "sent"

    def failed(self, turn: Turn) -> Literal["failed"]:
        keep(turn)
        set_mailing(turn, replace(mailing_of(turn), approval=None))
        return "failed"


def mail_form(turn: Turn, mailing: Mailing) -> Inputs:
    """Return the form of an e-mail, with what is known of it."""
    name, wrong = mailing.problem
    subject = subject_of_answer(turn, mailing)
    fields = (
        Field("to", "To", "people", mailing.to or own_address(turn.owner), problem=wrong if name == "to" else ""),
        Field("subject", "Subject", value=subject, problem=wrong if name == "subject" else ""),
        Field("body", "Message", "text", mailing.body, optional=True),
        Field("form", "Send the rows", "radio", _form(turn, mailing), options=MAIL_FORM_OPTIONS),
    )
    return Inputs("E-mail this result", fields, "Preview")


def mail_rules(turn: Turn) -> MailRules:
    """Return the rules of sending; raises NotAllowed where the bot has no mail server."""
    if turn.services.mail_config is None:
        raise NotAllowed("E-mail isn't set up here. Please ask your administrator.")
    return turn.services.mail_config


def _patch(turn: Turn, mailing: Mailing) -> MailValues:
    """Return what a typed sentence changes of the e-mail, and say what of it was not used; raises Unclear for a bcc."""
    text = turn.incoming.input.text if isinstance(turn.incoming.input, Said) else ""
    if copies_blindly(text):
        raise Unclear(NO_BCC)
    found = mail_patch(text, mailing.recipients)
    say_unused(turn, found.unread.text)
    owner = ("me", turn.owner.email) if turn.owner.email else ()
    is_owner_out = any(each.casefold() == name.casefold() for each in found.dropped for name in owner)
    return replace(found, dropped=(*found.dropped, *owner)) if is_owner_out else found


def _leaves_nobody(mailing: Mailing, correction: MailValues) -> bool:
    """Return whether nobody would get the e-mail without those whom a sentence takes away."""
    return bool(correction.dropped) and not correction.recipients(_people(mailing) or ("me",))  # as the form begins


def _people(mailing: Mailing) -> tuple[str, ...]:
    """Return who gets the e-mail: the addresses, or as they were typed, where they are not looked up yet."""
    return mailing.recipients or tuple(filter(None, re.split(r"\s*[,;]\s*", mailing.to)))


def _filled(turn: Turn, mailing: Mailing, values: Mapping[str, str]) -> Mailing:
    """Return the e-mail as its form says."""
    form = next((each for each in get_args(Form) if each == values.get("form")), mailing.form)
    subject, body = (values.get(name, "").strip() for name in ("subject", "body"))
    return checked(turn, replace(mailing, to=values.get("to", ""), subject=subject, body=body, form=form))


def patched(turn: Turn, mailing: Mailing, values: MailValues) -> Mailing:
    """Return the e-mail with what a sentence says of it."""
    before = _people(mailing)
    to = values.recipients(before) if not values.unsure else (*before, *values.to, *values.added)
    return replace(
        mailing,
        to=", ".join(dict.fromkeys(to)) or mailing.to,
        subject=values.subject or mailing.subject,
        body=values.body or mailing.body,
        form=values.form or mailing.form,
    )


def changed_mail(turn: Turn, mailing: Mailing, values: MailValues) -> Mailing:
    """Return the e-mail with what a sentence says of it, checked; where it is not plain who gets it, the form asks."""
    changed = patched(turn, mailing, values)
    changed = replace(changed, to=changed.to or own_address(turn.owner))
    return replace(changed, recipients=(), problem=("to", LOOK_AT_PEOPLE)) if values.unsure else checked(turn, changed)


def checked(turn: Turn, mailing: Mailing) -> Mailing:
    """Return the e-mail with a subject and its recipients' addresses, and with what is wrong with a field."""
    mailing = replace(mailing, subject=subject_of_answer(turn, mailing), recipients=(), problem=("", ""))
    field = "to"
    try:
        recipients = recipients_of(mailing.to, turn.owner)
        if wrong := mail_rules(turn).problem(recipients):
            raise Unclear(wrong)
        mailing, field = replace(mailing, recipients=recipients), "subject"
        subject_of(mailing.subject)
    except BotError as error:
        return replace(mailing, problem=(field, str(error)))
    return mailing


def approve(turn: Turn, mailing: Mailing) -> None:
    """Keep the person's Yes; raises NotAllowed, also where the rows may not be seen today, or Stale where late."""
    turn.results.ref(answer_of(turn).result)
    for connection in sources(turn):
        demand_approve(turn.user, connection, turn.owner)
    demand_in_time(turn)
    approved = email_digest(_job(turn, mailing))
    # By the key of its job, a mailbox can tell that an e-mail is the same.
    key = key_of_job(turn, mailing.key, approved, turn.user)
    set_mailing(turn, replace(mailing, approval=approval_of(turn, approved), key=key))
    target = f"{', '.join(mailing.recipients)} ({_form(turn, mailing)})"
    turn.record("approved", approver=turn.user.id, digest=approved, target=target)


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


def _doubt(turn: Turn, mailing: Mailing) -> str:
    """Return what is asked where the e-mail went out already, or may have; "" for one that surely did not."""
    if was_done(turn, email_digest(_job(turn, mailing))):
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
