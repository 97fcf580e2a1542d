"""Database calls of the event loop."""

import asyncio
import threading
import time

from adapters.ordered_calls import SLOW_SECONDS, OrderedCalls


async def test_after_a_slow_call_nobody_waits() -> None:
    """Quick calls are made at once, if they are asked for; after a slow one, the loop goes on meanwhile."""
    calls, ticks = OrderedCalls(), []

    async def tick() -> None:
        while True:
            ticks.append(time.monotonic())
            await asyncio.sleep(0.01)

    assert await calls.make(threading.get_ident) == threading.get_ident()
    ticking = asyncio.create_task(tick())
    await asyncio.sleep(0)
    await calls.make(lambda: time.sleep(1.1 * SLOW_SECONDS))
    assert len(ticks) == 1
    await calls.make(lambda: time.sleep(SLOW_SECONDS))
    assert len(ticks) > 5
    assert await calls.make(threading.get_ident) != threading.get_ident()
    ticking.cancel()


async def test_calls_keep_their_order() -> None:
    """In a thread, too; one that fails keeps no other from its turn."""
    calls, done = OrderedCalls(), []

    def do(number: int, seconds: float = 0.0) -> None:
        time.sleep(seconds)
        done.append(number)
        if number == 3:
            raise ValueError(number)

    await calls.make(lambda: do(0, 1.1 * SLOW_SECONDS))
    made = (calls.make(lambda number=number: do(number, 0.05 if number == 1 else 0.0)) for number in range(1, 6))
    failed = [each for each in await asyncio.gather(*made, return_exceptions=True) if each]
    assert ([0, 1, 2, 3, 4, 5], ["3"]) == (done, [str(each) for each in failed])


async def test_whoever_is_cancelled_takes_no_call_back() -> None:
    """What was asked for is done, and in its turn: nothing overtakes it."""
    calls, done = OrderedCalls(), []

    async def ask(number: int) -> None:
        await calls.make(lambda: done.append(number) or time.sleep(0.1))  # type: ignore[func-returns-value]

    await calls.make(lambda: time.sleep(1.1 * SLOW_SECONDS))
    asking = [asyncio.create_task(ask(number)) for number in (1, 2)]
    await asyncio.sleep(0.02)
    for each in asking:
        each.cancel()
    await ask(3)
    assert [1, 2, 3] == done
