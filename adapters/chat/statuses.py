"""What platforms show of a thread beside its messages: at work, waiting, over; one after the other in each thread."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from adapters.chat.surface import Surface
from router.memory import Memory, ThreadKey

Spawn = Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"]


class Statuses:
    """The statuses that are on their way."""

    def __init__(self, surface: Surface, spawn: Spawn) -> None:
        self._surface, self._spawn = surface, spawn
        self._sending: dict[ThreadKey, asyncio.Task[None]] = {}

    def show(self, key: ThreadKey, memory: Memory | None, working: bool) -> None:
        """Have the platform show what the thread stands at, after what it showed before; nobody waits for it."""
        before = self._sending.get(key)

        async def tell() -> None:
            if before:
                await asyncio.wait([before])
            await self._surface.tell(key, memory, working)

        task = self._sending[key] = self._spawn(tell())
        task.add_done_callback(lambda done: self._sending.pop(key) if self._sending.get(key) is done else None)
