"""What happens in talks of the page, told by whoever works on them to all processes that show them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter

from adapters.chat.inbox import Inbox
from router.cards import Progress

if TYPE_CHECKING:  # it brings Procrastinate, which those need who share the work
    from adapters.task_queue import TaskQueue


@dataclass(frozen=True, slots=True)
class TalkChange:
    """One thing that happened in a thread; `number` is that of an entry of its log.

    An input is `working`, with the `progress` of it, until the thread `rests`. An `entry` is new, or has changed. A
    `remark` passes when the work is done. `deleted` is the thread, `listed` anew are the threads of an `owner`.
    `missed`: nobody knows what happened.
    """

    thread: str
    what: Literal["working", "rests", "entry", "remark", "deleted", "listed", "missed"]
    number: int = 0
    text: str = ""
    progress: Progress | None = None
    owner: str = ""


_CHANGE = TypeAdapter(TalkChange)

HearChange = Callable[[TalkChange], None]


class TalkChanges:
    """Tells changes, from every thread; they are heard in the event loop, each in the order in which it was told."""

    def __init__(self, inbox: Inbox, tasks: "TaskQueue | None") -> None:
        """Have all processes with these `tasks` hear; without any, this one alone."""
        self._inbox, self._tasks = inbox, tasks
        self._hears: HearChange | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        if tasks:
            tasks.hear(self._heard)

    def hear(self, hears: HearChange) -> None:
        """Have what happens from now on told to `hears`, in the running event loop."""
        self._hears, self._loop = hears, asyncio.get_running_loop()

    def tell(self, change: TalkChange) -> None:
        """Tell a change to whoever hears it."""
        if self._tasks:
            with self._inbox.writing() as connection:
                self._tasks.notify(connection, {"page": _CHANGE.dump_python(change, exclude_defaults=True)})
        elif self._hears and self._loop:
            self._loop.call_soon_threadsafe(self._hears, change)

    def _heard(self, message: dict[str, Any]) -> None:
        if not self._hears:
            return
        if "missed" in message:
            self._hears(TalkChange("", "missed"))
        elif "page" in message:
            self._hears(_CHANGE.validate_python(message["page"]))
