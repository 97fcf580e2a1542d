"""What happens in talks of the page, told by whoever works on them to all processes that show them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter

from adapters.in_order import in_order
from router.cards import Progress
from router.storage.database import Database

if TYPE_CHECKING:  # it brings Procrastinate, which those need who share the work
    from adapters.task_queue import TaskQueue


@dataclass(frozen=True, slots=True)
class TalkChange:
    """One thing that happened in a thread; `number` is that of an entry of its log.

    An input is `working`, with the `progress` of it, until the thread `rests`. An `entry` is new, has changed, or is
    gone. `deleted` is the thread, `listed` anew are the threads of an `owner`. `missed`: nobody knows what happened.
    """

    thread: str
    what: Literal["working", "rests", "entry", "deleted", "listed", "missed"]
    number: int = 0
    progress: Progress | None = None
    owner: str = ""


_CHANGE = TypeAdapter(TalkChange)

HearChange = Callable[[TalkChange], None]


class TalkChanges:
    """Tells changes; they are heard in the event loop, each in the order in which it was told."""

    def __init__(self, database: Database, tasks: "TaskQueue | None") -> None:
        """Have all processes with these `tasks` hear; without any, this one alone."""
        self._database, self._tasks = database, tasks
        self._hears: HearChange | None = None
        if tasks:
            tasks.hear(self._heard)

    def hear(self, hears: HearChange) -> None:
        """Have what happens from now on told to `hears`."""
        self._hears = hears

    async def tell(self, change: TalkChange) -> None:
        """Tell a change to whoever hears it."""
        if self._tasks:
            await in_order(self._send, self._tasks, change)
        elif self._hears:
            self._hears(change)

    def _send(self, tasks: "TaskQueue", change: TalkChange) -> None:
        with self._database.writing() as connection:
            tasks.notify(connection, {"page": _CHANGE.dump_python(change, exclude_defaults=True)})

    def _heard(self, message: dict[str, Any]) -> None:
        if self._hears and "missed" in message:
            self._hears(TalkChange("", "missed"))
        elif self._hears and "page" in message:
            self._hears(_CHANGE.validate_python(message["page"]))
