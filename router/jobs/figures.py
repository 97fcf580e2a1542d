"""What a report tells in figures, as rows of a table: for whoever wants no single rows."""

from router.jobs.sheet import Row
from router.sql.comparing.report import Report
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
    rows += [("only left", report.only_left), ("only right", report.only_right)]
    if report.keyed:
        rows += [
            ("keys that are there more than once", report.duplicate_keys),
            ("rows of these, left", report.duplicate_left),
            ("rows of these, right", report.duplicate_right),
        ]
    return _columns(("what", "text"), ("rows", "number")), rows


def _by_column(report: Report) -> Figures:
    heads = _columns(
        ("column", "text"),
        ("differing", "number"),
        ("empty left only", "number"),
        ("empty right only", "number"),
        ("largest difference", "number"),
        ("mean difference", "number"),
    )
    return heads, [
        (each.name, each.differing, each.only_left_null, each.only_right_null, each.largest, each.mean)
        for each in report.columns
    ]


def _totals(report: Report) -> Figures:
    heads = _columns(("column", "text"), ("measure", "text"), ("left", "text"), ("right", "text"), ("same", "bool"))
    return heads, [(each.column or None, each.measure, each.left, each.right, each.same) for each in report.totals]


def _columns(*heads: tuple[str, Kind]) -> tuple[Described, ...]:
    return tuple(Described(name, kind) for name, kind in heads)
