"""When a job runs: nothing but a number is handed over, so that another engine may take this one's place."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Protocol


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
        self._lock, self._closed = Lock(), False

    def put(self, id: str, lane: str) -> None:
        """Have a job run soon."""
        with self._lock:
            if self._closed:
                return  # its row is found at the next start
            if lane not in self._lanes:
                self._lanes[lane] = ThreadPoolExecutor(self._wide, thread_name_prefix=f"job-{lane}")
            self._lanes[lane].submit(self._run, id)

    def close(self) -> None:
        """Begin nothing more, and wait for what runs."""
        with self._lock:
            self._closed = True
        for lane in self._lanes.values():
            lane.shutdown(wait=True, cancel_futures=True)
