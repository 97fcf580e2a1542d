"""Times such as "last quarter", "KW 32" or "depuis Pâques", as dates that a query can compare with."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from router.language.phrases import find_phrases, has_phrase, tokens_of
from router.language.times import fiscal_words, words_of
from router.language.wording import MONTHS
from router.text_to_sql.period_rules import Time, add, number_as, time_at

_RELATIVE = re.compile("(?:L[NC]?[160742V]|R)")
_RUNNING = re.compile("S(?![NOYJyIix])")
"""Since a time that is no number: it runs up to today."""
_EDGE = re.compile("e-?o?a?")
_LINK = re.compile("[ut-]a?")
_AND = re.compile("&a?")
_NEXT_NUMBER = re.compile("&([NO])(?![1670#$42VMm])")
_YEAR_BEHIND = re.compile("[/,-]?o?[YJy]")
_LED = re.compile("(?:[kFoSuvb]|[Mm]&)a?$")
"""What stands before a word that may only then be a month: "in May", "seit März"."""
_ALONE = re.compile("[&,ra]*")
BEGUN = "the last that has begun"
FISCAL = "with the fiscal year as the calendar year"


@dataclass(frozen=True, slots=True)
class Period:
    """The words of a question for a time, its first day, and the first day after it; None where it has no such end.

    `typed` are the words as they were typed, `assumed` is what had to be assumed for the dates, "" for nothing. A
    `relative` time is nothing but its distance from today: "last week".
    """

    words: str
    start: date | None
    end: date | None
    assumed: str = ""
    typed: str = field(default="", compare=False)
    relative: bool = field(default=False, compare=False)

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


def periods(text: str, today: date) -> tuple[Period, ...]:
    """Return the times that a text speaks of, each once, in their order; none that is not sure.

    A year or a date that a query can compare with as it stands is left out.
    """
    return _joined(tuple(dict.fromkeys(_Reader(text, today).periods())), text)


def _joined(found: tuple[Period, ...], text: str) -> tuple[Period, ...]:
    """Return "this year until the end of July" as one time, where the end directly behind is within the first."""
    if len(found) != 2:
        return found
    whole, last = found
    if not (whole.start and whole.end and last.end) or last.start or not whole.start < last.end < whole.end:
        return found
    at = text.find(whole.typed)
    if f"{whole.typed} {last.typed}" != " ".join(text[at : at + len(whole.typed) + len(last.typed) + 1].split()):
        return found
    typed = f"{whole.typed} {last.typed}"
    return (Period(typed.lower(), whole.start, last.end, last.assumed or whole.assumed, typed),)


def needs_today(text: str) -> bool:
    """Tell whether a text may depend on the day it is asked; a small model makes a filter of a day it need not know."""
    letters = "".join(word.letter for word in words_of(text, date.max))
    if _RELATIVE.search(letters) or _RUNNING.search(letters):
        return True
    tokens = tokens_of(text)
    now, timeless = ({each.end for each in find_phrases(kind, tokens)} for kind in ("times.now", "times.timeless"))
    return bool(now - timeless)


def _spoken(start: date | None, end: date | None) -> str:
    """Return days as a person says them: "3 to 9 August 2026", "from 5 April 2026"."""
    last = end - timedelta(days=1) if end else None
    if not start or not last:
        return f"from {_day(start)}" if start else f"up to {_day(last)}" if last else ""
    if start == last:
        return _day(start)
    if start.year != last.year:
        return f"{_day(start)} to {_day(last)}"
    first = str(start.day) if start.month == last.month else f"{start.day} {MONTHS[start.month - 1]}"
    return f"{first} to {_day(last)}"


def _day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


@dataclass(frozen=True, slots=True)
class _Found:
    """A time that was read: its dates, and the place of the next word; no dates where it is no sure time."""

    end: int
    start_day: date | None = None
    end_day: date | None = None
    assumed: str = ""
    label: str = ""
    """The words that are understood before it: the "KW" of "33" in "KW 32 und 33"."""


class _Reader:
    """Reads a text's times from left to right."""

    def __init__(self, text: str, today: date) -> None:
        self._text, self._today = text, today
        words = words_of(text, today)
        self._words, self._fiscal = fiscal_words(words)
        self._letters = "".join(word.letter for word in self._words)

    def periods(self) -> Iterator[Period]:
        place, before = 0, None
        while place < len(self._words):
            if self._letters[place] in "wx.$#,":
                place += 1
                continue
            if self._letters[place] == "=":
                found = self._year_before(place, before)
            else:
                found = self._range(place) or self._open(place) or self._alone(place) or _Found(place + 1)
            if found.start_day or found.end_day:
                before = self._period(place, found)
                yield before
            place = found.end
            if before and (more := self._more_weeks(place)):
                yield self._period(*more)
                place = more[1].end

    def _period(self, place: int, found: _Found) -> Period:
        start, stop = self._words[place].start, self._words[found.end - 1].end
        fiscal = self._fiscal_beside(place, found.end)
        typed = " ".join((found.label + self._text[min([start, *fiscal]) : stop]).split())
        relative = _RELATIVE.fullmatch(self._letters[place : found.end]) is not None
        assumed = FISCAL if fiscal else found.assumed
        return Period(typed.lower(), found.start_day, found.end_day, assumed, typed, relative)

    def _fiscal_beside(self, place: int, end: int) -> list[int]:
        """Return where words such as "fiscal" stand among these, or directly beside them."""
        start = self._words[place - 1].end if place else 0
        stop = self._words[end].start if end < len(self._words) else len(self._text)
        return [each for each in self._fiscal if start <= each < stop]

    def _assumed(self, time: Time, start: date | None) -> str:
        """Return what is to be said of a time whose year was not named, where it is not this year."""
        return BEGUN if start and time.yearless(self._today) and start.year != self._today.year else ""

    def _time(self, place: int) -> tuple[Time, str] | None:
        """Return a time that stands within others, and which edge of it is meant: "start", "middle", "end" or ""."""
        edge = _EDGE.match(self._letters, place)
        time = time_at(self._words, self._letters, edge.end() if edge else place)
        return (time, self._words[place].value if edge else "") if time else None

    def _range(self, place: int) -> _Found | None:
        """Read "from March to May", "3.-17. Februar", "KW 27 bis 30", "between June and today"."""
        letters, between = self._letters, self._letters[place] == "b"
        if between and has_phrase("times.change", self._text[: self._words[place].start]):
            return None  # "the change between June and July" is of two times, and not of the days between them
        at = place + (letters[place] in "FSbo")
        at += letters[at : at + 1] == "a"
        first = self._time(at)
        number = letters[at : at + 1] in ("N", "O") and (not first or first[0].rule not in ("day", "quarter", "half"))
        after = first[0].end if first else at + 1
        if not first and not number:
            return None
        link = _LINK.match(letters, after) or (_AND.match(letters, after) if between else None)
        if not link:
            return None
        second = self._time(link.end())
        if second and not first:
            first = (number_as(second[0], self._words[at]), "")
        elif first and not second and letters[link.end() : link.end() + 1] in ("N", "O"):
            second = self._number_behind(first[0], link.end())
        if not first or not second or any(edge == "middle" and time.rule != "month" for time, edge in (first, second)):
            return None
        if first[0].rule == second[0].rule == "weekday" and at == place:  # "Monday to Friday" is in any week
            return _Found(second[0].end)
        if any(each.doubtful for each, _ in (first, second)):  # "between 2000 and 2020" may be amounts
            return _Found(second[0].end)
        start, end, assumed = self._both(first, second)
        if not start or not end or start >= end:
            return _Found(second[0].end)
        return _Found(second[0].end, start, end, assumed)

    def _number_behind(self, first: Time, place: int) -> tuple[Time, str] | None:
        """Return the second of two times of which only its number is said: "KW 30 to 34 2025"."""
        if first.rule not in ("day", "calendar_week", "quarter"):
            return None
        second, end = number_as(first, self._words[place]), place + 1
        if year := _YEAR_BEHIND.match(self._letters, end):
            word = self._words[year.end() - 1]
            return replace(second, said={**second.said, "Y": word.value}, end=year.end()), ""
        return replace(second, end=end), ""

    def _both(self, first: tuple[Time, str], second: tuple[Time, str]) -> tuple[date | None, date | None, str]:
        """Return the first day of one time and the day after another; a year that is named holds for both."""
        (one, edge), (other, other_edge), today = first, second, self._today
        if one.yearless(today) and (year := other.year(today)):
            spans = [one.span(today, year), one.span(today, year - 1)]
            last = other.span(today)
            start = next((span for span in spans if span and last and span[0] <= last[0]), None)
        else:
            start = one.span(today)
            last = other.span(today)
            if start and other.yearless(today):
                years = [other.span(today, year) for year in (start[0].year, start[0].year + 1)]
                last = next((span for span in years if span and span[0] >= start[0]), None)
        if not start or not last:
            return None, None, ""
        assumed = self._assumed(one, start[0]) if other.yearless(today) else ""
        days = {"middle": timedelta(days=14), "start": timedelta(0)}
        begin = start[1] if edge == "end" else start[0] + days.get(edge, timedelta(0))
        return begin, last[0] + days[other_edge] if other_edge in days else last[1], assumed

    def _open(self, place: int) -> _Found | None:
        """Read "since Easter", "bis Ende Mai", "avant 2024", "from June on"."""
        letter = self._letters[place]
        led = letter in "SuBA" or letter == "F"
        at = place + led
        at += led and self._letters[at : at + 1] == "a"
        found = self._time(at)
        if not found or found[1] == "middle":
            return None
        (time, edge), onward = found, self._letters[found[0].end : found[0].end + 1] == "Z"
        if letter not in "SuBA" and not (onward and letter == "F"):
            return None
        if time.rule in ("count", "ago", "to_date", "part") and letter != "u":
            return None
        span = None if time.doubtful and letter != "S" else time.span(self._today)
        if not span or (time.season and letter in "uB" and time.yearless(self._today)):
            return _Found(time.end)
        assumed = self._assumed(time, span[0])
        if letter in "uB":
            exclusive = edge == "start" if letter == "u" else edge != "end"
            return _Found(time.end, None, span[0] if exclusive else span[1], assumed)
        later = edge != "start" if letter == "A" else edge == "end"
        return _Found(time.end + onward, span[1] if later else span[0], None, assumed)

    def _alone(self, place: int) -> _Found | None:
        """Read one time, such as "Q3" or "letzte Woche"."""
        letters = self._letters
        if letters[place] == "e":
            return self._part_of_month(place)
        time = time_at(self._words, letters, place)
        if not time:
            return None
        if not self._is_sure(time, place):
            return _Found(time.end)
        year = self._year_of_next(time)
        span = time.span(self._today, year)
        if not span:
            return _Found(time.end)
        return _Found(time.end, *span, "" if year else self._assumed(time, span[0]))

    def _part_of_month(self, place: int) -> _Found | None:
        """Read "Anfang Juli" and "mid July"; "end of July" has no sure days, nor has the start of anything else."""
        found = self._time(place)
        if not found:
            return None
        time, edge = found
        span = time.span(self._today) if time.rule == "month" and edge != "end" else None
        if not span:
            return _Found(time.end)
        first = span[0] + timedelta(days=0 if edge == "start" else 10)
        assumed = f"taken as the {'first' if edge == 'start' else 'middle'} ten days"
        return _Found(time.end, first, first + timedelta(days=10), assumed)

    def _is_sure(self, time: Time, place: int) -> bool:
        before = self._letters[:place]
        if time.rule == "year":  # a query can compare with it as it stands
            return bool(self._fiscal_beside(place, time.end))
        if time.rule == "figures":
            return not self._words[place].iso_day
        if time.season:
            return False
        if time.letters == "m":  # march, may
            alone = _ALONE.fullmatch(before) and self._letters[time.end : time.end + 1] in ("", ".", "v", "&")
            return bool(_LED.search(before) or alone)
        if time.rule == "weekday" and before.endswith("j"):
            return False
        return not (time.rule == "calendar_week" and time.letters.startswith("7") and before[-1:] in tuple("jLNCp"))

    def _year_of_next(self, time: Time) -> int | None:
        """Return the year that is said behind a second time only: "in May and June 2025"."""
        joined = re.compile("[&,]k?a?").match(self._letters, time.end)
        following = time_at(self._words, self._letters, joined.end()) if joined else None
        alike = following is not None and following.rule == time.rule and time.yearless(self._today)
        return following.year(self._today) or self._year_of_next(following) if alike and following else None

    def _more_weeks(self, place: int) -> tuple[int, _Found] | None:
        """Read the 33 of "KW 32 und 33"."""
        match = _NEXT_NUMBER.match(self._letters, place)
        week = time_at(self._words, self._letters, place - 2) if place > 1 else None
        if not match or not week or week.rule != "calendar_week" or week.end != place:
            return None
        span = number_as(week, self._words[place + 1]).span(self._today)
        label = self._text[self._words[place - 2].start : self._words[place - 2].end] + " "
        return (place + 1, _Found(place + 2, *span, label=label)) if span else None

    def _year_before(self, place: int, before: Period | None) -> _Found:
        """Read "the same period last year", which depends on the time that was read before."""
        time = time_at(self._words, self._letters, place)
        end = time.end if time else place + 1
        known = time and set(time.letters) & {"V", "P"} and "7" not in time.letters
        if not known or not before or not before.start or not before.end:
            return _Found(end)
        start, stop = before.start, before.end
        return _Found(end, add(start, "year", -1), add(stop, "year", -1))
