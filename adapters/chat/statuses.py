"""The state of a thread that a platform shows: at work, waiting, over. Few are sent at once, and what is over first."""

import asyncio
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
        self._surface, self._spawn, self._at_once = surface, spawn, at_once
        self._waiting: dict[str, dict[ThreadKey, _Status]] = {}
        """By team, in the order in which they were asked for."""
        self._sending: dict[str, set[ThreadKey]] = {}
        self._later: dict[ThreadKey, asyncio.TimerHandle] = {}

    def show(self, key: ThreadKey, memory: Memory | None, working: bool, after: float = 0.0) -> None:
        """Have the platform show what the thread stands at, after what it is told now; nobody waits for it.

        What is shown only `after` some seconds is not shown at all where anything else is to be shown by then.
        """
        if later := self._later.pop(key, None):
            later.cancel()
        if after:
            loop = asyncio.get_running_loop()
            self._later[key] = loop.call_later(after, self.show, key, memory, working)
            return
        waiting = self._waiting.setdefault(key.team, {})
        waiting.pop(key, None)
        waiting[key] = _Status(memory, working)
        self._begin(key.team)

    def _begin(self, team: str) -> None:
        """Send as many as may be on their way."""
        sending = self._sending.setdefault(team, set())
        while len(sending) < self._at_once and (key := self._next(team)):
            sending.add(key)
            self._spawn(self._send(key, self._waiting[team].pop(key)))
        if not sending and not self._waiting[team]:
            del self._sending[team], self._waiting[team]

    def _next(self, team: str) -> ThreadKey | None:
        """Return the thread whose turn it is: of those that wait, one whose work is over before one that begins."""
        free = [key for key in self._waiting[team] if key not in self._sending[team]]
        return next((key for key in free if not self._waiting[team][key].working), free[0] if free else None)

    async def _send(self, key: ThreadKey, status: _Status) -> None:
        try:
            await self._surface.tell(key, status.memory, status.working)
        finally:
            self._sending[key.team].discard(key)
            self._begin(key.team)
