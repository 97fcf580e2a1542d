"""Repeated queries: five ways to say how often, their cron words, and the choices of a query to be repeated."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import takewhile
from typing import Literal
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim

Every = Literal["hour", "day", "workday", "week", "month"]
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

DAYS: dict[Day, str] = {
    "mon": "Monday",
    "tue": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "fri": "Friday",
    "sat": "Saturday",
    "sun": "Sunday",
}
_NUMBERS: dict[str, Day] = {str(number): day for number, day in enumerate(DAYS, 1)}
_CRON = re.compile(r"(?P<minute>\d+) (?P<hour>\d+|\*) (?P<date>1|\*) \* (?P<day>1-5|[1-7]|\*)")

MISSED_COUNTED_MAX = 1000
"""The most missed times that are counted."""


@dataclass(frozen=True, slots=True)
class Timing:
    """A rhythm, a time ("08:00"; of an hour, the minute counts), and a zone; `day` is that of a week."""

    every: Every
    at: str = "08:00"
    day: Day = "mon"
    zone: str = "UTC"

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
                return f"{minute} {hour} * * {list(DAYS).index(self.day) + 1}"
            case "month":
                return f"{minute} {hour} 1 * *"

    @property
    def words(self) -> str:
        """The words for it: "every Monday at 08:00"."""
        match self.every:
            case "hour":
                minute = self.at.partition(":")[2]
                return "every hour" if minute == "00" else f"every hour at :{minute}"
            case "day":
                return f"every day at {self.at}"
            case "workday":
                return f"every workday at {self.at}"
            case "week":
                return f"every {DAYS[self.day]} at {self.at}"
            case "month":
                return f"on the first of every month at {self.at}"


def time_of(hour: str, minute: str | None, half: str | None) -> str:
    """Return a time of day as "08:00", where `half` begins with an a or p in that half; empty for what is none."""
    hours, minutes, begins = int(hour), int(minute or 0), (half or "")[:1].lower()
    if begins in ("a", "p"):
        if not 1 <= hours <= 12:
            return ""
        hours = hours % 12 + 12 * (begins == "p")
    return f"{hours:02}:{minutes:02}" if hours < 24 and minutes < 60 else ""


def timing_of(cron: str, zone: str) -> Timing:
    """Return what our own cron words mean; raises ValueError for any others."""
    found = _CRON.fullmatch(cron)
    if found is None:
        raise ValueError(f"no cron words of ours: {cron}")
    hour, minute, date, day = found["hour"], int(found["minute"]), found["date"], found["day"]
    if hour == "*":
        return Timing("hour", f"00:{minute:02}", zone=zone)
    at = f"{int(hour):02}:{minute:02}"
    if date == "1":
        return Timing("month", at, zone=zone)
    if day == "1-5":
        return Timing("workday", at, zone=zone)
    return Timing("day", at, zone=zone) if day == "*" else Timing("week", at, _NUMBERS[day], zone)


def upcoming(cron: str, zone: str, after: datetime) -> Iterator[datetime]:
    """Give the times after this one, in UTC; a time that a clock leaves out comes as the clock goes on, one that it
    shows twice comes once.
    """
    begun = after.astimezone(UTC)
    times = (each.astimezone(UTC) for each in CronSim(cron, after.astimezone(ZoneInfo(zone))))
    # In an hour that comes twice, what is told first may lie behind.
    return (each for each in times if each > begun)


def next_time(cron: str, zone: str, after: datetime) -> datetime:
    """Return the first time after this one, in UTC."""
    return next(upcoming(cron, zone, after))


def missed(cron: str, zone: str, due: datetime, now: datetime) -> int:
    """Return how many times have come since `due`, itself among them; of very many, MOST_COUNTED."""
    later = takewhile(lambda time: time <= now, upcoming(cron, zone, due))
    return 1 + sum(1 for _, _ in zip(range(MISSED_COUNTED_MAX - 1), later, strict=False))


def zone_known(name: str) -> str:
    """Return a time zone by the name that people read; empty where there is no such zone."""
    if name in ("Etc/UTC", "Etc/GMT", "GMT", "UTC", "Z"):
        return "UTC"
    return name if name in _zones() else ""


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


To = Literal["thread", "me", "channel", "email"]
Condition = Literal["always", "rows", "changed"]
"""Rows are shown always, where there are any, or where they changed since they were shown last."""


@dataclass(frozen=True, slots=True)
class Repeating:
    """A query on its way to be repeated, as far as it is known when, where its rows go, and on what condition."""

    every: Every | Literal[""] = ""
    day: Day = "mon"
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
    """True where nothing is left to be asked."""
