"""Jobs as the token's person sees them: asked for once, listed, looked at, cancelled."""

import hashlib
import secrets
from collections.abc import Callable
from http import HTTPStatus

from adapters.api import answers
from adapters.api.bodies import Ending
from adapters.api.call import Call, Done, Site
from adapters.api.problems import Refused, conflicting, unfit, unknown
from adapters.api.seeing import outcome_for
from router.jobs.entries import WAITING, Entry, Kind, Request
from router.jobs.ledger import NoJob
from router.memory import key_from

KINDS: dict[Kind, answers.Kind] = {
    "read_sql": "read",
    "write_data": "write",
    "send_email": "email",
    "match_sql": "match",
    "compare_sql": "compare",
}

MOST_WAITING = 20
"""Jobs of one person that are not over yet."""

Prepared = tuple[Request, list[str]]
"""What the ledger gets, and notes for the answer."""


def asked_for(site: Site, call: Call, prepare: Callable[[Site, Call, str], Prepared]) -> Done:
    """Have a job done that is prepared now, or answer with the one that was asked for under the same key before.

    Raises Refused where the key stands for another job, or the person has too many jobs that are not over.
    """
    key = _key(call)
    if known := site.tools.jobs.ledger.find(key):
        return _same(site, call, known)
    demand_room(site, call)
    request, notes = prepare(site, call, key)
    entry = site.tools.jobs.submit(request)
    if entry.request.thread != call.thread:  # somebody was quicker
        return _same(site, call, entry)
    job = shown(site, call, entry).model_copy(update={"notes": notes})
    return Done(job, HTTPStatus.ACCEPTED, {"Location": f"/v1/jobs/{job.id}"})


def demand_room(site: Site, call: Call) -> None:
    """Do nothing where the person may ask for one more job; raises Refused."""
    if len(site.tools.jobs.ledger.latest(MOST_WAITING, asker=call.user.id, states=WAITING)) == MOST_WAITING:
        raise Refused(
            HTTPStatus.TOO_MANY_REQUESTS,
            f"{MOST_WAITING} jobs of yours are not over yet. Nothing was begun. Wait for one of them, or cancel it.",
            headers={"Retry-After": "5"},
        )


def list_jobs(site: Site, call: Call) -> Done:
    """Answer with the person's jobs; with those of everybody for an admin who wants that."""
    everybody = call.query.everybody == "true"
    if everybody and not call.admin:
        raise Refused(HTTPStatus.FORBIDDEN, "This token lacks the scope admin, without which you see your own jobs.")
    found = site.tools.jobs.ledger.latest(
        call.query.limit, asker="" if everybody else call.user.id, states=call.query.states
    )
    return Done(answers.Jobs(jobs=[shown(site, call, entry) for entry in found]))


def show_job(site: Site, call: Call) -> Done:
    """Answer with one job; with `wait`, once it is over, or is not as If-None-Match names it any more."""
    return Done(shown(site, call, entry_of(site, call, call.path["job"])))


def cancel_job(site: Site, call: Call) -> Done:
    """Have a job end, soon; raises Refused where it is over already."""
    entry = entry_of(site, call, call.path["job"])
    if entry.over:
        raise conflicting(f"{entry.id} is {entry.state.lower()}: there is nothing to cancel.")
    asked: Ending = call.query
    mine = entry.request.asker == call.user.id
    by = f"It was cancelled by {(call.user.email or call.user.id) if mine else 'an administrator'}, through the API."
    site.tools.jobs.cancel(entry.id, asked.why if call.acting and asked.why else by)
    return Done(shown(site, call, site.tools.jobs.ledger.get(entry.id)))


def entry_of(site: Site, call: Call, id: str) -> Entry:
    """Return a job that the person may see; raises Refused, which does not tell whether others have one of it."""
    try:
        entry = site.tools.jobs.ledger.get(id)
    except NoJob:
        entry = None
    if entry is None or (entry.request.asker != call.user.id and not call.admin):
        raise unknown(f"There is no job {id[:20]}.")
    return entry


def shown(site: Site, call: Call, entry: Entry) -> answers.Job:
    """Return a job as the answer has it."""
    asked, payload = entry.request, entry.request.payload
    connection = site.tools.connections.get(asked.connection)
    return answers.Job.model_validate(
        {
            "id": entry.id,
            "kind": KINDS[asked.kind],
            "state": entry.state.lower(),
            "name": asked.name,
            "asker": asked.asker,
            "approver": asked.approver,
            "connection": connection.id if connection else None,
            **{name: payload.get(name) for name in ("schema", "sql", "table", "mode", "recipients", "subject")},
            "format": form if (form := payload.get("form")) != "none" else None,
            "attempt": entry.attempt,
            "rows": entry.rows,
            "created": entry.created,
            "started": entry.started,
            "ended": entry.ended,
            "error": entry.error,
            "ending": entry.ending,
            "doing": "" if entry.over else site.tools.jobs.doing(entry.id),
            "outcome": outcome_for(site, call, entry),
        }
    )


def _key(call: Call) -> str:
    """Return the job's key: two persons never share one, whatever their programs send."""
    if not call.key:
        return f"{call.thread} {secrets.token_hex(16)}"
    return f"api {hashlib.sha256(f'{call.user.id} {call.key}'.encode()).hexdigest()}"


def _same(site: Site, call: Call, entry: Entry) -> Done:
    if key_from(entry.request.thread).thread != key_from(call.thread).thread:
        raise unfit(
            f"This Idempotency-Key stands for another request, {entry.id}. Nothing was begun. Send another key."
        )
    return Done(shown(site, call, entry), HTTPStatus.OK, {"Location": f"/v1/jobs/{entry.id}"})
