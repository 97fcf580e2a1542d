"""The way of an input from the process that hears it to the one that works on it."""

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from functools import partial
from time import time
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from adapters.chat.inbox import Extras, Inbox
from adapters.chat.surface import Heard, NotTaken, Refusal
from adapters.ordered_calls import call_in_order
from adapters.tasks import LocalTasks, Task
from adapters.turns import wants_stop
from router.memory.thread import ThreadKey
from router.observing.spans import span
from router.observing.talk import work_on
from router.turn import Incoming

if TYPE_CHECKING:  # it brings Procrastinate, which those need who share the work
    from adapters.task_queue import TaskQueue

log = logging.getLogger("icc_bot")

RETRY_AFTER = timedelta(seconds=60)
"""The time after which an input is taken up again whose answer did not get through."""

REFUSAL_WAIT_SECONDS = 0.4
"""Seconds after an input came, in which its first process learns of a refusal: a click waits little longer."""

LINGER_SECONDS = 0.5
"""Seconds that one of several workers keeps a thread in which all is done: what comes next there begins at once.

A person who presses as soon as they see the answer learns at once what is wrong with that.
"""

FOLLOW_SECONDS = 5.0
"""Seconds between two looks whether another process is done with an input; mostly a message says so at once."""


class Working(Protocol):
    """The conversation service, as a queue sees it."""

    async def work(self, heard: Heard, extras: Extras, refusal: Refusal | None = None) -> bool:
        """Work on an input; returns whether it is finished."""

    async def work_again(self, heard: Heard) -> bool:
        """Work on an input that was left, perhaps halfway; returns whether it is finished."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Have something done that nobody waits for; what goes wrong in it is logged."""


@dataclass(slots=True)
class _Given:
    """An input that another process may work on; `over` is set with the end of that."""

    key: ThreadKey
    refusal: Refusal | None
    over: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


