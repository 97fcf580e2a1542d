"""Database calls of the event loop, one after the other: a later call sees what was noted before.

A person may press what they see before it is noted that they see it. Calls that are made in several threads at once
would overtake one another then. While the bot's server is away they wait for it in a thread.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from time import monotonic
from typing import Any, Final, ParamSpec, TypeVar

from router.storage.database import Database
from router.storage.server import ServerAway, repeated_if_cut

P = ParamSpec("P")
T = TypeVar("T")

SLOW_SECONDS: Final = 0.5
"""Seconds after which a call is slow. Most take a thousandth: to hand them to a thread costs a third more computing."""

APART_SECONDS: Final = 10.0
"""Seconds for which calls are made in a thread after a slow one, so that it was the only one that was waited for."""


class OrderedCalls:
    """The calls of one process: made on the event loop while they are quick, else in a thread of their own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="in order")
        self._last: Future[Any] | None = None
        self._apart_until = 0.0

    async def make(self, call: Callable[[], T]) -> T:
        """Return what a call returns, once those that were made before are over."""
        if (self._last is None or self._last.done()) and monotonic() >= self._apart_until:
            try:
                return self._timed(call)
            except ServerAway:  # it is waited for, but not here
                self._apart_until = monotonic() + APART_SECONDS
        made = self._thread.submit(copy_context().run, self._timed, repeated_if_cut(call))
        self._last = made
        return await asyncio.shield(asyncio.wrap_future(made))  # a cancelled caller takes no call back

    def _timed(self, call: Callable[[], T]) -> T:
        began = monotonic()
        try:
            return call()
        finally:
            if (now := monotonic()) - began > SLOW_SECONDS:
                self._apart_until = now + APART_SECONDS


_CALLS = OrderedCalls()


async def call_in_order(call: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Return what a call returns, once all that the process made before are over.

    It may be made twice if the server is away in between.
    """
    return await _CALLS.make(partial(call, *given, **named))


@contextmanager
def wait_for_server(database: Database) -> Iterator[None]:
    """Have whatever is not done on the event loop wait for the bot's server while it is away, until the block's end."""
    database.server.may_wait = is_off_event_loop
    try:
        yield
    finally:
        database.server.wait_no_more()


def is_off_event_loop() -> bool:
    """Return whether the caller may wait without holding up an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return True
    return False
