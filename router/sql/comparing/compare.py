"""Compare two queries, anywhere: row by row in bounded memory, or by totals that each database reckons."""

from pathlib import Path

from router.errors import JobFailed
from router.sql.comparing.aggregates import compare_totals
from router.sql.comparing.comparison import BATCH, Comparison, Progress
from router.sql.comparing.difference import Nowhere, Sink
from router.sql.comparing.plan import Plan
from router.sql.comparing.report import Report
from router.sql.comparing.side import Side


def _silent(left: int, right: int) -> None:
    """Tell nobody."""


def compare(
    left: Side,
    right: Side,
    plan: Plan,
    *,
    progress: Progress = _silent,
    sink: Sink | None = None,
    folder: Path | None = None,
    batch: int = BATCH,
) -> Report:
    """Compare the rows of two approved queries by a plan, and return the whole truth, or raise.

    `progress` is told the rows read of each side after each batch, and now and then while rows are sorted and merged;
    what it raises ends the comparison. The `sink` gets the rows that the plan's `reporting` wants, in order of their
    keys; it begins anew where a side has to be sorted here, in a temporary file in `folder`. `batch` rows of each side
    are fetched at once. Raises JobFailed, which names the side, and Stopped; nothing was reported then.
    """
    if problem := plan.problem():
        raise JobFailed(problem)
    if plan.reporting == "aggregates":
        return compare_totals(left, right, plan)
    return Comparison(left, right, plan, progress, folder, batch).run(sink or Nowhere())
