"""The async edge: repeats dropped, one turn at a time a thread, the sync core run in threads of its own."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from router.cards import Reply
from router.engine import Router
from router.memory import ThreadKey
from router.turn import Incoming, Pressed, Said

log = logging.getLogger("icc_bot")

Deliver = Callable[[Reply], Awaitable[None]]


class Turns:
    """Takes what platforms bring in, and gives each reply to `deliver`, in order."""

    def __init__(self, router: Router, workers: int = 32) -> None:
        self.router = router
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="turn")
        self._under_way: dict[ThreadKey, set[str]] = {}

    async def handle(self, incoming: Incoming, deliver: Deliver) -> None:
        """Work on one input and deliver its replies; a turn goes on when its platform stops listening."""
        key = incoming.key
        if (events := self._under_way.get(key)) is not None:
            if incoming.event and incoming.event in events:
                return
            await deliver(self.router.stop(incoming) if wants_stop(incoming) else self.router.busy(incoming))
            return
        self._under_way[key] = {incoming.event}
        await asyncio.shield(asyncio.ensure_future(self._run(incoming, deliver)))

    async def _run(self, incoming: Incoming, deliver: Deliver) -> None:
        loop = asyncio.get_running_loop()
        replies: asyncio.Queue[Reply | None] = asyncio.Queue()

        def post(reply: Reply | None) -> None:
            loop.call_soon_threadsafe(replies.put_nowait, reply)

        def work() -> None:
            try:
                self.router.turn(incoming, post)
            except Exception:
                log.exception("a turn of %s was lost", incoming.key)
            finally:
                loop.call_soon_threadsafe(self._under_way.pop, incoming.key, None)
                post(None)

        self._pool.submit(work)
        while (reply := await replies.get()) is not None:
            try:
                await deliver(reply)
            except Exception:
                log.exception("a reply to %s could not be delivered", incoming.key)

    def close(self) -> None:
        """Let running turns end, and take no more."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def wants_stop(incoming: Incoming) -> bool:
    """Tell whether the person asks to end what runs."""
    match incoming.input:
        case Pressed(answer):
            return answer == "stop"
        case Said(text):
            return text.strip().lower().rstrip(".!") in ("stop", "halt", "cancel", "abort")
        case _:
            return False
