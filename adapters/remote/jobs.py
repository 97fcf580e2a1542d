"""Jobs that the jobs API does, as the bot asks for them, waits for them and finds them again."""

import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from pydantic import TypeAdapter

from adapters.remote.client import (
    ApiAway,
    ApiClient,
    ApiMissing,
    TokenRefused,
    parse_answer,
)
from adapters.wire import JOB_KIND_NAMES, JOB_KINDS, LEDGER_FIELDS, JobFacts
from router.errors import JobFailed, Stopped
from router.jobs.cancellation import SHUT_DOWN, STOPPED_AS_ASKED, Stopping
from router.jobs.job_entry import REQUEUABLE_STATES, JobEntry, JobState, Request
from router.jobs.job_service import Tell
from router.jobs.ledger import NOT_RESUMED_KINDS
from router.memory.draft import User

log = logging.getLogger("icc_bot")

LOOK_SECONDS: Final = 1
"""Seconds that one look at a job waits for its end."""
PAUSE_SECONDS: Final = 1.0
"""Seconds between two looks while the API cannot be reached."""
PATIENCE_SECONDS: Final = 120.0
"""Seconds without the API after which a person is told so."""

TRYING_AGAIN: Final = "The jobs API cannot be reached; trying again…"

MADE_BY_API: Final = frozenset({"approval", "dialect", "sender", "source", "asker_name", "asker_address", "person"})
"""Parts of jobs that the API makes itself of who asks, who approved and what for."""


_JOB: Final = TypeAdapter(JobFacts)
_JOBS: Final = TypeAdapter(list[JobFacts])


def entry_of(job: JobFacts, request: Request | None = None) -> JobEntry:
    """Return the ledger's entry of a job, with the request that is known here, or with what the answer has of it."""
    known = request or Request("", JOB_KINDS[job.kind], {}, name=job.name, asker=job.asker, approver=job.approver)
    kept = {name: getattr(job, name) for name in LEDGER_FIELDS}
    return JobEntry(request=known, state=JobState(job.state.upper()), outcome=job.outcome, **kept)


class RemoteJobs:
    """The ledger of another process; thread-safe."""

    def __init__(
        self,
        client: ApiClient,
        patience: float = PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        pause: float = PAUSE_SECONDS,
    ) -> None:
        self._client, self._patience, self._clock, self._pause = client, patience, clock, pause

    def run(self, request: Request, tell: Tell, stopping: Stopping | None = None) -> JobEntry:
        """Have a job done there, once, and return it when it is over; raises ApiAway if that is not known."""
        by, approver = _people(request)
        stopping = stopping or Stopping()
        if stopping.asked.is_set():
            raise Stopped(stopping.why or f"{STOPPED_AS_ASKED} Nothing was begun.")
        handed = self._client.post("/v1/jobs", job_body(request), by, approver, key=_key(request.key))
        job, path = parse_answer(_JOB, handed), f"/v1/jobs/{handed.get('id')}"
        goes_on = request.kind not in NOT_RESUMED_KINDS
        """The job can be done later, and does not end with this process."""

        def cancel() -> None:
            if not (goes_on and stopping.why == SHUT_DOWN):
                self._client.post(f"{path}/cancel", None, by, query={"why": stopping.why or STOPPED_AS_ASKED})

        stopping.runs(cancel)
        seen = self._clock()
        while not (entry := entry_of(job, request)).over:
            if goes_on and stopping.why == SHUT_DOWN:
                raise Stopped(SHUT_DOWN)
            tell(entry, job.doing)
            try:
                job, seen = parse_answer(_JOB, self._client.get(path, by, {"wait": LOOK_SECONDS})), self._clock()
            except JobFailed as error:  # says nothing of the job, which goes on
                if isinstance(error, (TokenRefused, ApiMissing)):
                    raise
                if stopping.asked.is_set():
                    raise Stopped(_unheard(entry)) from None
                if self._clock() - seen > self._patience:
                    raise ApiAway(_lost(entry)) from None
                tell(entry, TRYING_AGAIN)
                time.sleep(self._pause)
        return entry

    def again(self, key: str, people: Sequence[User]) -> None:
        """Have a job of this key that was not done be done again, once; raises JobFailed if nobody knows of it."""
        job = self._of(key)
        if job and entry_of(job).state in REQUEUABLE_STATES:
            asker, approver = people
            self._client.post(f"/v1/jobs/{job.id}/retry", None, asker, approver, query={"attempt": job.attempt})

    def find(self, key: str) -> JobEntry | None:
        """Return the job of a key."""
        job = self._of(key)
        return entry_of(job) if job else None

    def latest(self, person: User, most: int) -> tuple[JobEntry, ...]:
        """Return the newest jobs that a person asked for, the latest first; of which talk they are is not known."""
        found = parse_answer(_JOBS, self._client.get("/v1/jobs", person, {"limit": most}).get("jobs"))
        return tuple(entry_of(job) for job in found)

    def forget(self, thread: str) -> None:
        """Delete what is kept of a thread's jobs; if the API is away, the log says what is left there."""
        try:
            self._client.post("/v1/threads/forget", {"thread": thread})
        except ApiAway:
            log.error("the jobs API keeps the jobs of the talk %s", thread)

    def _of(self, key: str) -> JobFacts | None:
        found = parse_answer(_JOBS, self._client.get("/v1/jobs", query={"key": _key(key)}).get("jobs"))
        return found[0] if found else None


def job_body(request: Request) -> dict[str, Any]:
    """Return a job as the API is asked for it, without what the API makes of that itself."""
    body = {name: value for name, value in request.payload.items() if name not in MADE_BY_API}
    body |= {"kind": JOB_KIND_NAMES[request.kind], "connection": request.connection}
    body |= {"name": request.name, "thread": request.thread}
    match request.kind:
        case "write_data":
            body["columns"] = [{"source": place, "target": field["name"]} for place, field in body["columns"]]
            body["confirm"] = body["table"]  # a person has said it
        case "send_email":
            body["format"] = body.pop("form")
            body["result"] = body["result"] or None
        case "match_sql" | "compare_sql":
            del body["connection"]
            for side in ("left", "right"):
                body[side] = {name: value for name, value in body[side].items() if name not in MADE_BY_API}
    return body


def _people(request: Request) -> tuple[User, User]:
    """Return who asked and who approved; if nobody named them, all that is known of them is their ids."""
    asker, *others = request.people or (User(request.asker),)
    return asker, others[0] if others else User(request.approver or request.asker)


def _key(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _unheard(entry: JobEntry) -> str:
    return f"I wait no longer, but the jobs API does not answer: job {entry.id} may still be done there."


def _lost(entry: JobEntry) -> str:
    if entry.request.kind in NOT_RESUMED_KINDS:
        return (
            f"The jobs API gives no answer on job {entry.id} any more. Your question and the SQL are kept: press Run "
            "again in a moment."
        )
    return (
        f"The jobs API went away while it worked on job {entry.id}, which goes on once it is back. Whether it was done "
        "is not known here: look before you have the same done again."
    )
