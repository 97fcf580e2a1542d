"""The plan of a comparison: as the engine takes it, and in words."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace

from router.errors import Unclear
from router.jobs.compare_sql import CompareSql
from router.jobs.read_sql import digest
from router.memory.comparing import ComparedColumns, ComparedSide
from router.policy import may_approve
from router.sql.comparing.plan import ComparedPair, ComparePlan
from router.stages.approvals import approval_of
from router.stages.compare.fields import job_of
from router.stages.compare.queries import queried
from router.stages.tasks import Side, comparing_of, set_comparing, side_of
from router.turn import Turn

NAMES_SHOWN_MAX = 12
"""Columns that a sentence names."""


def columns_of(turn: Turn) -> ComparedColumns:
    """Return the columns of both queries; raises Unclear before they are known."""
    found = comparing_of(turn).columns
    if found is None:
        raise Unclear("The columns of the two queries are not known yet.")
    return found


def plan_of(turn: Turn) -> ComparePlan:
    """Return the comparison as the engine takes it; raises Unclear where nothing can be compared."""
    comparing, found = comparing_of(turn), columns_of(turn)
    pairs = tuple(ComparedPair(each.left, each.right, each.form) for each in found.matched)
    reporting = comparing.reporting or "summary"
    plan = ComparePlan(found.left, found.right, pairs, found.keys, comparing.tolerances, reporting)
    if problem := plan.problem():
        raise Unclear(problem)
    return plan


def job_for(turn: Turn) -> CompareSql:
    """Return the comparison as the ledger takes it; raises Unclear where something is missing."""
    left, right = queried(turn, "left"), queried(turn, "right")
    thread = str(turn.incoming.key)
    return CompareSql.of(left, right, plan_of(turn), turn.owner, name=job_of(turn), thread=thread)


def keyed(found: ComparedColumns) -> str:
    """Say by what rows are found to be of one thing."""
    if not found.keys:
        return "No columns tell the rows apart, so whole rows are compared: each is there in both, or in one alone."
    return f"Rows belong together by {quoted([found.names[key] for key in found.keys])} ({found.why})."


def left_over(found: ComparedColumns, left: str, right: str) -> list[str]:
    """Say which columns are not compared."""
    mine = [name for place, name in enumerate(found.left) if place not in {each.left for each in found.matched}]
    others = [name for place, name in enumerate(found.right) if place not in {each.right for each in found.matched}]
    sides = ((mine, left), (others, right))
    parts = [f"{quoted(names)} of {label}" for names, label in sides if names]
    return [f"Left out: {'; '.join(parts)}."] if parts else []


def quoted(names: Sequence[str]) -> str:
    """Return names as a list in a sentence; of many, the first ones."""
    more = f" and {len(names) - NAMES_SHOWN_MAX} more" if len(names) > NAMES_SHOWN_MAX else ""
    return ", ".join(f"`{name}`" for name in names[:NAMES_SHOWN_MAX]) + more


# The Yes to what a comparison reads: a side has its own, for the query alone or for the comparison as it was shown.


def lapsed(turn: Turn, side: Side) -> str:
    """Return why a query may not be read (any more), "" where it has a Yes that holds still."""
    found, services = side_of(turn, side), turn.services
    approval, connection = found.draft.approval, services.connections.demand(found.place.connection)
    if approval is None or not may_approve(approval.by, connection, turn.owner):
        return "This query has no approval that counts."
    if found.spent:
        return "This query was approved for one run, and that is over."
    if services.clock() - approval.at > services.approval_time:
        return "This query was approved too long ago."
    return ""


def stands(turn: Turn, side: Side) -> bool:
    """Return whether a side has a Yes that holds still for the comparison as it is now."""
    terms = side_of(turn, side).terms
    return not lapsed(turn, side) and (not terms or terms == terms_of(turn))


def approve(turn: Turn, side: Side) -> None:
    """Take the Yes of who acts for what is read of a side; it is for the comparison as it is now."""
    found = side_of(turn, side)
    approval = approval_of(turn, digest(found.draft.sql, *found.place.at, turn.owner.id))
    given = ComparedSide(found.place, replace(found.draft, approval=approval), terms=terms_of(turn))
    comparing = comparing_of(turn)
    set_comparing(turn, replace(comparing, left=given) if side == "left" else replace(comparing, right=given))


def mark(job: CompareSql) -> str:
    """Return what tells a comparison, and who approved it, from any other."""
    return _sha256([job.approval, [asdict(side.approver) for side in (job.left, job.right)]])


def terms_of(turn: Turn) -> str:
    """Return what a Yes to the whole comparison is bound to: both texts, how they are compared, and where it goes."""
    return _sha256([job_for(turn).approval, asdict(comparing_of(turn).target)])


def _sha256(said: object) -> str:
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
