"""Rules for the times that a text names: patterns over the letters of its words, and the dates that these mean.

A time without a year is the last that began before or on today: "in June", asked in May, is June of last year.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from typing import Any

from router.language.times import UNITS, Span, Word

_DAY = timedelta(days=1)
_UNIT = f"[{''.join(UNITS.values())}]"
_COUNT = "[NC]"
_YEAR = r"(?:[/,-]?[YJy]|oa?[YJ]|o?a?(?:LV|Vl|P))"
_OF_YEAR = f"(?:{_YEAR}|oa?V)?(?!o)"
_YEAR_FIRST = "(?:(?:[YJ][/-]?|LV,?|Vl,?))?"
_PATTERNS = {
    "same_last_year": f"=(?:o?a?(?:L{_UNIT}|{_UNIT}l|P))?",
    "figures": "I",
    "part": f"[LO]{_COUNT}?{_UNIT}(?:oa?(?=[MmYJQHILP]|{_UNIT}l)|(?=[YJ]))",  # "last 3 months of 2025"
    "count": f"[Lp]{_COUNT}{_UNIT}|{_COUNT}[pl]{_UNIT}|{_COUNT}{_UNIT}[pl]|Sa?{_COUNT}{_UNIT}",
    "ago": f"[Bg]{_COUNT}1|{_COUNT}1g",
    "vague": f"p{_UNIT}|{_UNIT}p|L[pl]{_UNIT}",
    "before_last": f"{_UNIT}BL(?:0|4|7|V)?(?!{_UNIT})",
    "to_date": "c",
    "weekday": "Do?a?(?:L7|7l)|LD|Dl|lD(?!l)|D",
    "day": f"[NO]-?o?[Mm]{_YEAR}?|[Mm]a?[NO](?:,?[Yy])?",
    "month": f"{_YEAR_FIRST}[Ll]?[Mm]l?{_YEAR}?",
    "half": f"{_YEAR_FIRST}[Ll]?H-?{_YEAR}?|Oa?h(?:o?a?[Mm])?{_OF_YEAR}|O2{_OF_YEAR}",
    "quarter": f"{_YEAR_FIRST}[Ll]?Q{_YEAR}?|O4{_OF_YEAR}|4N{_YEAR}?",
    "calendar_week": f"{_YEAR_FIRST}[K7][NO]{_YEAR}?(?![/,]N|o)|OK{_YEAR}?|O7{_YEAR}?",
    "feast": f"[Ll]?[EG]l?{_YEAR}?",
    "relative": f"[Ll]{_UNIT}|{_UNIT}l(?!{_COUNT}?{_UNIT})|P",
    "relative_day": "R",
    "figures_of_day": f"i{_YEAR}?",
    "year": "V[YJy]|[YJ]",
}
_DATED = {"day", "month", "half", "quarter", "calendar_week", "feast", "figures_of_day"}
"""The rules whose times may have no year."""


@dataclass(frozen=True, slots=True)
class Time:
    """A time that words name: its rule, their letters and what they stand for, and the place of the next word."""

    rule: str
    letters: str
    said: Mapping[str, Any]
    end: int
    inner: "Time | None" = None

    def year(self, today: date) -> int | None:
        """Return the year that is said."""
        if self.rule not in _DATED:
            return None
        said = self.said
        year = said.get("Y") or said.get("J") or said.get("y")
        if not year and "V" in said and self._which is not None:
            return today.year + self._which
        if not year and str(said.get("P")).endswith(" year"):
            return today.year + int(said["P"].split()[0])
        return int(year) if year else None

    def yearless(self, today: date) -> bool:
        """Tell whether the time is in every year, and none is said: "Q3", "in June"."""
        return self.rule in _DATED and self.year(today) is None and self._which is None

    @property
    def season(self) -> bool:
        """True for a feast whose days are not sure: "over Christmas"; with "since", the first counts."""
        return "G" in self.said

    @property
    def doubtful(self) -> bool:
        """True for a number of four digits that is a year long ago, or no year."""
        return self.rule == "year" and "J" in self.said and "V" not in self.said

    @property
    def _which(self) -> int | None:
        return next((int(self.said[each]) for each in "Llp" if each in self.said), None)

    def span(self, today: date, year: int | None = None) -> Span | None:
        """Return the dates, those in this year where one is given; None where they are not known for sure."""
        year = year or self.year(today)
        if year or self.rule not in _DATED:
            return self._built(today, year or today.year)
        years = range(today.year + 1, today.year - 9, -1)  # 29 February may be eight years ago
        spans = [span for each in years if 0 < each and (span := self._built(today, each))]
        begun = next((span for span in spans if span[0] <= today), None)
        match self._which:
            case 0:
                return self._built(today, today.year)
            case 1:
                return next((span for span in reversed(spans) if span[0] > today), None)
            case -1 if "L" in self.said and begun and begun[0].year == today.year:
                return None  # "last June", asked in August
        return begun

    def _built(self, today: date, year: int) -> Span | None:
        try:
            span = _BUILDERS[self.rule](self, today, year)
        except (OverflowError, ValueError):
            return None
        return span if span and span[0] < span[1] else None

    def number(self, letters: str, default: int = 0) -> int:
        """Return the value of the first of these letters that there is."""
        return next((int(self.said[each]) for each in letters if each in self.said), default)

    @property
    def unit(self) -> str:
        """The unit, "" without one; with an s where several are meant."""
        return next((self.said[each] for each in UNITS.values() if each in self.said), "")


@cache
def _rules() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{rule}>{pattern})" for rule, pattern in _PATTERNS.items()))


def time_at(words: list[Word], letters: str, place: int) -> Time | None:
    """Return the time whose words begin at this place."""
    match = _rules().match(letters, place)
    if not match:
        return None
    said = {word.letter: word.value for word in words[place : match.end()]}
    rule, end = match.lastgroup or "", match.end()
    if rule != "part":
        return Time(rule, match.group(0), said, end)
    inner = time_at(words, letters, end)
    return Time(rule, match.group(0), said, inner.end if inner else end, inner)


def number_as(time: Time, word: Word) -> Time:
    """Return the time of this kind with another number: "3" beside "17 February" is 3 February."""
    kept = {letter: value for letter, value in time.said.items() if letter not in ("N", "O", "Q", "H")}
    return replace(
        time, said={**kept, "Q" if time.rule == "quarter" else "H" if time.rule == "half" else "O": word.value}
    )


def floor(day: date, unit: str) -> date:
    """Return the first day of the week (Monday), weekend, month, quarter, half or year that a day is in."""
    months = {"month": 1, "quarter": 3, "half": 6, "year": 12}.get(unit)
    if months:
        return day.replace(month=(day.month - 1) // months * months + 1, day=1)
    first = day - timedelta(days=day.weekday())
    return {"week": first, "weekend": first + 5 * _DAY}.get(unit, day)


def add(day: date, unit: str, count: int) -> date:
    """Return the day that many units later; the last of a month where that month is shorter."""
    if unit in ("day", "week", "weekend"):
        return day + timedelta(days=count * (1 if unit == "day" else 7))
    months = day.year * 12 + day.month - 1 + count * {"month": 1, "quarter": 3, "half": 6, "year": 12}[unit]
    first = date(months // 12, months % 12 + 1, 1)
    length = (date(first.year + first.month // 12, first.month % 12 + 1, 1) - first).days
    return first.replace(day=min(day.day, length))


def _one(day: date) -> Span:
    return day, day + _DAY


def _units(start: date, unit: str, count: int = 1) -> Span:
    return start, start + 2 * _DAY if unit == "weekend" else add(start, unit, count)


def _relative(time: Time, today: date, _: int) -> Span | None:
    which, unit = time.number("Llp"), time.unit
    if "P" in time.said:
        offset, unit = time.said["P"].split()
        which = int(offset)
    if unit.endswith("s"):  # "in den letzten Tagen"
        return None
    return _units(add(floor(today, unit), unit, which), unit)


def _before_last(time: Time, today: date, _: int) -> Span:
    unit = time.unit.rstrip("s")
    return _units(add(floor(today, unit), unit, -2), unit)


def _count(time: Time, today: date, _: int) -> Span | None:
    which, count, unit = time.number("Llp", -1), time.number("NC"), time.unit.rstrip("s")
    if unit == "weekend" or which < -1:
        return None
    if which == -1:  # "the last 3 months" run up to today
        return add(today, unit, -count), today + _DAY
    return _units(add(floor(today, unit), unit, which), unit, count)


def _part(time: Time, today: date, _: int) -> Span | None:
    whole, unit = time.inner and time.inner.span(today), time.unit.rstrip("s")
    if not whole or unit in ("week", "weekend"):  # weeks of a month: nobody knows which days
        return None
    count = time.number("NC", 1)
    if "L" in time.said:
        start, end = add(whole[1], unit, -count), whole[1]
        return (start, end) if time.said["L"] == -1 and start >= whole[0] else None
    start = add(whole[0], unit, time.said["O"] - 1)
    end = add(start, unit, count)
    return (start, end) if end <= whole[1] else None


def _ago(time: Time, today: date, _: int) -> Span | None:
    before = time.said.get("B", "ago")  # "vor 3 Tagen", not "before 3 days"
    return _one(today - time.number("NC") * _DAY) if before == "ago" else None


def _weekday(time: Time, today: date, _: int) -> Span | None:
    which, day = time.number("Ll", -1), time.said["D"]
    if "7" in time.said:
        return _one(add(floor(today, "week"), "week", which) + day * _DAY)
    if which == 0:
        return _one(floor(today, "week") + day * _DAY)
    back = (today.weekday() - day) % 7
    if which != -1 or (not back and time.letters == "D"):  # "next Friday" is this week's for some
        return None
    return _one(today - (back or 7) * _DAY)


def _day(time: Time, today: date, year: int) -> Span | None:
    day = time.number("NO")
    unsure = "N" in time.said and time.letters[0] in "Mm" and "Y" not in time.said and "y" not in time.said
    if unsure and 2000 + day in range(today.year - 3, today.year + 2):  # "June 25"
        return None
    return _one(date(year, time.number("Mm"), day))


def _month(time: Time, _: date, year: int) -> Span:
    return _units(date(year, time.number("Mm"), 1), "month")


def _half(time: Time, _: date, year: int) -> Span | None:
    number = time.number("HO")
    if number not in (1, 2):
        return None
    if month := time.number("Mm"):
        start, end = _units(date(year, month, 1), "month")
        return (start, start.replace(day=16)) if number == 1 else (start.replace(day=16), end)
    return _units(date(year, number * 6 - 5, 1), "half") if time.said.get("h") != "fortnight" else None


def _quarter(time: Time, _: date, year: int) -> Span | None:
    number = time.number("QON")
    return _units(date(year, number * 3 - 2, 1), "quarter") if number in range(1, 5) else None


def _calendar_week(time: Time, _: date, year: int) -> Span | None:
    number = time.number("NO")
    if time.letters.startswith("O7") and number < 6:  # "the first week"
        return None
    return _units(date.fromisocalendar(year, number, 1), "week")


def easter(year: int) -> date:
    """Return Easter Sunday of a year (the Gregorian computus of Meeus, Jones and Butcher)."""
    century, rest = divmod(year, 100)
    epact = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (year % 19 + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def _feast(time: Time, _: date, year: int) -> Span:
    base, sign, days = re.fullmatch(r"(\w+?)([+-])(\d+)", time.said.get("E") or time.said["G"]).groups()  # type: ignore[union-attr]
    moved = timedelta(days=int(sign + days))
    if base == "easter":
        return _one(easter(year) + moved)
    if base == "black":  # the day after the fourth Thursday
        return _one(date(year, 11, 22) + ((3 - date(year, 11, 22).weekday()) % 7 + 1) * _DAY + moved)
    return _one(date(year, int(base), int(days)))


_BUILDERS: dict[str, Callable[[Time, date, int], Span | None]] = {
    "same_last_year": lambda time, today, year: None,  # depends on the other times
    "vague": lambda time, today, year: None,
    "figures": lambda time, today, year: time.said["I"],
    "part": _part,
    "count": _count,
    "ago": _ago,
    "before_last": _before_last,
    "to_date": lambda time, today, year: (floor(today, time.said["c"]), today + _DAY),
    "weekday": _weekday,
    "day": _day,
    "month": _month,
    "half": _half,
    "quarter": _quarter,
    "calendar_week": _calendar_week,
    "feast": _feast,
    "relative": _relative,
    "relative_day": lambda time, today, year: _one(today + time.said["R"] * _DAY),
    "figures_of_day": lambda time, today, year: _one(date(year, time.said["i"][1], time.said["i"][0])),
    "year": lambda time, today, year: _units(date(time.number("YJy"), 1, 1), "year"),
}
