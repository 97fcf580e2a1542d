"""What is repeated: a row a schedule, beside the jobs, in a database that several processes may share.

A process that runs what is due holds it by its name and a sign of life, as it does with jobs; whoever died gives it up.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Row, Select, delete, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from router.errors import JobFailed, NotAllowed
from router.jobs.database import Database, number
from router.jobs.schedule import Plan, Schedule, Standing
from router.jobs.schedule_table import row_of, schedule_of, schedules
from router.timing import next_time

log = logging.getLogger("icc_bot")

MOST = 20
"""Schedules of one person, where nothing else is said."""

KIND = "timed"
"""What a schedule's number begins with the letter of."""


class Schedules:
    """All schedules; thread-safe. Raises JobFailed where the database fails: then nothing is begun."""

    def __init__(
        self,
        url: str,
        clock: Callable[[], datetime],
        *,
        most: int = MOST,
        zone: str = "UTC",
        number: Callable[[str], str] = number,
    ) -> None:
        """Open them, and make their table where there is none yet; `zone` is that of people whose own is not known."""
        self._clock, self._number = clock, number
        self.most, self.zone = most, zone
        self.wake: Callable[[], None] = lambda: None
        """Tells whoever waits for what is due next that this has changed."""
        self._database = Database(url, schedules)

    @property
    def presences(self) -> Path | None:
        """The folder in which those who run them show that they live; None where they may be on several machines."""
        return self._database.beside(".timers")

    def now(self) -> datetime:
        """Return the present time."""
        return self._clock()

    def demand_room(self, owner: str) -> None:
        """Do nothing if a person may have one more; raises NotAllowed."""
        with self._database.transaction() as database:
            self._demand_few(database, owner, self.most - 1)

    def add(self, plan: Plan) -> Schedule:
        """Keep a plan that was approved, and return it with its number; one that was kept before as it stands.

        Raises NotAllowed where the owner has as many as anybody may have.
        """
        with self._database.transaction() as database:
            if known := database.execute(select(schedules).where(schedules.c.key == plan.key)).first():
                return schedule_of(known)
            now = self._clock()
            fresh = {"standing": Standing.RUNS, "failures": 0, "outcome": "", "phase": "", "result": "", "holder": ""}
            times = {"created": now.timestamp(), "due": next_time(plan.cron, plan.zone, now).timestamp(), "seen": 0.0}
            shown = {"shown": now.timestamp() if plan.digest else None}
            try:
                with database.begin_nested():
                    new = {"id": self._number(KIND), **row_of(plan), **fresh, **times, **shown}
                    database.execute(insert(schedules).values(new))
                    # Only now: whoever writes is alone, and nobody else adds another one meanwhile.
                    self._demand_few(database, plan.owner.id, self.most)
            except IntegrityError:  # asked for twice at once
                pass
            added = schedule_of(database.execute(select(schedules).where(schedules.c.key == plan.key)).one())
        self.wake()
        return added

    def get(self, id: str) -> Schedule:
        """Return a schedule; raises JobFailed where there is none of this number."""
        with self._database.transaction() as database:
            row = database.execute(select(schedules).where(schedules.c.id == id.strip().upper())).first()
        if row is None:
            raise JobFailed(f"There is no schedule {id.strip()[:20]}.")
        return schedule_of(row)

    def of(self, owner: str) -> tuple[Schedule, ...]:
        """Return a person's schedules that are not stopped, by when they are due."""
        return self._all(select(schedules).where(schedules.c.owner == owner, schedules.c.standing != Standing.STOPPED))

    def every(self) -> tuple[Schedule, ...]:
        """Return everybody's that are not stopped, by when they are due."""
        return self._all(select(schedules).where(schedules.c.standing != Standing.STOPPED))

    def due(self, platform: str) -> tuple[Schedule, ...]:
        """Return what is to be run now on a platform, and nobody runs yet."""
        runs = (schedules.c.platform == platform) & (schedules.c.standing == Standing.RUNS)
        return self._all(select(schedules).where(runs, schedules.c.due <= self._now(), self._free()))

    def next_due(self, platform: str) -> datetime | None:
        """Return when the next one is due on a platform; None where there is none."""
        runs = (schedules.c.platform == platform) & (schedules.c.standing == Standing.RUNS)
        with self._database.transaction() as database:
            due = database.execute(select(func.min(schedules.c.due)).where(runs, self._free())).scalar_one()
        return None if due is None else datetime.fromtimestamp(due, UTC)

    def claim(self, id: str, holder: str) -> Schedule | None:
        """Have the holder run what is due, and return it; None where somebody else does, or it is not due any more."""
        runs = (schedules.c.standing == Standing.RUNS) & (schedules.c.due <= self._now())
        taken = {"holder": holder, "seen": self._now()}
        with self._database.transaction() as database:
            mine = (schedules.c.id == id) & runs & self._free()
            if database.execute(update(schedules).where(mine).values(taken)).rowcount != 1:
                return None
            return schedule_of(database.execute(select(schedules).where(schedules.c.id == id)).one())

    def note(self, id: str, by: str, **values: Any) -> bool:
        """Note how far a holder is with what is due; returns False where it is the holder's no more, or stopped."""
        mine = (schedules.c.id == id) & (schedules.c.holder == by) & (schedules.c.standing == Standing.RUNS)
        stamped = {name: v.timestamp() if isinstance(v, datetime) else v for name, v in values.items()}
        with self._database.transaction() as database:
            return database.execute(update(schedules).where(mine).values(stamped)).rowcount == 1

    def live(self, process: str, holders: Collection[str]) -> None:
        """Give a sign of life for what a process runs, by these holders, and make anybody's what else it held."""
        runs, held = schedules.c.holder.in_(holders), schedules.c.holder.startswith(process)
        with self._database.transaction() as database:
            database.execute(update(schedules).where(runs).values(seen=self._now()))
            database.execute(update(schedules).where(held, ~runs).values(holder=""))

    def release(self, process: str) -> None:
        """Make what a dead process held anybody's, at once."""
        self.live(process, ())

    def stop(self, id: str) -> bool:
        """Have a schedule never run again; returns whether it would have."""
        return self._turn(id, Standing.STOPPED, (Standing.RUNS, Standing.PAUSED), seen=self._now())

    def resume(self, id: str) -> bool:
        """Have a paused schedule go on at its next time; returns whether it was paused."""
        plan = self.get(id).plan
        due = next_time(plan.cron, plan.zone, self._clock()).timestamp()
        return self._turn(id, Standing.RUNS, (Standing.PAUSED,), due=due, failures=0, phase="", holder="", result="")

    def forget(self, thread: str) -> None:
        """Delete what a thread has repeated."""
        with self._database.transaction() as database:
            database.execute(delete(schedules).where(schedules.c.thread == thread))

    def expire(self, kept: timedelta) -> None:
        """Delete what was stopped so long ago."""
        stopped = (schedules.c.standing == Standing.STOPPED) & (schedules.c.seen < self._now() - kept.total_seconds())
        with self._database.transaction() as database:
            database.execute(delete(schedules).where(stopped))

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _turn(self, id: str, to: Standing, before: Sequence[Standing], **values: Any) -> bool:
        changed = update(schedules).where(schedules.c.id == id, schedules.c.standing.in_(before))
        with self._database.transaction() as database:
            done = database.execute(changed.values(standing=to, **values)).rowcount == 1
        self.wake()
        return done

    def _all(self, query: Select[Any]) -> tuple[Schedule, ...]:
        with self._database.transaction() as database:
            rows = database.execute(query.order_by(schedules.c.due, schedules.c.id)).all()
            return tuple(found for row in rows if (found := self._read(database, row)))

    def _read(self, database: Connection, row: Row[Any]) -> Schedule | None:
        """Return a row as a schedule; one that cannot be read is paused, so that it holds up nothing else."""
        try:
            return schedule_of(row)
        except JobFailed as error:
            runs = (schedules.c.id == row.id) & (schedules.c.standing == Standing.RUNS)
            paused = update(schedules).where(runs).values(standing=Standing.PAUSED, outcome=str(error))
            if database.execute(paused).rowcount:
                log.error("%s is paused: %s", row.id, error, exc_info=True)
            return None

    def _demand_few(self, database: Connection, owner: str, most: int) -> None:
        mine = (schedules.c.owner == owner) & (schedules.c.standing != Standing.STOPPED)
        if database.execute(select(func.count()).where(mine)).scalar_one() > most:
            count = f"{self.most} {'query' if self.most == 1 else 'queries'}"
            raise NotAllowed(f"Nobody may have more than {count} repeated. Type `schedules` to stop one of yours.")

    def _free(self) -> Any:
        return self._database.unheld(self._now())

    def _now(self) -> float:
        return self._clock().timestamp()
