"""The one thread that does what has to be done now and then: deleting what is too old, looking what has changed."""

import logging
from collections.abc import Callable
from sched import scheduler
from threading import Event, Thread
from time import monotonic

from router.errors import BotError

log = logging.getLogger("icc_bot")

HOUR_SECONDS = 3600.0
CLOSING_SECONDS = 3.0
"""Seconds that the end waits for the chore that is being done."""


class Housekeeping:
    """Chores, one after the other, each again and again until `close`."""

    def __init__(self) -> None:
        self._due, self._changed, self._ended = scheduler(monotonic), Event(), False
        self._thread = Thread(target=self._run, name="housekeeping", daemon=True)
        self._thread.start()

    def add(self, chore: Callable[[], None], seconds: float = HOUR_SECONDS, *, now: bool = False) -> None:
        """Have something done every so many seconds, `now` for the first time, or only then."""
        self._due.enter(0 if now else seconds, 0, self._do_again, (chore, seconds))
        self._changed.set()

    def close(self) -> None:
        """End once the chore that is being done is over, so that what it uses may be closed."""
        self._ended = True
        self._changed.set()
        self._thread.join(timeout=CLOSING_SECONDS)

    def _run(self) -> None:
        while not self._ended:
            self._changed.wait(self._due.run(blocking=False))
            self._changed.clear()

    def _do_again(self, chore: Callable[[], None], seconds: float) -> None:
        if self._ended:
            return
        self._due.enter(seconds, 0, self._do_again, (chore, seconds))
        try:
            chore()
        except BotError as error:
            log.warning("%s", error)
        except Exception:  # the next time may be better
            log.exception("what is done now and then failed")
