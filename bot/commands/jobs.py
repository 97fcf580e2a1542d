"""`icc-bot jobs`: lists jobs and schedules, shows one, tries it again, or ends it."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from tabulate import tabulate

from bot.command_line import Say
from bot.settings.environment import Settings
from bot.wiring.state import database_of
from router.errors import JobFailed
from router.jobs.audit import Audit
from router.jobs.job_entry import JobEntry, JobState, Kind
from router.jobs.ledger import NOT_RESUMED_KINDS, Ledger
from router.language.wording import spoken_time
from router.schedules.listing import line_of
from router.schedules.schedule import Schedule, ScheduleState
from router.schedules.store import Schedules
from router.storage.clock import now

OPERATOR = "operator"
"""The administrator's name in the audit trail."""


JOB_WORDS: dict[Kind, str] = {
    "read_sql": "read",
    "write_data": "write",
    "send_email": "e-mail",
    "match_sql": "match",
    "compare_sql": "compare",
}


SHOWN_FIELDS = ("schema", "table", "mode", "recipients", "subject", "form", "sql")
"""Fields of a payload that are useful to a reader."""


def list_jobs(settings: Settings, say: Say, *, state: str = "", asker: str = "", most: int = 20) -> int:
    """Say which jobs there were last, the latest first."""
    with ledger_of(settings) as ledger:
        jobs = ledger.latest(most, asker=asker, states=(JobState(state.upper()),) if state else ())
    rows = [
        (job.id, JOB_WORDS[job.request.kind], job.state.lower(), _time(job), job.rows, *_about(job)) for job in jobs
    ]
    heads = ("job", "kind", "state", "asked", "rows", "asker", "about")
    say(tabulate(rows, heads) if rows else "There are no such jobs.")
    return 0


def show_job(settings: Settings, say: Say, id: str) -> int:
    """Say everything about one job, but for what is in its rows."""
    return _said_of_job(settings, say, id, lambda ledger, job: _details(job))


def retry_job(settings: Settings, say: Say, id: str, twice: bool = False) -> int:
    """Have a job that was not done be done again; one that may have been done only if it may be done `twice`."""

    def retry(ledger: Ledger, job: JobEntry) -> str:
        if job.request.kind in NOT_RESUMED_KINDS:
            raise JobFailed(f"{job.id} is a query: the person who asked presses Run for it again.")
        if job.state is JobState.UNSURE and not twice:
            raise JobFailed(
                f"{job.id} may have gone out, or not. Look into the mailbox of {_recipients(job)}; "
                f"to send it again all the same: icc-bot jobs retry {job.id} --twice"
            )
        if not ledger.retry(job.id):
            raise JobFailed(f"{job.id} is {job.state.lower()}; only what failed or was cancelled can be done again.")
        return f"{job.id} is queued: the bot does it in a moment, or at its next start."

    return _said_of_job(settings, say, id, retry)


def cancel_job(settings: Settings, say: Say, id: str) -> int:
    """End a job that is not over."""

    def cancel(ledger: Ledger, job: JobEntry) -> str:
        match ledger.cancel(job.id, "It was cancelled by your administrator."):
            case JobState.CANCELLED if not job.over:
                return f"{job.id} is cancelled."
            case JobState.RUNNING:
                return f"{job.id} is being ended; `icc-bot jobs show {job.id}` tells what became of it."
            case state:
                raise JobFailed(f"{job.id} is {state.lower()}: there is nothing to cancel.")

    return _said_of_job(settings, say, id, cancel)


@contextmanager
def ledger_of(settings: Settings) -> Iterator[Ledger]:
    """Lend the ledger of the bot's home; raises JobFailed if another process has it."""
    if settings.base_url:
        raise JobFailed(
            f"BASE_URL is set, so that jobs are done by the jobs API at {settings.jobs_api}. Run icc-bot jobs there."
        )
    with closing(database_of(settings)) as database:
        yield Ledger(database, now)


def _said_of_job(settings: Settings, say: Say, id: str, act: Callable[[Ledger, JobEntry], str]) -> int:
    with ledger_of(settings) as ledger:
        try:
            say(act(ledger, ledger.get(id)))
        except JobFailed as error:
            say(str(error))
            return 1
    return 0


def _recipients(job: JobEntry) -> str:
    return ", ".join(map(str, job.request.payload.get("recipients", ()))) or "its recipients"


