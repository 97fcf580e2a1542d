"""A job as the ledger knows it: what was asked, who asked and approved, and how far it came."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from router.memory.draft import User

Kind = Literal["read_sql", "write_data", "send_email", "match_sql", "compare_sql", "read_catalog"]


class JobState(StrEnum):
    """The state of a job. The values are stored: they are never renamed."""

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    SENDING = "SENDING"
    """It does what can neither be taken back nor be done twice: an e-mail is on its way."""
    DONE = "DONE"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    UNSURE = "UNSURE"
    """It was cut short while SENDING: it may have been done, and only a person may have it done again."""


WAITING = (JobState.QUEUED, JobState.RUNNING, JobState.SENDING)
"""The states of a job that is not over."""
REQUEUABLE_STATES = (JobState.FAILED, JobState.CANCELLED, JobState.UNSURE)
"""The states that a person may have a job leave for QUEUED."""


@dataclass(frozen=True, slots=True)
class Request:
    """A job that is asked for: `key` is the same when it is asked for again, `payload` says what to do.

    `lane` is what few jobs may use at once, such as a connection, or several of these (`queue.lane_of`); `version` is
    the payload's. `people` are who asked and who approved, for the check of their rights; the ledger keeps
    their ids alone, unless a job needs more of them later, which its payload has then.
    """

    key: str
    kind: Kind
    payload: dict[str, Any]
    version: int = 1
    lane: str = ""
    name: str = ""
    asker: str = ""
    approver: str = ""
    connection: str = ""
    thread: str = ""
    people: tuple[User, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class JobEntry:
    """A row of the ledger; `outcome` is what came of a job that is DONE, `error` a sentence if it is not.

    `ending`: why it is to end, if somebody wants that; it may be done all the same.
    """

    id: str
    request: Request
    state: JobState
    attempt: int
    rows: int
    created: datetime
    started: datetime | None = None
    ended: datetime | None = None
    error: str = ""
    outcome: dict[str, Any] = field(default_factory=dict)
    ending: str = ""

    @property
    def over(self) -> bool:
        """True once nothing more happens to it by itself."""
        return self.state not in WAITING
