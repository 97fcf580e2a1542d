"""One running job: it reports its progress, and is told to stop."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from router.jobs.cancellation import Stopping
from router.jobs.job_entry import JobEntry

REPORT_PAUSE_SECONDS = 0.5
"""Seconds between two reports."""


def throttled(tell: Callable[[int], None], clock: Callable[[], float] = monotonic) -> Callable[[int], None]:
    """Return a function that passes a number of rows on to `tell`, but never two of them within the pause."""
    told = clock()

    def report(rows: int) -> None:
        nonlocal told
        if clock() - told >= REPORT_PAUSE_SECONDS:
            told = clock()
            tell(rows)

    return report


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a job: the rows it moved, and what else there is to say of it, as JSON."""

    rows: int
    said: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class RunningJob:
    """A job that this process works on."""

    entry: JobEntry
    note_sending: Callable[[], None]
    rows: int = 0
    doing: str = ""
    stopping: Stopping = field(default_factory=Stopping)

    @property
    def id(self) -> str:
        """The job's number, the same at every attempt."""
        return self.entry.id

    def tell(self, rows: int, doing: str = "") -> None:
        """Note how far it is; raises Stopped if it is to end."""
        self.rows, self.doing = rows, doing or self.doing
        self.require_going_on()

    def require_going_on(self) -> None:
        """Raise Stopped if it is to end."""
        self.stopping.require_going_on()

    def runs(self, cancel: Callable[[], None]) -> None:
        """Name what Stop has to call from now on."""
        self.stopping.runs(cancel)

    def sending(self) -> None:
        """Note that what is done next can neither be taken back nor be done twice."""
        self.require_going_on()
        self.note_sending()


Worker = Callable[[RunningJob], Outcome]
"""Does one kind of job, and returns what came of it; whatever it raises, the job is FAILED.

It may be run again after a kill: the job's number is the same then, and what it did before must be found out by it.
"""
