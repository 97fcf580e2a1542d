"""The queue that says when a row of the ledger is run; saying so twice, or too late, does no harm."""

from collections import Counter
from collections.abc import Callable
from threading import Lock, Thread, current_thread

_LANE_SEPARATOR = "\n"
"""Stands between the lanes of a job that needs a place in each of several."""

FILE_PLACES = 18
"""Jobs that read one file at once: each has a child of the bot for itself, and waits for nobody's long query."""

_FILE, _PERSON = " (file)", "person "


def lane_of(*lanes: str) -> str:
    """Return the lane of a job that needs a place in each of these; it takes all at once."""
    return _LANE_SEPARATOR.join(sorted(set(lanes)))


def file_lane(connection: str, asker: str) -> str:
    """Return the lane of a job that reads a file: of one person's few run at once, of everybody's more."""
    return lane_of(connection + _FILE, f"{_PERSON}{asker} on {connection}")


class Threads:
    """Runs jobs in threads of this process, `wide` of each lane at once, in the order they came; of a file, more."""

    def __init__(self, run: Callable[[str], None], wide: int = 2) -> None:
        self._run, self._wide = run, wide
        self._waiting: dict[str, tuple[str, ...]] = {}
        """The lanes of jobs that were put and are not begun, in their order."""
        self._taken = Counter[str]()
        self._threads: set[Thread] = set()
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
            threads = list(self._threads)
        for thread in threads:
            thread.join()

    def _begin(self) -> None:
        """Begin what has a place in each of its lanes; nobody takes the place that an earlier job waits for."""
        taken = self._taken.copy()
        for id, lanes in list(self._waiting.items()):
            full = [lane for lane in lanes if taken[lane] >= (FILE_PLACES if lane.endswith(_FILE) else self._wide)]
            if any(lane.startswith(_PERSON) for lane in full):
                continue  # it waits for its own person, and keeps nobody else from anything
            if not full:
                del self._waiting[id]
                self._taken.update(lanes)
                thread = Thread(target=self._work, args=(id, lanes), name=f"job-{id}")
                self._threads.add(thread)
                thread.start()
            taken.update(lanes)

    def _work(self, id: str, lanes: tuple[str, ...]) -> None:
        try:
            self._run(id)
        finally:
            with self._lock:
                self._threads.discard(current_thread())
                self._taken -= Counter(lanes)  # none is kept of 0 places
                if not self._closed:
                    self._begin()
