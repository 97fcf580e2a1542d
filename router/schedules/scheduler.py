"""Waits for what is due, and runs it: one thread that sleeps, and a few that run, in each process that works."""

import logging
import secrets
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Condition, Event, Lock, Thread

from router.errors import BotError
from router.jobs.cancellation import SHUT_DOWN, Stopping
from router.jobs.lease_table import HEARTBEAT_SECONDS
from router.notifier import Notifier
from router.schedules.run import ScheduleRun
from router.schedules.schedule import Schedule
from router.schedules.store import Schedules
from router.services import Services

log = logging.getLogger("icc_bot")

PARALLEL_RUNS = 4
"""Schedules that run at once."""


class Scheduler:
    """The schedules of the platforms that this process serves, from `open` to `close`.

    Each due time is run once, in the process that claims its row first. None claims more than it can run at once.
    """

    def __init__(self, services: Services, schedules: Schedules) -> None:
        self._services, self._schedules = services, schedules
        self._name = secrets.token_hex(8)
        self._pool = ThreadPoolExecutor(PARALLEL_RUNS, thread_name_prefix="due")
        self._changed, self._ending = Condition(), Event()
        self._running: dict[str, ScheduleRun] = {}
        self._notifiers: dict[str, Notifier] = {}
        """The way to tell people, by platform."""
        self._claiming = Lock()
        """Held while something is claimed, or what this process holds and does not run is given up."""
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
        # First: after a sleep of the machine, what runs here would be taken for lost.
        with self._claiming:
            with self._changed:
                holders = [run.schedule.holder for run in self._running.values()]
            self._schedules.live(self._name, holders)
        every = [due.id for platform in platforms for due in self._schedules.due(platform)]
        return [run for id in every if (run := self._take_up(id))]

    def _take_up(self, id: str) -> Future[None] | None:
        """Begin to run what is due; None if that has no place here, somebody else does, or it is due no more."""
        with self._claiming:
            with self._changed:
                if len(self._running) >= PARALLEL_RUNS or id in self._running or self._ending.is_set():
                    return None
            claimed = self._schedules.claim(id, f"{self._name} {secrets.token_hex(4)}")
            return self._begin(claimed, self._notifiers[claimed.plan.talk.platform]) if claimed else None

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
            self.wake()  # there is room for another one

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
        """Return how long to sleep: others may change what is due, or die; and machines sleep too."""
        with self._changed:
            platforms = list(self._notifiers)
            full = len(self._running) >= PARALLEL_RUNS
        due = None if full else min(filter(None, map(self._schedules.next_due, platforms)), default=None)
        left = (due - self._schedules.now()).total_seconds() if due else HEARTBEAT_SECONDS
        return max(0.05, min(left, HEARTBEAT_SECONDS))
