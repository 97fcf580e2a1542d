"""Shows what a turn is doing, in one message that is changed in place: after a moment, then every few seconds."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from adapters.chat.shown_messages import ShownMessages
from adapters.chat.surface import MessagePlace, Posted, Shape, Surface, Undelivered
from router.cards import Progress, Reply
from router.memory.thread import ThreadKey

log = logging.getLogger("icc_bot")

PROGRESS_AFTER_SECONDS = 0.4
"""Seconds before the message appears: what is done by then needs none."""

PROGRESS_PACE_SECONDS = 3.0
"""Seconds between two changes of one message, as platforms want it."""


class ProgressMessage:
    """The progress of one turn; a message that cannot be posted is not missed.

    `stop` is called where the person ended the turn by a button of the platform's own.
    """

    def __init__(
        self,
        surface: Surface,
        place: MessagePlace,
        shown: ShownMessages,
        key: ThreadKey,
        id: str,
        pace: float = PROGRESS_PACE_SECONDS,
        stop: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._surface, self._place, self._shown, self._key, self._id = surface, place, shown, key, id
        self._pace, self._stop = pace, stop
        self._progress: Progress | None = None
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
        """Change the message no more, and return it where there is one; a call under way is waited for."""
        self._ending.set()
        self._news.set()
        if self._task is not None:
            await self._task
        return self.posted

    async def _run(self) -> None:
        await self._wait(PROGRESS_AFTER_SECONDS)
        while not self._ending.is_set():
            self._news.clear()
            await self._put()
            await self._wait(self._pace)
            if not (self.posted and self.posted.open):  # that one is written again: so its Stop is heard of
                await self._news.wait()

    async def _put(self) -> None:
        assert self._progress is not None
        shape = Shape(Reply((self._progress,), working=True), self._key)
        try:
            if self.posted is None:
                self._note(await self._surface.show(self._place, shape, self._id, brief=True))
            else:
                self._note(await self._surface.redraw(self._place, self.posted, shape))
        except Undelivered as error:
            if error.stopped:
                self._note(None)
                if self._stop:
                    await self._stop()
            else:
                log.warning("progress could not be shown: %s", error)
        except Exception:  # whatever it is, the answer does not wait for it
            log.exception("progress could not be shown")

    def _note(self, posted: Posted | None) -> None:
        """Note which message shows the progress now."""
        before, self.posted = self.posted, posted
        if before and before != posted:
            self._shown.end(before.channel, before.id)
        if posted:
            self._shown.begin(posted.channel, posted.id, self._key)

    async def _wait(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._ending.wait(), seconds)
        except TimeoutError:
            return
