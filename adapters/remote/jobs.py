"""Jobs that the jobs API does, as the bot asks for them, waits for them and finds them again."""

import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from threading import Event
from typing import Any, Final

from pydantic import TypeAdapter

from adapters.remote.client import (
    ApiAway,
    ApiClient,
    ApiMissing,
    TokenRefused,
    understood,
)
from adapters.wire import JOB_KIND_NAMES, JOB_KINDS, LEDGER_FIELDS, JobFacts
from router.errors import BotError, JobFailed, Stopped
from router.jobs.cancellation import SHUT_DOWN, STOPPED_AS_ASKED, Stopping, run_detached
from router.jobs.job_entry import REQUEUABLE_STATES, JobEntry, JobState, Request
from router.jobs.job_service import Tell
from router.jobs.ledger import ONCE
from router.memory.draft import User

log = logging.getLogger("icc_bot")

LOOK_SECONDS: Final = 25
"""Seconds that one look at a job waits for news."""
PAUSE_SECONDS: Final = 1.0
"""Seconds between two looks where the API cannot be reached, and that Stop waits for it to take a job over."""
PATIENCE_SECONDS: Final = 60.0
"""Seconds without the API after which a person is told so, where they may ask for the same again."""
LONG_PATIENCE_SECONDS: Final = 900.0
"""The same, where the job goes on by itself once the API is there again."""

TRYING_AGAIN: Final = "The jobs API cannot be reached; trying again…"
NOT_TAKEN_OVER: Final = (
    "I wait no longer. The jobs API has not said yet whether it took this over; if it did, I tell it to end that. "
    "It may still be done there."
)

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
        long: float = LONG_PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        pause: float = PAUSE_SECONDS,
    ) -> None:
        self._client, self._patience, self._long, self._clock, self._pause = client, patience, long, clock, pause

    def run(self, request: Request, tell: Tell, stopping: Stopping | None = None) -> JobEntry:
        """Have a job done there, once, and return it when it is over; raises ApiAway where that is not known."""
        by, approver = _people(request)
        body = job_body(request)
        if stopping and stopping.asked.is_set():
            raise Stopped(stopping.why or f"{STOPPED_AS_ASKED} Nothing was begun.")
        watch = _Watch(self._client, by, request, stopping, self._pause)
        if stopping:
            stopping.runs(watch.cancel)

        def hand_over() -> JobFacts | None:
            try:
                return understood(_JOB, self._client.post("/v1/jobs", body, by, approver, key=_key(request.key)))
            except ApiAway:
                if not watch.left:
                    raise
                return self._of(request.key)

        return self._over(watch.handed_over(hand_over), watch, tell)

    def again(self, key: str, people: Sequence[User]) -> None:
        """Have a job of this key that was not done be done again, once; raises JobFailed where nobody knows of it."""
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
        found = understood(_JOBS, self._client.get("/v1/jobs", person, {"limit": most}).get("jobs"))
        return tuple(entry_of(job) for job in found)

    def forget(self, thread: str) -> None:
        """Delete what is kept of a thread's jobs; where the API is away, the log says what is left there."""
        try:
            self._client.post("/v1/threads/forget", {"thread": thread})
        except ApiAway:
            log.error("the jobs API keeps the jobs of the talk %s", thread)

    def _of(self, key: str) -> JobFacts | None:
        found = understood(_JOBS, self._client.get("/v1/jobs", query={"key": _key(key)}).get("jobs"))
        return found[0] if found else None

    def _over(self, job: JobFacts, watch: "_Watch", tell: Tell) -> JobEntry:
        """Look at a job until it is over."""
        patience = self._patience if watch.request.kind in ONCE else self._long
        seen, missed = self._clock(), False
        while not (entry := entry_of(job, watch.request)).over:
            watch.demand_going_on()
            tell(entry, job.doing)
            try:
                job, seen, missed = watch.look() or job, self._clock(), False
            except JobFailed as error:  # says nothing of the job, which goes on
                if isinstance(error, TokenRefused) or (missed and isinstance(error, ApiMissing)):
                    raise
                missed = isinstance(error, ApiMissing)
                if self._clock() - seen > patience:
                    raise ApiAway(_lost(entry)) from None
                tell(entry, TRYING_AGAIN)
                watch.rest()
        return entry


