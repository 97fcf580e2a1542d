"""What a report tells in figures, as rows of a table: for whoever wants no single rows."""

from router.jobs.sheet import Row
from router.sql.comparing.report import Report
from router.sql.comparing.saying import MEASURES
from router.sql.databases import Described, Kind

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
