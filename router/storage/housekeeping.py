"""The one thread that does what has to be done now and then: deleting what is too old, looking what has changed."""

import logging
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Thread
from time import monotonic

from router.errors import BotError

log = logging.getLogger("icc_bot")

HOUR_SECONDS = 3600.0
CLOSING_SECONDS = 3.0
"""How long the end waits for the chore that is being done."""


class Housekeeping:
    """Chores, one after the other, each again and again until `close`."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Callable[[], None], float]] = []
        self._changed, self._numbers, self._ended = Condition(), count(), False
        self._thread = Thread(target=self._run, name="housekeeping", daemon=True)
        self._thread.start()

    def add(self, chore: Callable[[], None], seconds: float = HOUR_SECONDS, *, now: bool = False) -> None:
        """Have something done every so many seconds, `now` for the first time, or only then."""
        with self._changed:
            heappush(self._due, (monotonic() + (0 if now else seconds), next(self._numbers), chore, seconds))
            self._changed.notify()

    def close(self) -> None:
        """End once the chore that is being done is over, so that what it uses may be closed."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join(timeout=CLOSING_SECONDS)

    def _run(self) -> None:
        while chore := self._next():
            try:
                chore()
            except BotError as error:
                log.warning("%s", error)
            except Exception:  # the next time may be better
                log.exception("what is done now and then failed")

    def _next(self) -> Callable[[], None] | None:
        """Wait for the next chore and return it; None at the end."""
        with self._changed:
            while not self._ended:
                left = self._due[0][0] - monotonic() if self._due else None
                if left is not None and left <= 0:
                    _, number, chore, seconds = heappop(self._due)
                    heappush(self._due, (monotonic() + seconds, number, chore, seconds))
                    return chore
                self._changed.wait(left)
        return None
