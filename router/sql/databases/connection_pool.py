"""A small pool of connections: checked before they are lent, reset when they come back, replaced when they died."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from router.errors import JobFailed

C = TypeVar("C")

POOL_CLOSED = (
    "The connection to this database was closed: its settings changed, or the bot is shutting down. Please try again "
    "in a moment."
)


class ConnectionPool(Generic[C]):
    """At most `size` connections at a time; who has to wait longer than `wait` seconds for one is told so.

    `make` opens one (raises JobFailed); `sound` says whether an idle one still works; `reset` readies one for the next
    reader and returns whether that worked; `end` closes one. None of them may block for ever.
    """

    def __init__(
        self,
        make: Callable[[], C],
        *,
        sound: Callable[[C], bool],
        reset: Callable[[C], bool],
        end: Callable[[C], None],
        size: int = 5,
        idle_max: int = 5,
        wait: float = 30.0,
    ) -> None:
        self._make, self._sound, self._reset, self._end = make, sound, reset, end
        self._size, self._idle_max, self._wait = size, idle_max, wait
        self._free = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[C] = []
        self._closed = False

    @contextmanager
    def lend(self) -> Iterator[C]:
        """Lend a sound connection for the block."""
        until = time.monotonic() + self._wait
        if not self._free.acquire(timeout=self._wait):
            raise JobFailed(f"All {self._size} connections to this database are busy. Please try again in a moment.")
        try:
            connection = self._take(until)
            try:
                yield connection
            finally:
                self._give_back(connection)
        finally:
            self._free.release()

    def _take(self, until: float) -> C:
        while True:
            with self._lock:
                if self._closed:
                    raise JobFailed(POOL_CLOSED)
                idle = self._idle.pop() if self._idle else None
            if idle is None or time.monotonic() > until:
                break
            if self._sound(idle):
                return idle
            self._end(idle)
        if idle is not None:
            self._end(idle)
        return self._make()

    def _give_back(self, connection: C) -> None:
        sound = self._reset(connection)
        with self._lock:
            keep = sound and not self._closed and len(self._idle) < self._idle_max
            if keep:
                self._idle.append(connection)
        if not keep:
            self._end(connection)

    def close(self) -> None:
        """Close the idle connections now and each lent one when it comes back."""
        with self._lock:
            self._closed = True
        self.clear()

    def clear(self) -> None:
        """Close the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            self._end(connection)
