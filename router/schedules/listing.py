"""Repeated queries, as people see and end them: in a talk, in an app's home, and on the page."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from router.cards import Buttons, Card, Choice, Option, Text
from router.catalog.connection import Connection, Connections
from router.errors import JobFailed, NotAllowed
from router.jobs.audit import AuditEntry
from router.jobs.results.cells import line
from router.language.wording import spoken_time
from router.memory.draft import User
from router.policy import is_shown_privately, may_approve, may_end_repeating, require_read, who_approves
from router.schedules.schedule import Schedule, SchedulePlan, ScheduleState

if TYPE_CHECKING:  # the command that lists schedules needs no more than their words
    from router.services import Services

STOP, RESUME = "repeat:stop:", "repeat:resume:"
"""The prefixes of a schedule's number in answers that hold whatever was asked since."""

NO_SCHEDULES_HERE = "Schedules don't work in a terminal."

NOTHING_REPEATED = "You have no schedules. Press Repeat this under a result."

ASK_SCHEDULE = "Which one should I stop or resume?"

CONDITION_WORDS = {"always": "", "rows": ", if there are any", "changed": ", if they changed"}


@dataclass(frozen=True, slots=True)
class ListedSchedule:
    """A schedule in a list: what is said of it, and how it can be ended or taken up again."""

    id: str
    name: str
    about: str
    ways: tuple[Option, ...]


class ScheduleList:
    """Reaches for schedules without a talk; safe to use from several threads."""

    def __init__(self, services: "Services") -> None:
        self._services = services

    def of(self, user: User) -> tuple[ListedSchedule, ...]:
        """Return what is repeated for a person."""
        if self._services.schedules is None:
            return ()
        return tuple(self._listed(each) for each in self._services.schedules.of(user.id))

    def cards(self, user: User) -> tuple[Card, ...]:
        """Return what is repeated for a person as cards, with a menu to stop or resume."""
        if self._services.schedules is None:
            return (Text(NO_SCHEDULES_HERE, "quiet"),)
        listed = self.of(user)
        if not listed:
            return (Text(NOTHING_REPEATED, "quiet"),)
        lines = "\n".join(f"{each.id}: {each.name} · {each.about}" for each in listed)
        ways = tuple(Option(way.answer, f"{way.label} {each.id}: {each.name}") for each in listed for way in each.ways)
        return (Text(lines), Choice(ASK_SCHEDULE, ways, lasting=True))

    def act(self, user: User, answer: str) -> str:
        """Stop or resume what a button names, and return what is said about it; raises NotAllowed."""
        schedules = self._services.schedules
        if schedules is None:
            raise NotAllowed(NO_SCHEDULES_HERE)
        try:
            schedule = schedules.get(answer.removeprefix(STOP).removeprefix(RESUME))
        except JobFailed as error:
            return str(error)
        plan, connections = schedule.plan, self._services.connections
        if not may_end_repeating(user, plan.owner, connections.get(plan.connection)):
            raise NotAllowed(f"{plan.owner.name or 'Somebody else'} has this repeated: you may not stop or resume it.")
        if answer.startswith(STOP):
            if not schedules.stop(schedule.id):
                return f"{plan.name} is not repeated any more."
            self._services.audit.add(line_of(schedule, "stopped", user.id))
            who = "You" if user.id == plan.owner.id else user.name or "Somebody else"
            return f"{who} stopped this: {plan.name}, {plan.timing.words} ({schedule.id})."
        connection = connections.require(plan.connection)
        require_read(plan.owner, connection)
        require_still_approved(plan, plan.owner, connection)
        if not schedules.resume(schedule.id):
            now = "is not repeated any more" if schedule.standing == ScheduleState.STOPPED else "is repeated"
            return f"{plan.name} {now}: there is nothing to resume."
        self._services.audit.add(line_of(schedule, "resumed", user.id))
        due = schedules.get(schedule.id).due
        return f"{plan.name} is repeated again, {plan.timing.words}. Next time: {spoken_time(due, plan.zone)}."

    def _listed(self, schedule: Schedule) -> ListedSchedule:
        plan = schedule.plan
        stop = Option(f"{STOP}{schedule.id}", "Stop", "danger")
        if schedule.standing == ScheduleState.PAUSED:
            about = f"paused: {schedule.outcome}"
            return ListedSchedule(schedule.id, plan.name, about, (Option(f"{RESUME}{schedule.id}", "Resume"), stop))
        where = {
            "thread": "",
            "me": " · to you alone",
            "channel": f" · in #{plan.channel}",
            "email": f" · by e-mail to {', '.join(plan.recipients)}",
        }
        due = spoken_time(schedule.due, plan.zone)
        about = (
            f"{plan.timing.words}{CONDITION_WORDS[plan.condition]}"
            f" · {label_of(self._services.connections, plan.connection)}"
            f"{line(where[plan.to], 120)} · next {due} ({plan.zone})"
        )
        return ListedSchedule(schedule.id, plan.name, about, (stop,))


def line_of(schedule: Schedule, event: Literal["stopped", "resumed"], who: str) -> AuditEntry:
    """Return the audit trail's line about the end of a schedule, or about its going on."""
    plan = schedule.plan
    return AuditEntry(
        event, plan.thread, who, connection=plan.connection, sql=plan.sql, target=f"{schedule.id} {plan.timing.words}"
    )


def require_still_approved(plan: SchedulePlan, owner: User, connection: Connection) -> None:
    """Raise NotAllowed unless the approver of a schedule may approve it today."""
    if connection.approvers is not None and not may_approve(plan.approver, connection, owner):
        who = plan.approver.name or "Whoever approved this"
        raise NotAllowed(
            f"{who} may not approve SQL for {connection.label} (any more). Nothing was run. Stop this, run the query "
            f"anew and press Repeat this: somebody who may approve it has to press Start then. "
            f"{who_approves(connection)}."
        )


def label_of(connections: Connections, name: str) -> str:
    """Return how people know a connection; its name if there is none of it any more."""
    return connections[name].label if name in connections else name


def stopper(schedule: Schedule) -> Buttons:
    """Return the button below what is repeated."""
    return Buttons("", (Option(f"{STOP}{schedule.id}", "Stop repeating"),), lasting=True)


def resumer(schedule: Schedule) -> Buttons:
    """Return the buttons below the news that something is paused."""
    ways = (Option(f"{RESUME}{schedule.id}", "Resume", "primary"), Option(f"{STOP}{schedule.id}", "Stop repeating"))
    return Buttons("", ways, lasting=True)


def is_only_for_owner(plan: SchedulePlan, connections: Connections) -> bool:
    """Return whether what is repeated is for its owner alone, as they chose or as the channel's rules are today."""
    if not plan.shared:
        return False
    if plan.to == "channel":
        return False  # that they may go there is made sure of before
    if plan.to != "thread" or plan.connection not in connections:
        return True
    return is_shown_privately(plan.talk, plan.shared, connections[plan.connection], connections.channels)
