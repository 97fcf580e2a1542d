"""The queue that says when a job runs; it is given nothing but numbers, so that another engine may take its place."""

from collections import Counter
from collections.abc import Callable
from threading import Lock, Thread, Timer
from typing import Protocol

_LANE_SEPARATOR = "\n"
"""Stands between the lanes of a job that needs a place in each of several."""

LONG_SECONDS = 1.0
"""After so many, a job that reads a file leaves its place to the next one, which may be short."""

LONG_PLACES = 16
"""Of jobs on one file that went on for longer."""

_FILE, _PERSON = " (file)", "person "


def lane_of(*lanes: str) -> str:
    """Return the lane of a job that needs a place in each of these; it takes all at once."""
    return _LANE_SEPARATOR.join(sorted(set(lanes)))


def file_lane(connection: str, asker: str) -> str:
    """Return the lane of a job that reads a file: of one person's few run at once, of everybody's more."""
    return lane_of(connection + _FILE, f"{_PERSON}{asker} on {connection}")


class Queue(Protocol):
    """Says when a row of the ledger is run; saying so twice, or too late, does no harm."""

    def put(self, id: str, lane: str) -> None:
        """Have a job run soon; of the jobs of one lane, only few run at once."""

    def close(self) -> None:
        """Begin nothing more, and wait for what runs."""


class Threads:
    """Runs jobs in threads of this process, `wide` of each lane at once, in the order they came.

    In the lane of a file, what runs for long makes room for the next: children of the bot read it, and can be many.
    """

    def __init__(self, run: Callable[[str], None], wide: int = 2, long: float = LONG_SECONDS) -> None:
        self._run, self._wide, self._seconds = run, wide, long
        self._waiting: dict[str, tuple[str, ...]] = {}
        """The lanes of jobs that were put and are not begun, in their order."""
        self._taken, self._long = Counter[str](), Counter[str]()
        self._works: set[_Work] = set()
        self._lock, self._closed = Lock(), False

    def put(self, id: str, lane: str) -> None:
        """Have a job run soon; one that waits already is not put twice."""
        with self._lock:
            if not self._closed:  # its row is found at the next start
                self._waiting.setdefault(id, tuple(lane.split(_LANE_SEPARATOR)))
                self._begin()

    def close(self) -> None:
        """Begin nothing more, and wait for what runs."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            works = list(self._works)
        for work in works:
            work.thread.join()

    def _begin(self) -> None:
        """Begin what has a place in each of its lanes; nobody takes the place that an earlier job waits for."""
        taken = self._taken.copy()
        for id, lanes in list(self._waiting.items()):
            full = [lane for lane in lanes if taken[lane] >= self._wide]
            if any(lane.startswith(_PERSON) for lane in full):
                continue  # it waits for its own person, and keeps nobody else from anything
            if not full:
                del self._waiting[id]
                self._taken.update(lanes)
                work = _Work(lanes)
                work.thread = Thread(target=self._work, args=(id, work), name=f"job-{id}")
                self._works.add(work)
                work.thread.start()
            taken.update(lanes)

    def _work(self, id: str, work: "_Work") -> None:
        clock = Timer(self._seconds, self._lengthen, (work,))
        clock.daemon = True
        if work.file:
            clock.start()
        try:
            self._run(id)
        finally:
            clock.cancel()
            with self._lock:
                self._works.discard(work)
                self._taken -= Counter(lane for lane in work.lanes if lane != work.left)  # none is kept of 0 places
                self._long -= Counter([work.left])
                self._settle()

    def _lengthen(self, work: "_Work") -> None:
        with self._lock:
            work.long = True
            self._settle()

    def _settle(self) -> None:
        """Give long places to those who went on for long, and theirs to those who wait."""
        for work in self._works:
            if work.long and not work.left and self._long[work.file] < LONG_PLACES:
                work.left = work.file
                self._taken[work.file] -= 1
                self._long[work.file] += 1
        if not self._closed:
            self._begin()


class _Work:
    """A job that runs; `left` is the lane in which it has a long place in place of the usual one."""

    def __init__(self, lanes: tuple[str, ...]) -> None:
        self.lanes = lanes
        self.file = next((lane for lane in lanes if lane.endswith(_FILE)), "")
        self.long, self.left = False, ""
        self.thread = Thread()
