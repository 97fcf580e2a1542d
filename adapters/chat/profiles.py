"""Profiles of people, as their platform knows them; asked for once an hour."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from functools import partial
from time import monotonic
from typing import Generic, TypeVar

from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.surface import Person

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Lookups(Generic[K, V]):
    """Answers of a platform: each is believed for a while, and those who ask the same at once share one call."""

    def __init__(self, lifetime: Callable[[V], float], clock: Callable[[], float] = monotonic) -> None:
        """`lifetime` gives the seconds for which an answer is believed."""
        self._lifetime, self._clock = lifetime, clock
        self._known: BoundedCache[K, tuple[float, V]] = BoundedCache()
        self._asked: dict[K, asyncio.Task[V]] = {}

    def ask(self, name: K, call: Callable[[], Awaitable[V]]) -> asyncio.Future[V]:
        """Return what has the answer, or will have it; it raises what the call does, which is not remembered."""
        known = self._known.get(name)
        if known and self._clock() < known[0]:
            answered: asyncio.Future[V] = asyncio.get_running_loop().create_future()
            answered.set_result(known[1])
            return answered
        if name not in self._asked:
            self._asked[name] = asyncio.ensure_future(call())
            self._asked[name].add_done_callback(partial(self._note, name))
        return self._asked[name]

    def _note(self, name: K, task: "asyncio.Task[V]") -> None:
        del self._asked[name]
        if not task.cancelled() and task.exception() is None:
            answer = task.result()
            self._known[name] = (self._clock() + self._lifetime(answer), answer)


PROFILE_LIFETIME_SECONDS = 3600.0
"""Seconds for which a platform's answer is believed."""

Ask = Callable[[str, str, str], Awaitable[Person]]
"""Returns who a person is, by team, id and the name where none is told; raises where that is not certain."""


class Profiles:
    """The people of a platform that were asked for."""

    def __init__(self, ask: Ask, clock: Callable[[], float] = monotonic) -> None:
        self._ask = ask
        self._people: Lookups[tuple[str, str], Person] = Lookups(lambda person: PROFILE_LIFETIME_SECONDS, clock)

    async def person(self, team: str, id: str, name: str = "") -> Person:
        """Return the person; raises what `ask` does, and asks again the next time."""
        return await asyncio.shield(self._people.ask((team, id), partial(self._ask, team, id, name)))


def picked_and_typed(picked: Sequence[str], typed: str) -> str:
    """Return the addresses of a field in which people are picked and typed; "me" stands where nobody is picked."""
    if not picked:
        return typed
    others = [each.strip() for each in typed.split(",")]
    return ", ".join(dict.fromkeys((*picked, *(each for each in others if each and each.lower() != "me"))))
