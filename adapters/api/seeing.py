"""What a person may see of what came of a job: values of rows are for those who may read where they are from."""

from dataclasses import fields
from typing import Any

from adapters.api.call import Call, Site
from router.catalog.connection import Connection
from router.errors import BotError, NotThere
from router.jobs.entries import Entry, State
from router.jobs.payloads import ref_of
from router.sql.comparing.report import Report

VALUES = frozenset({"columns", "first", "totals"})
"""What a report tells of the rows themselves; the rest are names and counts."""

_TOLD = {field.name for field in fields(Report)} - VALUES


def demand_seen(site: Site, call: Call, entry: Entry) -> tuple[Connection, ...]:
    """Return the connections that a job's rows are from; raises NotThere where the person may not see them today."""
    sources = site.tools.access.demand(call.user, entry.request)
    if entry.request.asker != call.user.id and any(connection.private for connection in sources):
        raise NotThere(f"There are no rows of {entry.id} that you may see.")
    return sources


def outcome_for(site: Site, call: Call, entry: Entry) -> dict[str, Any]:
    """Return what came of a job; of a comparison whose rows the person may not see (any more), without their values."""
    said = entry.outcome
    if entry.request.kind != "compare_sql" or entry.state != State.DONE or _sees(site, call, entry):
        return said
    return said | {"report": {name: value for name, value in said["report"].items() if name in _TOLD}}


def _sees(site: Site, call: Call, entry: Entry) -> bool:
    try:
        demand_seen(site, call, entry)
    except BotError:
        return False
    return site.tools.results.exists(ref_of(entry))
