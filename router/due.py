"""One run of what is repeated: rights and guard are asked anew, the query is read once, and its rows are told once."""

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from router.allowance import demand_allowed
from router.announcements import email_of, rows_of, trouble_of
from router.errors import BotError, JobFailed, NotAllowed, PutOff, Stopped, Unsure, logged
from router.herald import Announcement, Herald
from router.jobs.digests import digest_of
from router.jobs.entries import Entry, Request, State
from router.jobs.feedback import Answered
from router.jobs.ledger import INTERRUPTED
from router.jobs.payloads import READ_SQL, SEND_EMAIL, ref_of
from router.jobs.read_sql import ReadSql, digest
from router.jobs.schedule import Plan, Schedule, Standing
from router.jobs.schedules import Schedules
from router.memory import ResultRef, User
from router.stopping import Stopping
from router.timing import next_time, spoken_time
from router.turn import Tools

log = logging.getLogger("icc_bot")

FAILURES = 3
"""In a row, after which a schedule is paused."""


@dataclass(slots=True)
class Run:
    """What is done for one due time, by whoever holds the schedule since `claimed`."""

    tools: Tools
    schedules: Schedules
    herald: Herald
    schedule: Schedule
    claimed: datetime
    stopping: Stopping

    def __call__(self) -> None:
        """Do it, and note what came of it; where that cannot be noted, or the process ends, it is taken up again."""
        try:
            self._do()
        except PutOff:
            with suppress(PutOff):
                self._put_off()
        except Exception:
            log.exception("what came of %s could not be noted", self.schedule.id)

    def _do(self) -> None:
        try:
            self._run()
        except NotAllowed as error:
            self._pause(str(error))
        except BotError as error:
            self._fail(str(error))
        except PutOff:
            raise
        except Exception:
            self._fail(logged(f"running {self.schedule.id}"))

    @property
    def holder(self) -> str:
        """Whoever does it, under a name for this once."""
        return self.schedule.holder

    @property
    def plan(self) -> Plan:
        """What was approved."""
        return self.schedule.plan

    def _run(self) -> None:
        if self.schedule.phase == "telling":
            self._make_sure()
            return
        owner = self.herald.known(self.plan.talk, self.plan.owner)
        demand_allowed(self.schedule, self.tools, owner)
        ref = self._read(owner)
        found = digest_of(self.tools.results.seen_by(owner), ref) if self.plan.condition == "changed" else ""
        if self.plan.condition == "rows" and not ref.total:
            self._over("There were no rows, so nothing was shown.")
        elif self.plan.condition == "changed" and found == self.plan.digest:
            self._over("Nothing had changed, so nothing was shown.")
        elif self.plan.to == "email":
            outcome = self._mail(owner, ref)
            self._over(outcome, digest=found, shown=self._now())
        else:
            self._show(owner, ref)
            self._over(f"Shown, with {_rows(ref)}.", digest=found, shown=self._now())

    def _read(self, owner: User) -> ResultRef:
        plan, tools = self.plan, self.tools
        connection = tools.connections.demand(plan.connection)
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
            tools.jobs.again(request.key, (owner, plan.approver))
        self._demand_mine(phase="reading")
        ref = ref_of(self._done(request, owner))
        tools.feedback.note(
            # Without the question: it is not one of those that the person asked last.
            Answered(ref.id, plan.thread, owner.id, plan.connection, "", plan.sql, _rows(ref), plan.schema)
        )
        return ref

    def _done(self, request: Request, owner: User) -> Entry:
        job = self._ended(request, owner)
        if job.error == INTERRUPTED:  # with a process that died; nobody has seen its rows
            self.tools.jobs.again(request.key, (owner, self.plan.approver))
            job = self._ended(request, owner)
        if job.state == State.DONE:
            return job
        if self.stopping.asked.is_set():
            raise PutOff
        raise Unsure(job.error) if job.state == State.UNSURE else JobFailed(job.error)

    def _ended(self, request: Request, owner: User) -> Entry:
        people = (owner, self.plan.approver)
        try:
            return self.tools.jobs.run(replace(request, people=people), lambda job, doing: None, self.stopping)
        except Stopped as error:
            raise (PutOff() if self.stopping.asked.is_set() else JobFailed(str(error))) from None

    def _mail(self, owner: User, ref: ResultRef) -> str:
        """Send the e-mail, and return what came of it; where nobody knows, its owner is told."""
        office = self.tools.office
        assert office
        job = email_of(self.schedule, self.tools, owner, ref, office.sender.text, self.claimed)
        try:
            self._done(SEND_EMAIL.request(job, f"{self.schedule.run} email"), owner)
        except Unsure as error:
            due = spoken_time(self.schedule.due, self.plan.zone)
            self._say(f"{self.plan.name}, due {due}: {error} I do not send it twice.")
            return "It may have been e-mailed, or not."
        return f"E-mailed to {', '.join(self.plan.recipients)}."

    def _show(self, owner: User, ref: ResultRef) -> None:
        self._demand_mine(phase="telling", result=ref.id)
        self._tell(rows_of(self.schedule, self.tools, owner, ref, self.claimed))

    def _tell(self, news: Announcement) -> None:
        """Show rows; where it is known that they were not, they are at the next start."""
        try:
            self.herald.tell(news)
        except PutOff:
            self._note(phase="reading")
            raise
        except Unsure:  # it is looked for at the next start
            raise PutOff from None

    def _make_sure(self) -> None:
        """Find out whether rows were told in the moment when a process died; what cannot be known is said."""
        owner = self.herald.known(self.plan.talk, self.plan.owner)
        demand_allowed(self.schedule, self.tools, owner)
        ref = self.tools.results.seen_by(owner).ref(self.schedule.result)
        news = rows_of(self.schedule, self.tools, owner, ref, self.claimed)
        found = self.herald.told(news)
        if found is None:
            plan, due = self.plan, spoken_time(self.schedule.due, self.plan.zone)
            self._say(
                f"{plan.name}, due {due}: I was stopped in the moment of showing its rows. They may be above, or not; "
                "I do not show them twice."
            )
        elif not found:
            self._tell(news)
        known = digest_of(self.tools.results.seen_by(owner), ref) if self.plan.condition == "changed" else ""
        outcome = "It may have been shown, or not." if found is None else f"Shown, with {_rows(ref)}."
        self._over(outcome, digest=known, shown=self._now())

    def _over(self, outcome: str, **values: Any) -> None:
        """Note that this run is over, and when the next one is due."""
        values = {name: value for name, value in values.items() if value}
        self._next(outcome=outcome, failures=0, **values)

    def _next(self, **values: Any) -> None:
        now = self._now()
        due = next_time(self.plan.cron, self.plan.zone, max(now, self.schedule.due))
        free = {"phase": "", "result": "", "holder": "", "ran": now, "due": due}
        self._note(**free, **values)

    def _fail(self, why: str) -> None:
        """Say that this run failed, and pause where it is one too many."""
        if self.stopping.asked.is_set():
            self._put_off()
            return
        failures = self.schedule.failures + 1
        if failures >= FAILURES:
            self._pause(f"{why} It failed {failures} times in a row.", failures)
            return
        plan = self.plan
        due = spoken_time(next_time(plan.cron, plan.zone, max(self._now(), self.schedule.due)), plan.zone)
        self._say(f"{plan.name}, {plan.timing.words}: {why} I try again {due}.")
        self._next(outcome=why, failures=failures)

    def _pause(self, why: str, failures: int = 0) -> None:
        plan = self.plan
        self._say(f"{plan.name}, {plan.timing.words}: {why} I do not repeat it until you say so.", paused=True)
        self._next(outcome=why, failures=failures, standing=Standing.PAUSED)

    def _say(self, sentence: str, paused: bool = False) -> None:
        """Tell the owner alone; what cannot be told is in the log and in the list."""
        try:
            self.herald.tell(trouble_of(self.schedule, sentence, paused=paused))
        except BotError:
            logged(f"telling the owner of {self.schedule.id}")

    def _demand_mine(self, **values: Any) -> None:
        """Note how far this is; raises PutOff where it is to end, or was stopped or taken over meanwhile."""
        going = not self.stopping.asked.is_set()
        if not going or not self._note(**values):
            raise PutOff

    def _put_off(self) -> None:
        self._note(holder="")

    def _note(self, **values: Any) -> bool:
        """Note how far this is; raises PutOff where that cannot be noted: it is no failure of the query."""
        try:
            return self.schedules.note(self.schedule.id, self.holder, **values)
        except JobFailed:
            log.exception("how far %s is could not be noted", self.schedule.id)
            raise PutOff from None

    def _now(self) -> datetime:
        return self.schedules.now()


def _rows(ref: ResultRef) -> str:
    return f"{ref.total:,} row{'' if ref.total == 1 else 's'}{', cut' if ref.capped else ''}"
