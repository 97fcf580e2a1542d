"""The list of jobs in a terminal: what was asked for, by whom, and how it went; and another try, or the end of one."""

from collections.abc import Callable
from contextlib import closing

from tabulate import tabulate

from bot.clock import now
from bot.settings import Settings
from router.errors import JobFailed
from router.jobs.entries import Entry, Kind, State
from router.jobs.ledger import ONCE, Ledger

Say = Callable[[str], None]

KINDS: dict[Kind, str] = {
    "read_sql": "read",
    "write_data": "write",
    "send_email": "e-mail",
    "match_sql": "match",
    "compare_sql": "compare",
}


def list_jobs(settings: Settings, say: Say, *, state: str = "", asker: str = "", most: int = 20) -> int:
    """Say which jobs there were last, the latest first."""
    with closing(ledger_of(settings)) as ledger:
        jobs = ledger.latest(most, asker=asker, states=(State(state.upper()),) if state else ())
    rows = [(job.id, KINDS[job.request.kind], job.state.lower(), _time(job), job.rows, *_who(job)) for job in jobs]
    heads = ("job", "kind", "state", "asked", "rows", "asker", "about")
    say(tabulate(rows, heads) if rows else "There are no such jobs.")
    return 0


def show_job(settings: Settings, say: Say, id: str) -> int:
    """Say everything about one job, but for what is in its rows."""
    return _with(settings, say, id, lambda ledger, job: _details(job))


def retry_job(settings: Settings, say: Say, id: str, twice: bool = False) -> int:
    """Have a job that was not done be done again; one that may have been done only where it may be done `twice`."""

    def retry(ledger: Ledger, job: Entry) -> str:
        if job.request.kind in ONCE:
            raise JobFailed(f"{job.id} is a query: whoever asked presses Run for it again.")
        if job.state is State.UNSURE and not twice:
            raise JobFailed(
                f"{job.id} may have gone out, or not. Look into the mailbox of {_recipients(job)}; "
                f"to send it again all the same: icc-bot jobs retry {job.id} --twice"
            )
        if not ledger.retry(job.id):
            raise JobFailed(f"{job.id} is {job.state.lower()}; only what failed or was cancelled can be done again.")
        return f"{job.id} is queued: the bot does it in a moment, or at its next start."

    return _with(settings, say, id, retry)


def cancel_job(settings: Settings, say: Say, id: str) -> int:
    """End a job that is not over."""

    def cancel(ledger: Ledger, job: Entry) -> str:
        match ledger.cancel(job.id, "It was cancelled by whoever runs the bot."):
            case State.CANCELLED if not job.over:
                return f"{job.id} is cancelled."
            case State.RUNNING:
                return f"{job.id} is being ended; `icc-bot jobs show {job.id}` tells what became of it."
            case state:
                raise JobFailed(f"{job.id} is {state.lower()}: there is nothing to cancel.")

    return _with(settings, say, id, cancel)


def ledger_of(settings: Settings) -> Ledger:
    """Return the ledger of the bot's folder; raises JobFailed where another process has it."""
    if settings.base_url:
        raise JobFailed(
            f"BASE_URL is set, so that jobs are done by the jobs API at {settings.jobs_api}. Run icc-bot jobs there."
        )
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Ledger(f"sqlite:///{settings.home / 'jobs.sqlite'}", now)


def _with(settings: Settings, say: Say, id: str, act: Callable[[Ledger, Entry], str]) -> int:
    with closing(ledger_of(settings)) as ledger:
        try:
            say(act(ledger, ledger.get(id)))
        except JobFailed as error:
            say(str(error))
            return 1
    return 0


def _recipients(job: Entry) -> str:
    return ", ".join(map(str, job.request.payload.get("recipients", ()))) or "whoever should have it"


def _details(job: Entry) -> str:
    asked = job.request
    lines = {
        "job": f"{job.id} ({KINDS[asked.kind]}{f', {asked.name}' if asked.name else ''})",
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
        **{name: str(value) for name, value in asked.payload.items() if name in SHOWN},
        **_both(job),
    }
    return tabulate([(name, value) for name, value in lines.items() if value], tablefmt="plain")


def _both(job: Entry) -> dict[str, str]:
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
    from router.sql.comparing.saying import says

    return {**lines, "found": says(report_of(job))}


SHOWN = ("schema", "table", "mode", "recipients", "subject", "form", "sql")
"""What of a payload tells something to a reader."""


def _time(job: Entry) -> str:
    return f"{job.created.astimezone():%Y-%m-%d %H:%M}"


def _who(job: Entry) -> tuple[str, str]:
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
