"""Jobs on databases that another process opens: tasks in a queue of each database's own.

The ledger's row has the last word on whether a job is done, and by whom; the task tells a process to look at it.
"""

import asyncio
import hashlib
import json
import logging
import secrets
from collections.abc import Sequence
from itertools import combinations
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import SQLAlchemyError

from router.catalog.catalog import Catalog
from router.errors import JobFailed
from router.jobs.job_entry import JobEntry, Request
from router.jobs.ledger import NoJob
from router.jobs.payloads import databases_of
from router.jobs.runner import POLL_SECONDS, Runner
from router.observing.talk import present
from router.storage.database import Database

if TYPE_CHECKING:  # it brings Procrastinate, which those need who share the work
    from adapters.task_queue import Task, TaskQueue

log = logging.getLogger("icc_bot")

TASK: Final = "work on a database"

JOBS_AT_ONCE: Final = 8
"""Jobs on one database that a process takes at once; of those that read it, the runner begins few at a time."""

RETRY_SECONDS: Final = 5.0
"""Seconds until a task is looked at again, while the ledger cannot be read."""

JOB_DRAIN_SECONDS: Final = 20.0
"""Seconds that what runs may take once the process has to end."""


class DatabaseQueues:
    """Hands jobs over to whoever opens their databases, and takes those on databases that this process opens."""

    def __init__(
        self,
        database: Database,
        tasks: "TaskQueue",
        jobs: Runner,
        catalog: Catalog,
        drain: float = JOB_DRAIN_SECONDS,
    ) -> None:
        self._database, self._tasks, self._jobs, self._catalog, self._drain = database, tasks, jobs, catalog, drain
        self._name = secrets.token_hex(8)
        self._end = inf
        """The time after which what runs is left to others."""
        jobs.others = self
        tasks.hear(self._told)
        tasks.handle(TASK, self._work)

    def put(self, entry: JobEntry) -> None:
        """Have a process that opens all databases of a job do it."""
        request = entry.request
        try:
            with self._database.writing() as connection:
                given = {"job": entry.id, "trace": present().trace}
                queue = queue_of(databases_of(request))
                self._tasks.defer(connection, TASK, given, queue=queue, person=request.asker)
        except SQLAlchemyError as error:  # the job is in the ledger, where they look now and then
            log.warning("job %s could not be handed over at once: %s", entry.id, type(error).__name__)

    def attend(self, request: Request) -> bool:
        """Tell whether any process opens all databases of a job; while that cannot be seen, one does."""
        try:
            return self._tasks.attended(queue_of(databases_of(request)))
        except SQLAlchemyError:
            return True

    def end(self, id: str, why: str) -> None:
        """Have whoever does a job end it."""
        self._tell({"end": id, "because": why})

    def tell_over(self, entry: JobEntry) -> None:
        """Tell whoever waits for a job that it is over; where it read tables, others may know them as they were."""
        read = entry.request.connection if entry.request.payload.get("part") == "schema" else ""
        self._tell({"over": entry.id, "read": read, "by": self._name})

    def work(self, names: Sequence[str]) -> None:
        """Do the jobs on these databases, of each some at once, whatever those on others take."""
        for name in names:
            self._tasks.work([queue_of([name])], JOBS_AT_ONCE)
        if pairs := [queue_of(pair) for pair in combinations(names, 2)]:
            self._tasks.work(pairs, JOBS_AT_ONCE)

    def begin_no_more(self) -> None:
        """Give what runs a moment, and leave to others what is not done by then."""
        self._end = monotonic() + self._drain
        self._jobs.begin_no_more(self._drain)

    def _tell(self, message: dict[str, str]) -> None:
        try:
            with self._database.writing() as connection:
                self._tasks.tell(connection, message)
        except SQLAlchemyError as error:  # it stands in the ledger, too
            log.warning("other processes see it late, since it could not be told: %s", type(error).__name__)

    def _told(self, message: dict[str, Any]) -> None:
        if id := message.get("end"):
            self._jobs.end(id, message["because"])
        elif id := message.get("over"):
            self._jobs.see_over(id)
            if message["read"] and message["by"] != self._name:
                self._forget(message["read"])
        elif "missed" in message:
            for connection in self._catalog.connections.values():
                self._forget(connection.name)

    def _forget(self, name: str) -> None:
        """Have the tables of a database that this process opens be read anew, since another one just did."""
        found = self._catalog.connections.get(name)
        if found and not found.elsewhere:
            self._catalog.refresh(found.name)

    async def _work(self, task: "Task") -> bool:
        """Have a job done, and hold the task meanwhile: another process shall take the next one."""
        try:
            return await self._done(task)
        except NoJob:  # it was forgotten
            return True
        except JobFailed as error:
            log.warning("job %s waits: %s", task.given["job"], error)
            await asyncio.sleep(RETRY_SECONDS)
            return False

    async def _done(self, task: "Task") -> bool:
        """Wait until a job is over; returns whether it is, and not left to others."""
        entry = await asyncio.to_thread(self._jobs.begin, task.given["job"], task.given["trace"])
        while entry and not entry.over:
            if monotonic() > self._end:
                return False
            await asyncio.sleep(POLL_SECONDS)
            entry = await asyncio.to_thread(self._jobs.ledger.get, entry.id)
        return True


def queue_of(databases: Sequence[str]) -> str:
    """Return the name of the queue of jobs on a database, or on two at once.

    Names may be long and hold any letter, and a queue's name is part of a channel's, which has 63 bytes.
    """
    names = json.dumps(sorted(name.casefold() for name in databases))
    return f"databases {hashlib.sha256(names.encode()).hexdigest()[:20]}"