@dataclass(slots=True)
class _Session:
    """A thread that this process works on; whatever comes in it meanwhile comes here, too."""

    task: Task
    locks: set[str]
    events: set[str] = field(default_factory=set)
    works: set[asyncio.Task[None]] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    """Events of inputs that were not finished."""
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when more comes, or the process ends."""


class EventQueue:
    """Inputs that were taken: each is worked on once, those of a thread in their order, by one process at a time.

    An input and its task are kept together. The task's lock is the thread. While it is done, its worker hears of the
    thread's other inputs at once, so that a person can stop what runs; otherwise, these wait for their own task.
    """

    def __init__(self, inbox: Inbox, service: Working, tasks: "TaskQueue | None" = None) -> None:
        """Share the work with all processes that have these `tasks`; without any, this one does all of it."""
        self._inbox, self._service, self._tasks = inbox, service, tasks or LocalTasks()
        self._queue, self._name = inbox.platform, f"work on {inbox.platform}"
        self._given: dict[str, _Given] = {}
        self._sessions: dict[str, _Session] = {}
        self._ending = False
        self._tasks.hear(self._told)
        self._tasks.handle(self._name, self._session)

    @property
    def shared(self) -> bool:
        """True if other processes may work on what this one takes."""
        return self._tasks.shared

    async def put(self, heard: Heard, extras: Extras, refusal: Refusal | None = None) -> asyncio.Task[None] | None:
        """Keep an input and have it worked on; returns what ends with that, None if it was taken before."""
        if heard.event in self._given:
            return None
        message = {"heard": heard.event, "lock": _lock(heard)}
        # Noted before it is kept: from then on any process may be done with it.
        given, taken = _Given(heard.key, refusal), False
        self._given[heard.event] = given
        try:
            # In this process the event begins at once, as the one root of its trace.
            taking = span("taken", self._inbox.platform) if self.shared else nullcontext()
            with work_on(str(heard.key)) as traced, taking:
                keep = partial(self._inbox.take, heard, replace(extras, trace=traced.trace))
                taken = await self._tasks.defer(
                    keep,
                    self._name,
                    {"event": heard.event},
                    message,
                    queue=self._queue,
                    lock=_lock(heard),
                    person=heard.user.id,
                )
        finally:
            if not taken:
                del self._given[heard.event]
        if not taken:
            return None
        if self._ending:
            self._let_go(heard.event, given)
        else:
            given.task = self._service.spawn(self._follow(heard.event, given))
        return given.task

    async def moved(self, heard: Heard) -> None:
        """Keep an input in the thread that was begun for it, which is this worker's from now on."""
        lock, session = _lock(heard), self._sessions.get(_event_lock(heard.event))
        keep = partial(self._inbox.move, heard)
        if session is None or lock in self._sessions:
            await call_in_order(keep)
            return
        self._sessions[lock], locked = session, False  # what comes there meanwhile is heard
        try:
            locked = await self._tasks.relock(keep, session.task, lock)
        finally:
            if locked:
                session.locks.add(lock)
            else:
                log.info("%s is another worker's, since somebody was quicker to say something there", heard.key)
                del self._sessions[lock]

    def unfinished(self, key: ThreadKey) -> Iterable[asyncio.Task[None]]:
        """Return what ends with the inputs of a thread that this process took."""
        return [given.task for given in self._given.values() if given.key == key and given.task]

    async def take_up(self) -> None:
        """Defer tasks of inputs that have none any more, as when the platform did not take the answer."""
        for heard in await call_in_order(self._inbox.left, RETRY_AFTER if self.shared else timedelta(0)):
            await self._tasks.defer_left(
                self._name, {"event": heard.event}, queue=self._queue, lock=_lock(heard), person=heard.user.id
            )

    def drain(self) -> None:
        """Have what is not finished done by another process, or at the next start, and wait for nothing of others."""
        self._ending = True
        here = {event for session in self._sessions.values() for event in session.events}
        for session in self._sessions.values():
            session.woken.set()
        for event, given in self._given.items():
            if given.task and event not in here:
                given.task.cancel()

    async def _follow(self, event: str, given: _Given) -> None:
        """Wait until an input is done."""
        try:
            while not given.over.is_set():
                try:
                    await asyncio.wait_for(given.over.wait(), FOLLOW_SECONDS)
                except TimeoutError:
                    if await asyncio.to_thread(self._is_done, event):
                        return
        finally:
            self._let_go(event, given)

    def _let_go(self, event: str, given: _Given) -> None:
        self._given.pop(event, None)
        if given.refusal and not given.refusal.done():
            given.refusal.set_result(NotTaken())

    def _is_done(self, event: str) -> bool:
        try:
            return self._inbox.find(event) is None
        except SQLAlchemyError:
            return False

    def _told(self, message: dict[str, Any]) -> None:
        """Take what a process tells: an input was heard, was refused, or is done."""
        if "missed" in message:
            self._service.spawn(self._look_for_stops())
        elif event := message.get("heard"):
            self._hear(event, message["lock"])
        elif given := self._given.get(message.get("done") or message.get("refused") or ""):
            if message["why"] and given.refusal and not given.refusal.done():
                given.refusal.set_result(NotTaken(**message["why"]))
            if "done" in message:
                given.over.set()

    def _hear(self, event: str, lock: str) -> None:
        """Begin an input at once if this process works on its thread."""
        session = self._sessions.get(lock)
        if session and event not in session.events:
            self._begin(session, event, again=False)

    async def _look_for_stops(self) -> None:
        """Hear of what was to end something while nothing could be heard; all else is begun by its own task."""
        for heard in await asyncio.to_thread(self._inbox.left):
            if wants_stop(Incoming(heard.key, heard.user, heard.input)):
                self._hear(heard.event, _lock(heard))

    async def _session(self, task: Task) -> bool:
        """Work on a task's input, and on all that comes in its thread meanwhile; returns whether the task is over."""
        if self._ending:
            return False
        session = self._sessions[task.lock] = _Session(task, {task.lock})
        event = task.given["event"]
        try:
            self._begin(session, event, task.again)
            while session.works:
                done, _ = await asyncio.wait(session.works, return_when=asyncio.FIRST_COMPLETED)
                session.works -= done
                if not session.works and self.shared and not self._ending:
                    await self._linger(session)
        finally:
            for lock in session.locks:
                del self._sessions[lock]
        return not (self._ending and event in session.left)

    async def _linger(self, session: _Session) -> None:
        """Wait a moment for what comes next in a thread."""
        session.woken.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(session.woken.wait(), LINGER_SECONDS)

    def _begin(self, session: _Session, event: str, again: bool) -> None:
        session.events.add(event)
        session.woken.set()
        session.works.add(self._service.spawn(self._work(session, event, again)))

    async def _work(self, session: _Session, event: str, again: bool) -> None:
        found = await call_in_order(self._inbox.find, event)  # or a Stop would overtake what it is to end
        if found is None:  # it was done beside another one
            return
        # Its own task waits for this one; should this process die, it has to know that the input was begun.
        if event != session.task.given["event"] and not await self._tasks.note_begun({"event": event}):
            return  # another process has it
        session.left.add(event)
        heard, extras = found
        refusal = self._refusal(event, extras) if extras.waits and not again else None
        try:
            with work_on(str(heard.key), extras.trace):
                if again:
                    finished = await self._service.work_again(heard)
                else:
                    finished = await self._service.work(heard, extras, refusal)
            if finished:
                # What was told before may be on its way still.
                await self._tasks.tell({"done": event, "why": _why(refusal)}, partial(self._inbox.done, event))
                session.left.discard(event)
        finally:
            if given := self._given.get(event):
                given.over.set()

    def _refusal(self, event: str, extras: Extras) -> Refusal | None:
        """Return the refusal that goes to the process that took an input; None if that does not wait any more.

        What is not known in time is said in the talk. This very process hears it at once, before it draws the answer.
        """
        if given := self._given.get(event):
            return given.refusal
        left = extras.at + extras.waits - time()
        if left <= 0:
            return None
        loop = asyncio.get_running_loop()
        refusal: Refusal = loop.create_future()
        loop.call_later(left, refusal.cancel)

        def tell(told: Refusal) -> None:
            if why := _why(told):
                self._service.spawn(self._tasks.tell({"refused": event, "why": why}))

        refusal.add_done_callback(tell)
        return refusal


def _lock(heard: Heard) -> str:
    """Return the lock of an input: its thread, or, of one that has to begin one, itself."""
    return str(heard.key) if heard.key.thread else _event_lock(heard.event)


def _event_lock(event: str) -> str:
    return f"event {event}"


def _why(refusal: Refusal | None) -> dict[str, Any]:
    """Return why an input was refused; empty if it was not."""
    known = refusal is not None and refusal.done() and not refusal.cancelled()
    return asdict(refusal.result()) if refusal and known and refusal.result().sentence else {}
