"""Jobs as the person who asked for them sees them: listed, looked at, cancelled."""

import hashlib
from dataclasses import fields
from typing import Any, Final

from aiohttp import web
from pydantic import Field

from adapters.api.request import ApiAnswer, ApiCall, ApiParameters
from adapters.wire import JOB_KIND_NAMES, LEDGER_FIELDS, JobFacts, JobStateName
from router.catalog.connection import Connection
from router.errors import BotError, NotFound
from router.jobs.job_entry import WAITING, JobEntry, JobState
from router.jobs.ledger import NoJob
from router.jobs.payloads import ref_of
from router.jobs.runner import JobBackend
from router.jobs.send_email import Form
from router.memory.thread import Mode
from router.sql.comparing.report import Report

REPORT_FIELDS_WITH_VALUES: Final = frozenset({"columns", "first", "totals"})
"""Parts of a report that tell of the rows themselves; the rest are names and counts."""

REPORT_FIELDS_WITHOUT_VALUES: Final = {field.name for field in fields(Report)} - REPORT_FIELDS_WITH_VALUES


class JobAnswer(ApiAnswer, JobFacts):
    """A job as the ledger has it; `error` is a sentence if it is not done."""

    connection: int | None = Field(description="The number of the connection; null where there is none any more.")
    schema_name: str | None = Field(None, alias="schema")
    sql: str | None = Field(None, description="The text that runs: the checked form of what was asked for.")
    table: str | None = None
    mode: Mode | None = None
    recipients: list[str] | None = None
    subject: str | None = None
    format: Form | None = None

    @property
    def over(self) -> bool:
        """True if nothing will become of it any more."""
        return JobState(self.state.upper()) not in WAITING


class JobListAnswer(ApiAnswer):
    """The latest first."""

    jobs: list[JobAnswer]


class JobListParameters(ApiParameters):
    """The jobs that are listed."""

    limit: int = Field(50, ge=1, le=200, description="How many at most.")
    state: JobStateName | None = Field(None, description="Only those in this state.")
    key: str = Field("", max_length=255, description="Only the one that was asked for with this Idempotency-Key.")


class WaitParameters(ApiParameters):
    """The time that the answer may take."""

    wait: int = Field(
        0,
        ge=0,
        le=30,
        description="Seconds that the answer waits for, until the job is over.",
    )


class CancelParameters(ApiParameters):
    """The reason that a job is to end."""

    why: str = Field("", max_length=300, description="A sentence, from a token with the scope act_for.")


def ledger_key(call: ApiCall, key: str) -> str:
    """Return the ledger's key: two persons never share one, nor two programs that act for others."""
    if "act_for" in call.token.scopes:
        return f"bot {call.token.name} {key}"
    return f"api {hashlib.sha256(f'{call.user.id} {key}'.encode()).hexdigest()}"


def list_jobs(site: JobBackend, call: ApiCall, query: JobListParameters) -> JobListAnswer:
    """Answer with the person's jobs."""
    states = (JobState(query.state.upper()),) if query.state else ()
    if query.key:
        known = site.jobs.find(ledger_key(call, query.key))
        seen = known and (call.for_everybody or known.request.asker == call.user.id)
        return JobListAnswer(jobs=[job_answer(site, call, known)] if known and seen else [])
    found = site.jobs.ledger.latest(query.limit, asker=call.user.id, states=states)
    return JobListAnswer(jobs=[job_answer(site, call, entry) for entry in found])


def show_job(site: JobBackend, call: ApiCall, job: str, query: WaitParameters) -> JobAnswer:
    """Answer with one job; with `wait`, once it is over."""
    return job_answer(site, call, entry_of(site, call, job))


def cancel_job(site: JobBackend, call: ApiCall, job: str, query: CancelParameters) -> JobAnswer:
    """Have a job end, soon; one that is over already stays as it is."""
    entry = entry_of(site, call, job)
    if entry.over:
        raise web.HTTPConflict(text=f"{entry.id} is {entry.state.lower()}: there is nothing to cancel.")
    by = f"It was cancelled by {call.user.email or call.user.id}, through the API."
    site.jobs.cancel(entry.id, query.why if call.acting and query.why else by)
    return job_answer(site, call, site.jobs.ledger.get(entry.id))


def entry_of(site: JobBackend, call: ApiCall, id: str) -> JobEntry:
    """Return a job that the person may see; raises HTTPNotFound, which does not tell whether others have it."""
    try:
        entry = site.jobs.ledger.get(id)
    except NoJob:
        entry = None
    if entry is None or entry.request.asker != call.user.id:
        raise web.HTTPNotFound(text=f"There is no job {id[:20]}.")
    return entry


def job_answer(site: JobBackend, call: ApiCall, entry: JobEntry) -> JobAnswer:
    """Return a job as the answer has it."""
    asked, payload = entry.request, entry.request.payload
    connection = site.connections.get(asked.connection)
    said = {name: payload.get(name) for name in ("schema", "sql", "table", "mode", "recipients", "subject")}
    said |= {name: getattr(asked, name) for name in ("name", "asker", "approver")}
    said |= {name: getattr(entry, name) for name in LEDGER_FIELDS}
    said |= {
        "kind": JOB_KIND_NAMES[asked.kind],
        "state": entry.state.lower(),
        "connection": connection.id if connection else None,
        "format": form if (form := payload.get("form")) != "none" else None,
        "doing": "" if entry.over else site.jobs.doing(entry.id),
        "outcome": _outcome(site, call, entry),
    }
    return JobAnswer.model_validate(said)


def require_visible_rows(site: JobBackend, call: ApiCall, entry: JobEntry) -> tuple[Connection, ...]:
    """Return the connections that a job's rows are from; raises NotFound if the person may not see them today."""
    sources = site.access.require(call.user, entry.request)
    if entry.request.asker != call.user.id and any(connection.private for connection in sources):
        raise NotFound(f"There are no rows of {entry.id} that you may see.")
    return sources


def _outcome(site: JobBackend, call: ApiCall, entry: JobEntry) -> dict[str, Any]:
    """Return what came of a job; of a comparison whose rows the person may not see (any more), without their values."""
    said = entry.outcome
    if entry.request.kind != "compare_sql" or entry.state != JobState.DONE or _may_see_rows(site, call, entry):
        return said
    report = {name: value for name, value in said["report"].items() if name in REPORT_FIELDS_WITHOUT_VALUES}
    return said | {"report": report}


def _may_see_rows(site: JobBackend, call: ApiCall, entry: JobEntry) -> bool:
    try:
        require_visible_rows(site, call, entry)
    except BotError:
        return False
    return site.results.exists(ref_of(entry))
