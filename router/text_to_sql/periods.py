"""Times that small models get wrong, such as "last quarter", "KW 32" or "since May", as dates to compare with.

Each is a pattern over the letters that `router.language.times` gives the words of a question. A time without a year is
the last that began before or on today: "in June", asked in May, is June of last year.
"""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from router.language.phrases import find_phrases, tokens_of
from router.language.times import UNITS, Span, Word, words_of
from router.language.wording import MONTHS

_DAY = timedelta(days=1)
_MONTHS_OF = {"month": 1, "quarter": 3, "half": 6, "year": 12}
_UNIT = f"[{''.join(UNITS.values())}]"
_YEAR = "(?:[/,-]?o?a?[YJy]|o?a?(?:LV|Vl|P))?"
_PATTERNS = {
    "quarter": f"Q{_YEAR}|O4{_YEAR}",
    "half": f"H-?{_YEAR}|O[2h]{_YEAR}",
    # What stands within another time, or depends on one.
    "unsure": f"[LO][NC]?{_UNIT}(?:oa?(?=[MmYJQHILP])|(?=[YJ]))|=(?:o?a?(?:L{_UNIT}|{_UNIT}l|P))?|{_UNIT}BL",
    "count": f"[Lp][NC]{_UNIT}|[NC][pl]{_UNIT}|[NC]{_UNIT}[pl]",
    "to_date": "c",
    "day": "R",
    "week": f"[K7][NO]{_YEAR}|O[K7]{_YEAR}",
    "month": f"[Mm]{_YEAR}",
    "relative": f"[Ll]{_UNIT}|{_UNIT}l|P",
}
_TIME = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _PATTERNS.items()))
_YEARLY = frozenset(("quarter", "half", "week", "month"))
"""Kinds of times that are in every year."""

_LEAD = re.compile("(?P<lead>[SuBA])a?$")
_BEFORE_OTHERS = re.compile("(?:[fLlejNO]-?|[YJyV][/,-]?|[MmQHNO7][&,ut-]k?|b)o?a?$")
"""Neighbours that make a time in every year another one: "fiscal Q1", "last June", "end of May", "4 to 8 May"."""
_BEHIND_OTHERS = re.compile("f|Z|o?[NO]|[&,ut-]k?a?e?o?a?[MmQHRNOKYJ]")
_MAY_BE_MONTH = re.compile("[kFoSuv]a?$")
"""Words before a name that make it a month: "in May", "seit März"."""
_DEPENDING_ON_TODAY = re.compile(f"L[NC]?{_UNIT}|[RcS]")

BEGUN_PERIOD = "the last that has begun"


@dataclass(frozen=True, slots=True)
class Period:
    """The words of a question for a time, its first day, and the first day after it; None if it has no such end.

    `typed` are the words as they were typed, `assumed` is what had to be assumed for the dates, "" for nothing.
    """

    words: str
    start: date | None
    end: date | None
    assumed: str = ""
    typed: str = field(default="", compare=False)

    @property
    def condition(self) -> str:
        """The dates as a query compares with them: ">= '2026-08-03' AND < '2026-08-10'"."""
        since = [f">= '{self.start}'"] if self.start else []
        before = [f"< '{self.end}'"] if self.end else []
        return " AND ".join(since + before)

    @property
    def line(self) -> str:
        """The dates as a person reads them: "KW 32 = 3 to 9 August 2026"."""
        assumed = f" ({self.assumed})" if self.assumed else ""
        return f"{self.typed or self.words} = {_spoken(self.start, self.end)}{assumed}"


def needs_today(text: str) -> bool:
    """Return whether a text may depend on the day it is asked; of a day, a small model makes a needless filter."""
    if _DEPENDING_ON_TODAY.search("".join(word.letter for word in words_of(text, date.max))):
        return True
    tokens = tokens_of(text)
    now, timeless = ({each.end for each in find_phrases(kind, tokens)} for kind in ("times.now", "times.timeless"))
    return bool(now - timeless)


def _spoken(start: date | None, end: date | None) -> str:
    """Return days as a person says them: "3 to 9 August 2026", "from 5 April 2026"."""
    last = end - _DAY if end else None
    if not start or not last:
        return f"from {_written(start)}" if start else f"up to {_written(last)}" if last else ""
    if start == last:
        return _written(start)
    if start.year != last.year:
        return f"{_written(start)} to {_written(last)}"
    first = str(start.day) if start.month == last.month else f"{start.day} {MONTHS[start.month - 1]}"
    return f"{first} to {_written(last)}"


