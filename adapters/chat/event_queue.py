"""The way of an input from whoever hears it to whoever works on it: this process, or any worker of the bot.

`LocalQueue` is for the one process of a platform, over a file; `SharedQueue` for any number of them, over PostgreSQL.
`tests/adapters/chat/test_event_queue.py` holds both to the same.
"""

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from time import time
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from adapters.chat.inbox import Extras, Inbox
from adapters.chat.surface import Heard, NotTaken, Refusal
from adapters.in_order import in_order
from adapters.turns import wants_stop
from router.memory.thread import ThreadKey
from router.observing.spans import span
from router.observing.talk import working_on
from router.turn import Incoming

if TYPE_CHECKING:  # it brings Procrastinate, which those need who share the work
    from adapters.task_queue import Task, TaskQueue

log = logging.getLogger("icc_bot")

RETRY_AFTER = timedelta(seconds=60)
"""The time after which an input is taken up again whose answer did not get through."""

REFUSAL_WAIT_SECONDS = 0.4
"""Seconds after an input came, in which whoever took it is told why it is refused: a click waits little longer."""

LINGER_SECONDS = 0.5
"""Seconds that a worker keeps a thread in which all is done: what comes next there begins without waiting for a look.

Whoever presses as soon as they see the answer is told at once what is wrong with that.
"""

FOLLOW_SECONDS = 5.0
"""Seconds between two looks whether another process is done with an input; mostly that is told at once."""


class Working(Protocol):
    """The conversation service, as a queue sees it."""

    async def work(self, heard: Heard, extras: Extras, refusal: Refusal | None = None) -> bool:
        """Work on an input; returns whether it is finished."""

    async def work_again(self, heard: Heard) -> bool:
        """Work on an input that was left, perhaps halfway; returns whether it is finished."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Have something done that nobody waits for; what goes wrong in it is logged."""


class EventQueue(Protocol):
    """Inputs that were taken: each is worked on once, those of a thread in their order."""

    @property
    def shared(self) -> bool:
        """Tells whether other processes may work on what this one takes."""

    async def put(self, heard: Heard, extras: Extras, refusal: Refusal | None = None) -> asyncio.Task[None] | None:
        """Keep an input and have it worked on; returns what ends with that, None where it was taken before."""

    async def moved(self, heard: Heard) -> None:
        """Keep an input as it is now, since its thread was only begun for it."""

    def unfinished(self, key: ThreadKey) -> Iterable[asyncio.Task[None]]:
        """Return what ends with those inputs of a thread that this process gave to others."""

    async def take_up(self) -> None:
        """Have worked on what was left, or did not get through."""

    def begin_no_more(self) -> None:
        """Leave what is not finished to another process."""


