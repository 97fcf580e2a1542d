"""A comparison in plain words: what came of it, and what did not count as a difference."""

from router.sql.comparing.plan import Tolerances
from router.sql.comparing.report import Report, Total


def says(report: Report) -> str:
    """Return what came of a comparison in a few sentences."""
    if report.reporting == "aggregates":
        return _totals(report)
    if not report.left_rows and not report.right_rows:
        return f"Both are empty: {report.left} and {report.right} give no rows."
    if report.same:
        return f"They are the same: {_rows(report.identical)} of {report.left}, and equal ones of {report.right}."
    parts = [f"{report.identical:,} {_plural(report.identical, 'row is', 'rows are')} the same in both"]
    if report.changed:
        parts.append(f"{report.changed:,} {_plural(report.changed, 'differs', 'differ')}{_mostly(report)}")
    for count, side in ((report.only_left, report.left), (report.only_right, report.right)):
        if count:
            parts.append(f"{count:,} {_plural(count, 'is', 'are')} only in {side}")
    return f"They differ: {_listed(parts)}.{_duplicates(report)}"


def tolerated(tolerances: Tolerances) -> str:
    """Return in a sentence or two what does not count as a difference."""
    parts = ["the type in which a database keeps a value", "the last digits of floating-point numbers"]
    if tolerances.absolute:
        parts.append(f"numbers apart by at most {tolerances.absolute:g}")
    if tolerances.relative:
        parts.append(f"numbers apart by at most {tolerances.relative * 100:g} %")
    if tolerances.blanks != "count":
        parts.append("blanks at the end of a text" if tolerances.blanks == "end" else "blanks around a text")
    if tolerances.fold:
        parts.append("upper and lower case")
    if tolerances.empty:
        parts.append("an empty text for no value")
    if tolerances.precision != "microsecond":
        parts.append(f"of times, what is less than a {tolerances.precision}")
    return f"Not counted as a difference: {_listed(parts)}. Numbers in a key must be equal."


def _totals(report: Report) -> str:
    apart = [total for total in report.totals if not total.same]
    rows = f"{_rows(report.left_rows)} of {report.left}"
    if not apart and report.left_rows == report.right_rows:
        return f"All totals are the same: {rows}, and as many of {report.right}.{_untold(report)}"
    first = "; ".join(map(_total, apart[:3])) + (f"; and {len(apart) - 3} more" if len(apart) > 3 else "")
    said = f"{len(apart)} of {len(report.totals)} totals differ, {report.left} first: {first}"
    return f"{said}.{_untold(report)}"


def _untold(report: Report) -> str:
    """Say what totals tell nothing of."""
    single = " Single rows were not compared."
    if not report.untold:
        return single
    return f" Of {_listed(list(report.untold))} some were left out, as they would not tell what differs.{single}"


def _total(total: Total) -> str:
    name = f"{total.measure} of {total.column}" if total.column else total.measure
    return f"{name} {_given(total.left)} and {_given(total.right)}"


def _given(value: str | None) -> str:
    return "none" if value is None else value


def _mostly(report: Report) -> str:
    """Name the columns that differ most often."""
    found = sorted((each for each in report.columns if each.differing), key=lambda each: -each.differing)
    named = [f"{each.name} in {each.differing:,}" for each in found[:3]]
    return f" ({', '.join(named)}{', …' if len(found) > 3 else ''})" if named else ""


def _duplicates(report: Report) -> str:
    if not report.duplicate_keys:
        return ""
    keys = f"{report.duplicate_keys:,} {_plural(report.duplicate_keys, 'key is', 'keys are')}"
    sides = f"{_rows(report.duplicate_left)} of {report.left} and {_rows(report.duplicate_right)} of {report.right}"
    return f" {keys} there more than once: {sides} were not paired."


def _rows(count: int) -> str:
    return f"{count:,} {_plural(count, 'row', 'rows')}"


def _plural(count: int, one: str, more: str) -> str:
    return one if count == 1 else more


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
