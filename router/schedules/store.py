"""The table of schedules, a row for each, beside the jobs, in a database that several processes may share.

A process that runs what is due holds it by its name and a sign of life, as with jobs; a dead process gives it up.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter
from sqlalchemy import Row, Select, delete, func, insert, select, update
from sqlalchemy.engine import Connection

from router.errors import JobFailed, NotAllowed
from router.jobs.lease_table import LeaseTable
from router.language.wording import counted
from router.memory.recurrence import next_time
from router.schedules.schedule import Schedule, SchedulePlan, ScheduleState
from router.storage.clock import NEVER, Clock
from router.storage.database import Database
from router.storage.ids import new_id
from router.storage.server import repeated_if_cut
from router.storage.tables import schedules

log = logging.getLogger("icc_bot")

SCHEDULES_PER_PERSON = 20
"""Schedules of one person, if nothing else is said."""

ID_WORD = "timed"
"""The word whose first letter a schedule's number begins with."""

_PLAN, _SCHEDULE = TypeAdapter(SchedulePlan), TypeAdapter(Schedule)


def row_of(plan: SchedulePlan) -> dict[str, Any]:
    """Return the columns that a plan fills."""
    return {
        "key": plan.key,
        "owner": plan.owner.id,
        "platform": plan.talk.platform,
        "thread": plan.thread,
        "plan": _PLAN.dump_python(plan, mode="json"),
        "digest": plan.digest,
    }


def schedule_of(row: Row[Any]) -> Schedule:
    """Return a row as a schedule; raises JobFailed if it is none."""
    try:
        found = _SCHEDULE.validate_python({**row._mapping, "plan": row.plan | {"digest": row.digest}})
        # If the times, the zone or the thread mean nothing, it can neither be shown nor run.
        _ = found.plan.timing.cron, found.plan.timing.words, ZoneInfo(found.plan.zone), found.plan.talk
    except (LookupError, ValueError, TypeError) as error:
        raise JobFailed("This schedule cannot be read.") from error
    return found


