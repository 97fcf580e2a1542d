"""An answer that arrives in a thread of its own, so that whoever waits for it can stop waiting at any moment."""

from collections.abc import Callable, Iterator
from queue import Empty, Queue
from threading import Event, Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Stream(Generic[T]):
    """Runs the iterator that `start` returns, and calls `ended` when it is exhausted, has failed, or was closed."""

    def __init__(self, start: Callable[[], Iterator[T]], ended: Callable[[], None]) -> None:
        self._start = start
        self._ended = ended
        self._arrived: Queue[list[T] | BaseException | None] = Queue()
        self._abandoned = Event()
        self._over = False
        # A daemon: a server that hangs must not keep the process from ending.
        Thread(target=self._run, name="model answer", daemon=True).start()

    @property
    def over(self) -> bool:
        """Whether everything has been taken."""
        return self._over

    def take(self, seconds: float) -> list[T]:
        """Return the next piece in a list, empty after `seconds` or at the end; raises what the iterator raised."""
        try:
            arrived = self._arrived.get(timeout=seconds)
        except Empty:
            return []
        if isinstance(arrived, BaseException):
            self._over = True
            raise arrived
        self._over = arrived is None
        return arrived or []

    def abandon(self) -> None:
        """Have the iterator closed as soon as it gives a sign of life; does not wait for it."""
        self._abandoned.set()

    def _run(self) -> None:
        last: BaseException | None = None
        try:
            self._pump()
        except BaseException as error:
            last = error
        finally:
            self._ended()
            self._arrived.put(last)

    def _pump(self) -> None:
        pieces = self._start()
        try:
            for piece in pieces:
                if self._abandoned.is_set():
                    return
                self._arrived.put([piece])
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()
