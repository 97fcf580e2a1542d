"""One run of what is repeated: rights and guard are asked again, the query is read once, and its rows are told once."""

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from router.cards import Card, Reply, Text
from router.errors import BotError, JobFailed, NotAllowed, PutOff, Stopped, Unsure, log_bug
from router.jobs.approval import job_digest
from router.jobs.audit import AuditEntry
from router.jobs.cancellation import Stopping
from router.jobs.feedback import AnsweredQuestion
from router.jobs.job_entry import JobEntry, JobState, Request
from router.jobs.ledger import INTERRUPTED
from router.jobs.payloads import READ_SQL, SEND_EMAIL, ref_of
from router.jobs.read_sql import ReadSql, digest
from router.jobs.results.pages import digest_of, told_beside
from router.jobs.send_email import SendEmail
from router.language.wording import counted, spoken_day, spoken_time
from router.memory.draft import User
from router.memory.recurrence import next_time
from router.memory.thread import ResultRef
from router.notifier import Announcement, Notifier
from router.policy import require_read, require_rows_in_channel
from router.schedules.listing import is_only_for_owner, label_of, require_still_approved, resumer, stopper
from router.schedules.schedule import Schedule, SchedulePlan, ScheduleState
from router.schedules.store import Schedules
from router.services import Services
from router.sql.guard import check

log = logging.getLogger("icc_bot")

LATE_AFTER = timedelta(minutes=10)
"""After this, it is said that something comes late."""

FAILED_RUNS_MAX = 3
"""In a row, after which a schedule is paused."""

# The message or e-mail about a run: its rows, or why there are none.


def rows_of(schedule: Schedule, services: Services, owner: User, ref: ResultRef, begun: datetime) -> Announcement:
    """Return the rows that were read, as a message of their own; raises JobFailed if they expired."""
    plan = schedule.plan
    found = services.page_at(services.results.seen_by(owner), ref.id)
    page = replace(found, connection=plan.connection)
    late = late_words(schedule, begun)
    whose = f"for {plan.owner.name}" if plan.to == "channel" and plan.owner.name else ""
    cards = (
        Text(" · ".join(filter(None, (plan.name, plan.timing.words, whose, since_words(schedule))))),
        *((Text(late, "quiet"),) if late else ()),
        *(() if page.total else (Text("The query ran and found no rows."),)),
        page,
        *told_beside(page),
        stopper(schedule),
    )
    sensitivity = services.connections.require(plan.connection).sensitivity
    return replace(
        _news(schedule, cards, is_only_for_owner(plan, services.connections), sensitivity), channel=plan.channel
    )


def trouble_of(schedule: Schedule, sentence: str, *, paused: bool) -> Announcement:
    """Return why there are no rows, for the owner alone."""
    cards = (Text(sentence, "problem"), resumer(schedule) if paused else stopper(schedule))
    return _news(schedule, cards, schedule.plan.shared, about=" trouble")


def email_of(
    schedule: Schedule, services: Services, owner: User, ref: ResultRef, sender: str, begun: datetime
) -> SendEmail:
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
        source=label_of(services.connections, plan.connection),
        sql=plan.sql,
        thread=plan.thread,
    )
    return replace(job, approval=job_digest(job))


def since_words(schedule: Schedule) -> str:
    """Return "changed since 23 Nov", if that is why rows are shown."""
    if schedule.plan.condition != "changed" or schedule.shown is None:
        return ""
    return f"changed since {spoken_day(schedule.shown, schedule.plan.zone)}"


def late_words(schedule: Schedule, begun: datetime) -> str:
    """Return what is said if this was begun late; times that were missed are made up for at once."""
    plan, due = schedule.plan, schedule.due
    if begun - due < LATE_AFTER:
        return ""
    more = " This is for all times that were missed since." if next_time(plan.timing, due) <= begun else ""
    return f"This was due {spoken_time(due, plan.zone)}, when I was not at work.{more}"


def _news(
    schedule: Schedule, cards: tuple[Card, ...], private: bool, sensitivity: str = "", about: str = ""
) -> Announcement:
    plan = schedule.plan
    reply = Reply(cards, to=plan.owner.id if private else "", sensitivity=sensitivity)
    return Announcement(f"{schedule.run}{about}", plan.talk, plan.owner, plan.shared, reply)


# The check that what was approved once may still be done, made again for each run.


