"""The way from the core's threads into an event loop, for what nobody asked for just now."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import CancelledError, wait
from typing import Any, TypeVar

from router.errors import PutOff, Unsure

T = TypeVar("T")

LOOP_CHECK_SECONDS = 1.0
"""Seconds between two looks at whether the loop still is."""

STOPPED = "I was stopped meanwhile."


class EventLoopBridge:
    """Calls into one event loop; for every thread but the loop's own."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what comes of the work.

        Raises PutOff if it was not begun since the loop ended, Unsure if the loop ended meanwhile.
        """
        try:
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            work.close()
            raise PutOff from None
        try:
            while not wait([future], LOOP_CHECK_SECONDS).done:
                if self._loop.is_closed():  # what came in its last moment is never begun, and never ends
                    raise Unsure(STOPPED)
            return future.result()
        except (CancelledError, asyncio.CancelledError):
            raise Unsure(STOPPED) from None
