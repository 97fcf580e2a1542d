"""Days, periods and parts of dates in a query: "in 2025", "in Q3 2025", "since 2026-01-01", "month"."""

from collections.abc import Sequence
from datetime import date

from sqlglot import exp

from router.language.wording import MONTHS
from router.sql.explain.names import WORDS

_TO_DAY = (exp.Date, exp.TsOrDsToDate)
_CASTS = (exp.Cast, *_TO_DAY, exp.DateStrToDate, exp.StrToDate, exp.TsOrDsToTimestamp, exp.TimeStrToTime)
_ISO_FORMAT = "%Y-%m-%d"


def without_casts(node: exp.Expr) -> exp.Expr:
    """Return what is cast to a date or to another type."""
    while isinstance(node, _CASTS) and isinstance(node.this, exp.Expr) and not node.expressions:
        if node.text("format") not in ("", _ISO_FORMAT):
            break
        node = node.this
    return node


def day_of(node: exp.Expr) -> date | None:
    """Return the day that a literal stands for, or None."""
    inner = without_casts(node)
    try:
        return date.fromisoformat(inner.name) if inner.is_string and len(inner.name) == 10 else None
    except ValueError:
        return None


def part_of_date(node: exp.Expr) -> tuple[str, exp.Expr] | None:
    """Return the part of a date that an expression takes, "month", and the date; or None."""
    bare = without_casts(node)
    part, whole = "", bare.this
    match bare:
        case exp.Year() | exp.Month() | exp.Quarter():
            part = type(bare).__name__.lower()
        case exp.DateTrunc() | exp.TimestampTrunc():
            part = f"to {bare.text('unit').lower()}"
        case exp.TimeToStr() | exp.ToChar():
            part = f"as {bare.text('format')}"
        case exp.Extract():
            part, whole = bare.name.lower(), bare.expression
        case _ if isinstance(node, _TO_DAY) or node.is_type("date"):
            part, whole = "to day", bare
    is_known = part in WORDS["date_parts"] and not (whole.is_string or node.expressions)
    return (WORDS["date_parts"][part], without_casts(whole)) if is_known else None


def find_periods(parts: Sequence[exp.Expr]) -> tuple[list[tuple[exp.Expr, str]], list[exp.Expr]]:
    """Return the dates of which conditions name a first day and the day after the last one, each with its period.

    The other conditions are returned beside them.
    """
    starts, ends = _days(parts, exp.GTE), _days(parts, exp.LT)
    periods, rest = [], list(parts)
    for subject, (first, start) in starts.items():
        if subject in ends:
            last, end = ends[subject]
            periods.append((subject, _period(start, end)))
            rest = [part for part in rest if part is not first and part is not last]
    return periods, rest


def _days(parts: Sequence[exp.Expr], kind: type[exp.Expr]) -> dict[exp.Expr, tuple[exp.Expr, date]]:
    """Return the conditions of a kind that compare something with a day, by what it is, with the day."""
    found = [(part, day_of(part.expression)) for part in parts if isinstance(part, kind)]
    return {part.this: (part, day) for part, day in found if day}


def _period(start: date, end: date) -> str:
    """Return a time as it follows what is then: "in Q3 2025"; the last day is the one before `end`."""
    months = (end.year - start.year) * 12 + end.month - start.month
    if start.day == end.day == 1:
        if months == 12 and start.month == 1:
            return f"in {start.year}"
        if months == 3 and start.month % 3 == 1:
            return f"in Q{start.month // 3 + 1} {start.year}"
        if months == 1:
            return f"in {MONTHS[start.month - 1]} {start.year}"
    return f"from {start} until before {end}"