class Schedules:
    """All schedules; thread-safe. Raises JobFailed if the database fails: then nothing is begun."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        most: int = SCHEDULES_PER_PERSON,
        zone: str = "UTC",
        new_id: Callable[[str], str] = new_id,
    ) -> None:
        """Use the bot's database; `zone` is that of people whose own is not known."""
        self.now, self._new_id = clock, new_id
        self.most, self.zone = most, zone
        self.wake: Callable[[], None] = lambda: None
        """Wakes those who wait for what is due next when this has changed."""
        self._table = LeaseTable(database, schedules)

    def require_room(self, owner: str) -> None:
        """Raise NotAllowed unless a person may have one more."""
        with self._table.reading() as database:
            self._require_few(database, owner)

    @repeated_if_cut
    def add(self, plan: SchedulePlan) -> Schedule:
        """Keep a plan that was approved, and return it with its number; one that was kept before as it stands.

        Raises NotAllowed if the owner has as many as anybody may have.
        """
        with self._table.transaction() as database:
            if known := database.execute(select(schedules).where(schedules.c.key == plan.key)).first():
                return schedule_of(known)
            self._require_few(database, plan.owner.id)  # nobody else adds one meanwhile: a writer is alone
            now = self.now()
            shown = now if plan.digest else None
            due = next_time(plan.timing, now)
            added = Schedule(self._new_id(ID_WORD), plan, ScheduleState.RUNS, now, due, shown=shown)
            fresh = {each.name: getattr(added, each.name) for each in fields(added)}
            database.execute(insert(schedules), {**fresh, **row_of(plan), "seen": NEVER})
        self.wake()
        return added

    def get(self, id: str) -> Schedule:
        """Return a schedule; raises JobFailed if there is none of this number."""
        with self._table.reading() as database:
            row = database.execute(select(schedules).where(schedules.c.id == id.strip().upper())).first()
        if row is None:
            raise JobFailed(f"There is no schedule {id.strip()[:20]}.")
        return schedule_of(row)

    def of(self, owner: str) -> tuple[Schedule, ...]:
        """Return a person's schedules that are not stopped, by when they are due."""
        return self._all(
            select(schedules).where(schedules.c.owner == owner, schedules.c.standing != ScheduleState.STOPPED)
        )

    def every(self) -> tuple[Schedule, ...]:
        """Return everybody's that are not stopped, by when they are due."""
        return self._all(select(schedules).where(schedules.c.standing != ScheduleState.STOPPED))

    def due(self, platform: str) -> tuple[Schedule, ...]:
        """Return what is to be run now on a platform, and nobody runs yet."""
        runs = (schedules.c.platform == platform) & (schedules.c.standing == ScheduleState.RUNS)
        return self._all(select(schedules).where(runs, schedules.c.due <= self.now(), self._free()))

    def next_due(self, platform: str) -> datetime | None:
        """Return when the next one is due on a platform; None if there is none."""
        runs = (schedules.c.platform == platform) & (schedules.c.standing == ScheduleState.RUNS)
        query = select(func.min(schedules.c.due)).where(runs, self._free())
        with self._table.reading() as database:
            return database.execute(query).scalar()

    @repeated_if_cut
    def claim(self, id: str, holder: str) -> Schedule | None:
        """Have the holder run what is due, and return it; None if somebody else does, or it is not due any more."""
        runs = (schedules.c.standing == ScheduleState.RUNS) & (schedules.c.due <= self.now())
        taken = {"holder": holder, "seen": self.now()}
        with self._table.transaction() as database:
            mine = (schedules.c.id == id) & runs & self._free()
            if database.execute(update(schedules).where(mine).values(taken)).rowcount != 1:
                return None
            return schedule_of(database.execute(select(schedules).where(schedules.c.id == id)).one())

    @repeated_if_cut
    def note(self, id: str, by: str, **values: Any) -> bool:
        """Note how far a holder is with what is due; returns False if it is the holder's no more, or stopped."""
        mine = (schedules.c.id == id) & (schedules.c.holder == by) & (schedules.c.standing == ScheduleState.RUNS)
        with self._table.transaction() as database:
            return database.execute(update(schedules).where(mine).values(values)).rowcount == 1

    @repeated_if_cut
    def live(self, process: str, holders: Collection[str]) -> None:
        """Give a sign of life for what a process runs, by these holders, and make anybody's what else it held."""
        runs, held = schedules.c.holder.in_(holders), schedules.c.holder.startswith(process)
        with self._table.transaction() as database:
            database.execute(update(schedules).where(runs).values(seen=self.now()))
            database.execute(update(schedules).where(held, ~runs).values(holder=""))

    def stop(self, id: str) -> bool:
        """Have a schedule never run again; returns whether it would have."""
        return self._turn(id, ScheduleState.STOPPED, (ScheduleState.RUNS, ScheduleState.PAUSED), seen=self.now())

    def resume(self, id: str) -> bool:
        """Have a paused schedule go on at its next time; returns whether it was paused."""
        plan = self.get(id).plan
        due = next_time(plan.timing, self.now())
        return self._turn(
            id, ScheduleState.RUNS, (ScheduleState.PAUSED,), due=due, failures=0, phase="", holder="", result=""
        )

    def forget(self, thread: str) -> None:
        """Delete what a thread has repeated."""
        with self._table.transaction() as database:
            database.execute(delete(schedules).where(schedules.c.thread == thread))

    def expire(self, kept: timedelta) -> None:
        """Delete what was stopped so long ago."""
        stopped = (schedules.c.standing == ScheduleState.STOPPED) & (schedules.c.seen < self.now() - kept)
        with self._table.transaction() as database:
            database.execute(delete(schedules).where(stopped))

    def _turn(self, id: str, to: ScheduleState, before: Sequence[ScheduleState], **values: Any) -> bool:
        changed = update(schedules).where(schedules.c.id == id, schedules.c.standing.in_(before))
        with self._table.transaction() as database:
            done = database.execute(changed.values(standing=to, **values)).rowcount == 1
        self.wake()
        return done

    def _all(self, query: Select[Any]) -> tuple[Schedule, ...]:
        with self._table.reading() as database:
            rows = database.execute(query.order_by(schedules.c.due, schedules.c.id)).all()
        return tuple(found for row in rows if (found := self._read(row)))

    def _read(self, row: Row[Any]) -> Schedule | None:
        """Return a row as a schedule; one that cannot be read is paused, so that it holds up nothing else."""
        try:
            return schedule_of(row)
        except JobFailed as error:
            runs = (schedules.c.id == row.id) & (schedules.c.standing == ScheduleState.RUNS)
            paused = update(schedules).where(runs).values(standing=ScheduleState.PAUSED, outcome=str(error))
            with self._table.transaction() as database:
                if database.execute(paused).rowcount:
                    log.error("%s is paused: %s", row.id, error, exc_info=True)
            return None

    def _require_few(self, database: Connection, owner: str) -> None:
        mine = (schedules.c.owner == owner) & (schedules.c.standing != ScheduleState.STOPPED)
        if database.execute(select(func.count()).where(mine)).scalar_one() >= self.most:
            count = counted(self.most, "query")
            raise NotAllowed(f"Nobody may have more than {count} repeated. Type `schedules` to stop one of yours.")

    def _free(self) -> Any:
        return self._table.unheld(self.now())
