"""Schedules that any worker runs: tasks in a queue of each platform's own.

The schedule's row has the last word on whether it is due, and who runs it; the task tells a process to look at it, and
is begun again where that process dies.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from router.errors import JobFailed
from router.schedules.schedule import Schedule
from router.schedules.scheduler import PARALLEL_RUNS, Scheduler
from router.storage.database import Database

if TYPE_CHECKING:  # it brings Procrastinate, which those need who share the work
    from adapters.task_queue import Task, TaskQueue

log = logging.getLogger("icc_bot")

TASK: Final = "repeat a query"


class ScheduleQueue:
    """Hands what is due over to any worker of its platform, and takes what others hand over."""

    def __init__(self, database: Database, tasks: "TaskQueue", scheduler: Scheduler) -> None:
        self._database, self._tasks, self._scheduler = database, tasks, scheduler
        scheduler.others = self
        tasks.handle(TASK, self._run)

    def put(self, due: Schedule) -> None:
        """Have a worker run what is due; raises SQLAlchemyError where nobody can be told."""
        given = {"schedule": due.id}
        with self._database.reading() as connection:  # all look at the same moment, and one is the first
            if self._tasks.waits(connection, given):
                return
        with self._database.transaction() as connection:
            if not self._tasks.waits(connection, given):
                queue, lock = queue_of(due.plan.talk.platform), f"schedule {due.id}"
                self._tasks.defer(connection, TASK, given, queue=queue, lock=lock, person=due.plan.owner.id)

    def work(self, platforms: Sequence[str]) -> None:
        """Run what is due on these platforms."""
        self._tasks.work([queue_of(each) for each in platforms], PARALLEL_RUNS)

    async def _run(self, task: "Task") -> bool:
        """Run a schedule; returns whether that is over, and not left to others."""
        try:
            run = await asyncio.to_thread(self._scheduler.take_up, task.given["schedule"], take_over=task.again)
        except JobFailed as error:  # it is put again at the next look
            log.warning("%s", error)
            return True
        if run:
            await asyncio.wrap_future(run)
        return not self._scheduler.ending  # then it was put off; otherwise the next one finds that it is not due


def queue_of(platform: str) -> str:
    """Return the name of the queue of what is due on a platform."""
    return f"schedules {platform}"
