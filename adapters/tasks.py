"""Tasks, each for one thing that was kept, in one process; `task_queue` has those of several processes.

Both hold to the same: a task is deferred with what it is about, tasks of one lock are done one after the other, and a
message is heard by all who have the same tasks.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from sqlalchemy import Connection

from adapters.ordered_calls import call_in_order

log = logging.getLogger("icc_bot")

T = TypeVar("T")

Given = dict[str, Any]
"""The argument of a task, by which it is found."""

AndThen = Callable[[Connection], None]
"""Statements that belong into the same transaction."""

Keep = Callable[[AndThen], T]
"""Keeps something in a transaction, with what else belongs there."""

Hear = Callable[[dict[str, Any]], None]
"""Hears a message; {"missed": True} where some may have been lost."""


def nothing_more(connection: Connection) -> None:
    """Add nothing to a transaction."""


@dataclass(slots=True)
class Task:
    """A task that is done now, or waits; `again` says that it was begun before, by a process that died or ended."""

    given: Given
    lock: str
    again: bool = False
    id: int = 0


Do = Callable[[Task], Awaitable[bool]]
"""Does a task; returns whether it is over: else another process has to do it, since this one ends."""


class LocalTasks:
    """The tasks of this process, in its event loop: begun at once; what it leaves is found where it was kept."""

    shared: Final = False
    """Whether other processes may do what this one defers."""

    def __init__(self) -> None:
        self._does: dict[str, Do] = {}
        self._hears: list[Hear] = []
        self._known: list[Task] = []
        self._waiting: dict[str, deque[Callable[[], None]]] = {}
        """Starters of the tasks that wait for a lock, by locks that are held."""
        self._running: set[asyncio.Task[None]] = set()

    def handle(self, name: str, do: Do) -> None:
        """Have tasks of this name done by `do`."""
        self._does[name] = do

    def hear(self, hear: Hear) -> None:
        """Have each message heard by `hear`."""
        self._hears.append(hear)

    async def defer(
        self, keep: Keep[bool], name: str, given: Given, message: dict[str, Any], *, queue: str, lock: str, person: str
    ) -> bool:
        """Keep something with a task for it, then send the message; return False if it was kept before."""
        task, kept = Task(given, lock), False
        self._known.append(task)  # before it is kept, so that `defer_left` leaves it alone
        try:
            kept = await call_in_order(keep, nothing_more)
        finally:
            if not kept:
                self._known.remove(task)
        if kept:
            self._add(name, task)
            self._tell(message)
        return kept

    async def defer_left(self, name: str, given: Given, *, queue: str, lock: str, person: str) -> None:
        """Defer a task that may have been begun before, unless it waits already."""
        if not any(task.given == given for task in self._known):
            task = Task(given, lock, again=True)
            self._known.append(task)
            self._add(name, task)

    async def relock(self, keep: Keep[None], task: Task, lock: str) -> bool:
        """Keep something, and let a running task hold one more lock; return False if another task holds it."""
        free = lock not in self._waiting
        if free:
            self._waiting[lock] = deque()
            task.lock = lock
        await call_in_order(keep, nothing_more)
        return free

    async def note_begun(self, given: Given) -> bool:
        """Count a waiting task as begun, since it is done beside another; return whether one waits."""
        found = [task for task in self._known if task.given == given]
        for task in found:
            task.again = True
        return bool(found)

    async def tell(self, message: dict[str, Any], keep: Keep[object] | None = None) -> None:
        """Keep something, then send a message."""
        if keep:
            await call_in_order(keep, nothing_more)
        self._tell(message)

    def _tell(self, message: dict[str, Any]) -> None:
        for hear in self._hears:
            hear(message)

    def _add(self, name: str, task: Task) -> None:
        def begin() -> None:
            running = asyncio.create_task(self._run(name, task))
            self._running.add(running)
            running.add_done_callback(self._running.discard)

        if (waiting := self._waiting.get(task.lock)) is not None:
            waiting.append(begin)
        else:
            self._waiting[task.lock] = deque()
            begin()

    async def _run(self, name: str, task: Task) -> None:
        first_lock = task.lock
        try:
            await self._does[name](task)
        except Exception:  # the next one of its lock has to be done
            log.exception("the task %s was not done", task.given)
        finally:
            self._known.remove(task)
            for lock in {first_lock, task.lock}:
                if waiting := self._waiting[lock]:
                    waiting.popleft()()
                else:
                    del self._waiting[lock]
