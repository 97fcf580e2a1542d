"""Shows what a turn is doing, in one message that is changed in place: after a moment, then every few seconds.

Before that, the platform shows that the bot is at work, as far as it has a sign of its own for it.
"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import Final

from adapters.chat.shown_messages import ShownMessages
from adapters.chat.surface import MessagePlace, Posted, Shape, Surface, Undelivered
from adapters.ordered_calls import call_in_order
from adapters.rendering.progress_line import TIME_AFTER_SECONDS, progress_line
from router.cards import Progress, Reply
from router.memory.thread import ThreadKey

log = logging.getLogger("icc_bot")

PROGRESS_PACE_SECONDS = 3.0
"""Seconds between two changes of one message, as platforms want it."""

TICKS: Final = ((30.0, 1), (120.0, 4), (float("inf"), 10))
"""Until so many seconds have passed, the time is told again each so many paces: who waits for long looks less often."""


class ProgressMessage:
    """The progress of one turn; a message that cannot be posted is not missed.

    Without a `pace`, each change is shown at once, and the platform shows by itself how long it takes.
    """

    def __init__(
        self,
        surface: Surface,
        place: MessagePlace,
        shown: ShownMessages,
        key: ThreadKey,
        id: str,
        pace: float = PROGRESS_PACE_SECONDS,
    ) -> None:
        self._surface, self._place, self._shown, self._key, self._id = surface, place, shown, key, id
        self._pace, self._began = pace, monotonic()
        self._progress: Progress | None = None
        self._line = ""
        self._news, self._ending = asyncio.Event(), asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.posted: Posted | None = None

    def show(self, progress: Progress) -> None:
        """Show this from now on."""
        self._progress = progress
        self._news.set()
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def end(self) -> Posted | None:
        """Change the message no more, and return it if there is one; a call under way is waited for."""
        self._ending.set()
        self._news.set()
        if self._task is not None:
            await self._task
        return self.posted

    async def _run(self) -> None:
        await self._wait(self._surface.progress_after)
        while not self._ending.is_set():
            self._news.clear()
            await self._put()
            await self._wait(self._pace)
            await self._news_or_tick()

    async def _news_or_tick(self) -> None:
        """Wait for news, or until the time is to be told again."""
        if not self._pace:
            await self._news.wait()
            return
        passed = monotonic() - self._began
        paces = next(paces for until, paces in TICKS if passed < until)
        tick = max(TIME_AFTER_SECONDS - passed, (paces - 1) * self._pace, 0.0)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), tick)

    async def _put(self) -> None:
        assert self._progress is not None
        line = progress_line(self._progress, monotonic() - self._began if self._pace else 0.0)
        if line == self._line and self.posted:
            return
        self._line = line
        shape = Shape(Reply((replace(self._progress, text=line, step=0),), working=True), self._key)
        try:
            if self.posted is None:
                await self._note(await self._surface.show(self._place, shape, self._id, brief=True))
            else:
                await self._note(await self._surface.redraw(self._place, self.posted, shape))
        except Undelivered as error:
            if error.gone:
                await self._note(None)  # if somebody deleted it, it is posted at the next look
            log.warning("progress could not be shown: %s", error)
        except Exception:  # whatever it is, the answer does not wait for it
            log.exception("progress could not be shown")

    async def _note(self, posted: Posted | None) -> None:
        """Note which message shows the progress now."""
        before, self.posted = self.posted, posted
        if before and before != posted:
            await call_in_order(self._shown.end, before.channel, before.id)
        if posted:
            await call_in_order(self._shown.begin, posted.channel, posted.id, self._key)

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ending.wait(), seconds)
