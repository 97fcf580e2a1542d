"""What happens in talks of the page, told by whoever works on them to all processes that show them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter

from adapters.chat.inbox import Inbox
from adapters.web.log import LogEntry
from router.cards import Progress

if TYPE_CHECKING:  # it brings Procrastinate, which those need who share the work
    from adapters.task_queue import TaskQueue


@dataclass(frozen=True, slots=True)
class TalkChange:
    """One thing that happened in a thread; `number` is that of an entry of its log.

    `begun` and `over` tell whether an input is worked on, `progress` with what. An entry is `shown`, in its place where
    it was there before; `settled`, so drawn as answered or as open again; or `waits`, while its answer is worked on.
    `remark` passes when the work is done. `deleted` is the thread, `listed` anew are the threads of an `owner`.
    `missed`: nobody knows what happened.
    """

    thread: str
    what: Literal["begun", "over", "progress", "shown", "settled", "waits", "remark", "deleted", "listed", "missed"]
    number: int = 0
    text: str = ""
    progress: Progress | None = None
    owner: str = ""


_CHANGE = TypeAdapter(TalkChange)

HearChange = Callable[[TalkChange, LogEntry | None], None]
"""Takes a change, with its entry where that was made in this very process: then it has its rows."""


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

    def tell(self, change: TalkChange, entry: LogEntry | None = None) -> None:
        """Tell a change to whoever hears it."""
        if self._tasks:
            with self._inbox.writing() as connection:
                self._tasks.tell(connection, {"page": _CHANGE.dump_python(change, exclude_defaults=True)})
        elif self._hears and self._loop:
            self._loop.call_soon_threadsafe(self._hears, change, entry)

    def _heard(self, message: dict[str, Any]) -> None:
        if not self._hears:
            return
        if "missed" in message:
            self._hears(TalkChange("", "missed"), None)
        elif "page" in message:
            self._hears(_CHANGE.validate_python(message["page"]), None)
