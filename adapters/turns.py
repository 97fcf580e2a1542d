"""The async edge: repeats dropped, one turn at a time a thread, the sync core run in threads of its own."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic

from router.cards import Progress, Reply, Text
from router.engine import Router
from router.errors import NotAllowed, PutOff
from router.jobs.cancellation import SHUT_DOWN, WITHDRAWN, Stopping
from router.memory.thread import ThreadKey
from router.observing.metrics import DELIVERIES, TURN_SECONDS, TURNS, TURNS_UNDER_WAY, WAIT_SECONDS
from router.observing.spans import span
from router.observing.talk import go_on, present_work, work_on
from router.turn import Incoming, Pressed, Said
from router.understanding.button_words import word_of

log = logging.getLogger("icc_bot")

Deliver = Callable[[Reply], Awaitable[None]]


TALKS_AT_ONCE = 256
"""Turns at once: most of them wait for a model, and those who need none must not wait for these."""


ENDS_WITHIN_SECONDS = 2.0
"""Seconds for which a press waits on what a turn shows before its end, as it does with a list or a proposal."""


class NotBegun(Exception):
    """The turn was not begun, or not ended, since the process ends: it is to be worked on at the next start."""


@dataclass(slots=True)
class UnderWay:
    """An input that is being worked on, or waits for a worker."""

    incoming: Incoming
    stopping: Stopping = field(default_factory=Stopping)
    answered: bool = False
    """True once the core has said its last; that may still be on its way."""
    delivered: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once that has arrived, too."""
    shows: bool = False
    """True once it has shown more than what is being done: somebody may press there before the core is done."""

    async def ends_soon(self) -> bool:
        """Wait a moment for the end, and return whether it came."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.delivered.wait(), ENDS_WITHIN_SECONDS)
        return self.delivered.is_set()


def is_double_click(late: Incoming, first: Incoming) -> bool:
    """Return whether a person pressed the same button once more while the first press is worked on."""
    return isinstance(late.input, Pressed) and (late.user.id, late.input) == (first.user.id, first.input)


class Turns:
    """Takes what platforms bring in, and gives each reply to `deliver`, in order."""

    def __init__(self, router: Router, workers: int = TALKS_AT_ONCE) -> None:
        self.router = router
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="turn")
        self._under_way: dict[ThreadKey, UnderWay] = {}

    async def handle(self, incoming: Incoming, deliver: Deliver) -> None:
        """Work on one input and deliver its replies; a turn goes on when its platform stops listening.

        An input that comes while the last reply is on its way waits for that: its author may have seen it already.
        Raises NotBegun if `drain` came first.
        """
        while under_way := self._under_way.get(incoming.key):
            if incoming.event and incoming.event == under_way.incoming.event:
                return
            if wants_stop(incoming):
                await deliver(await self.stop(incoming))
                return
            if is_double_click(incoming, under_way.incoming):
                return
            pressed = under_way.shows and isinstance(incoming.input, Pressed)
            if not under_way.answered and not (pressed and await under_way.ends_soon()):
                await deliver(await self.busy(incoming))
                return
            await under_way.delivered.wait()
        self._under_way[incoming.key] = UnderWay(incoming)
        TURNS_UNDER_WAY.change(1)
        await asyncio.shield(asyncio.ensure_future(self._traced(incoming, deliver)))

    def is_working(self, key: ThreadKey) -> bool:
        """Return whether the core works on an input of the thread, or will."""
        under_way = self._under_way.get(key)
        return under_way is not None and not under_way.answered

    def is_working_on(self, key: ThreadKey, event: str) -> bool:
        """Return whether the core works on this very input."""
        under_way = self._under_way.get(key)
        return self.is_working(key) and under_way is not None and under_way.incoming.event == event

    async def stop(self, incoming: Incoming) -> Reply:
        """End what is under way in the thread, or waits for a worker, if the person may; return what they are told.

        What is ended says so after the reply that is returned.
        """
        under_way, user = self._under_way.get(incoming.key), incoming.user
        if under_way:
            try:
                await asyncio.to_thread(self.router.require_stop, incoming, under_way.incoming)
            except NotAllowed as error:
                return Reply((Text(str(error), "problem"),), to=user.id, refused=str(error))
        if under_way is None or under_way.answered:
            return Reply((Text("Nothing is running here right now.", "quiet"),), to=user.id)
        under_way.stopping.stop()
        return Reply((Progress("Stopping…", stoppable=False),), working=True)

    def withdraw(self, key: ThreadKey) -> None:
        """End what is under way in a thread since its question was changed: what comes of that says the rest."""
        if under_way := self._under_way.get(key):
            under_way.stopping.stop(WITHDRAWN)

    async def busy(self, incoming: Incoming) -> Reply:
        """Return what the person is told whose input comes while another one in the thread is worked on."""
        under_way = self._under_way.get(incoming.key)
        return await asyncio.to_thread(self.router.busy, incoming, under_way.incoming if under_way else incoming)

    def end_all(self) -> None:
        """End all work that is under way because the process ends, and all statements in databases."""
        for under_way in self._under_way.values():
            under_way.stopping.stop(SHUT_DOWN)

    async def _traced(self, incoming: Incoming, deliver: Deliver) -> None:
        kind = type(incoming.input).__name__.lower()
        # The process that took the input may have begun a trace.
        with work_on(str(incoming.key), present_work().trace), span("event", incoming.key.platform, input=kind):
            await self._run(incoming, deliver)

    async def _run(self, incoming: Incoming, deliver: Deliver) -> None:
        loop = asyncio.get_running_loop()
        replies: asyncio.Queue[Reply | None] = asyncio.Queue()
        under_way = self._under_way[incoming.key]

        def post(reply: Reply | None) -> None:
            loop.call_soon_threadsafe(replies.put_nowait, reply)

        asked, traced = monotonic(), present_work()

        def work() -> None:
            WAIT_SECONDS.add(monotonic() - asked, incoming.key.platform)
            try:
                with go_on(traced):
                    self._work(incoming, post, under_way.stopping)
            finally:
                under_way.answered = True
                post(None)

        def ended(future: Future[None]) -> None:
            if future.cancelled():
                post(None)

        try:
            try:
                future = self._pool.submit(work)
            except RuntimeError:
                raise NotBegun from None
            future.add_done_callback(ended)
            while (reply := await replies.get()) is not None:
                under_way.answered = under_way.answered or not reply.working
                under_way.shows = under_way.shows or any(not isinstance(card, Progress) for card in reply.cards)
                try:
                    with span("deliver", incoming.key.platform, working=reply.working):
                        await deliver(reply)
                    DELIVERIES.add(incoming.key.platform, "delivered")
                except Exception:
                    DELIVERIES.add(incoming.key.platform, "failed")
                    log.exception("a reply to %s could not be delivered", incoming.key)
            if future.cancelled() or isinstance(future.exception(), PutOff):
                raise NotBegun
        finally:
            under_way.answered = True
            TURNS_UNDER_WAY.change(-1)
            # Only now may the next turn begin: its replies come after the last one's.
            del self._under_way[incoming.key]
            under_way.delivered.set()

    def _work(self, incoming: Incoming, post: Callable[[Reply], None], stopping: Stopping) -> None:
        began, platform, outcome = monotonic(), incoming.key.platform, "answered"
        try:
            with span("turn", platform):
                self.router.turn(incoming, post, stopping)
        except PutOff:
            outcome = "put off"
            raise
        except Exception:
            outcome = "lost"
            log.exception("a turn of %s was lost", incoming.key)
        finally:
            TURNS.add(platform, outcome)
            TURN_SECONDS.add(monotonic() - began, platform)

    def drain(self) -> None:
        """Go on with the turns that run, and leave those that wait for a worker."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Let running turns end, and take no more."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def wants_stop(incoming: Incoming) -> bool:
    """Return whether the person asks to end what runs."""
    match incoming.input:
        case Pressed(answer):
            return answer == "stop"
        case Said(text):
            return word_of(text, ("stop", "cancel")) is not None
        case _:
            return False
