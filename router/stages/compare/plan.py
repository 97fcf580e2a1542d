"""The plan of a comparison: as the engine takes it, and in words."""

from collections.abc import Sequence
from textwrap import shorten

from router.errors import Unclear
from router.jobs.compare_sql import CompareSql
from router.memory.comparing import ComparedColumns, Comparing
from router.sql.comparing.plan import ComparePlan
from router.stages.compare.sides import approved_query, label_of, title_of
from router.stages.tasks import Side, comparing_of
from router.stages.typed_names import JOB_NAME_MAX_CHARS
from router.turn import Turn

NAMES_SHOWN_MAX = 12
"""Columns that a sentence names."""


def columns_of(comparing: Comparing) -> ComparedColumns:
    """Return the columns of both queries; raises Unclear before they are known."""
    if comparing.columns is None:
        raise Unclear("The columns of the two queries are not known yet.")
    return comparing.columns


def plan_of(comparing: Comparing) -> ComparePlan:
    """Return the comparison as the engine takes it; raises Unclear if nothing can be compared."""
    found = columns_of(comparing)
    plan = ComparePlan(found.left, found.right, found.matched, found.keys, comparing.tolerances, comparing.report)
    if problem := plan.problem():
        raise Unclear(problem)
    return plan


def job_for(turn: Turn) -> CompareSql:
    """Return the comparison as the ledger takes it; raises Unclear if something is missing."""
    left, right = approved_query(turn, "left"), approved_query(turn, "right")
    plan, thread = plan_of(comparing_of(turn)), str(turn.incoming.key)
    return CompareSql.of(left, right, turn.owner, plan=plan, name=job_of(turn), thread=thread)


def job_of(turn: Turn) -> str:
    """Return the name of the job: the one that was given, or what is compared, with the day."""
    compared = f"{title_of(turn, 'left')} and {title_of(turn, 'right')}"
    short = shorten(compared, JOB_NAME_MAX_CHARS - 11, placeholder="…")
    return comparing_of(turn).name or f"{short} {turn.services.clock():%Y-%m-%d}"


def key_sentence(found: ComparedColumns) -> str:
    """Say by what rows are found to be of one thing."""
    if not found.keys:
        return "No columns tell the rows apart, so whole rows are compared: each is there in both, or in one alone."
    return f"Rows belong together by {quote_names([found.names[key] for key in found.keys])} ({found.why})."


def left_over_sentences(turn: Turn, found: ComparedColumns) -> list[str]:
    """Say which columns are not compared."""
    sides: tuple[tuple[Side, tuple[str, ...], set[int]], ...] = (
        ("left", found.left, {each.left for each in found.matched}),
        ("right", found.right, {each.right for each in found.matched}),
    )
    parts = [
        f"{quote_names(left)} of {label_of(turn, side)}"
        for side, names, compared in sides
        if (left := [name for place, name in enumerate(names) if place not in compared])
    ]
    return [f"Left out: {'; '.join(parts)}."] if parts else []


def quote_names(names: Sequence[str]) -> str:
    """Return names as a list in a sentence; of many, the first ones."""
    more = f" and {len(names) - NAMES_SHOWN_MAX} more" if len(names) > NAMES_SHOWN_MAX else ""
    return ", ".join(f"`{name}`" for name in names[:NAMES_SHOWN_MAX]) + more
