"""A store of values that are dear to make: one thread makes each, the others wait for it."""

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from datetime import datetime, timedelta
from functools import wraps
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

# Results that are worked out of a value once, and kept as long as the value itself is.


OwnerT = TypeVar("OwnerT")
V = TypeVar("V")


def weakly_cached(make: Callable[[OwnerT], V]) -> Callable[[OwnerT], V]:
    """Return the function so that it works once for each object, and forgets with the object.

    For objects that never change and are told apart by identity. What `make` returns must not hold the object, which
    would live for ever. Two threads that come first may both do the work.
    """
    found = WeakKeyDictionary[OwnerT, V]()

    @wraps(make)
    def get(of: OwnerT) -> V:
        if of not in found:
            found[of] = make(of)
        return found[of]

    return get


K = TypeVar("K", bound=Hashable)


class SingleFlight(Generic[K, V]):
    """Values by key, each made again when it is older than `lifetime`; thread-safe. A failure is not kept."""

    def __init__(self, lifetime: timedelta, clock: Callable[[], datetime]) -> None:
        self._lifetime, self._clock = lifetime, clock
        self._lock = Lock()
        self._kept: dict[K, tuple[datetime, Future[V]]] = {}

    def get(self, key: K, make: Callable[[], V], fresh: bool = False) -> V:
        """Return the value of the key, made now if it is missing or old, or if `fresh`; raises what `make` raises."""
        mine, now = Future[V](), self._clock()
        with self._lock:
            begun, future = self._kept.get(key, (now, mine))
            if future is mine or (future.done() and (fresh or now - begun >= self._lifetime)):
                self._kept[key], future = (now, mine), mine
        if future is mine:
            try:
                mine.set_result(make())
            except BaseException as error:
                with self._lock:
                    if self._kept.get(key, (now, None))[1] is mine:
                        del self._kept[key]
                mine.set_exception(error)
        return future.result()

    def drop(self, unwanted: Callable[[K], bool] = lambda key: True) -> list[V]:
        """Forget the values of the unwanted keys, and return those that were made."""
        with self._lock:
            dropped = [self._kept.pop(key)[1] for key in list(self._kept) if unwanted(key)]
        return _made(dropped)

    def made(self) -> list[V]:
        """Return the values that are there, without making any."""
        with self._lock:
            futures = [future for _, future in self._kept.values()]
        return _made(futures)


def _made(futures: list[Future[V]]) -> list[V]:
    return [future.result() for future in futures if future.done() and not future.exception()]
