"""`icc-bot trace`: a talk's events and times, from the audit trail, the jobs and what is remembered of it."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from bot.command_line import Say
from bot.settings.environment import Settings
from bot.wiring.state import database_of, talk_named, threads_of, was_started
from router.errors import JobFailed
from router.language.outside_json import parse_json
from router.memory.thread import Memory, ThreadKey
from router.storage.database import Database
from router.storage.tables import jobs


@dataclass(frozen=True, slots=True)
class TracedEvent:
    """One thing that happened in a talk; `seconds` is how long it took, if that was noted."""

    at: datetime
    what: str
    about: str = ""
    seconds: float | None = None


def trace(settings: Settings, say: Say, thread: str) -> int:
    """Print the events of a talk, with the seconds between them; returns 1 if nothing is known."""
    key = talk_named(thread)
    if not was_started(settings):
        raise JobFailed(f"No bot has kept anything in {settings.home}.")
    with closing(database_of(settings)) as database, closing(threads_of(settings, database)) as threads:
        memory = threads.load(key)
        events = sorted([*_audited(settings, key), *_worked(database, key)], key=lambda event: event.at)
    if not events and memory is None:
        say(f"Nothing is kept of {key}: it never was, it was forgotten, or another home has it.")
        return 1
    before = None
    for event in events:
        since = f"+{(event.at - before).total_seconds():.1f}" if before else ""
        took = "" if event.seconds is None else f" ({event.seconds:.1f} s)"
        say(f"{event.at:%Y-%m-%d %H:%M:%S}  {since:>8}  {event.what}{took}  {event.about}".rstrip())
        before = event.at
    if memory:
        _tell_memory(memory, say)
    return 0


def _audited(settings: Settings, key: ThreadKey) -> Iterator[TracedEvent]:
    """Yield what the trail of this home has of the talk."""
    if not settings.audit_trail.exists():
        return
    with settings.audit_trail.open(encoding="utf-8") as trail:
        for line in trail:
            if str(key.thread) not in line:
                continue
            try:
                entry: dict[str, Any] = parse_json(line)
            except ValueError:  # the half line of a killed process
                continue
            if entry.get("thread") == str(key):
                yield _event_of(entry)


def _event_of(entry: dict[str, Any]) -> TracedEvent:
    told = [str(entry[name]) for name in ("who", "connection", "question", "job", "target", "outcome") if name in entry]
    told += [f"{entry['rows']} rows"] if "rows" in entry else []
    told += [f"error: {entry['error']}"] if "error" in entry else []
    return TracedEvent(datetime.fromisoformat(entry["time"]), entry["event"], ", ".join(told), entry.get("seconds"))


def _worked(database: Database, key: ThreadKey) -> Iterator[TracedEvent]:
    """Yield when each job of the talk was asked for, begun and over."""
    with database.reading() as connection:
        found = connection.execute(select(jobs).where(jobs.c.thread == str(key))).all()
    for job in found:
        yield TracedEvent(job.created, f"job {job.id} asked for", f"{job.kind} on {job.connection}")
        if job.started:
            waited = (job.started - job.created).total_seconds()
            yield TracedEvent(job.started, f"job {job.id} begun", f"attempt {job.attempt}, waited {waited:.1f} s")
        if job.ended:
            took = (job.ended - job.started).total_seconds() if job.started else None
            error = f": {job.error}" if job.error else ""
            yield TracedEvent(job.ended, f"job {job.id} {job.state.lower()}", f"{job.rows} rows{error}", took)


def _tell_memory(memory: Memory, say: Say) -> None:
    asked = f", asked {memory.asked:%Y-%m-%d %H:%M:%S} UTC" if memory.asked else ""
    owner = f", begun by {memory.owner.id}" if memory.owner else ""
    way = " > ".join([*(step.stage.name for step in memory.trail), memory.stage.name])
    say(f"Now at {memory.stage.name}, question {memory.turn}{asked}{owner}.")
    say(f"Stages that `back` knows: {way}")
