"""How far the person's jobs are, as the ledger has it."""

from datetime import datetime

from router.cards import Card, Head, Table, Text
from router.jobs.entries import Entry, Kind, State
from router.turn import Turn

MOST = 10
"""Jobs that are looked at."""

KINDS: dict[Kind, str] = {
    "read_sql": "query",
    "write_data": "write to a table",
    "send_email": "e-mail",
    "match_sql": "look at two queries",
    "compare_sql": "comparison",
}

STATES: dict[State, str] = {
    State.QUEUED: "waiting",
    State.RUNNING: "running",
    State.SENDING: "being sent",
    State.DONE: "done",
    State.FAILED: "failed",
    State.CANCELLED: "cancelled",
    State.UNSURE: "not sure whether it was sent",
}


def job_status(turn: Turn) -> tuple[Card, ...]:
    """Return the person's latest jobs of this thread; of all threads where another process does them, and nobody else
    can read along: it does not tell of which thread they are.
    """
    theirs = ("", str(turn.incoming.key))[turn.incoming.shared :]
    jobs = [each for each in turn.tools.jobs.latest(turn.user, MOST) if each.request.thread in theirs]
    if not jobs:
        return (Text("There is no job of yours here: nothing is running, and nothing waits."),)
    now = turn.tools.clock()
    rows = tuple((each.id, _what(each), STATES[each.state], _ago(each, now), each.error or "–") for each in jobs)
    told = 5 if any(each.error for each in jobs) else 4
    heads = tuple(map(Head, ("Job", "What", "State", "When", "Why")[:told]))
    running = sum(not each.over for each in jobs)
    over = "None of your jobs is running or waiting. These were the last:"
    said = f"{running} of your jobs {'is' if running == 1 else 'are'} not over yet." if running else over
    return Text(said), Table(heads, tuple(row[:told] for row in rows), len(rows))


def _what(job: Entry) -> str:
    kind = KINDS[job.request.kind]
    return f"{kind}: {job.request.name}" if job.request.name else kind


def _ago(job: Entry, now: datetime) -> str:
    """Return how long ago a job ended, or else was asked for."""
    seconds = max(0.0, (now - (job.ended or job.created)).total_seconds())
    for length, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return "just now"
