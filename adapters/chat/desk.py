"""Takes what was heard, once; has it worked on; and takes up again what a stopped process left behind."""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.chat.delivery import Delivery, Outlet
from adapters.chat.inbox import Inbox
from adapters.chat.replies import progress_of
from adapters.chat.surface import Heard, Place, Posted, Undelivered
from adapters.turns import NotBegun, Turns, wants_stop
from router.memory import Memory, ThreadKey, User
from router.turn import Incoming, Opened, Tools

log = logging.getLogger("icc_bot")

AGAIN = 60.0
"""Seconds after which an input is taken up again whose answer did not get through."""

LAST_WORDS = 10.0
"""Seconds that a stopping process waits for what the core still says."""

MOMENT = 1.0
"""Seconds that it lets turns run to their end before."""

REMEMBERED = 90 * 86_400.0
"""Seconds after which a message's buttons are too old."""

STRANGER = "I answer people of this workspace only. Nothing was asked or run."


@dataclass(slots=True)
class Desk:
    """The bot at work on one platform."""

    platform: str
    turns: Turns
    tools: Tools
    outlet: Outlet
    inbox: Inbox
    _running: dict[ThreadKey, Delivery] = field(default_factory=dict)
    _statuses: dict[ThreadKey, asyncio.Task[None]] = field(default_factory=dict)
    _active: set[str] = field(default_factory=set)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def take(
        self,
        heard: Heard,
        *,
        trigger: str = "",
        refusal: asyncio.Future[tuple[str, int]] | None = None,
        respond: str = "",
    ) -> bool:
        """Keep an input and begin to work on it; returns False where it was taken before.

        `trigger` opens a modal, `refusal` hears what is wrong with a form, `respond` is where a command is answered.
        """
        incoming = Incoming(heard.key, heard.user, heard.input, heard.event, heard.shared)
        if not self.inbox.take(incoming):
            return False
        self._active.add(heard.event)
        self.spawn(self._work(incoming, heard.addressed, trigger, refusal, respond))
        return True

    async def stop(self, key: ThreadKey, user: User) -> None:
        """End what runs in a thread, where this person may."""
        incoming = Incoming(key, user, Opened())
        reply = await self.turns.stop(incoming)
        delivery = None if reply.to else self._running.get(key)
        await (delivery or Delivery(self.outlet, incoming))(reply)

    async def recover(self) -> None:
        """Take up what was left, now and every minute; ends when it is cancelled."""
        while True:
            for incoming in self.inbox.left():
                if incoming.event not in self._active:
                    self._active.add(incoming.event)
                    self.spawn(self._again(incoming))
            self.inbox.expire()
            self.outlet.shown.expire(REMEMBERED)
            await asyncio.sleep(AGAIN)

    async def forget(self, team: str) -> None:
        """Delete everything that is kept of a team."""
        self.inbox.forget_team(team)
        self.outlet.shown.forget_team(team)
        count = await asyncio.to_thread(self.outlet.router.past.forget, self.platform, team)
        log.info("team %s took the app away; %s threads were deleted", team, count)

    async def close(self) -> None:
        """Begin nothing more, end what runs, and wait a little for what the core says about it.

        What is over in a moment is not cut short; what was not begun is taken up at the next start.
        """
        self.turns.begin_no_more()
        await self._over(MOMENT)
        self.turns.end_all()
        await self._over(LAST_WORDS)
        late = list(self._tasks)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _over(self, seconds: float) -> None:
        """Wait until nothing is done any more, but not longer than this."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Have something done that nobody waits for; what goes wrong in it is logged."""
        task = asyncio.create_task(_logging(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _again(self, incoming: Incoming) -> None:
        """Work on what was left; of progress that was posted in the moment of a kill, the platform alone knows."""
        key, outlet = incoming.key, self.outlet
        if key.thread and key not in self._running and not outlet.shown.begun(key):
            place = Place(key.team, key.channel, key.thread)
            if found := await outlet.surface.find(place, progress_of(incoming)):
                outlet.shown.begin(found.channel, found.id, key)
        await self._work(incoming)

    async def _work(
        self,
        incoming: Incoming,
        addressed: bool = True,
        trigger: str = "",
        refusal: asyncio.Future[tuple[str, int]] | None = None,
        respond: str = "",
    ) -> None:
        finished = False
        delivery = Delivery(self.outlet, incoming, trigger, refusal)
        if incoming.key not in self._running:
            for channel, ts in self.outlet.shown.begun(incoming.key):
                delivery.progress = Posted(channel, ts)  # left by a process that was killed
        try:
            if addressed or await self._is_theirs(incoming):
                finished = await self._answer(delivery, respond)
            else:
                finished = True
        except NotBegun:
            log.info("%s is left for the next start", incoming.event)
        finally:
            await delivery.close()
            self._active.discard(incoming.event)
            if finished:
                self.inbox.done(incoming.event)

    async def _answer(self, delivery: Delivery, respond: str) -> bool:
        """Have the core work on the input; returns whether the person has an answer."""
        incoming = delivery.incoming
        surface = self.outlet.surface
        if incoming.key.thread:
            self._tell(incoming.key, None, working=True)
            await asyncio.sleep(0)  # the sign of life is sent before anything else is
        person = await surface.person(incoming.key.team, incoming.user)
        if person.stranger:
            await self._whisper(incoming, STRANGER)
            return True
        incoming = replace(incoming, user=person.user)
        if not incoming.key.thread:
            incoming = await surface.begin(incoming, respond)
            self.inbox.move(incoming)
            self._tell(incoming.key, None, working=True)
        delivery.incoming = incoming
        while (running := self._running.get(incoming.key)) and not self.turns.works(incoming.key):
            await running.over.wait()  # its answer is on its way: who sees that already may go on at once
        if running and wants_stop(incoming):
            await self.stop(incoming.key, incoming.user)
            return True
        if running is None:
            self._running[incoming.key] = delivery
        try:
            await self.turns.handle(incoming, delivery)
            if not delivery.answered:
                await self._catch_up(delivery)
        finally:
            if running is None:
                del self._running[incoming.key]
        if running is None:
            memory = await asyncio.to_thread(self.outlet.router.memory, incoming.key)
            self._tell(incoming.key, memory, working=False)
        return delivery.answered

    def _tell(self, key: ThreadKey, memory: Memory | None, working: bool) -> None:
        """Have the platform show what the thread stands at, after what it showed before."""
        before, surface = self._statuses.get(key), self.outlet.surface

        async def tell() -> None:
            if before:
                await asyncio.wait([before])
            await surface.tell(key, memory, working)

        task = self._statuses[key] = self.spawn(tell())
        task.add_done_callback(lambda done: self._statuses.pop(key) if self._statuses.get(key) is done else None)

    async def _catch_up(self, delivery: Delivery) -> None:
        """Show the question that stands where it was not shown, as after a kill between saving and posting."""
        incoming, shown = delivery.incoming, self.outlet.shown
        memory = await asyncio.to_thread(self.outlet.router.memory, incoming.key)
        if memory is None or memory.turn <= shown.last_turn(incoming.key):
            delivery.answered = True
            return
        if found := await self.outlet.surface.find(delivery.place, f"{incoming.key}:{memory.turn}"):
            log.info("message %s of %s was there already", found.id, incoming.key)
            delivery.progress = found  # it is drawn anew in its place, and noted
        await self.turns.handle(replace(incoming, input=Opened(), event=""), delivery)

    async def _is_theirs(self, incoming: Incoming) -> bool:
        """Tell whether a word in a thread that names nobody is for the bot: the one who began the talk goes on."""
        memory = await asyncio.to_thread(self.outlet.router.memory, incoming.key)
        return bool(memory and memory.owner and memory.owner.id == incoming.user.id)

    async def _whisper(self, incoming: Incoming, text: str) -> None:
        key = incoming.key
        log.warning("%s was refused in %s: %s", incoming.user.id, key, text)
        try:
            await self.outlet.surface.whisper(Place(key.team, key.channel, key.thread), incoming.user, text)
        except Undelivered as error:
            log.warning("%s could not be told: %s", incoming.user.id, error)


async def _logging(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        log.exception("something was left undone")
