"""What is said of a run: its rows, as a message or as an e-mail, or why there are none."""

from dataclasses import replace
from datetime import datetime, timedelta

from router.cards import Card, Reply, Text
from router.herald import Announcement
from router.jobs.kept import told_beside
from router.jobs.schedule import Schedule
from router.jobs.send_email import SendEmail, digest
from router.memory import ResultRef, User
from router.repeats import label_of, only_for_owner, resumer, stopper
from router.timing import missed, spoken_day, spoken_time
from router.turn import Tools

LATE = timedelta(minutes=10)
"""After this, it is said that something comes late."""


def rows_of(schedule: Schedule, tools: Tools, owner: User, ref: ResultRef, begun: datetime) -> Announcement:
    """Return the rows that were read, as a message of their own; raises JobFailed where they expired."""
    plan = schedule.plan
    found = tools.results.seen_by(owner).page(ref, 0, tools.page_of(len(ref.columns)))
    page = replace(found, connection=plan.connection)
    late = late_words(schedule, begun)
    cards = (
        Text(" · ".join(filter(None, (plan.name, plan.timing.words, since_words(schedule))))),
        *((Text(late, "quiet"),) if late else ()),
        *(() if page.total else (Text("The query ran, and found no rows."),)),
        page,
        *told_beside(page),
        stopper(schedule),
    )
    sensitivity = tools.connections.demand(plan.connection).sensitivity
    return _news(schedule, cards, only_for_owner(plan, tools.connections), sensitivity)


def trouble_of(schedule: Schedule, sentence: str, *, paused: bool) -> Announcement:
    """Return why there are no rows, for the owner alone."""
    cards = (Text(sentence, "problem"), resumer(schedule) if paused else stopper(schedule))
    return _news(schedule, cards, schedule.plan.shared, about=" trouble")


def email_of(schedule: Schedule, tools: Tools, owner: User, ref: ResultRef, sender: str, begun: datetime) -> SendEmail:
    """Return the e-mail that takes the rows along, as it was approved."""
    plan = schedule.plan
    since = since_words(schedule)
    words = (f"Sent {plan.timing.words} ({plan.zone}){f', {since}' if since else ''}.", late_words(schedule, begun))
    job = SendEmail(
        connection=plan.connection,
        recipients=plan.recipients,
        subject=plan.name,
        body=" ".join(filter(None, words)),
        form=plan.form,
        result=ref.id,
        sender=sender,
        name=plan.name,
        asker=owner.id,
        approver=plan.approver.id,
        asker_name=owner.name,
        asker_address=owner.email,
        question=plan.question,
        source=label_of(tools.connections, plan.connection),
        sql=plan.sql,
        thread=plan.thread,
    )
    return replace(job, approval=digest(job))


def since_words(schedule: Schedule) -> str:
    """Return "changed since 23 Nov", where that is why rows are shown."""
    if schedule.plan.condition != "changed" or schedule.shown is None:
        return ""
    return f"changed since {spoken_day(schedule.shown, schedule.plan.zone)}"


def late_words(schedule: Schedule, begun: datetime) -> str:
    """Return what is said where this was begun late; times that were missed are made up for at once."""
    plan, due = schedule.plan, schedule.due
    if begun - due < LATE:
        return ""
    count = missed(plan.cron, plan.zone, due, begun)
    more = f" It was due {count} times until now, and this is for all of them." if count > 1 else ""
    return f"This was due {spoken_time(due, plan.zone)}, when I was not at work.{more}"


def _news(
    schedule: Schedule, cards: tuple[Card, ...], private: bool, sensitivity: str = "", about: str = ""
) -> Announcement:
    plan = schedule.plan
    reply = Reply(cards, to=plan.owner.id if private else "", sensitivity=sensitivity)
    return Announcement(f"{schedule.run}{about}", plan.talk, plan.owner, plan.shared, reply)
