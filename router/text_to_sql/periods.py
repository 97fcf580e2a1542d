"""Periods such as "this year" or "last quarter", as dates of today's calendar that a query can compare with."""

import re
from dataclasses import dataclass
from datetime import date, timedelta

_PERIOD_WORDS = re.compile(
    r"\b(?P<which>this|current|last|previous|past|next)\s+(?:(?P<count>\d{1,3})\s+)?"
    r"(?P<unit>day|week|month|quarter|year)s?\b|\b(?P<day>today|yesterday|tomorrow)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:ago|now|current(?:ly)?|recent(?:ly)?|so far|to date|not yet|still|overdue|upcoming|future|old|since)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Period:
    """The words of a question for a time, its first day, and the first day after it."""

    words: str
    start: date
    end: date


def periods(text: str, today: date) -> tuple[Period, ...]:
    """Return the times that a text speaks of relative to today, each once, in their order."""
    found = (_period(match, today) for match in _PERIOD_WORDS.finditer(text))
    return tuple(dict.fromkeys(period for period in found if period))


def needs_today(text: str) -> bool:
    """Tell whether a text may depend on the day it is asked; a small model makes a filter of a day it need not know."""
    return bool(_NOW.search(text) or _PERIOD_WORDS.search(text))


def _period(match: re.Match[str], today: date) -> Period | None:
    words = " ".join(match.group(0).lower().split())
    if match.group("day"):
        start = today + timedelta(days={"yesterday": -1, "today": 0, "tomorrow": 1}[words])
        return Period(words, start, start + timedelta(days=1))
    which, unit = match.group("which").lower(), match.group("unit").lower()
    count = int(match.group("count") or 1)
    start = _floor(today, unit)
    try:
        if which in ("this", "current"):
            return Period(words, start, _add(start, unit, count))
        if which == "next":
            return Period(words, _add(start, unit, 1), _add(start, unit, 1 + count))
        if match.group("count"):  # "the last 3 months" run up to today
            return Period(words, _add(today, unit, -count), today + timedelta(days=1))
        return Period(words, _add(start, unit, -1), start)
    except (OverflowError, ValueError):
        return None


def _floor(day: date, unit: str) -> date:
    """Return the first day of the week (Monday), month, quarter or year that a day is in."""
    match unit:
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "quarter":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case "year":
            return day.replace(month=1, day=1)
    return day


def _add(day: date, unit: str, count: int) -> date:
    """Return the day that many units later; the last of a month where that month is shorter."""
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + count * {"month": 1, "quarter": 3, "year": 12}[unit]
    first = date(months // 12, months % 12 + 1, 1)
    length = (date(first.year + first.month // 12, first.month % 12 + 1, 1) - first).days
    return first.replace(day=min(day.day, length))
