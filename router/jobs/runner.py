"""Runs the jobs of the ledger in this process: each by one holder at a time, to a state that tells the truth of it."""

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from router.catalog.catalog import Catalog
from router.catalog.connection import Connections
from router.errors import BotError, JobFailed, Stopped, Unsure, log_bug
from router.jobs.audit import Audit
from router.jobs.cancellation import SHUT_DOWN, STOPPED_AS_ASKED, Stopping
from router.jobs.job_entry import JobEntry, JobState, Kind, Request
from router.jobs.lease_table import HEARTBEAT_SECONDS
from router.jobs.ledger import INTERRUPTED, NOT_RESUMED_KINDS, Ledger
from router.jobs.mail.mail_config import MailConfig
from router.jobs.progress import RunningJob, Worker
from router.jobs.queue import Threads
from router.jobs.results.access import ResultRights
from router.jobs.results.store import Results
from router.memory.draft import User
from router.observing.metrics import JOB_SECONDS
from router.observing.spans import span
from router.observing.talk import Traced, go_on, present_work, work_on

log = logging.getLogger("icc_bot")

POLL_SECONDS = 0.2
"""Seconds between two looks at a job that another process works on."""

CANCELLED = "It was cancelled."


class Runner:
    """Jobs that are asked for, worked on and waited for; thread-safe."""

    def __init__(
        self,
        ledger: Ledger,
        workers: Mapping[Kind, Worker],
        beat: float = HEARTBEAT_SECONDS,
        *,
        idle: bool = False,
    ) -> None:
        """Begin to work on what was left in the ledger; where it is `idle`, other processes do."""
        self.ledger = ledger
        self._workers, self._beat, self._idle = workers, beat, idle
        self._holder = secrets.token_hex(8)
        self._works: dict[str, RunningJob] = {}
        self._taken: set[str] = set()
        """Jobs that wait here for their turn, or are worked on."""
        self._ends: dict[str, JobEnd] = {}
        """Ends of jobs, until they are noted."""
        self._over: dict[str, Event] = {}
        """Set for those who wait in this process, so that they need not look so often."""
        self._traced: dict[str, Traced] = {}
        """Traces of jobs, by their number, until they are begun."""
        self._lock, self._closing = Lock(), Event()
        self._queue = Threads(self._run)
        self._pulse = Thread(target=self._live, name="jobs", daemon=True)
        if not idle:
            self._pulse.start()

    def submit(self, request: Request) -> JobEntry:
        """Have a job done, soon and once; one that was asked for before is returned as it stands."""
        entry = self.ledger.add(request, self._holder_of(request))
        if entry.state == JobState.QUEUED:
            if present_work().trace:
                self._traced[entry.id] = present_work()
            self._enqueue(entry)
        return entry

    def run(
        self, request: Request, tell: Callable[[JobEntry, str], None], stopping: Stopping | None = None
    ) -> JobEntry:
        """Have a job done, and wait for its end as `wait` does; what was interrupted before that is done once more."""
        entry = self.submit(request)
        ended = self.wait(entry.id, tell, stopping)
        if ended.error == INTERRUPTED and not entry.over and self.retry(entry.id, entry.attempt):
            return self.wait(entry.id, tell, stopping)
        return ended

    def wait(
        self,
        id: str,
        tell: Callable[[JobEntry, str], None],
        stopping: Stopping | None = None,
    ) -> JobEntry:
        """Return a job once it is over, whatever came of it; `stopping` cancels it.

        `tell` hears now and then how far it is, and what is being done. Raises Stopped if the process ends before:
        a job that can be done later is.
        """
        entry = self.ledger.get(id)
        with self._lock:
            over = self._over.setdefault(id, Event())
        if stopping:
            stopping.runs(partial(self._cancel_for, stopping, entry))
        try:
            while not entry.over:
                if stopping and stopping.why == SHUT_DOWN and entry.request.kind not in NOT_RESUMED_KINDS:
                    raise Stopped(SHUT_DOWN)
                tell(entry, self.doing(id))
                over.wait(POLL_SECONDS)
                entry = self.ledger.get(id)
        finally:
            with self._lock:
                self._over.pop(id, None)
        return entry

    def cancel(self, id: str, why: str = CANCELLED) -> JobState:
        """Have a job end, soon, if that is still possible; returns the state it is in."""
        state = self.ledger.cancel(id, why)
        if work := self._works.get(id):
            work.stopping.stop(why)
        return state

    def _cancel_for(self, stopping: Stopping, entry: JobEntry) -> None:
        """Have a job end that somebody waited for, unless it goes on without this process."""
        if stopping.why != SHUT_DOWN or entry.request.kind in NOT_RESUMED_KINDS:
            self.cancel(entry.id, stopping.why or STOPPED_AS_ASKED)

    def find(self, key: str) -> JobEntry | None:
        """Return the job of a key."""
        return self.ledger.find(key)

    def latest(self, person: User, most: int) -> tuple[JobEntry, ...]:
        """Return the newest jobs that a person asked for, the latest first."""
        return self.ledger.latest(most, asker=person.id)

    def forget(self, thread: str) -> None:
        """Delete what is kept of a thread's jobs."""
        self.ledger.forget(thread)

    def again(self, key: str, people: Sequence[User] = ()) -> None:
        """Let a job of this key, if one was not done, be done again; the caller has checked the rights."""
        entry = self.ledger.find(key)
        if entry and entry.over:
            self.retry(entry.id)

    def doing(self, id: str) -> str:
        """Return what is being done for a job, if this process works on it."""
        work = self._works.get(id)
        return work.doing if work else ""

    def retry(self, id: str, attempt: int | None = None) -> bool:
        """Have a job that failed, was cancelled or is UNSURE be done again; returns whether it will be.

        With the number of an attempt, only if that was the last one: however often this is asked, it is done once.
        """
        if not self.ledger.retry(id, attempt, self._holder_of(self.ledger.get(id).request)):
            return False
        self._enqueue(self.ledger.get(id))
        return True

    def close(self) -> None:
        """End what runs: it is queued again, and done at the next start, unless it is not repeated unasked."""
        self._closing.set()
        with self._lock:
            works = list(self._works.values())
        for work in works:
            work.stopping.stop(SHUT_DOWN)
        self._queue.close()
        if self._pulse.ident:
            self._pulse.join()

    def _holder_of(self, request: Request) -> str:
        """Return who alone may begin a job: this process what is not repeated unasked, unless others do all."""
        return self._holder if request.kind in NOT_RESUMED_KINDS and not self._idle else ""

    def _enqueue(self, entry: JobEntry) -> None:
        if not self._idle:
            self._taken.add(entry.id)
            self._queue.put(entry.id, entry.request.lane)

    def _run(self, id: str) -> None:
        """Work on a job, if nobody else does."""
        if self._closing.is_set():
            return
        try:
            asked = self._traced.pop(id, None)
            entry = self.ledger.claim(id, self._holder)
            if entry:
                with go_on(asked) if asked else work_on(entry.request.thread):
                    self._work(entry)
        except JobFailed as error:
            log.error("job %s is left for later: %s", id, error)
        finally:
            self._taken.discard(id)

    def _work(self, entry: JobEntry) -> None:
        id = entry.id
        work = RunningJob(entry, lambda: self._sending(id))
        if entry.ending:
            work.stopping.stop(entry.ending)
        with self._lock:
            self._works[id] = work
            late = self._closing.is_set()
        if late:  # what `close` stopped is queued again: a process that claimed it by then would be stopped by nobody
            work.stopping.stop(SHUT_DOWN)
        began = monotonic()
        end = self._end_of(work)
        JOB_SECONDS.add(monotonic() - began, entry.request.kind, end.state.lower())
        self._ends[id] = end
        with self._lock:
            del self._works[id]
        try:
            self._note_end(id)
        finally:
            with self._lock:
                over = self._over.get(id)
            if over:
                over.set()

    def _end_of(self, work: RunningJob) -> "JobEnd":
        """Do a job; return what came of it, whatever that was."""
        request = work.entry.request
        try:
            with span("job", request.kind, connection=request.connection) as seen:
                outcome = self._workers[request.kind](work)
                seen.note(rows=outcome.rows)
            return JobEnd(JobState.DONE, outcome.rows, outcome=outcome.said)
        except Stopped as error:
            if self._closing.is_set() and request.kind not in NOT_RESUMED_KINDS:
                return JobEnd(JobState.QUEUED)
            why = SHUT_DOWN if work.stopping.why == SHUT_DOWN else str(error)
            return JobEnd(JobState.CANCELLED, work.rows, why)
        except BotError as error:
            return JobEnd(JobState.UNSURE if isinstance(error, Unsure) else JobState.FAILED, work.rows, str(error))
        except Exception:
            return JobEnd(JobState.FAILED, work.rows, log_bug(f"doing job {work.id}"))

    def _note_end(self, id: str) -> None:
        """Note what came of a job; if that fails, it is noted at the next look, and the job is held until then."""
        if end := self._ends.get(id):
            self.ledger.move(id, self._holder, end.state, rows=end.rows, error=end.error, outcome=end.outcome)
            self._ends.pop(id, None)

    def _sending(self, id: str) -> None:
        if not self.ledger.move(id, self._holder, JobState.SENDING):
            raise Stopped(CANCELLED)

    def _live(self) -> None:
        """Show that this process lives, end what was cancelled elsewhere, and take up what a dead one left."""
        while True:
            try:
                for id in list(self._ends):
                    self._note_end(id)
                with self._lock:
                    works = dict(self._works)
                rows = {id: work.rows for id, work in works.items()}
                known = {*self._taken, *works, *self._ends}
                for id, why in self.ledger.live(self._holder, known, rows).items():
                    works[id].stopping.stop(why)
                for entry in self.ledger.due():
                    self._enqueue(entry)
            except JobFailed as error:
                log.error("%s", error)
            except Exception:  # without a sign of life, others would do the jobs of this process once more
                log.exception("the jobs that were left could not be looked at")
            if self._closing.wait(self._beat):
                return


@dataclass(frozen=True, slots=True)
class JobEnd:
    """The end of a job, or, QUEUED, that it is to be done at the next start."""

    state: JobState
    rows: int = 0
    error: str = ""
    outcome: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JobBackend:
    """The parts that do jobs: used by the jobs API, and by the bot if it does its jobs itself."""

    connections: Connections
    catalog: Catalog
    results: Results
    jobs: Runner
    audit: Audit
    access: ResultRights
    mail_config: MailConfig | None = None
    """The server and the rules of e-mails; None if none are sent."""
