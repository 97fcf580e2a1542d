"""What is repeated, in a terminal: for whom, when, how it went last; and the end of one."""

from collections.abc import Callable
from contextlib import closing

from tabulate import tabulate

from bot.audit import opened_audit
from bot.clock import now
from bot.settings import Settings
from router.errors import JobFailed
from router.jobs.schedule import Schedule, Standing
from router.jobs.schedules import Schedules
from router.repeats import line_of
from router.timing import spoken_time

Say = Callable[[str], None]

OPERATOR = "operator"
"""Whoever runs the bot, in the audit trail."""


def list_schedules(settings: Settings, say: Say, *, asker: str = "") -> int:
    """Say what is repeated, by when it is due."""
    with closing(schedules_of(settings)) as schedules:
        found = [each for each in schedules.every() if asker in ("", each.plan.owner.id)]
    heads = ("schedule", "state", "when", "next", "owner", "connection", "goes to", "about", "last")
    say(tabulate(list(map(_row, found)), heads) if found else "Nothing is repeated.")
    return 0


def stop_schedule(settings: Settings, say: Say, id: str) -> int:
    """Have a schedule never run again; a bot at work knows of it within a minute, before it runs anything."""
    with closing(schedules_of(settings)) as schedules, closing(opened_audit(settings, now)) as audit:
        try:
            schedule = schedules.get(id)
            if not schedules.stop(schedule.id):
                raise JobFailed(f"{schedule.id} was stopped before.")
            audit.add(line_of(schedule, "stopped", OPERATOR))
        except JobFailed as error:
            say(str(error))
            return 1
    say(f"{schedule.id} is stopped: {schedule.plan.name}, {schedule.plan.timing.words}.")
    return 0


def schedules_of(settings: Settings) -> Schedules:
    """Return the schedules of the bot's folder."""
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Schedules(f"sqlite:///{settings.home / 'jobs.sqlite'}", now)


def _row(schedule: Schedule) -> tuple[str, ...]:
    plan = schedule.plan
    due = f"{spoken_time(schedule.due, plan.zone)} ({plan.zone})" if schedule.standing == Standing.RUNS else ""
    where = ", ".join(plan.recipients) if plan.to == "email" else "the owner alone" if plan.to == "me" else plan.thread
    state = schedule.standing.lower()
    about, last = plan.name[:40], schedule.outcome[:60]
    return schedule.id, state, plan.timing.words, due, plan.owner.id, plan.connection, where[:60], about, last
