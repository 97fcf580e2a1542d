"""What came of a comparison, as cards: a sentence, a small chart, and the first differences with both values."""

from router.cards import Card, Chart, Head, Series, Table, Text
from router.sql.comparing.plan import Plan
from router.sql.comparing.report import Report, Shown
from router.sql.comparing.saying import says
from router.sql.comparing.telling import told_apart

MOST_LINES = 10
"""Lines of the table of first differences."""

MOST_VALUES = 4
"""Values that a row is told by, where it has no key, or is on one side alone."""

Line = tuple[str | None, ...]


def report_cards(report: Report, plan: Plan, about: str, connection: str) -> tuple[Card, ...]:
    """Return a report as it is shown above its rows; `about` says what was compared."""
    said = Text(f"{about}: {_headline(report)}\n{says(report)}", connection=connection)
    return (said, *_chart(report, connection), *_table(report, plan, connection))


def _headline(report: Report) -> str:
    if report.reporting == "aggregates":
        apart = sum(not total.same for total in report.totals)
        said = f"{apart:,} of {len(report.totals):,} totals differ{'s' if apart == 1 else ''}."
        return said if apart else "no total differs."
    whole = report.identical + report.changed + report.only_left + report.only_right
    whole += report.duplicate_left + report.duplicate_right
    apart = whole - report.identical
    if not whole:
        return "there are no rows."
    said = f"{apart:,} of {whole:,} row{'' if whole == 1 else 's'} differ{'s' if apart == 1 else ''}."
    return said if apart else "no difference."


def _chart(report: Report, connection: str) -> tuple[Chart, ...]:
    """Return the counts as bars, where there is anything to count."""
    duplicates = report.duplicate_left + report.duplicate_right
    counts = {
        "Identical": report.identical,
        "Changed": report.changed,
        f"Only in {report.left}": report.only_left,
        f"Only in {report.right}": report.only_right,
        "Key not unique": duplicates,
    }
    if not any(counts.values()):
        return ()
    series = Series("Rows", tuple(float(count) for count in counts.values()))
    return (Chart("Rows compared", "bar", tuple(counts), (series,), connection=connection),)


def _table(report: Report, plan: Plan, connection: str) -> tuple[Card, ...]:
    """Return the first differences, a line for each value that differs."""
    if not report.first:
        return ()
    heads = (*(plan.names[key] for key in plan.keys), "Column", report.left, report.right)
    lines: list[Line] = [line for each in report.first for line in _lines(each, plan)]
    shown = tuple(lines[:MOST_LINES])
    table = Table(tuple(map(Head, heads)), shown, len(shown), connection=connection)
    return (Text("The first differences:"), table)


def _lines(each: Shown, plan: Plan) -> list[Line]:
    told = each.left or each.right or ()
    keys = tuple(told[key] for key in plan.keys)
    if each.left is not None and each.right is not None:
        return [(*keys, plan.names[place], *told_apart(each.left[place], each.right[place])) for place in each.places]
    brief = _brief(told, plan)
    duplicate = each.status.startswith("duplicate")
    other, what = ("no equal one", "(key not unique)") if duplicate else ("missing", "(row)")
    return [(*keys, what, other, brief) if each.left is None else (*keys, what, brief, other)]


def _brief(row: tuple[str | None, ...], plan: Plan) -> str:
    """Return a row by its first values that are no key."""
    others = [value for place, value in enumerate(row) if place not in plan.keys] or list(row)
    more = ", …" if len(others) > MOST_VALUES else ""
    return ", ".join("NULL" if value is None else value for value in others[:MOST_VALUES]) + more
