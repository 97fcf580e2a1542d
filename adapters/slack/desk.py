"""Takes what was heard, once; has it worked on; and takes up again what a stopped process left behind."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.inbox import Inbox
from adapters.recent import Recent
from adapters.slack.clients import FAILED, word_of
from adapters.slack.delivery import Delivery, Outlet
from adapters.slack.inbound import Heard, is_direct
from adapters.slack.openings import begin
from adapters.slack.people import People
from adapters.slack.replies import progress_of, slack_id
from adapters.slack.sessions import Status, set_status, standing
from adapters.slack.writer import Place, Posted
from adapters.turns import NotBegun, Turns, wants_stop
from router.memory import ThreadKey, User
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


async def _kept(team: str) -> None:
    """Nothing else is kept of a workspace where there is only one."""


@dataclass(slots=True)
class Desk:
    """One Slack app at work."""

    turns: Turns
    tools: Tools
    outlet: Outlet
    inbox: Inbox
    people: People
    uninstalled: Callable[[str], Awaitable[None]] = _kept
    """Deletes what is kept of a workspace outside the adapter."""
    moved: Recent[str, int] = field(default_factory=Recent)
    """By an open modal's id: the number of the question that its form answers now."""
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
        shared = bool(heard.key.channel) and not is_direct(heard.key.channel)
        incoming = Incoming(heard.key, User(f"slack:{heard.user}", heard.name), heard.input, heard.event, shared)
        if not self.inbox.take(incoming):
            return False
        self._active.add(heard.event)
        self.spawn(self._work(incoming, heard.addressed, trigger, refusal, respond))
        return True

    async def stop(self, key: ThreadKey, user: str) -> None:
        """End what runs in a thread, where this person may."""
        incoming = Incoming(key, User(f"slack:{user}"), Opened())
        delivery = self._running.get(key) or Delivery(self.outlet, incoming)
        reply = self.turns.stop(incoming)
        if reply.to:
            delivery = Delivery(self.outlet, incoming)
        await delivery(reply)

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
        """Delete everything that is kept of a workspace."""
        await self.uninstalled(team)
        self.inbox.forget_team(team)
        self.outlet.shown.forget_team(team)
        count = await asyncio.to_thread(self.outlet.router.past.forget, "slack", team)
        log.info("workspace %s took the app away; %s threads were deleted", team, count)

    async def close(self) -> None:
        """Begin nothing more, end what runs, and wait a little for what the core says about it.

        What is over in a moment is not cut short; what was not begun is taken up at the next start.
        """
        self.turns.begin_no_more()
        await self._over(MOMENT)
        for key, delivery in self._running.items():
            self.turns.stop(Incoming(key, delivery.incoming.user, Opened()))
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
        """Work on what was left; of progress that was posted in the moment of a kill, Slack alone knows."""
        key, outlet = incoming.key, self.outlet
        if key.thread and key not in self._running and not outlet.shown.begun(key):
            place = Place(key.team, key.channel, key.thread)
            if found := await outlet.writer.find(place, progress_of(incoming)):
                outlet.shown.begin(found.channel, found.ts, key)
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
        id = slack_id(incoming.user.id)
        if incoming.key.thread:
            self._tell(incoming.key, "processing")
            await asyncio.sleep(0)  # the sign of life is sent before anything else is
        person = await self.people.person(incoming.key.team, id, incoming.user.name)
        if person.stranger:
            await self._whisper(incoming, STRANGER)
            return True
        incoming = replace(incoming, user=person.user)
        if not incoming.key.thread:
            incoming = await begin(self.outlet.writer, incoming, respond)
            self.inbox.move(incoming)
            self._tell(incoming.key, "processing")
        delivery.incoming = incoming
        while (running := self._running.get(incoming.key)) and not self.turns.works(incoming.key):
            await running.over.wait()  # its answer is on its way: who sees that already may go on at once
        if running and wants_stop(incoming):
            await self.stop(incoming.key, id)
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
            self._tell(incoming.key, standing(memory))
        return delivery.answered

    def _tell(self, key: ThreadKey, status: Status) -> None:
        """Have Slack show a status, after those of before."""
        before, client = self._statuses.get(key), self.outlet.clients

        async def tell() -> None:
            if before:
                await asyncio.wait([before])
            await set_status(client, key, status)

        task = self._statuses[key] = self.spawn(tell())
        task.add_done_callback(lambda done: self._statuses.pop(key) if self._statuses.get(key) is done else None)

    async def _catch_up(self, delivery: Delivery) -> None:
        """Show the question that stands where it was not shown, as after a kill between saving and posting."""
        incoming, shown = delivery.incoming, self.outlet.shown
        memory = await asyncio.to_thread(self.outlet.router.memory, incoming.key)
        if memory is None or memory.turn <= shown.last_turn(incoming.key):
            delivery.answered = True
            return
        if found := await self.outlet.writer.find(delivery.place, f"{incoming.key}:{memory.turn}"):
            log.info("message %s of %s was there already", found.ts, incoming.key)
            delivery.progress = found  # it is drawn anew in its place, and noted
        await self.turns.handle(replace(incoming, input=Opened(), event=""), delivery)

    async def _is_theirs(self, incoming: Incoming) -> bool:
        """Tell whether a word in a thread that names nobody is for the bot: the one who began the talk goes on."""
        memory = await asyncio.to_thread(self.outlet.router.memory, incoming.key)
        return bool(memory and memory.owner and memory.owner.id == incoming.user.id)

    async def _whisper(self, incoming: Incoming, text: str) -> None:
        key, id = incoming.key, slack_id(incoming.user.id)
        log.warning("%s was refused in %s: %s", incoming.user.id, key, text)
        try:
            await self.outlet.writer.whisper(Place(key.team, key.channel, key.thread), id, text)
        except FAILED as error:
            log.warning("%s could not be told: %s", incoming.user.id, word_of(error))


async def _logging(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        log.exception("something was left undone")