def _details(job: JobEntry) -> str:
    asked = job.request
    lines = {
        "job": f"{job.id} ({JOB_WORDS[asked.kind]}{f', {asked.name}' if asked.name else ''})",
        "state": job.state.lower(),
        "error": job.error,
        "asked by": asked.asker,
        "approved by": asked.approver,
        "connection": asked.connection,
        "thread": asked.thread,
        "attempt": str(job.attempt),
        "rows": f"{job.rows:,}",
        "asked": f"{job.created.astimezone():%Y-%m-%d %H:%M:%S}",
        "begun": f"{job.started.astimezone():%Y-%m-%d %H:%M:%S}" if job.started else "",
        "ended": f"{job.ended.astimezone():%Y-%m-%d %H:%M:%S}" if job.ended else "",
        **{name: str(value) for name, value in asked.payload.items() if name in SHOWN_FIELDS},
        **_comparison(job),
    }
    return tabulate([(name, value) for name, value in lines.items() if value], tablefmt="plain")


def _comparison(job: JobEntry) -> dict[str, str]:
    """Return what a comparison is of, and in words what came of it; empty for other jobs."""
    if job.request.kind not in ("match_sql", "compare_sql"):
        return {}
    sides = {side: job.request.payload.get(side, {}) for side in ("left", "right")}
    lines = {
        side: f"{query.get('label')} ({query.get('connection')}: {query.get('schema')})\n{query.get('sql')}"
        for side, query in sides.items()
    }
    if "report" not in job.outcome:
        return lines
    from router.jobs.payloads import report_of  # with a parser of SQL, which other jobs are listed without
    from router.sql.comparing.wording import report_sentences

    return {**lines, "found": report_sentences(report_of(job))}


def _time(job: JobEntry) -> str:
    return f"{job.created.astimezone():%Y-%m-%d %H:%M}"


def _about(job: JobEntry) -> tuple[str, str]:
    payload = job.request.payload
    match job.request.kind:
        case "write_data":
            about = f"{job.request.connection}: {payload.get('schema')}.{payload.get('table')}"
        case "send_email":
            about = ", ".join(payload.get("recipients", ()))
        case "match_sql" | "compare_sql":
            about = " and ".join(str(payload.get(side, {}).get("label")) for side in ("left", "right"))
        case _:
            about = job.request.connection
    return job.request.asker, about[:60]


# Schedules.


def list_schedules(settings: Settings, say: Say, *, asker: str = "") -> int:
    """Say what is repeated, by when it is due."""
    with schedules_of(settings) as schedules:
        found = [each for each in schedules.every() if asker in ("", each.plan.owner.id)]
    heads = ("schedule", "state", "when", "next", "owner", "connection", "goes to", "about", "last")
    say(tabulate(list(map(_schedule_row, found)), heads) if found else "Nothing is repeated.")
    return 0


def stop_schedule(settings: Settings, say: Say, id: str) -> int:
    """Have a schedule never run again; a bot at work knows of it within a minute, before it runs anything."""
    audit = Audit(settings.audit_trail, now, settings.audit_secret)
    with schedules_of(settings) as schedules:
        try:
            schedule = schedules.get(id)
            if not schedules.stop(schedule.id):
                raise JobFailed(f"{schedule.id} was stopped before.")
            audit.add(line_of(schedule, "stopped", OPERATOR))
        except JobFailed as error:
            say(str(error))
            return 1
    say(f"{schedule.id} is stopped: {schedule.plan.name}, {schedule.plan.timing.words}.")
    return 0


@contextmanager
def schedules_of(settings: Settings) -> Iterator[Schedules]:
    """Lend the schedules of the bot's home."""
    with closing(database_of(settings)) as database:
        yield Schedules(database, now)


def _schedule_row(schedule: Schedule) -> tuple[str, ...]:
    plan = schedule.plan
    due = f"{spoken_time(schedule.due, plan.zone)} ({plan.zone})" if schedule.standing == ScheduleState.RUNS else ""
    where = {"email": ", ".join(plan.recipients), "me": "the owner alone", "channel": str(plan.target)}.get(
        plan.to, plan.thread
    )
    state = schedule.standing.lower()
    about, last = plan.name[:40], schedule.outcome[:60]
    return schedule.id, state, plan.timing.words, due, plan.owner.id, plan.connection, where[:60], about, last