def _written(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def floor(day: date, unit: str) -> date:
    """Return the first day of the week (Monday), weekend, month, quarter, half or year that a day is in."""
    if months := _MONTHS_OF.get(unit):
        return day.replace(month=(day.month - 1) // months * months + 1, day=1)
    monday = day - timedelta(days=day.weekday())
    return {"week": monday, "weekend": monday + 5 * _DAY}.get(unit, day)


def add(day: date, unit: str, count: int) -> date:
    """Return the day that many units later; the last of a month if that month is shorter."""
    if unit not in _MONTHS_OF:
        return day + timedelta(days=count * (1 if unit == "day" else 7))
    months = day.year * 12 + day.month - 1 + count * _MONTHS_OF[unit]
    first = date(months // 12, months % 12 + 1, 1)
    following = date(first.year + first.month // 12, first.month % 12 + 1, 1)
    return first.replace(day=min(day.day, (following - first).days))


def periods(text: str, today: date) -> tuple[Period, ...]:
    """Return the times that a text speaks of, each once, in their order; none that is not sure.

    A year, a date, or days from one to another are left out: a model reads them as they stand.
    """
    words = words_of(text, today)
    letters = "".join(word.letter for word in words)
    found = (_period(text, words, letters, match, today) for match in _TIME.finditer(letters))
    return tuple(dict.fromkeys(filter(None, found)))


def _period(text: str, words: list[Word], letters: str, match: re.Match[str], today: date) -> Period | None:
    kind, place = match.lastgroup or "", match.start()
    before, yearly = letters[:place], kind in _YEARLY
    if yearly and (_BEFORE_OTHERS.search(before) or _BEHIND_OTHERS.match(letters, match.end())):
        return None
    if match[0] == "m" and not _MAY_BE_MONTH.search(before):
        return None
    try:
        said = {word.letter: word.value for word in words[place : match.end()]}
        year = _year(said, today) if yearly else None
        span = _in_year(kind, said, year or today.year) if yearly else _from_today(kind, said, today)
        if span and yearly and not year and span[0] > today:
            span = _in_year(kind, said, today.year - 1)
    except (OverflowError, ValueError):
        return None
    if span is None:
        return None
    lead = _LEAD.search(before)
    typed = " ".join(text[words[lead.start() if lead else place].start : words[match.end() - 1].end].split())
    assumed = BEGUN_PERIOD if yearly and not year and span[0].year != today.year else ""
    open_ended = {"S": (span[0], None), "A": (span[1], None), "B": (None, span[0]), "u": (None, span[1])}
    start, end = open_ended[lead["lead"]] if lead else span
    return Period(typed.lower(), start, end, assumed, typed)


def _which(said: dict[str, Any]) -> int:
    """Return -1 for the last one, 0 for this one, 1 for the next one."""
    return int(said["P"].split()[0]) if "P" in said else next((said[each] for each in "Llp" if each in said), -1)


def _year(said: dict[str, Any], today: date) -> int | None:
    if {"V", "P"} & said.keys():
        return today.year + _which(said)
    return next((said[each] for each in "YJy" if each in said), None)


def _from_today(kind: str, said: dict[str, Any], today: date) -> Span | None:
    unit = next((said[each] for each in UNITS.values() if each in said), said.get("P", "").rpartition(" ")[2])
    match kind:
        case "day":
            return today + said["R"] * _DAY, today + (said["R"] + 1) * _DAY
        case "to_date":
            return floor(today, said["c"]), today + _DAY
        case "count" if _which(said) == -1 and unit != "weekend":  # "the last 3 months" run up to today
            return add(today, unit.rstrip("s"), -(said["N"] if "N" in said else said["C"])), today + _DAY
        case "relative" if not unit.endswith("s"):  # "in den letzten Tagen"
            start = add(floor(today, unit), unit, _which(said))
            return start, start + 2 * _DAY if unit == "weekend" else add(start, unit, 1)
    return None


def _in_year(kind: str, said: dict[str, Any], year: int) -> Span | None:
    number = next((said[each] for each in "QHONMm" if each in said), 0)
    if kind == "week":
        first = date.fromisocalendar(year, number, 1)
        return first, first + 7 * _DAY
    start = date(year, (number - 1) * _MONTHS_OF[kind] + 1, 1)
    return start, add(start, kind, 1)