class LocalQueue:
    """Inputs that this very process works on, at once."""

    def __init__(self, inbox: Inbox, service: Working) -> None:
        self.shared = False
        self._inbox, self._service = inbox, service
        self._active: set[str] = set()

    async def put(self, heard: Heard, extras: Extras, refusal: Refusal | None = None) -> asyncio.Task[None] | None:
        """Keep an input and begin to work on it."""
        if heard.event in self._active:
            return None
        self._active.add(heard.event)  # before it is kept, so that `take_up` leaves it alone
        taken = False
        try:
            taken = await in_order(self._inbox.take, heard)  # what came with it dies with the process
        finally:
            if not taken:
                self._active.discard(heard.event)
        return self._service.spawn(self._work(heard, self._service.work(heard, extras, refusal))) if taken else None

    async def moved(self, heard: Heard) -> None:
        """Keep an input in the thread that was begun for it."""
        await in_order(self._inbox.move, heard)

    def unfinished(self, key: ThreadKey) -> Iterable[asyncio.Task[None]]:
        """Return nothing: this process works on all inputs itself."""
        return ()

    async def take_up(self) -> None:
        """Work on what an earlier process left, or what did not get through."""
        left: dict[ThreadKey, list[Heard]] = {}
        for heard in await in_order(self._inbox.left):
            if heard.event not in self._active:
                self._active.add(heard.event)
                left.setdefault(heard.key, []).append(heard)
        for several in left.values():
            self._service.spawn(self._one_by_one(several))

    def begin_no_more(self) -> None:
        """Leave what is not finished to the next process: it finds it in the inbox."""

    async def _one_by_one(self, left: list[Heard]) -> None:
        """Work on what was left in one thread in the order in which it was said, so that nothing is told to wait."""
        for heard in left:
            # Each in a task of its own, so that what goes wrong with one does not keep the next from its turn.
            await asyncio.wait([self._service.spawn(self._work(heard, self._service.work_again(heard)))])

    async def _work(self, heard: Heard, work: Coroutine[Any, Any, bool]) -> None:
        try:
            if await work:
                await in_order(self._inbox.done, heard.event)
        finally:
            self._active.discard(heard.event)


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

    task: "Task"
    locks: set[str]
    events: set[str] = field(default_factory=set)
    works: set[asyncio.Task[None]] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    """Events of inputs that were not finished."""
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when more comes, or the process ends."""


class SharedQueue:
    """Inputs that any worker of the bot works on; a thread is one worker's as long as anything is done in it.

    An input and its task are kept in one transaction. The task's lock is the thread. While it is done, its worker hears
    of the thread's other inputs at once, so that a person can stop what runs; otherwise, these wait for their own task.
    """

    def __init__(self, inbox: Inbox, service: Working, tasks: "TaskQueue") -> None:
        self.shared = True
        self._inbox, self._service, self._tasks = inbox, service, tasks
        self._queue, self._name = inbox.platform, f"work on {inbox.platform}"
        self._given: dict[str, _Given] = {}
        self._sessions: dict[str, _Session] = {}
        self._moving: dict[str, list[str]] = {}
        """By locks that are being taken: the events that came meanwhile."""
        self._ending = False
        tasks.hear(self._told)
        tasks.handle(self._name, self._session)

    async def put(self, heard: Heard, extras: Extras, refusal: Refusal | None = None) -> asyncio.Task[None] | None:
        """Keep an input and defer its task."""
        if heard.event in self._given:
            return None

        def defer(connection: Connection) -> None:
            self._defer(connection, heard)
            self._tasks.tell(connection, {"heard": heard.event, "lock": _lock(heard)})

        # Noted before it is kept: from then on any process may be done with it.
        given, taken = _Given(heard.key, refusal), False
        self._given[heard.event] = given
        try:
            with working_on(str(heard.key)) as traced, span("taken", self._inbox.platform):
                taken = await in_order(self._inbox.take, heard, replace(extras, trace=traced.trace), defer)
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
        lock = _lock(heard)
        if session := self._sessions.get(_event_lock(heard.event)):
            came: list[str] = []
            self._moving[lock] = came
            try:
                await in_order(
                    self._inbox.move, heard, lambda connection: self._tasks.relock(connection, session.task, lock)
                )
            except IntegrityError:
                log.info("somebody was quicker to say something in %s, and another worker has it", heard.key)
            else:
                session.locks.add(lock)
                self._sessions[lock] = session
                for event in came:
                    self._hear(event, lock)
                return
            finally:
                del self._moving[lock]
        await in_order(self._inbox.move, heard)

    def unfinished(self, key: ThreadKey) -> Iterable[asyncio.Task[None]]:
        """Return what ends with the inputs of a thread that this process took."""
        return [given.task for given in self._given.values() if given.key == key and given.task]

    async def take_up(self) -> None:
        """Defer tasks of inputs that have none any more, as where the platform did not take the answer."""
        await asyncio.to_thread(self._defer_left)

    def _defer_left(self) -> None:
        for heard in self._inbox.left(RETRY_AFTER):
            with self._inbox.writing() as connection:
                if not self._tasks.waits(connection, {"event": heard.event}):
                    self._defer(connection, heard)
                    self._tasks.note_begun(connection, {"event": heard.event})

    def begin_no_more(self) -> None:
        """Have what is not finished done by another process, and wait for nothing that others work on."""
        self._ending = True
        for session in self._sessions.values():
            session.woken.set()
        for given in self._given.values():
            if given.task:
                given.task.cancel()

    def _defer(self, connection: Connection, heard: Heard) -> None:
        given, lock = {"event": heard.event}, _lock(heard)
        self._tasks.defer(connection, self._name, given, queue=self._queue, lock=lock, person=heard.user.id)

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
        """Begin an input at once where this process works on its thread."""
        session = self._sessions.get(lock)
        if session and event not in session.events:
            self._begin(session, event, again=False)
        elif lock in self._moving:
            self._moving[lock].append(event)

    async def _look_for_stops(self) -> None:
        """Hear of what was to end something while nothing could be heard; all else is begun by its own task."""
        for heard in await asyncio.to_thread(self._inbox.left):
            if wants_stop(Incoming(heard.key, heard.user, heard.input)):
                self._hear(heard.event, _lock(heard))

    async def _session(self, task: "Task") -> bool:
        """Work on a task's input, and on all that comes in its thread meanwhile; returns whether the task is over."""
        session = self._sessions[task.lock] = _Session(task, {task.lock})
        event = task.given["event"]
        try:
            self._begin(session, event, task.again)
            while session.works:
                done, _ = await asyncio.wait(session.works, return_when=asyncio.FIRST_COMPLETED)
                session.works -= done
                if not session.works and not self._ending:
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
        session.left.add(event)
        found = await in_order(self._inbox.find, event)  # or a Stop would overtake what it is to end
        if found is None:  # it was done beside another one
            session.left.discard(event)
            return
        if event != session.task.given["event"]:
            # Its own task waits for this one; should this process die, it has to know that the input was begun.
            await asyncio.to_thread(self._note_begun, event)
        heard, extras = found
        refusal = self._refusal(event, extras) if extras.waits and not again else None
        with working_on(str(heard.key), extras.trace):
            if again:
                finished = await self._service.work_again(heard)
            else:
                finished = await self._service.work(heard, extras, refusal)
        if finished:
            await asyncio.to_thread(self._done, event, _why(refusal))
            session.left.discard(event)

    def _refusal(self, event: str, extras: Extras) -> Refusal | None:
        """Return what tells the process that took an input why it is refused; None where that does not wait any more.

        What is not known in time is told in the talk. This very process is told at once, before it draws the answer.
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
                self._service.spawn(asyncio.to_thread(self._tell, {"refused": event, "why": why}))

        refusal.add_done_callback(tell)
        return refusal

    def _tell(self, message: dict[str, Any]) -> None:
        with self._inbox.writing() as connection:
            self._tasks.tell(connection, message)

    def _note_begun(self, event: str) -> None:
        with self._inbox.writing() as connection:
            self._tasks.note_begun(connection, {"event": event})

    def _done(self, event: str, why: dict[str, Any]) -> None:
        # What was told before may be on its way still.
        self._inbox.done(event, lambda connection: self._tasks.tell(connection, {"done": event, "why": why}))


def queue_of(inbox: Inbox, service: Working, tasks: "TaskQueue | None") -> EventQueue:
    """Return the queue of all processes that have these tasks; without any, that of this process."""
    return SharedQueue(inbox, service, tasks) if tasks else LocalQueue(inbox, service)


def _lock(heard: Heard) -> str:
    """Return the lock of an input: its thread, or, of one that has to begin one, itself."""
    return str(heard.key) if heard.key.thread else _event_lock(heard.event)


def _event_lock(event: str) -> str:
    return f"event {event}"


def _why(refusal: Refusal | None) -> dict[str, Any]:
    """Return why an input was refused; empty where it was not."""
    known = refusal is not None and refusal.done() and not refusal.cancelled()
    return asdict(refusal.result()) if refusal and known and refusal.result().sentence else {}
