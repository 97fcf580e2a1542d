"""Background work of a service: nobody waits for it, and it ends with the process."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from adapters.chat.event_queue import RETRY_AFTER, EventQueue
from adapters.turns import Turns

log = logging.getLogger("icc_bot")

STOP_MAX_SECONDS = 10.0
"""Seconds that a stopping process waits for what the core still says."""

STOP_GRACE_SECONDS = 1.0
"""Seconds that it lets turns run to their end before."""

DRAIN_SECONDS = 20.0
"""The same if other processes take what comes meanwhile: nobody waits for this one to begin again."""


async def log_failures(work: Coroutine[Any, Any, None]) -> None:
    """Have something done; what goes wrong in it is logged."""
    try:
        await work
    except Exception:
        log.exception("something was left undone")


class Underway:
    """The tasks of a service."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Have something done that nobody waits for; what goes wrong in it is logged."""
        task = asyncio.create_task(log_failures(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def end(self, turns: Turns, queue: EventQueue, *, brief: bool = False) -> None:
        """Begin nothing more, end what runs, and wait a little for what the core says about it.

        What is over in a moment is not cut short; what was not begun is taken up at the next start. `brief`: somebody
        waits for the end, though other processes go on.
        """
        queue.drain()
        turns.drain()
        await self._over(DRAIN_SECONDS if queue.shared and not brief else STOP_GRACE_SECONDS)
        turns.end_all()
        await self._over(STOP_MAX_SECONDS)
        late = list(self.tasks)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _over(self, seconds: float) -> None:
        """Wait until nothing is done any more, but not longer than this."""
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=seconds)


async def take_up_soon(queue: EventQueue) -> None:
    """Have taken up what was left, and sleep until it is time to look again."""
    try:
        await queue.take_up()
    except SQLAlchemyError:
        log.exception("what was left could not be looked at")
    await asyncio.sleep(RETRY_AFTER.total_seconds())
