"""Waits for what is due, and has it run: one thread that sleeps, and a few that run."""

import logging
import secrets
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Condition, Event, Thread

from router.due import Run
from router.errors import BotError
from router.herald import Herald
from router.jobs.presence import Presence
from router.jobs.schedule import Schedule
from router.jobs.schedules import Schedules
from router.stopping import SHUT_DOWN, Stopping
from router.turn import Tools

log = logging.getLogger("icc_bot")

LOOK = 60.0
"""Seconds of the longest sleep: other processes may have changed what is due, and machines sleep too."""

BEAT = 20.0
"""Seconds between two signs of life while something runs."""

WIDE = 4
"""Schedules that run at once."""


class Timer:
    """The schedules of one platform, from `open` to `close`; runs each due time once, in one process."""

    def __init__(self, tools: Tools, schedules: Schedules) -> None:
        self._tools, self._schedules = tools, schedules
        self._presence = Presence(schedules.presences)
        self._pool = ThreadPoolExecutor(WIDE, thread_name_prefix="due")
        self._changed, self._ending = Condition(), Event()
        self._running: dict[Future[None], Run] = {}
        self._herald: Herald | None = None
        self._platform, self._woken = "", False
        self._thread = Thread(target=self._wait, name="timer", daemon=True)

    def open(self, platform: str, herald: Herald) -> None:
        """Begin to run what is due on a platform, what was missed first."""
        self.serve(platform, herald)
        self._schedules.wake = self.wake
        self._thread.start()

    def serve(self, platform: str, herald: Herald) -> None:
        """Have `look` run what is due on a platform."""
        self._platform, self._herald = platform, herald

    def wake(self) -> None:
        """Look again for what is due next."""
        with self._changed:
            self._woken = True
            self._changed.notify()

    def look(self) -> list[Future[None]]:
        """Have run what is due now, and return what runs since; nothing before `open`."""
        if self._herald is None or self._ending.is_set():
            return []
        with self._changed:
            running = {run.schedule.id: run.holder for run in self._running.values()}
        # First: after a sleep of the machine, what runs here would be taken for lost.
        self._schedules.live(self._presence.name, running.values())
        for name in self._presence.dead():
            self._schedules.release(name)
            self._presence.bury(name)
        begun = []
        for due in self._schedules.due(self._platform):
            holder = f"{self._presence.name} {secrets.token_hex(4)}"
            if due.id not in running and (claimed := self._schedules.claim(due.id, holder)):
                begun.append(self._begin(claimed, self._herald))
        return begun

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
        self._presence.close()

    def _begin(self, schedule: Schedule, herald: Herald) -> Future[None]:
        run = Run(self._tools, self._schedules, herald, schedule, self._schedules.now(), Stopping())
        future = self._pool.submit(run)
        with self._changed:
            self._running[future] = run
        future.add_done_callback(self._ended)
        if self._ending.is_set():  # meanwhile
            run.stopping.stop(SHUT_DOWN)
        return future

    def _ended(self, future: Future[None]) -> None:
        with self._changed:
            self._running.pop(future, None)

    def _wait(self) -> None:
        while not self._ending.is_set():
            try:
                self.look()
                seconds = self._seconds()
            except BotError as error:
                log.error("%s", error)
                seconds = BEAT
            except Exception:  # whatever it is, what is due later is not missed for it
                log.exception("what is due could not be looked for")
                seconds = BEAT
            with self._changed:
                if not self._woken:
                    self._changed.wait(seconds)
                self._woken = False

    def _seconds(self) -> float:
        """Return how long to sleep."""
        due = self._schedules.next_due(self._platform)
        left = (due - self._schedules.now()).total_seconds() if due else LOOK
        return max(0.05, min(left, LOOK, BEAT if self._running else LOOK))
