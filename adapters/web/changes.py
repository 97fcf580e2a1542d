"""Changes in talks of the page, sent by the process that works on them to all processes that show them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter

from router.cards import Progress

if TYPE_CHECKING:  # it brings Procrastinate, which those need who share the work
    from adapters.task_queue import TaskQueue


@dataclass(frozen=True, slots=True)
class TalkChange:
    """One thing that happened in a thread; `number` is that of an entry of its log.

    An input is `working`, with the `progress` of it, until the thread `rests`. An `entry` is new, has changed, or is
    gone. `deleted` is the thread, `listed` again are the threads of an `owner`. `missed`: nobody knows what happened.
    """

    thread: str
    what: Literal["working", "rests", "entry", "deleted", "listed", "missed"]
    number: int = 0
    progress: Progress | None = None
    owner: str = ""


_CHANGE = TypeAdapter(TalkChange)

HearChange = Callable[[TalkChange], None]


class TalkChanges:
    """Sends changes; they are heard in the event loop, in the order in which they were sent."""

    def __init__(self, tasks: "TaskQueue | None") -> None:
        """Have all processes with these `tasks` hear; without any, this one alone."""
        self._tasks = tasks
        self._hears: HearChange | None = None
        if tasks:
            tasks.hear(self._heard)

    def hear(self, hears: HearChange) -> None:
        """Send all later changes to `hears`."""
        self._hears = hears

    async def tell(self, change: TalkChange) -> None:
        """Send a change to all processes that show the talk."""
        if self._tasks:
            await self._tasks.tell({"page": _CHANGE.dump_python(change, exclude_defaults=True)})
        elif self._hears:
            self._hears(change)

    def _heard(self, message: dict[str, Any]) -> None:
        if self._hears and "missed" in message:
            self._hears(TalkChange("", "missed"))
        elif self._hears and "page" in message:
            self._hears(_CHANGE.validate_python(message["page"]))
