"""Days, periods and parts of dates in a query: "in 2025", "in Q3 2025", "since 2026-01-01", "month"."""

from collections.abc import Iterable
from datetime import date

from sqlglot import exp

from router.language.wording import MONTHS
from router.sql.explain.names import WORDS

_BOUNDS = {"GTE": "since", "GT": "after", "LT": "before", "LTE": "up to"}
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


def find_periods(parts: Iterable[exp.Expr]) -> tuple[list[tuple[exp.Expr, str]], list[exp.Expr]]:
    """Return the dates that conditions limit, each with its period, and the other conditions."""
    limits: dict[exp.Expr, dict[str, date]] = {}
    rest = []
    for part in parts:
        known, days = limits.get(part.this, {}), _limits(part)
        if days and (not known or {*known, *days} == {"GTE", "LT"}):
            limits[part.this] = known | days
        else:
            rest.append(part)
    return [(subject, _period(days)) for subject, days in limits.items()], rest


def _limits(part: exp.Expr) -> dict[str, date]:
    """Return the days that a condition on a date names, by how it compares them; none of any other condition."""
    sides = {type(part).__name__: part.args.get("expression")}
    if isinstance(part, exp.Between) and not part.args.get("symmetric"):
        sides = {"GTE": part.args["low"], "LTE": part.args["high"]}
    days = {kind: day for kind, side in sides.items() if kind in _BOUNDS and side and (day := day_of(side))}
    return days if len(days) == len(sides) else {}


def _period(days: dict[str, date]) -> str:
    """Return a time as it follows what is then: "in Q3 2025", "since 2026-01-01"."""
    start, end = days.get("GTE"), days.get("LT")
    if len(days) == 1:
        ((kind, day),) = days.items()
        return f"{_BOUNDS[kind]} {day}"
    if not (start and end):
        return f"from {start} to {days['LTE']}"
    months = ((end.year - start.year) * 12 + end.month - start.month) * (start.day == end.day == 1)
    if months == 12 and start.month == 1:
        return f"in {start.year}"
    if months == 3 and start.month % 3 == 1:
        return f"in Q{start.month // 3 + 1} {start.year}"
    return f"in {MONTHS[start.month - 1]} {start.year}" if months == 1 else f"from {start} until before {end}"
