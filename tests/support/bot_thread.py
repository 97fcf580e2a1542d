"""A bot that a test runs beside itself, in an event loop of its own."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, closing, contextmanager
from threading import Event, Thread

from adapters.turns import Turns
from bot.wiring.bot import Bot


@contextmanager
def served_in_a_thread(at_work: Callable[[], AbstractAsyncContextManager[int]]) -> Iterator[int]:
    """Serve until the end of the block, which is given the port."""
    ready, ending = Event(), Event()
    ports: list[int] = []
    failed: list[BaseException] = []

    async def serve() -> None:
        async with at_work() as port:
            ports.append(port)
            ready.set()
            await asyncio.to_thread(ending.wait)

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            failed.append(error)
        finally:
            ready.set()

    thread = Thread(target=run, name="server")
    thread.start()
    ready.wait(60)
    try:
        if not failed:
            yield ports[0]
    finally:
        ending.set()
        thread.join(60)
        if failed:
            raise failed[0]


@contextmanager
def in_a_thread(
    bot: Bot, at_work: Callable[[Turns], AbstractAsyncContextManager[int]], listening: Callable[[int], None]
) -> Iterator[Turns]:
    """Serve a platform until the end of the block; `listening` is told the port before the block begins."""
    with closing(Turns(bot.router)) as turns, served_in_a_thread(lambda: at_work(turns)) as port:
        listening(port)
        yield turns
