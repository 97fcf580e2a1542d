"""Repeated queries: five ways to say how often, their cron words, and the choices of a query to be repeated."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Literal
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim

from router.language.wording import and_list

Every = Literal["hour", "day", "workday", "week", "month"]

DAYS = {
    "mon": "Monday",
    "tue": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "fri": "Friday",
    "sat": "Saturday",
    "sun": "Sunday",
}
_NUMBERS = {day: str(number) for number, day in enumerate(DAYS, 1)}
_NTHS = {"1": "first", "2": "second", "3": "third", "4": "fourth", "5": "fifth", "L": "last"}
LAST_DAY = "L"
"""Of a month, among its dates."""


@dataclass(frozen=True, slots=True)
class Timing:
    """A rhythm, a time ("08:00"; of an hour, the minute counts), and a zone.

    `day` are the days of a week: "mon", "mon,fri". `date` are those of a month: "1", "1,15", "L" for the last one,
    "mon#1" for the first Monday, "fri#L" for the last Friday.
    """

    every: Every
    at: str = "08:00"
    day: str = "mon"
    zone: str = "UTC"
    date: str = "1"

    @property
    def cron(self) -> str:
        """The cron words."""
        hour, minute = map(int, self.at.split(":"))
        match self.every:
            case "hour":
                return f"{minute} * * * *"
            case "day":
                return f"{minute} {hour} * * *"
            case "workday":
                return f"{minute} {hour} * * 1-5"
            case "week":
                return f"{minute} {hour} * * {','.join(_NUMBERS[day] for day in self.day.split(','))}"
            case "month":
                day, _, nth = self.date.partition("#")
                nth_day = f"{_NUMBERS.get(day)}{'L' if nth == LAST_DAY else f'#{nth}'}"
                return f"{minute} {hour} * * {nth_day}" if nth else f"{minute} {hour} {self.date} * *"

    @property
    def words(self) -> str:
        """The words for it: "every Monday at 08:00"; without a time of day if none is known yet."""
        at = f" at {self.at}" if self.at else ""
        match self.every:
            case "hour":
                minute = self.at.partition(":")[2]
                return "every hour" if minute in ("", "00") else f"every hour at :{minute}"
            case "day" | "workday":
                return f"every {self.every}{at}"
            case "week":
                return f"every {days_in_words(self.day)}{at}"
            case "month":
                rare = " that has one" if {"29", "30", "31"} & {*self.date.split(",")} else ""
                return f"on the {dates_in_words(self.date)} of every month{rare}{at}"


def days_in_words(days: str) -> str:
    """Return days of a week as people say them: "Monday and Friday", "day but Sunday"."""
    named = days.split(",")
    left = [name for day, name in DAYS.items() if day not in named]
    return f"day but {left[0]}" if len(left) == 1 else and_list(DAYS[day] for day in named)


def dates_in_words(dates: str) -> str:
    """Return days of a month as people say them: "first", "15th", "last day", "first Monday"."""
    day, _, nth = dates.partition("#")
    return f"{_NTHS[nth]} {DAYS[day]}" if nth else and_list(map(_date_in_words, dates.split(",")))


def _date_in_words(date: str) -> str:
    if date in ("1", LAST_DAY):
        return "first" if date == "1" else "last day"
    ending = {"1": "st", "2": "nd", "3": "rd"}.get(date[-1], "th") if date not in ("11", "12", "13") else "th"
    return f"{date}{ending}"


def time_of(hour: str, minute: str | None, half: str | None) -> str:
    """Return a time of day as "08:00", if `half` begins with an a or p in that half; empty for what is none."""
    hours, minutes, begins = int(hour), int(minute or 0), (half or "")[:1].lower()
    if begins in ("a", "p"):
        if not 1 <= hours <= 12:
            return ""
        hours = hours % 12 + 12 * (begins == "p")
    return f"{hours:02}:{minutes:02}" if hours < 24 and minutes < 60 else ""


def upcoming(timing: Timing, after: datetime) -> Iterator[datetime]:
    """Give the times after this one, in UTC; a time that a clock leaves out comes as the clock goes on, one that it
    shows twice comes once.
    """
    begun = after.astimezone(UTC)
    times = (each.astimezone(UTC) for each in CronSim(timing.cron, after.astimezone(ZoneInfo(timing.zone))))
    # In an hour that comes twice, what is told first may lie behind.
    return (each for each in times if each > begun)


def next_time(timing: Timing, after: datetime) -> datetime:
    """Return the first time after this one, in UTC."""
    return next(upcoming(timing, after))


def zone_known(name: str) -> str:
    """Return a time zone by the name that people read; empty if there is no such zone."""
    if name in ("Etc/UTC", "Etc/GMT", "GMT", "UTC", "Z"):
        return "UTC"
    return name if name in _zones() else ""


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


To = Literal["thread", "me", "channel", "email"]
Condition = Literal["always", "rows", "changed"]
"""Rows are shown always, if there are any, or if they changed since they were shown last."""


@dataclass(frozen=True, slots=True)
class Repeating:
    """A query on its way to be repeated, as far as it is known when, where its rows go, and on what condition."""

    every: Every | Literal[""] = ""
    day: str = "mon"
    at: str = ""
    to: To = "thread"
    people: str = ""
    """The recipients of e-mails as they were typed."""
    channel: str = ""
    """The platform's id of another channel, or its name as it was typed."""
    recipients: tuple[str, ...] = ()
    form: Literal["table", "csv", "xlsx"] = "table"
    condition: Condition = "always"
    problem: tuple[str, str] = ("", "")
    """The field that is wrong, and why."""
    whole: bool = False
    """True if nothing is left to be asked."""
    date: str = "1"
    zone: str = ""
    """The time zone that was named; empty for the person's own."""

    @property
    def days(self) -> tuple[str, ...]:
        """The days of a week on which it runs; none if it does not go by weeks."""
        sets = {"day": tuple(DAYS), "workday": tuple(DAYS)[:5], "week": tuple(self.day.split(","))}
        return sets.get(self.every, ())
