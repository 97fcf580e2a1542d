"""Jobs, done in this process or by another one, as far as a talk uses them."""

from collections.abc import Callable, Sequence
from typing import Protocol

from router.jobs.cancellation import Stopping
from router.jobs.job_entry import JobEntry, Request
from router.memory.draft import User

Tell = Callable[[JobEntry, str], None]
"""Hears now and then how far a job is, and what is being done."""


class Jobs(Protocol):
    """Jobs that are asked for, waited for and tried again; thread-safe."""

    def run(self, request: Request, tell: Tell, stopping: Stopping | None = None) -> JobEntry:
        """Have a job done, once, and return it when it is over, whatever came of it; `stopping` cancels it.

        Raises Stopped if this process ends before: a job that can be done later is.
        """

    def again(self, key: str, people: Sequence[User]) -> None:
        """Let a job of this key, if there is one that was not done, be done again.

        `people` are who asked for it and who approved it.
        """

    def find(self, key: str) -> JobEntry | None:
        """Return the job of a key."""

    def latest(self, person: User, most: int) -> tuple[JobEntry, ...]:
        """Return the newest jobs that a person asked for, the latest first."""

    def forget(self, thread: str) -> None:
        """Delete what is kept of a thread's jobs."""
