"""One writer at a time a channel."""

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class KeyedLock:
    """Locks by name; a lock lives as long as somebody wants it."""

    def __init__(self) -> None:
        self._locks: dict[Hashable, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def at(self, name: Hashable) -> AsyncIterator[None]:
        """Wait until nobody else is here, and keep others out until the end of the block."""
        lock, wanted = self._locks.get(name, (asyncio.Lock(), 0))
        self._locks[name] = (lock, wanted + 1)
        try:
            async with lock:
                yield
        finally:
            lock, wanted = self._locks[name]
            if wanted == 1:
                del self._locks[name]
            else:
                self._locks[name] = (lock, wanted - 1)
