"""Tasks that any process of the bot does: rows in PostgreSQL, run by Procrastinate; `tasks` has those of one process.

A task is deferred in the transaction that keeps what it is about, so that both are there or neither. Tasks of one lock
are done one after the other. What a process had begun that died is found by its heartbeat, and begun again by another.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision, SyncPsycopgConnector
from procrastinate.connector import BaseAsyncConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from procrastinate.sql import queries
from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg import Error as PsycopgError
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from adapters.ordered_calls import call_in_order
from adapters.tasks import AndThen, Do, Given, Hear, Keep, Task, nothing_more
from router.jobs.lease_table import HEARTBEAT_SECONDS, HOLDER_TIMEOUT
from router.storage.database import Database
from router.storage.server import CONNECT_SECONDS

log = logging.getLogger("icc_bot")

T = TypeVar("T")

RECONNECT_SECONDS: Final = 1.0
"""Seconds between two tries while the database does not answer."""

POLL_SECONDS: Final = 0.5
"""Seconds between two looks for tasks of which nobody tells: those whose lock is given back, or that are retried."""

ENDING_SECONDS: Final = 35.0
"""Seconds that what is done may take once nothing more is begun; then another process has to do it."""

CONNECTIONS_MAX: Final = 4
"""Connections of one process that ask for tasks; what is done has others."""

QUIET_SECONDS: Final = 30.0
"""Seconds without a message after which it is looked whether the connection is there still."""

CHANNEL: Final = "icc_bot"
"""The channel of NOTIFY by which processes tell one another what just happened."""

MESSAGE_MAX_BYTES: Final = 7_900
"""PostgreSQL takes 8,000."""

RECOVERY_LOCK: Final = 0x1CC_B08
"""The number of the advisory lock of the process that looks for what dead processes left."""

POOL_RECONNECT_SECONDS: Final = 3.0
"""Seconds for which a lost connection is tried to be replaced, less often each time; then the next call tries."""

WORKERS_FORGOTTEN_SECONDS: Final = 3600.0
"""Seconds without a sign after which nothing is known of a worker any more: until then, it may come back."""

AWAY: Final = (ConnectorException, SQLAlchemyError, OSError)
"""Errors of a database that does not answer."""


class TaskQueue:
    """The tasks of one database: deferred by any process, done by those that `work`."""

    shared: Final = True
    """Whether other processes may do what this one defers."""

    def __init__(
        self,
        database: Database,
        heartbeat: float = HEARTBEAT_SECONDS,
        dead_after: float = HOLDER_TIMEOUT.total_seconds(),
    ) -> None:
        self._database, self._heartbeat, self._dead_after = database, heartbeat, dead_after
        self._deferring = JobManager(SyncPsycopgConnector())  # the caller brings the connection
        self._url = database.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        connect = {"connect_timeout": CONNECT_SECONDS, "application_name": "icc-bot tasks"}
        connector = PsycopgConnector(
            conninfo=self._url,
            min_size=1,
            max_size=CONNECTIONS_MAX,
            timeout=CONNECT_SECONDS,
            reconnect_timeout=POOL_RECONNECT_SECONDS,
            kwargs=connect,
        )
        self._app = App(connector=connector)
        self._app.job_manager = self._steady = SteadyJobs(connector)
        self._hears: list[Hear] = []
        self._listening: list[asyncio.Task[None]] = []
        self._working: list[asyncio.Task[None]] = []

    def handle(self, name: str, do: Do) -> None:
        """Have tasks of this name done by `do`, if this process works."""

        async def run(context: JobContext, /, **given: Any) -> None:
            job = context.job
            if not await do(Task(dict(job.task_kwargs), job.lock or "", job.attempts > 0, job.id or 0)):
                raise _LeftUndone

        self._app.task(name=name, pass_context=True, retry=_Again())(run)

    def hear(self, hear: Hear) -> None:
        """Have what processes tell one another told to `hear`; {"missed": True} if some of it may have been lost."""
        self._hears.append(hear)

    async def defer(
        self, keep: Keep[bool], name: str, given: Given, message: dict[str, Any], *, queue: str, lock: str, person: str
    ) -> bool:
        """Keep something with a task for it, and send the message; return False if it was kept before."""

        def and_then(connection: Connection) -> None:
            self.add(connection, name, given, queue=queue, lock=lock, person=person)
            self.notify(connection, message)

        return await call_in_order(keep, and_then)

    async def defer_left(self, name: str, given: Given, *, queue: str, lock: str, person: str) -> None:
        """Defer a task that may have been begun before, unless it waits already."""

        def defer() -> None:
            with self._database.writing() as connection:
                if not connection.execute(_FIND, {"given": json.dumps(given)}).first():
                    self.add(connection, name, given, queue=queue, lock=lock, person=person)
                    connection.execute(_BEGUN, {"given": json.dumps(given)})

        await asyncio.to_thread(defer)

    async def relock(self, keep: Keep[None], task: Task, lock: str) -> bool:
        """Keep something, and let a running task hold another lock; return False if another task holds it."""

        def and_then(connection: Connection) -> None:
            connection.execute(_RELOCK, {"id": task.id, "lock": lock})

        try:
            await call_in_order(keep, and_then)
        except IntegrityError:
            await call_in_order(keep, nothing_more)
            return False
        task.lock = lock
        return True

    async def note_begun(self, given: Given) -> bool:
        """Count a waiting task as begun, since it is done beside another; return whether one waits."""

        def note() -> bool:
            with self._database.writing() as connection:
                return connection.execute(_BEGUN, {"given": json.dumps(given)}).rowcount > 0

        return await asyncio.to_thread(note)

    async def tell(self, message: dict[str, Any], keep: Keep[object] | None = None) -> None:
        """Keep something, and send a message to all processes; some may miss it."""
        await call_in_order(keep or self._keep_nothing, partial(self.notify, message=message))

    def _keep_nothing(self, and_then: AndThen) -> None:
        with self._database.writing() as connection:
            and_then(connection)

    def add(
        self, connection: Connection, name: str, given: Given, *, queue: str, lock: str | None = None, person: str = ""
    ) -> None:
        """Have a task done, soon, once the caller's transaction is committed.

        Of two people, the one with fewer tasks that wait comes first; tasks of one lock keep their order.
        """
        waiting, lowest = connection.execute(_WAITING, {"person": person, "lock": lock or ""}).one()
        job = Job(
            id=None,
            queue=queue,
            priority=min(-waiting if person else 0, lowest or 0),
            lock=lock,
            queueing_lock=None,
            task_name=name,
            task_kwargs={**given, "person": person},
        )
        self._deferring.defer_job(job, connection=connection.connection.driver_connection)

    def notify(self, connection: Connection, message: dict[str, Any]) -> None:
        """Have every process hear a message, once the caller's transaction is committed; some may miss it."""
        words = json.dumps(message, separators=(",", ":"))
        if len(words.encode()) <= MESSAGE_MAX_BYTES:
            connection.execute(_TELL, {"channel": CHANNEL, "words": words})
        else:
            log.warning("a message of %s bytes is too long to be told to other processes", len(words))

    async def open(self) -> None:
        """Hear what processes tell one another, until `close`."""
        await self._app.open_async()
        ready = asyncio.Event()
        self._listening.append(asyncio.create_task(self._listen(ready)))
        await ready.wait()

    def work(self, queues: Sequence[str], concurrency: int) -> None:
        """Do the tasks of these queues, so many at once besides those of others, until `drain`."""
        if not self._working:
            self._working.append(asyncio.create_task(self._recover()))
        self._working.append(asyncio.create_task(self._work(list(queues), concurrency)))

    def drain(self) -> None:
        """Go on with what is done, and begin nothing more."""
        self._steady.wait_no_more()
        for task in self._working:
            task.cancel()

    async def close(self) -> None:
        """Wait until what was begun is over or left to others."""
        self.drain()
        await asyncio.gather(*self._working, return_exceptions=True)
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        await self._app.close_async()

    async def _work(self, queues: list[str], concurrency: int) -> None:
        while True:
            try:
                await self._app.run_worker_async(
                    queues=queues,
                    concurrency=concurrency,
                    install_signal_handlers=False,
                    delete_jobs="always",
                    fetch_job_polling_interval=POLL_SECONDS,
                    shutdown_graceful_timeout=ENDING_SECONDS,
                    update_heartbeat_interval=self._heartbeat,
                    stalled_worker_timeout=WORKERS_FORGOTTEN_SECONDS,
                )
            except AWAY as error:
                log.warning("tasks cannot be asked for just now: %s", error)
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _recover(self) -> None:
        """Have begun again what dead processes left; after an outage those who live have time for a sign first."""
        while True:
            await asyncio.sleep(self._heartbeat)
            try:
                for id in await asyncio.to_thread(self._retry_left):
                    log.warning("task %s was left by a process that died, and is begun again", id)
            except AWAY as error:
                log.warning("what was left cannot be looked for just now: %s", error)

    def _retry_left(self) -> list[int]:
        with self._database.writing() as connection:
            if self._database.server.seconds_back < self._dead_after:
                return []
            # One process at a time looks: what another one has begun again meanwhile is not to be begun twice.
            if not connection.execute(_TRY_LOCK, {"lock": RECOVERY_LOCK}).scalar():
                return []
            cursor = connection.connection.cursor()
            since = {"queue": None, "task_name": None, "seconds_since_heartbeat": self._dead_after}
            cursor.execute(queries["select_stalled_jobs_by_heartbeat"], since)
            ids = [int(row[0]) for row in cursor.fetchall()]
            return [id for id in ids if connection.execute(_RETRY, {"id": id}).rowcount]

    async def _listen(self, ready: asyncio.Event) -> None:
        """Hear messages; what is told while the database is away is missed, and found another way."""
        while True:
            try:
                async with await AsyncConnection.connect(self._url, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}".encode())
                    if ready.is_set():
                        self._tell_here({"missed": True})
                    ready.set()
                    await self._hear_on(connection)
            except (PsycopgError, *AWAY) as error:
                log.warning("nothing can be heard from other processes just now: %s", error)
            ready.set()  # its waiters go on without
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _hear_on(self, connection: AsyncConnection) -> None:
        """Hear what comes, until the connection ends."""
        while True:
            async for notification in connection.notifies(timeout=QUIET_SECONDS):
                self._tell_here(json.loads(notification.payload))
            await connection.execute("SELECT 1")  # or nobody would know that the line is dead

    def _tell_here(self, message: dict[str, Any]) -> None:
        for hear in self._hears:
            try:
                hear(message)
            except Exception:  # the next message has to be heard
                log.exception("a message of another process could not be taken")