def require_allowed(schedule: Schedule, services: Services, owner: User) -> None:
    """Raise NotAllowed unless all that a run does may be done today."""
    plan = schedule.plan
    connection = services.connections.require(plan.connection)
    require_read(owner, connection)
    private = not plan.shared or is_only_for_owner(plan, services.connections)
    if plan.to == "channel":
        channels = services.connections.channels
        try:
            require_rows_in_channel(plan.talk, plan.shared, plan.target, connection, channels)
        except NotAllowed as error:
            raise NotAllowed(f"{error} Nothing was run.") from error
    elif not private and not services.connections.channels.allows(plan.talk):
        raise NotAllowed("I do not answer in its channel any more; your administrator decides where. Nothing was run.")
    require_still_approved(plan, owner, connection)
    if plan.to == "email":
        if services.mail_config is None:
            raise NotAllowed("I have no mail server any more. Nothing was run.")
        if problem := services.mail_config.problem(plan.recipients):
            raise NotAllowed(problem)
    scope = services.catalog.schema(plan.connection, plan.schema).scope
    verdict = check(plan.sql, connection.dialect.name, scope)
    if not verdict.allowed or verdict.sql != plan.sql:
        why = verdict.reason or "The SQL would be another one today."
        who = (plan.thread, plan.owner.id, plan.approver.id, plan.connection)
        services.audit.add(AuditEntry("refused", *who, sql=plan.sql, error=why, target=schedule.id))
        raise NotAllowed(f"{why} Nothing was run.")


