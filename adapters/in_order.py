"""Database calls off the event loop, one after the other: whoever asks later sees what was noted before.

A person may press what they see before it is noted that they see it. Calls that are made in several threads at once
would overtake one another then.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_THREAD = ThreadPoolExecutor(1, thread_name_prefix="in order")


async def in_order(call: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Return what the call returns, once those that were made before are over."""
    context = copy_context()
    return await asyncio.get_running_loop().run_in_executor(_THREAD, partial(context.run, call, *given, **named))
