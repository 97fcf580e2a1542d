"""E-mailing a result: to whom and with which words, how it will look, and a person's Yes to exactly this."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Field, Option, Text
from router.cards import Form as Inputs
from router.errors import BotError, JobFailed, NotAllowed, Stale, Unclear
from router.intents.errands import errand_of
from router.jobs.entries import State
from router.jobs.mail.addresses import demand_people, recipients_of
from router.jobs.mail.lines import subject_of
from router.jobs.mail.rules import Rules
from router.jobs.payloads import SEND_EMAIL
from router.jobs.send_email import Form, SendEmail, digest
from router.machine import Work
from router.memory import Approval, Mailing
from router.news import keep
from router.policy import demand_approve, may_approve, who_approves
from router.stages.email_rows import mailing_of
from router.stages.errand import LEAVE, Errand, forget, left
from router.stages.shown import answer_of, demand_seen, sources, title_of
from router.turn import Filled, Pressed, Said, Turn

WAYS = {"table": Option("inline", "In the e-mail"), "csv": Option("csv", "As CSV"), "xlsx": Option("xlsx", "As Excel")}
FORMATS = {"csv": "CSV", "xlsx": "Excel"}
MOST_IN_A_MAIL = 50
"""Rows up to which a result is shown in the e-mail itself, where nothing else was asked for."""


class NeedDetails(Errand):
    """Ask to whom it goes, and with which words."""

    help = (
        "Put in one or more e-mail addresses with commas between; `me` is your own. You see the e-mail before it goes."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        mailing = mailing_of(turn)
        name, wrong = mailing.problem
        fields = (
            Field("to", "To", value=mailing.to or turn.owner.email, problem=wrong if name == "to" else ""),
            Field(
                "subject", "Subject", value=subject_of_answer(turn, mailing), problem=wrong if name == "subject" else ""
            ),
            Field("body", "Message", "text", mailing.body, optional=True),
        )
        return (Inputs("E-mail this result", fields, "Preview"), Buttons("Or:", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["filled", "wrong", "sentence", "cancel"]:
        if left(turn):
            return "cancel"
        mailing, given = mailing_of(turn), turn.incoming.input
        if isinstance(given, Filled):
            values = given.values
            subject = values.get("subject", "").strip() or subject_of_answer(turn, mailing)
            mailing = replace(mailing, to=values.get("to", ""), subject=subject, body=values.get("body", "").strip())
        elif isinstance(given, Said) and errand_of(given.text) == "email":
            turn.memory.sentence = given.text
            return "sentence"
        elif isinstance(given, Said):
            demand_people(given.text, turn.owner)
            mailing = replace(mailing, to=given.text, subject=subject_of_answer(turn, mailing))
        else:
            raise Unclear("Fill in to whom it shall go.")
        turn.memory.mailing = mailing = checked(turn, mailing)
        return "wrong" if any(mailing.problem) else "filled"


class ConfirmEmail(Errand):
    """Show the e-mail as it will go; a person who may approves it."""

    help = "Look at the recipients and the words, then press Send. Nothing is sent before."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        mailing, result = mailing_of(turn), answer_of(turn).result
        form = _form(turn, mailing)
        count = f"{result.total:,} row{'' if result.total == 1 else 's'}"
        rows = (
            f"The {count} as a table in the e-mail." if form == "table" else f"A file with {count} ({FORMATS[form]})."
        )
        answer = answer_of(turn)
        queries = "the question, the SQL" if answer.draft.question else "the SQL"
        besides = "what came of the comparison, both queries" if answer.compared else queries
        said = (
            Text(f"To: {', '.join(mailing.recipients)}\nSubject: {mailing.subject}"),
            *((Text(mailing.body),) if mailing.body else ()),
            Text(f"With it: {rows} Also {besides}, and your name.", "quiet"),
        )
        others = tuple(way for name, way in WAYS.items() if name != form)
        ways = (Option("email", "Send", "primary"), *others, Option("edit", "Edit"), LEAVE)
        return (*said, *_approvers(turn), Buttons("Send this e-mail?", ways))

    def demand_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom the connection of the rows names as approvers."""
        given, connection = turn.incoming.input, turn.tools.connections.demand(answer_of(turn).connection)
        presses = isinstance(given, Pressed) and given.answer in ("email", "again")
        if not presses or not may_approve(turn.user, connection, turn.owner):
            super().demand_right(turn)

    def answer(self, turn: Turn) -> Literal["yes", "form", "details", "cancel"]:
        if left(turn):
            return "cancel"
        mailing = mailing_of(turn)
        if turn.word("edit"):
            return "details"
        word: Literal["inline", "csv", "xlsx"] | None = turn.word("inline", "csv", "xlsx")
        if word:
            turn.memory.mailing = replace(mailing, form="table" if word == "inline" else word)
            return "form"
        turn.pick("email", "yes")
        approve(turn, mailing)
        return "yes"


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
        done = turn.does(SEND_EMAIL.request(approved, mailing.key), mailing.approval.by, undone="Nothing was sent.")
        turn.note(f"✓ The e-mail went to {', '.join(mailing.recipients)} (job {done.id}).")
        keep(turn)
        forget(turn)
        return "sent"

    def failed(self, turn: Turn) -> Literal["failed", "unsure"]:
        keep(turn)
        mailing = mailing_of(turn)
        if _may_have_gone_out(turn, mailing.key):
            return "unsure"
        turn.memory.mailing = replace(mailing, approval=None)
        return "failed"