class SteadyJobs(JobManager):
    """The rows of tasks; while the database is away their worker waits for it, so that it neither ends nor dies.

    What a worker has begun is its own until it has noted the end of that.
    """

    def __init__(self, connector: BaseAsyncConnector) -> None:
        super().__init__(connector)
        self._doing: set[int] = set()
        self._waits = True

    def wait_no_more(self) -> None:
        """Wait no longer, since the process ends."""
        self._waits = False

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        """Return a task to do; one that was given to the worker before, and the answer lost, is given back first."""

        async def fetch() -> Job | None:
            return await super(SteadyJobs, self).fetch_job(queues, worker_id)

        async def fetch_again() -> Job | None:
            unheard = {"worker": worker_id, "doing": list(self._doing)}
            await self.connector.execute_query_async(_GIVE_BACK, **unheard)
            return await fetch()

        job = await self._steadily(fetch, fetch_again)
        if job and job.id:
            self._doing.add(job.id)
        return job

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        """Note the end of a task."""
        await self._end(job, lambda: super(SteadyJobs, self).finish_job(job, status, delete_job))

    async def retry_job(self, job: Job, *how: Any, **named: Any) -> None:
        """Note that a task is to be done again."""
        await self._end(job, lambda: super(SteadyJobs, self).retry_job(job, *how, **named))

    async def update_heartbeat(self, worker_id: int) -> None:
        """Give a sign of life."""
        await self._steadily(lambda: super(SteadyJobs, self).update_heartbeat(worker_id))

    async def listen_for_jobs(self, *given: Any, **named: Any) -> None:
        """Hear of tasks that are deferred."""
        await self._steadily(lambda: super(SteadyJobs, self).listen_for_jobs(*given, **named))

    async def _end(self, job: Job, note: Callable[[], Awaitable[None]]) -> None:
        async def note_again() -> None:
            try:
                await note()
            except ConnectorException as error:
                if _is_away(error):
                    raise
                log.info("the end of task %s was noted before, or by another process", job.id)

        try:
            await self._steadily(note, note_again)
        finally:
            self._doing.discard(job.id or 0)

    async def _steadily(self, ask: Callable[[], Awaitable[T]], again: Callable[[], Awaitable[T]] | None = None) -> T:
        """Ask until the database answers; `again` takes the place of what is asked once an answer was lost."""
        while True:
            try:
                return await ask()
            except ConnectorException as error:
                if not self._waits or not _is_away(error):
                    raise
                log.warning("tasks wait for the database: %s", error.__cause__ or error)
            ask = again or ask
            await asyncio.sleep(RECONNECT_SECONDS)