class _Watch:
    """One job that somebody waits for; `cancel` is what Stop does to it."""

    def __init__(self, client: ApiClient, by: User, request: Request, stopping: Stopping | None, pause: float) -> None:
        self.request = request
        self._client, self._by, self._stopping, self._pause = client, by, stopping, pause
        self._id, self._tag, self._given_up = "", "", ""
        self._woken, self._handed = Event(), Event()

    @property
    def left(self) -> bool:
        """True where nobody waits any longer."""
        return bool(self._given_up)

    def handed_over(self, act: Callable[[], JobFacts | None]) -> JobFacts:
        """Return the job that the API took over; one that nobody waits for by then is ended."""

        def hand() -> JobFacts | None:
            try:
                job = act()
                self._id = job.id if job else ""
            finally:
                self._handed.set()
            if self._given_up and self._id:
                self._end()
            return job

        self.demand_going_on()
        found = run_detached(hand, self._woken, "jobs api")
        self.demand_going_on()
        job = found.result()
        assert job
        return job

    def look(self) -> JobFacts | None:
        """Return the job once there is news of it, or None once it is to be looked at anew."""
        tag, path = self._tag, f"/v1/jobs/{self._id}"
        self._woken.clear()
        self.demand_going_on()
        found = run_detached(
            lambda: self._client.changed(path, tag, self._by, wait=LOOK_SECONDS if tag else 0), self._woken, "jobs api"
        )
        news = found.result() if found.done() else None
        if news is None:
            return None
        given, self._tag = news
        return understood(_JOB, given)

    def rest(self) -> None:
        """Wait a moment."""
        self._woken.clear()
        self.demand_going_on()
        self._woken.wait(self._pause)

    def demand_going_on(self) -> None:
        """Raise Stopped where nobody is to wait any longer."""
        if self._stopping and self._stopping.why == SHUT_DOWN and self.request.kind not in ONCE:
            raise Stopped(SHUT_DOWN)
        if self._given_up:
            raise Stopped(self._given_up)

    def cancel(self) -> None:
        """Have the job end; where the process ends, a job that can be done later is left to go on."""
        if not self._stopping or self._stopping.why != SHUT_DOWN or self.request.kind in ONCE:
            if not self._handed.wait(self._pause):
                self._given_up = NOT_TAKEN_OVER
            if self._id:
                self._given_up = self._end()
        self._woken.set()

    def _end(self) -> str:
        """Tell the API to end the job; returns what to say where it could not be told."""
        why = self._stopping.why if self._stopping else ""
        try:
            self._client.post(f"/v1/jobs/{self._id}/cancel", None, self._by, query={"why": why or STOPPED_AS_ASKED})
        except ApiAway:
            return (
                f"I wait no longer, but could not tell the jobs API to end job {self._id}: it may still be done there."
            )
        except BotError as error:  # it was over by then
            log.info("job %s was not cancelled: %s", self._id, error)
        return ""


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
    """Return who asked and who approved; where nobody named them, all that is known of them is their ids."""
    asker, *others = request.people or (User(request.asker),)
    return asker, others[0] if others else User(request.approver or request.asker)


def _key(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _lost(entry: JobEntry) -> str:
    if entry.request.kind in ONCE:
        return (
            f"The jobs API gives no answer on job {entry.id} any more. Your question and the SQL are kept: press Run "
            "again in a moment."
        )
    return (
        f"The jobs API went away while it worked on job {entry.id}, which goes on once it is back. Whether it was done "
        "is not known here: look before you have the same done again."
    )