class ConfirmResend(ConfirmEmail):
    """Ask whether an e-mail that may have gone out shall be sent again."""

    help = "Ask one of the recipients whether it came. Send again may have them get it twice."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        people = ", ".join(mailing_of(turn).recipients)
        prompt = f"The e-mail to {people} may have gone out, or not. Send it again?"
        return (Buttons(prompt, (Option("again", "Send again", "danger"), LEAVE)),)

    def answer(self, turn: Turn) -> Literal["again", "cancel"]:  # type: ignore[override]
        if left(turn):
            return "cancel"
        turn.pick("again", "yes")
        approve(turn, mailing_of(turn))
        return "again"


def office_of(turn: Turn) -> Rules:
    """Return the rules of sending; raises NotAllowed where the bot has no mail server."""
    if turn.tools.office is None:
        raise NotAllowed("I have no mail server, so nothing can be e-mailed. Whoever runs this bot can set SMTP_URL.")
    return turn.tools.office


def checked(turn: Turn, mailing: Mailing) -> Mailing:
    """Return the e-mail with its recipients' addresses, and with what is wrong with a field."""
    try:
        recipients = recipients_of(mailing.to or turn.owner.email, turn.owner)
    except BotError as error:
        return replace(mailing, recipients=(), problem=("to", str(error)))
    if wrong := office_of(turn).problem(recipients):
        return replace(mailing, recipients=(), problem=("to", wrong))
    try:
        subject_of(mailing.subject)
    except BotError as error:
        return replace(mailing, recipients=recipients, problem=("subject", str(error)))
    return replace(mailing, recipients=recipients, problem=("", ""))


def approve(turn: Turn, mailing: Mailing) -> None:
    """Keep the person's Yes; raises NotAllowed, also where the rows may not be seen today, or Stale where late."""
    now = turn.tools.clock()
    turn.results.ref(answer_of(turn).result)
    for connection in sources(turn):
        demand_approve(turn.user, connection, turn.owner)
    if turn.memory.asked and now - turn.memory.asked > turn.tools.approval_time:
        raise Stale("This has waited too long for an approval. Please look at it again:")
    approved = digest(_job(turn, mailing))
    # The same e-mail is tried again under its own number, so that a mailbox can tell it is the same.
    key = mailing.key if mailing.key.endswith(approved) else f"{turn.incoming.key} {turn.memory.turn} {approved}"
    turn.tools.jobs.again(key, (turn.owner, turn.user))
    turn.memory.mailing = replace(mailing, approval=Approval(approved, turn.user, now), key=key)
    target = f"{', '.join(mailing.recipients)} ({_form(turn, mailing)})"
    turn.record("approved", approver=turn.user.id, digest=approved, target=target)


def _job(turn: Turn, mailing: Mailing) -> SendEmail:
    answer, owner = answer_of(turn), turn.owner
    asked = answer.draft.question
    return SendEmail(
        connection=answer.connection,
        recipients=mailing.recipients,
        subject=mailing.subject,
        body=mailing.body,
        form=_form(turn, mailing),
        result=answer.result.id,
        sender=office_of(turn).sender.text,
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


def _may_have_gone_out(turn: Turn, key: str) -> bool:
    try:
        job = turn.tools.jobs.find(key) if key else None
    except JobFailed:  # nobody can be asked, so it may
        return True
    return job is not None and job.state not in (State.FAILED, State.CANCELLED)


def _form(turn: Turn, mailing: Mailing) -> Form:
    return mailing.form or ("table" if answer_of(turn).result.total <= MOST_IN_A_MAIL else "xlsx")


def subject_of_answer(turn: Turn, mailing: Mailing) -> str:
    """Return the subject that was given, or else what the rows are."""
    return mailing.subject or title_of(answer_of(turn).draft) or "Query result"


def _approvers(turn: Turn) -> tuple[Text, ...]:
    connection = turn.tools.connections.demand(answer_of(turn).connection)
    if may_approve(turn.owner, connection, turn.owner):
        return ()
    return (Text(f"Somebody else has to approve this. {who_approves(connection)}.", "quiet"),)
