"""Waits for what is due, and has it run: one thread that sleeps, and a few that run, here or in other processes."""

import logging
import secrets
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Condition, Event, Lock, Thread
from typing import Protocol

from router.errors import BotError
from router.jobs.cancellation import SHUT_DOWN, Stopping
from router.jobs.process_liveness import ProcessLiveness
from router.notifier import Notifier
from router.schedules.run import ScheduleRun
from router.schedules.schedule import Schedule
from router.schedules.store import Schedules
from router.services import Services
from router.storage.clock import NEVER

log = logging.getLogger("icc_bot")

SLEEP_MAX_SECONDS = 60.0
"""Seconds of the longest sleep: other processes may have changed what is due, and machines sleep too."""

HEARTBEAT_SECONDS = 20.0
"""Seconds between two signs of life while something runs."""

PARALLEL_RUNS = 4
"""Schedules that run at once."""


class OtherSchedulers(Protocol):
    """The processes that run schedules, this one among them."""

    def put(self, due: Schedule) -> None:
        """Have one of them run what is due, unless one has been told to."""


class Scheduler:
    """The schedules of the platforms that this process serves, from `open` to `close`.

    Each due time is run once, in one process: in this one, or, where there are `others`, in whichever takes it up.
    """

    def __init__(self, services: Services, schedules: Schedules) -> None:
        self._services, self._schedules = services, schedules
        self._liveness = ProcessLiveness(schedules.presences)
        self._pool = ThreadPoolExecutor(PARALLEL_RUNS, thread_name_prefix="due")
        self._changed, self._ending = Condition(), Event()
        self._running: dict[str, ScheduleRun] = {}
        self._notifiers: dict[str, Notifier] = {}
        """The way to tell people, by platform."""
        self.others: OtherSchedulers | None = None
        self._claiming = Lock()
        """Held while something is claimed, or what this process holds and does not run is given up."""
        self._looked = NEVER
        self._woken = False
        self._thread = Thread(target=self._wait, name="timer", daemon=True)

    def open(self, platform: str, notifier: Notifier) -> None:
        """Begin to run what is due on a platform, what was missed first."""
        self.serve(platform, notifier)
        self._schedules.wake = self.wake
        if self._thread.ident is None:
            self._thread.start()
        else:
            self.wake()

    def serve(self, platform: str, notifier: Notifier) -> None:
        """Have `look` run what is due on a platform, too."""
        with self._changed:
            self._notifiers[platform] = notifier

    def wake(self) -> None:
        """Look again for what is due next."""
        with self._changed:
            self._woken = True
            self._changed.notify()

    def look(self) -> list[Future[None]]:
        """Have run what is due now, and return what runs since; nothing before `open`."""
        with self._changed:
            platforms = list(self._notifiers)
        if not platforms or self._ending.is_set():
            return []
        self._looked = self._schedules.now()
        # First: after a sleep of the machine, what runs here would be taken for lost.
        with self._claiming:
            with self._changed:
                holders = [run.schedule.holder for run in self._running.values()]
            self._schedules.live(self._liveness.name, holders)
        for name in self._liveness.dead():
            self._schedules.live(name, ())  # what it held is anybody's at once
            self._liveness.forget(name)
        begun = []
        for platform in platforms:
            for due in self._schedules.due(platform):
                if self.others:
                    self.others.put(due)
                elif run := self.take_up(due.id):
                    begun.append(run)
        return begun

    def take_up(self, id: str, *, take_over: bool = False) -> Future[None] | None:
        """Begin to run what is due, and return what runs; None where somebody does, or it is not due any more.

        `take_over` has it taken from whoever was at it, who is taken for dead.
        """
        with self._changed:
            if id in self._running or self._ending.is_set():
                return None
        holder = f"{self._liveness.name} {secrets.token_hex(4)}"
        with self._claiming:
            claimed = self._schedules.claim(id, holder, take_over=take_over)
            return self._begin(claimed, self._notifiers[claimed.plan.talk.platform]) if claimed else None

    @property
    def ending(self) -> bool:
        """Tells whether nothing more is begun."""
        return self._ending.is_set()

    def stop(self) -> None:
        """Begin nothing more, and end what runs: it is done at the next start. Waits for nothing."""
        self._ending.set()
        with self._changed:
            running = list(self._running.values())
        for run in running:
            run.stopping.stop(SHUT_DOWN)
        self.wake()

    def close(self) -> None:
        """Stop, and wait until nothing runs."""
        self.stop()
        if self._thread.ident is not None:
            self._thread.join()
        self._pool.shutdown(wait=True)
        self._liveness.close()

    def _begin(self, schedule: Schedule, notifier: Notifier) -> Future[None]:
        run = ScheduleRun(self._services, self._schedules, notifier, schedule, self._schedules.now(), Stopping())
        with self._changed:
            self._running[schedule.id] = run
        future = self._pool.submit(self._work, run)
        if self._ending.is_set():  # meanwhile
            run.stopping.stop(SHUT_DOWN)
        return future

    def _work(self, run: ScheduleRun) -> None:
        try:
            run()
        finally:
            with self._changed:
                del self._running[run.schedule.id]

    def _wait(self) -> None:
        while not self._ending.is_set():
            try:
                self.look()
                seconds = self._seconds()
            except BotError as error:
                log.error("%s", error)
                seconds = HEARTBEAT_SECONDS
            except Exception:  # whatever it is, what is due later is not missed for it
                log.exception("what is due could not be looked for")
                seconds = HEARTBEAT_SECONDS
            with self._changed:
                if not self._woken:
                    self._changed.wait(seconds)
                self._woken = False

    def _seconds(self) -> float:
        """Return how long to sleep."""
        with self._changed:
            platforms = list(self._notifiers)
        after = self._looked if self.others else NEVER  # what was due by then is theirs
        due = min(filter(None, (self._schedules.next_due(each, after) for each in platforms)), default=None)
        left = (due - self._schedules.now()).total_seconds() if due else SLEEP_MAX_SECONDS
        # Of others' tasks, one may begin here in the midst of a sleep.
        return max(0.05, min(left, HEARTBEAT_SECONDS if self._running or self.others else SLEEP_MAX_SECONDS))
