"""When a job runs: nothing but a number is handed over, so that another engine may take this one's place."""

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import Protocol

_AND = "\n"
"""Stands between the lanes of a job that needs a place in each of several."""


def lane_of(*lanes: str) -> str:
    """Return the lane of a job that needs a place in each of these; in one order for all, so that none waits for ever.

    Who has a place waits for lanes of later names only, and so never for somebody who waits for this place.
    """
    return _AND.join(sorted(set(lanes)))


class Queue(Protocol):
    """Says when a row of the ledger is run; saying so twice, or too late, does no harm."""

    def put(self, id: str, lane: str) -> None:
        """Have a job run soon; of the jobs of one lane, only few run at once."""

    def close(self) -> None:
        """Begin nothing more, and wait for what runs."""


class Threads:
    """Runs jobs in threads of this process, `wide` of each lane at once, in the order they came."""

    def __init__(self, run: Callable[[str], None], wide: int = 2) -> None:
        self._run, self._wide = run, wide
        self._lanes: dict[str, ThreadPoolExecutor] = {}
        self._waiting: set[str] = set()
        """Jobs that were put and are not begun: put once more, one would take a second place while it waits."""
        self._lock, self._closed = Lock(), False

    def put(self, id: str, lane: str) -> None:
        """Have a job run soon; it keeps its place in one lane while it waits for that in the next."""
        with self._lock:
            if id in self._waiting:
                return
            self._waiting.add(id)
        first, *others = lane.split(_AND)
        self._begin(id, first, others)

    def close(self) -> None:
        """Begin nothing more, and wait for what runs."""
        with self._lock:
            self._closed = True
        for lane in self._lanes.values():  # first all: who waits for a place in another lane is let go
            lane.shutdown(wait=False, cancel_futures=True)
        for lane in self._lanes.values():
            lane.shutdown(wait=True)

    def _begin(self, id: str, lane: str, others: Sequence[str]) -> "Future[None] | None":
        with self._lock:
            if self._closed:
                return None  # its row is found at the next start
            if lane not in self._lanes:
                self._lanes[lane] = ThreadPoolExecutor(self._wide, thread_name_prefix=f"job-{lane}")
            return self._lanes[lane].submit(self._further, id, others)

    def _further(self, id: str, lanes: Sequence[str]) -> None:
        """Run a job that has a place in all lanes but these."""
        if not lanes:
            with self._lock:
                self._waiting.discard(id)
            self._run(id)
        elif begun := self._begin(id, lanes[0], lanes[1:]):
            with suppress(CancelledError):
                begun.result()