def _is_away(error: ConnectorException) -> bool:
    """Return whether an error is that of a database that does not answer, and none of what it was asked."""
    return isinstance(error.__cause__, OperationalError | InterfaceError)


class _LeftUndone(Exception):
    """This process ends before the task is done."""


class _Again(BaseRetryStrategy):
    """Has a task done again that was left undone, or whose database was away."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if isinstance(exception, _LeftUndone | asyncio.CancelledError):
            return RetryDecision(retry_in={"seconds": 0})
        return RetryDecision(retry_in={"seconds": 5}) if isinstance(exception, AWAY) else None


_WAITING = text(
    "SELECT (SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo' AND args->>'person' = :person),"
    " (SELECT min(priority) FROM procrastinate_jobs WHERE status = 'todo' AND lock = :lock)"
)
_GIVE_BACK: Final = (
    "UPDATE procrastinate_jobs SET status = 'todo', attempts = attempts + 1"
    " WHERE status = 'doing' AND worker_id = %(worker)s AND id <> ALL(%(doing)s)"
)
_TELL = text("SELECT pg_notify(:channel, :words)")
_RELOCK = text("UPDATE procrastinate_jobs SET lock = :lock WHERE id = :id")
_FIND = text("SELECT 1 FROM procrastinate_jobs WHERE args @> CAST(:given AS jsonb)")
_BEGUN = text(
    "UPDATE procrastinate_jobs SET attempts = attempts + 1 WHERE status = 'todo' AND args @> CAST(:given AS jsonb)"
)
_TRY_LOCK = text("SELECT pg_try_advisory_xact_lock(:lock)")
# Procrastinate's own function raises if a process that was taken for dead has ended the task just now.
_RETRY = text(
    "UPDATE procrastinate_jobs SET status = 'todo', attempts = attempts + 1 WHERE id = :id AND status = 'doing'"
)
