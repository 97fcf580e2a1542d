"""The one thread that does what has to be done now and then: deleting what is too old, looking what has changed.

Processes that share a database leave to one of them what is about that.
"""

import logging
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count
from threading import Condition, Thread
from time import monotonic

from router.errors import BotError

log = logging.getLogger("icc_bot")

HOUR_SECONDS = 3600.0
CLOSING_SECONDS = 3.0
"""How long the end waits for the chore that is being done."""


class Housekeeping:
    """Chores, one after the other, each again and again until `close`, or those of the database when it is told to."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Callable[[], None], float]] = []
        self._changed, self._numbers, self._ended = Condition(), count(), False
        self._shared: list[Callable[[], None]] = []
        self._one_of_many = False
        self._thread = Thread(target=self._run, name="housekeeping", daemon=True)
        self._thread.start()

    def add(
        self, chore: Callable[[], None], seconds: float = HOUR_SECONDS, *, now: bool = False, shared: bool = False
    ) -> None:
        """Have something done every so many seconds, `now` for the first time, or only then.

        `shared`: it is about the database, so that of the processes which share that, one is enough.
        """
        with self._changed:
            if shared:
                self._shared.append(chore)
            if not (shared and self._one_of_many):
                heappush(self._due, (monotonic() + (0 if now else seconds), next(self._numbers), chore, seconds))
                self._changed.notify()

    def share(self) -> None:
        """Do what is shared only where `do_shared` says so, from now on."""
        with self._changed:
            self._one_of_many = True
            self._due = [each for each in self._due if each[2] not in self._shared]
            heapify(self._due)

    def do_shared(self) -> None:
        """Do what is shared, for all processes; one chore that fails does not keep the others."""
        with self._changed:
            chores = list(self._shared)
        for chore in chores:
            _do(chore)

    def close(self) -> None:
        """End once the chore that is being done is over, so that what it uses may be closed."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join(timeout=CLOSING_SECONDS)

    def _run(self) -> None:
        while chore := self._next():
            _do(chore)

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


def _do(chore: Callable[[], None]) -> None:
    try:
        chore()
    except BotError as error:
        log.warning("%s", error)
    except Exception:  # the next time may be better
        log.exception("what is done now and then failed")
