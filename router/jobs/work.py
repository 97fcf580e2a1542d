"""One job at work: what whoever does it may tell, and be told."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from router.errors import Stopped
from router.jobs.entries import Entry
from router.stopping import Stoppable, Stopping


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job: the rows it moved, and what else there is to say of it, as JSON."""

    rows: int
    said: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Work:
    """A job that this process works on."""

    entry: Entry
    note_sending: Callable[[], None]
    rows: int = 0
    doing: str = ""
    stopping: Stopping = field(default_factory=Stopping)

    @property
    def id(self) -> str:
        """The job's number, the same at every attempt."""
        return self.entry.id

    def tell(self, rows: int, doing: str = "") -> None:
        """Note how far it is; raises Stopped where it is to end."""
        self.rows, self.doing = rows, doing or self.doing
        self.demand_going_on()

    def demand_going_on(self) -> None:
        """Raise Stopped where it is to end."""
        if self.stopping.asked.is_set():
            raise Stopped(self.stopping.why or "Stopped, as you asked.")

    def runs(self, running: Stoppable) -> None:
        """Name what Stop has to cancel from now on."""
        self.stopping.runs(running)

    def sending(self) -> None:
        """Note that what is done next can neither be taken back nor be done twice."""
        self.demand_going_on()
        self.note_sending()


Worker = Callable[[Work], Outcome]
"""Does one kind of job, and returns what came of it; whatever it raises, the job is FAILED.

It may be run again after a kill: the job's number is the same then, and what it did before must be found out by it.
"""
