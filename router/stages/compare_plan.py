"""How two queries are compared: as the engine takes it, and in words."""

from collections.abc import Sequence

from router.comparing import Columns
from router.errors import Unclear
from router.jobs.compare_sql import CompareSql
from router.sql.comparing.plan import Pair, Plan
from router.stages.compare_sides import comparing_of, queried
from router.stages.compare_target import job_of
from router.turn import Turn

MOST_NAMED = 12
"""Columns that a sentence names."""


def columns_of(turn: Turn) -> Columns:
    """Return the columns of both queries; raises Unclear before they are known."""
    found = comparing_of(turn).columns
    if found is None:
        raise Unclear("The columns of the two queries are not known yet.")
    return found


def plan_of(turn: Turn) -> Plan:
    """Return the comparison as the engine takes it; raises Unclear where nothing can be compared."""
    comparing, found = comparing_of(turn), columns_of(turn)
    pairs = tuple(Pair(each.left, each.right, each.form) for each in found.matched)
    reporting = comparing.reporting or "summary"
    plan = Plan(found.left, found.right, pairs, found.keys, comparing.tolerances, reporting)
    if problem := plan.problem():
        raise Unclear(problem)
    return plan


def job_for(turn: Turn) -> CompareSql:
    """Return the comparison as the ledger takes it; raises Unclear where something is missing."""
    left, right = queried(turn, "left"), queried(turn, "right")
    thread = str(turn.incoming.key)
    return CompareSql.of(left, right, plan_of(turn), turn.owner, name=job_of(turn), thread=thread)


def keyed(found: Columns) -> str:
    """Say by what rows are found to be of one thing."""
    if not found.keys:
        return "No columns tell the rows apart, so whole rows are compared: each is there in both, or in one alone."
    return f"Rows belong together by {quoted([found.names[key] for key in found.keys])} ({found.why})."


def left_over(found: Columns, left: str, right: str) -> list[str]:
    """Say which columns are not compared."""
    mine = [name for place, name in enumerate(found.left) if place not in {each.left for each in found.matched}]
    others = [name for place, name in enumerate(found.right) if place not in {each.right for each in found.matched}]
    sides = ((mine, left), (others, right))
    parts = [f"{quoted(names)} of {label}" for names, label in sides if names]
    return [f"Left out: {'; '.join(parts)}."] if parts else []


def quoted(names: Sequence[str]) -> str:
    """Return names as a list in a sentence; of many, the first ones."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(f"`{name}`" for name in names[:MOST_NAMED]) + more
