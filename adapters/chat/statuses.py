"""The state of a thread that a platform shows: at work, waiting, over. Few are sent at once."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from adapters.chat.surface import Surface
from router.memory.thread import Memory, ThreadKey

Spawn = Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"]

PRESS_SHOWS_ITSELF_SECONDS: Final = 0.2
"""Seconds for which a press needs no status: the platform shows on the button that it was pressed."""

STATUSES_AT_ONCE: Final = 16
"""Statuses of one team that are on their way at once: answers must find a free connection, however many ask."""


@dataclass(frozen=True, slots=True)
class _Status:
    memory: Memory | None
    working: bool


class Statuses:
    """The statuses that are to be shown; of each thread the last one alone, one after the other."""

    def __init__(self, surface: Surface, spawn: Spawn, at_once: int = STATUSES_AT_ONCE) -> None:
        self._surface, self._spawn = surface, spawn
        self._places: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(at_once))
        """By team."""
        self._waiting: dict[ThreadKey, _Status] = {}
        self._sending: set[ThreadKey] = set()
        self._later: dict[ThreadKey, asyncio.TimerHandle] = {}

    def show(self, key: ThreadKey, memory: Memory | None, working: bool, after: float = 0.0) -> None:
        """Have the platform show what the thread stands at, after what it is told now; nobody waits for it.

        What is shown only `after` some seconds is not shown at all if anything else is to be shown by then.
        """
        if later := self._later.pop(key, None):
            later.cancel()
        if after:
            loop = asyncio.get_running_loop()
            self._later[key] = loop.call_later(after, self.show, key, memory, working)
            return
        self._waiting[key] = _Status(memory, working)
        if key not in self._sending:
            self._sending.add(key)
            self._spawn(self._send(key))

    async def _send(self, key: ThreadKey) -> None:
        try:
            while key in self._waiting:
                async with self._places[key.team]:
                    status = self._waiting.pop(key)
                    await self._surface.tell(key, status.memory, status.working)
        finally:
            self._sending.discard(key)
