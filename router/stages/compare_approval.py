"""The Yes to what a comparison reads: a side has its own, for the query alone or for the comparison as it was shown."""

import hashlib
import json
from dataclasses import asdict, replace

from router.comparing import ComparedSide
from router.jobs.compare_sql import CompareSql
from router.jobs.read_sql import digest
from router.memory import Approval
from router.policy import may_approve
from router.stages.compare_plan import job_for
from router.stages.compare_sides import Side, comparing_of, side_of
from router.turn import Turn

SIDES: tuple[Side, Side] = ("left", "right")


def lapsed(turn: Turn, side: Side) -> str:
    """Return why a query may not be read (any more), "" where it has a Yes that holds still."""
    found, tools = side_of(turn, side), turn.tools
    approval, connection = found.draft.approval, tools.connections.demand(found.place.connection)
    if approval is None or not may_approve(approval.by, connection, turn.owner):
        return "This query has no approval that counts."
    if found.spent:
        return "This query was approved for one run, and that is over."
    if tools.clock() - approval.at > tools.approval_time:
        return "This query was approved too long ago."
    return ""


def stands(turn: Turn, side: Side) -> bool:
    """Tell whether a side has a Yes that holds still for the comparison as it is now."""
    terms = side_of(turn, side).terms
    return not lapsed(turn, side) and (not terms or terms == _terms(turn))


def approve(turn: Turn, side: Side) -> None:
    """Take the Yes of who acts for what is read of a side; it is for the comparison as it is now."""
    found = side_of(turn, side)
    sql, place = found.draft.sql, found.place
    approval = Approval(digest(sql, place.connection, place.schema, turn.owner.id), turn.user, turn.tools.clock())
    given = ComparedSide(place, replace(found.draft, approval=approval), terms=_terms(turn))
    comparing = comparing_of(turn)
    turn.memory.comparing = replace(comparing, left=given) if side == "left" else replace(comparing, right=given)


def mark(job: CompareSql) -> str:
    """Return what tells a comparison, and who approved it, from any other."""
    return _sha256([job.approval, [asdict(side.approver) for side in (job.left, job.right)]])


def _terms(turn: Turn) -> str:
    """Return what a Yes to the whole comparison is bound to: both texts, how they are compared, and where it goes."""
    return _sha256([job_for(turn).approval, asdict(comparing_of(turn).target)])


def _sha256(said: object) -> str:
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
