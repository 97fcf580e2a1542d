"""A bot that a test runs beside itself, in an event loop of its own."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from threading import Event, Thread

from adapters.turns import Turns
from bot.wiring import Bot


@contextmanager
def in_a_thread(
    bot: Bot, at_work: Callable[[Turns], AbstractAsyncContextManager[int]], listening: Callable[[int], None]
) -> Iterator[Turns]:
    """Serve a platform until the end of the block; `listening` is told the port before the block begins."""
    ready, ending = Event(), Event()
    failed: list[BaseException] = []
    turns = Turns(bot.router)

    async def serve() -> None:
        async with at_work(turns) as port:
            listening(port)
            ready.set()
            await asyncio.to_thread(ending.wait)

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            failed.append(error)
        finally:
            ready.set()

    thread = Thread(target=run, name="bot")
    thread.start()
    ready.wait(20)
    try:
        if not failed:
            yield turns
    finally:
        ending.set()
        thread.join(20)
        turns.close()
        if failed:
            raise failed[0]
