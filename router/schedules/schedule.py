"""A query that is repeated: what runs for whom, when, and where its rows go."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Literal

from router.jobs.results.cells import line
from router.jobs.send_email import Form
from router.memory.draft import User
from router.memory.recurrence import Condition, Timing, To
from router.memory.thread import ThreadKey, key_from

Phase = Literal["", "reading", "telling"]
"""The step of a schedule that is due: `telling` cannot be taken back, nor be done twice."""


class ScheduleState(StrEnum):
    """The state of a schedule: it runs, or not. The values are stored: they are never renamed."""

    RUNS = "RUNS"
    PAUSED = "PAUSED"
    """It failed too often, or its owner may not read that any more; a person may have it go on."""
    STOPPED = "STOPPED"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulePlan:
    """A query that a person wants repeated: `key` is the same when it is asked for again, `thread` where it was.

    `shared`: others can read the thread. `digest` is that of the rows that were shown last.
    """

    key: str
    owner: User
    approver: User
    thread: str
    shared: bool
    connection: str
    schema: str
    sql: str
    question: str
    timing: Timing
    to: To
    condition: Condition
    recipients: tuple[str, ...] = ()
    form: Form = "table"
    channel: str = ""
    """The platform's id of the channel that the rows go to, if that is another one than the thread's."""
    digest: str = ""
    title: str = ""
    """The effect of the SQL in words, if there is no question that says it."""

    @property
    def talk(self) -> ThreadKey:
        """The thread."""
        return key_from(self.thread)

    @property
    def target(self) -> ThreadKey:
        """The channel that the rows go to, of which every run begins a thread."""
        return replace(self.talk, channel=self.channel, thread="")

    @property
    def zone(self) -> str:
        """The time zone of its times."""
        return self.timing.zone

    @property
    def name(self) -> str:
        """The name by which people know it."""
        return line(self.question or self.title, 120) or "Your query"


@dataclass(frozen=True, slots=True)
class Schedule:
    """A plan that was approved, with its number; `due` is when it runs next, or what it is run for just now.

    `failures` in a row. `outcome` says what came of the last run; `shown` is when rows were shown last.
    `result` is the rows that are being told of.
    """

    id: str
    plan: SchedulePlan
    standing: ScheduleState
    created: datetime
    due: datetime
    failures: int = 0
    shown: datetime | None = None
    outcome: str = ""
    phase: Phase = ""
    result: str = ""
    holder: str = ""

    @property
    def run(self) -> str:
        """The key of what is done for the time that it is due at."""
        return f"{self.id} {self.due.isoformat()}"
