"""What a turn is doing, as one message that is changed in place: after a moment, and then every few seconds."""

import asyncio
import logging
from functools import partial

from adapters.shown import Shown
from adapters.slack.blocks import draw
from adapters.slack.clients import FAILED, word_of
from adapters.slack.writer import Place, Posted, Writer
from router.cards import Progress, Reply
from router.memory import ThreadKey

log = logging.getLogger("icc_bot")

MOMENT = 0.4
"""Seconds before the message appears: what is done by then needs none."""

PACE = 3.0
"""Seconds between two changes of one message, as Slack wants it."""


class Ticker:
    """The progress of one turn; a message that cannot be posted is not missed."""

    def __init__(self, writer: Writer, place: Place, shown: Shown, key: ThreadKey, id: str, pace: float = PACE) -> None:
        self._writer, self._place, self._shown, self._key, self._id = writer, place, shown, key, id
        self._pace = pace
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
        await self._wait(MOMENT)
        while not self._ending.is_set():
            self._news.clear()
            await self._put()
            await self._wait(self._pace)
            await self._news.wait()

    async def _put(self) -> None:
        assert self._progress is not None
        make = partial(draw, Reply((self._progress,), working=True), self._key)
        try:
            if self.posted is None:
                self.posted = await self._writer.show(self._place, make, self._id, tries=2)
            else:
                self.posted = await self._writer.redraw(self._place, self.posted, make)
            self._shown.begin(self.posted.channel, self.posted.ts, self._key)
        except FAILED as error:
            log.warning("progress could not be shown: %s", word_of(error))

    async def _wait(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._ending.wait(), seconds)
        except TimeoutError:
            return
