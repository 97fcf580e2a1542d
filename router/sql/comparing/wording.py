"""A comparison in plain words: what came of it, and what did not count as a difference."""

from router.language.wording import and_list, counted, verb
from router.memory.comparing import Tolerances
from router.sql.comparing.report import Report, Total

MEASURES = {
    "rows": "rows",
    "values": "filled values",
    "lowest": "lowest",
    "highest": "highest",
    "sum": "sum",
}
"""The words for the measures of totals."""


def report_sentences(report: Report) -> str:
    """Return what came of a comparison in a few sentences."""
    if report.reporting == "aggregates":
        return _totals(report)
    if not report.left_rows and not report.right_rows:
        return f"Both are empty: {report.left} and {report.right} give no rows."
    kept = f" The first rows were kept, and {report.unkept:,} more were not." if report.unkept else ""
    if report.same:
        rows = "row" if report.identical == 1 else f"{report.identical:,} rows"
        return f"No difference: {report.left} and {report.right} have the same {rows}.{_duplicates(report)}{kept}"
    return f"{_differing(report)}.{_duplicates(report)}{_unmeasured(report)}{kept}"


def _differing(report: Report) -> str:
    """Return how many rows became what; the first count alone has its noun."""
    parts: list[str] = []
    if report.changed:
        parts.append(f"{counted(report.changed, 'row')} {verb(report.changed, 'differs', 'differ')}{_mostly(report)}")
    none = "none is the same" if parts else "No row is the same"
    rows = f"{report.identical:,}" if parts else counted(report.identical, "row")
    parts.append(f"{rows} {verb(report.identical, 'is', 'are')} the same" if report.identical else none)
    if report.only_left:
        parts.append(f"{report.only_left:,} {verb(report.only_left, 'is', 'are')} only in {report.left}")
    if report.only_right:
        is_only = "only" if report.only_left else f"{verb(report.only_right, 'is', 'are')} only"
        parts.append(f"{report.only_right:,} {is_only} in {report.right}")
    return and_list(parts)


def tolerated(tolerances: Tolerances) -> str:
    """Return in a sentence or two what does not count as a difference."""
    parts = [
        "how a database stores a value (the text 007 is the number 7)",
        "the last digits of long fractions",
    ]
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
    return f"Doesn't count as a difference: {and_list(parts)}."


def _totals(report: Report) -> str:
    apart, single = [total for total in report.totals if not total.same], "Single rows were not compared."
    if not apart and report.left_rows == report.right_rows:
        return f"All totals are the same, and both have {counted(report.left_rows, 'row')}. {single}"
    first = "; ".join(map(_total, apart[:3])) + (f"; and {len(apart) - 3} more" if len(apart) > 3 else "")
    many = verb(len(apart), "differs", "differ")
    said = f"{len(apart)} of {len(report.totals)} totals {many}, {report.left} first: {first}"
    return f"{said}. {single}"


def _total(total: Total) -> str:
    name = f"{MEASURES[total.measure]} of {total.column}" if total.column else MEASURES[total.measure]
    return f"{name} {total.left or 'none'} and {total.right or 'none'}"


def _mostly(report: Report) -> str:
    """Name the columns that differ most often."""
    found = sorted((each for each in report.columns if each.differing), key=lambda each: -each.differing)
    named = [f"{each.name} in {each.differing:,}" for each in found[:3]]
    return f" ({', '.join(named)}{', …' if len(found) > 3 else ''})" if named else ""


def _unmeasured(report: Report) -> str:
    """Say why a report by column has no figures."""
    if report.reporting != "columns" or report.measured:
        return ""
    why = "no rows of one key were compared" if report.keyed else "without a key, rows are the same or are not"
    return f" Nothing can be said by column: {why}."


def _duplicates(report: Report) -> str:
    if not report.duplicate_keys:
        return ""
    keys = f"{counted(report.duplicate_keys, 'key')} {verb(report.duplicate_keys, 'is', 'are')} there more than once"
    alone = [
        f"{counted(count, 'row')} of {side}"
        for count, side in ((report.duplicate_left, report.left), (report.duplicate_right, report.right))
        if count
    ]
    if not alone:
        return f" {keys}, with the same rows in both."
    whole = report.duplicate_left + report.duplicate_right
    return f" {keys}: {and_list(alone)} {verb(whole, 'has', 'have')} no equal one there."
