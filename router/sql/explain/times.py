"""Days, periods and parts of dates in a query: "2025", "Q3 2025", "since 2026-01-01", "month"."""

from collections.abc import Iterable
from datetime import date

from sqlglot import exp

from router.language.wording import MONTHS
from router.sql.explain.names import WORDS, harmless

_BOUNDS = {"GTE": "since", "GT": "after", "LT": "before", "LTE": "up to"}
_CASTS = (exp.Cast, exp.Date, exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.TimeStrToTime)


def without_casts(node: exp.Expr) -> exp.Expr:
    """Return what is cast to a date or to another type."""
    while isinstance(node, _CASTS) and isinstance(node.this, exp.Expr) and not node.expressions:
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
    node = without_casts(node)
    match node:
        case exp.Year() | exp.Month() | exp.Quarter():
            part = type(node).__name__.lower()
        case exp.DateTrunc() | exp.TimestampTrunc():
            return harmless(node.text("unit").lower()), without_casts(node.this)
        case exp.TimeToStr() | exp.ToChar():
            part = node.text("format")
        case exp.Extract():
            part = node.this.name.lower()
        case _:
            return None
    said = WORDS["date_parts"].get(part)
    return (said, without_casts(node.expression if isinstance(node, exp.Extract) else node.this)) if said else None


def find_periods(parts: Iterable[exp.Expr]) -> tuple[list[tuple[exp.Expr, str]], list[exp.Expr]]:
    """Return the dates that conditions limit, each with its period, and the other conditions."""
    limits: dict[exp.Expr, dict[str, date]] = {}
    places: dict[exp.Expr, list[exp.Expr]] = {}
    found, rest = [], []
    for part in parts:
        year, days = _year(part), _limits(part)
        if year:
            date_ = part_of_date(part.this)
            found.append((date_[1] if date_ else part.this, year))
        elif days and not set(days) & set(limits.get(part.this, ())):
            limits.setdefault(part.this, {}).update(days)
            places.setdefault(part.this, []).append(part)
        else:
            rest.append(part)
    for subject, days in limits.items():
        said = _span(days)
        found += [(subject, said)] if said else []
        rest += [] if said else places[subject]
    return found, rest


def _year(part: exp.Expr) -> str:
    """Return the year that a condition asks for, or ""."""
    if not isinstance(part, exp.EQ):
        return ""
    right, taken = without_casts(part.expression), part_of_date(part.this)
    is_year = taken[0] == "year" if taken else isinstance(part.this, exp.Column) and part.this.name.lower() == "year"
    year = right.name if isinstance(right, exp.Literal) and is_year else ""
    return year if year.isdigit() and len(year) == 4 else ""


def _limits(part: exp.Expr) -> dict[str, date]:
    """Return the days that a condition on a date names, by how it compares them; none of any other condition."""
    kind, sides = type(part).__name__, {}
    if isinstance(part, exp.Between) and not part.args.get("symmetric"):
        sides = {"GTE": part.args["low"], "LTE": part.args["high"]}
    elif kind in _BOUNDS:
        sides = {kind: part.args["expression"]}
    days = {kind: day for kind, side in sides.items() if (day := day_of(side))}
    return days if len(days) == len(sides) else {}


def _span(days: dict[str, date]) -> str:
    if set(days) == {"GTE", "LT"}:
        return _period(days["GTE"], days["LT"])
    if set(days) == {"GTE", "LTE"}:
        return f"{days['GTE']} to {days['LTE']}"
    ((kind, day),) = days.items() if len(days) == 1 else [("", "")]
    return f"{_BOUNDS[kind]} {day}" if kind else ""


def _period(start: date, end: date) -> str:
    """Return the time from one day up to another that is not part of it: "2025", "Q3 2025", "March 2026"."""
    months = ((end.year - start.year) * 12 + end.month - start.month) * (start.day == end.day == 1)
    if months == 12 and start.month == 1:
        return str(start.year)
    if months == 3 and start.month % 3 == 1:
        return f"Q{start.month // 3 + 1} {start.year}"
    if months == 1:
        return f"{MONTHS[start.month - 1]} {start.year}"
    return f"from {start} until before {end}"


def joint(period: str) -> str:
    """Return a period as it follows what it is of: "in 2025", "since 2026-01-01"."""
    if period.startswith(("from", *_BOUNDS.values())):
        return period
    return f"from {period}" if " to " in period else f"in {period}"
