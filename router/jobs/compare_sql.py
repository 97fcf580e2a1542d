"""The comparing job: two approved queries, compared by a plan; what comes of it is a report, and rows of its own."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from shutil import disk_usage
from time import monotonic

from router.jobs.compared_queries import PairJob
from router.jobs.results.reader import Row
from router.jobs.results.store import Results
from router.jobs.results.writer import ResultWriter
from router.memory.thread import ResultRef
from router.sql.comparing.compare import compare
from router.sql.comparing.difference_rows import Layout
from router.sql.comparing.plan import ComparePlan, Difference, Side
from router.sql.comparing.report import Report
from router.sql.comparing.wording import MEASURES
from router.sql.databases.session import Described, Kind

# The figures of a report as rows of a table, for those who want no single rows.

Figures = tuple[tuple[Described, ...], list[Row]]


def figures(report: Report) -> Figures:
    """Return columns and rows: the counts, the differences by column, or the totals of both sides."""
    match report.reporting:
        case "columns":
            return _by_column(report)
        case "aggregates":
            return _totals(report)
    return _counts(report)


def _counts(report: Report) -> Figures:
    rows: list[Row] = [
        (f"rows of {report.left}", report.left_rows),
        (f"rows of {report.right}", report.right_rows),
        ("identical", report.identical),
    ]
    if report.keyed:
        rows.append(("changed", report.changed))
    rows += [(f"only in {report.left}", report.only_left), (f"only in {report.right}", report.only_right)]
    if report.keyed:
        rows += [
            ("keys that are there more than once", report.duplicate_keys),
            (f"{report.left}: rows of these not paired", report.duplicate_left),
            (f"{report.right}: rows of these not paired", report.duplicate_right),
        ]
    return _columns(("what", "text"), ("rows", "number")), rows


def _by_column(report: Report) -> Figures:
    heads = _columns(
        ("column", "text"),
        ("differing", "number"),
        (f"empty in {report.left} only", "number"),
        (f"empty in {report.right} only", "number"),
        ("largest difference", "number"),
        ("mean difference", "number"),
    )
    if not report.measured:  # a 0 would say that nothing differs
        return heads, [(each.name, *("–",) * 5) for each in report.columns]
    return heads, [
        (each.name, each.differing, each.only_left_null, each.only_right_null, each.largest, each.mean)
        for each in report.columns
    ]


def _totals(report: Report) -> Figures:
    names = "column", "measure", report.left, report.right
    heads = (*(Described(name, "text") for name in names), Described("same", "bool"))
    return heads, [
        (each.column or "(all)", MEASURES[each.measure], each.left, each.right, each.same) for each in report.totals
    ]


def _columns(*heads: tuple[str, Kind]) -> tuple[Described, ...]:
    return tuple(Described(name, kind) for name, kind in heads)


@dataclass(frozen=True, slots=True)
class CompareSql(PairJob):
    """One comparison that a person confirmed."""

    plan: ComparePlan = field(kw_only=True)
    name: str = field(default="", kw_only=True)


COMPARISON_MAX_BYTES = 2 * 1024**3
"""Bytes that the rows of a comparison take on the disk, or a quarter of what is free there."""

Progress = Callable[[int, int, str], None]
"""Is told the rows read of each side, and the same in words; it raises Stopped."""


def compare_sql(
    plan: ComparePlan,
    left: Side,
    right: Side,
    *,
    results: Results,
    cap: int,
    progress: Progress,
) -> tuple[Report, ResultRef]:
    """Return what came of a comparison, and where the rows lie that its reporting wants: at most `cap`, or 2 GiB.

    Reporting "differences" and "all" have a row for each row of the queries, the others one for each figure. Raises
    JobFailed or Stopped: nothing is kept then.
    """
    began = monotonic()

    def told(first: int, second: int) -> None:
        progress(first, second, f"{first:,} rows of {left.label} and {second:,} of {right.label} read…")

    if plan.reporting not in ("differences", "all"):
        report = compare(left, right, plan, progress=told, folder=results.folder)
        columns, rows = figures(report)
        with results.writer(columns, cap) as writer:
            writer.add(rows)
            return report, results.keep(writer, monotonic() - began)
    layout = Layout(plan, left.label, right.label)
    largest = min(COMPARISON_MAX_BYTES, disk_usage(results.folder).free // 4)
    with results.writer(layout.columns(), cap, largest) as writer:
        kept = _ResultSink(layout, writer)
        report = compare(left, right, plan, progress=told, sink=kept, folder=results.folder)
        return replace(report, unkept=kept.rows - writer.total), results.keep(writer, monotonic() - began)


class _ResultSink:
    """Takes the rows of a comparison into a result; of what there is no room for, `rows` is the count alone."""

    def __init__(self, layout: Layout, writer: ResultWriter) -> None:
        self._layout, self._writer = layout, writer
        self.rows = 0

    def begin(self) -> None:
        self.rows = 0
        self._writer.begin()

    def add(self, rows: list[Difference]) -> None:
        self.rows += len(rows)
        if not self._writer.capped:
            self._writer.add(self._layout.rows(rows))
