"""Profiles of the people who act, as their platform knows them; asked for once an hour."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic

from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.surface import Person

PROFILE_LIFETIME_SECONDS = 3600.0
"""Seconds for which a platform's answer is believed."""

Ask = Callable[[str, str, str], Awaitable[Person]]
"""Returns who a person is, by team, id and the name where none is told; raises where that is not certain."""


class Profiles:
    """The people of a platform that were asked for; those who want to know the same share one call."""

    def __init__(self, ask: Ask, clock: Callable[[], float] = monotonic) -> None:
        self._ask, self._clock = ask, clock
        self._people: BoundedCache[tuple[str, str], tuple[float, Person]] = BoundedCache()
        self._asked: dict[tuple[str, str], asyncio.Task[Person]] = {}

    async def person(self, team: str, id: str, name: str = "") -> Person:
        """Return the person; raises what `ask` does, and asks again the next time."""
        at, person = self._people.get((team, id), (0.0, None))
        if person and self._clock() - at < PROFILE_LIFETIME_SECONDS:
            return person
        task = self._asked.get((team, id))
        if task is None:
            task = self._asked[team, id] = asyncio.create_task(self._find(team, id, name))
            task.add_done_callback(lambda done: self._answered(team, id, done))
        return await asyncio.shield(task)

    def __len__(self) -> int:
        """Return how many people are remembered."""
        return len(self._people)

    async def _find(self, team: str, id: str, name: str) -> Person:
        return await self._ask(team, id, name)

    def _answered(self, team: str, id: str, task: asyncio.Task[Person]) -> None:
        del self._asked[team, id]
        if not task.cancelled() and task.exception() is None:
            self._people[team, id] = (self._clock(), task.result())


def picked_and_typed(picked: Sequence[str], typed: str) -> str:
    """Return the addresses of a field in which people are picked and typed; "me" stands where nobody is picked."""
    if not picked:
        return typed
    others = [each.strip() for each in typed.split(",")]
    return ", ".join(dict.fromkeys((*picked, *(each for each in others if each and each.lower() != "me"))))