@dataclass(slots=True)
class ScheduleRun:
    """The work for one due time, done by the holder of the schedule since `claimed`."""

    services: Services
    schedules: Schedules
    notifier: Notifier
    schedule: Schedule
    claimed: datetime
    stopping: Stopping

    def __call__(self) -> None:
        """Do it, and note what came of it; if that cannot be noted, or the process ends, it is taken up again."""
        try:
            try:
                self._run()
            except NotAllowed as error:
                self._pause(str(error))
            except BotError as error:
                self._fail(str(error))
            except PutOff:
                raise
            except Exception:
                self._fail(log_bug(f"running {self.schedule.id}"))
        except PutOff:
            with suppress(PutOff):
                self._note(holder="")
        except Exception:
            log.exception("what came of %s could not be noted", self.schedule.id)

    @property
    def plan(self) -> SchedulePlan:
        """The plan as it was approved."""
        return self.schedule.plan

    def _run(self) -> None:
        """Read, and tell of it; after a process that died in the moment of telling, find out whether it did."""
        plan, notifier = self.plan, self.notifier
        owner = notifier.known(plan.talk, plan.owner)
        require_allowed(self.schedule, self.services, owner)
        died_telling = self.schedule.phase == "telling"
        access = self.services.results.seen_by(owner)
        ref = access.ref(self.schedule.result) if died_telling else self._read(owner)
        found = digest_of(access, ref) if plan.condition == "changed" else ""
        if not died_telling:
            if plan.condition == "rows" and not ref.total:
                return self._over("There were no rows, so nothing was shown.")
            if plan.condition == "changed" and found == plan.digest:
                return self._over("Nothing had changed, so nothing was shown.")
            if plan.to == "email":
                return self._over(self._mail(owner, ref), digest=found, shown=self.schedules.now())
            self._require_mine(phase="telling", result=ref.id)
        news = rows_of(self.schedule, self.services, owner, ref, self.claimed)
        told, outcome = notifier.was_delivered(news) if died_telling else False, f"Shown, with {_rows(ref)}."
        if told is None:
            outcome = "It may have been shown, or not."
            self._say(
                f"{plan.name}, due {spoken_time(self.schedule.due, plan.zone)}: I was stopped in the moment of showing "
                "its rows. They may be above, or not; I do not show them twice."
            )
        elif not told:
            self._tell(news)
        return self._over(outcome, digest=found, shown=self.schedules.now())

    def _read(self, owner: User) -> ResultRef:
        plan, services = self.plan, self.services
        connection = services.connections.require(plan.connection)
        approved = digest(plan.sql, plan.connection, plan.schema, owner.id)
        job = ReadSql(
            plan.connection,
            plan.schema,
            connection.dialect.name,
            plan.sql,
            asker=owner.id,
            approver=plan.approver.id,
            approval=approved,
            thread=plan.thread,
        )
        request = READ_SQL.request(job, self.schedule.run)
        if self.schedule.phase:  # by a process that did not come to its end
            services.jobs.again(request.key, (owner, plan.approver))
        self._require_mine(phase="reading")
        ref = ref_of(self._done(request, owner))
        services.feedback.note(
            # Without the question: it is not one of those that the person asked last.
            AnsweredQuestion(ref.id, plan.thread, owner.id, plan.connection, "", plan.sql, _rows(ref), plan.schema)
        )
        return ref

    def _done(self, request: Request, owner: User) -> JobEntry:
        people = (owner, self.plan.approver)

        def ended() -> JobEntry:
            return self.services.jobs.run(replace(request, people=people), lambda job, doing: None, self.stopping)

        try:
            job = ended()
            if job.error == INTERRUPTED:  # with a process that died; nobody has seen its rows
                self.services.jobs.again(request.key, people)
                job = ended()
        except Stopped as error:
            raise (PutOff() if self.stopping.asked.is_set() else JobFailed(str(error))) from None
        if job.state == JobState.DONE:
            return job
        if self.stopping.asked.is_set():
            raise PutOff
        raise Unsure(job.error) if job.state == JobState.UNSURE else JobFailed(job.error)

    def _mail(self, owner: User, ref: ResultRef) -> str:
        """Send the e-mail, and return what came of it; if nobody knows, its owner is told."""
        mail_config = self.services.mail_config
        assert mail_config
        job = email_of(self.schedule, self.services, owner, ref, mail_config.sender.text, self.claimed)
        try:
            self._done(SEND_EMAIL.request(job, f"{self.schedule.run} email"), owner)
        except Unsure as error:
            due = spoken_time(self.schedule.due, self.plan.zone)
            self._say(f"{self.plan.name}, due {due}: {error} I do not send it twice.")
            return "It may have been e-mailed, or not."
        return f"E-mailed to {', '.join(self.plan.recipients)}."

    def _tell(self, news: Announcement) -> None:
        """Show rows; if it is known that they were not, they are at the next start."""
        try:
            self.notifier.tell(news)
        except PutOff:
            self._note(phase="reading")
            raise
        except Unsure:  # it is looked for at the next start
            raise PutOff from None

    def _over(self, outcome: str, **values: Any) -> None:
        """Note that this run is over."""
        self._next(outcome=outcome, failures=0, **{name: value for name, value in values.items() if value})

    def _next(self, **values: Any) -> None:
        """Note what came of this run, and when the next one is due."""
        self._note(phase="", result="", holder="", due=self._next_due(), **values)

    def _next_due(self) -> datetime:
        return next_time(self.plan.timing, max(self.schedules.now(), self.schedule.due))

    def _fail(self, why: str) -> None:
        """Say that this run failed, and pause if it is one too many."""
        if self.stopping.asked.is_set():
            self._note(holder="")
            return
        failures = self.schedule.failures + 1
        if failures >= FAILED_RUNS_MAX:
            self._pause(f"{why} It failed {failures} times in a row.", failures)
            return
        plan = self.plan
        self._say(f"{plan.name}, {plan.timing.words}: {why} I try again {spoken_time(self._next_due(), plan.zone)}.")
        self._next(outcome=why, failures=failures)

    def _pause(self, why: str, failures: int = 0) -> None:
        plan = self.plan
        self._say(f"{plan.name}, {plan.timing.words}: {why} I do not repeat it until you say so.", paused=True)
        self._next(outcome=why, failures=failures, standing=ScheduleState.PAUSED)

    def _say(self, sentence: str, paused: bool = False) -> None:
        """Send the owner alone a sentence; what cannot be sent is in the log and in the list."""
        try:
            self.notifier.tell(trouble_of(self.schedule, sentence, paused=paused))
        except BotError:
            log_bug(f"telling the owner of {self.schedule.id}")

    def _require_mine(self, **values: Any) -> None:
        """Note how far this is; raises PutOff if it is to end, or was stopped or taken over meanwhile."""
        if self.stopping.asked.is_set() or not self._note(**values):
            raise PutOff

    def _note(self, **values: Any) -> bool:
        """Note how far this is; raises PutOff if that cannot be noted: it is no failure of the query."""
        try:
            return self.schedules.note(self.schedule.id, self.schedule.holder, **values)
        except JobFailed:
            log.exception("how far %s is could not be noted", self.schedule.id)
            raise PutOff from None


def _rows(ref: ResultRef) -> str:
    return f"{counted(ref.total, 'row')}{', cut' if ref.capped else ''}"
