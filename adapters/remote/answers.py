"""A job as the jobs API answers with it, read as the ledger's entry."""

from datetime import datetime
from typing import Any, Final

from pydantic import BaseModel, TypeAdapter

from adapters.remote.link import Json
from adapters.remote.trouble import understood
from router.jobs.entries import Entry, Kind, Request, State

KINDS: Final[dict[str, Kind]] = {
    "read": "read_sql",
    "write": "write_data",
    "email": "send_email",
    "match": "match_sql",
    "compare": "compare_sql",
}


class Answered(BaseModel):
    """What is read of an answer."""

    id: str
    kind: str
    state: str
    name: str
    asker: str
    approver: str
    attempt: int
    rows: int
    created: datetime
    started: datetime | None
    ended: datetime | None
    error: str
    ending: str
    doing: str
    outcome: dict[str, Any]

    def entry(self, request: Request | None = None) -> Entry:
        """Return the ledger's entry, with the request that is known here, or with what the answer has of it."""
        known = request or Request("", KINDS[self.kind], {}, name=self.name, asker=self.asker, approver=self.approver)
        return Entry(
            self.id,
            known,
            State(self.state.upper()),
            self.attempt,
            self.rows,
            self.created,
            self.started,
            self.ended,
            self.error,
            self.outcome,
            self.ending,
        )


_ADAPTER: Final = TypeAdapter(Answered)


def answered(given: Json) -> Answered:
    """Return a job that was answered with; raises JobFailed where it is of another form."""
    return understood(_ADAPTER, given)


class Listed(BaseModel):
    """What is read of a list of jobs."""

    jobs: list[Answered]


_LISTED: Final = TypeAdapter(Listed)


def listed(given: Json) -> list[Answered]:
    """Return the jobs that were answered with; raises JobFailed where they are of another form."""
    return understood(_LISTED, given).jobs
