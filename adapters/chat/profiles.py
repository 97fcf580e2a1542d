"""Profiles of people, as their platform knows them; asked for once an hour."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable, Sequence
from time import monotonic
from typing import Any, Generic, TypeVar

from adapters.chat.bounded_cache import BoundedCache

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


PROFILE_LIFETIME_SECONDS = 3600.0
"""Seconds for which it is believed who somebody is."""


class Lookups(Generic[K, V]):
    """Answers of a platform: each is believed for a while, and those who ask the same at once share one call."""

    def __init__(self, lifetime: float = PROFILE_LIFETIME_SECONDS, clock: Callable[[], float] = monotonic) -> None:
        """`lifetime` is in seconds."""
        self._lifetime, self._clock = lifetime, clock
        self._asked: BoundedCache[K, tuple[float, asyncio.Task[V]]] = BoundedCache()

    def ask(self, name: K, call: Callable[[], Coroutine[Any, Any, V]]) -> "asyncio.Task[V]":
        """Return what has the answer, or will have it; it raises what the call does, which is not remembered."""
        until, task = self._asked.get(name, (0.0, None))
        failed = task is not None and task.done() and (task.cancelled() or task.exception() is not None)
        if task is None or failed or self._clock() >= until:
            task = asyncio.create_task(call())
            self._asked[name] = self._clock() + self._lifetime, task
        return task

    async def answer(self, name: K, call: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Return the answer; if one who asks is cancelled, the others still get it."""
        return await asyncio.shield(self.ask(name, call))


def picked_and_typed(picked: Sequence[str], typed: str) -> str:
    """Return the addresses of a field in which people are picked and typed; "me" stands if nobody is picked."""
    if not picked:
        return typed
    others = [each.strip() for each in typed.split(",")]
    return ", ".join(dict.fromkeys((*picked, *(each for each in others if each and each.lower() != "me"))))
