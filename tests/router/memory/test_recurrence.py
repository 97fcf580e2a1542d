"""Cron words, and the times that they mean where clocks are changed."""

from datetime import datetime
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from router.memory.recurrence import Timing, upcoming, zone_known

VIENNA = "Europe/Vienna"


def local(text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(VIENNA), fold=fold)


def times(timing: Timing, after: datetime, most: int) -> list[str]:
    found = islice(upcoming(timing, after), most)
    return [f"{each.astimezone(ZoneInfo(timing.zone)):%a %d %b %H:%M %z}" for each in found]


@pytest.mark.parametrize(
    ("timing", "cron", "words"),
    [
        (Timing("hour", "00:00"), "0 * * * *", "every hour"),
        (Timing("hour", "08:15"), "15 * * * *", "every hour at :15"),
        (Timing("day", "07:30"), "30 7 * * *", "every day at 07:30"),
        (Timing("workday"), "0 8 * * 1-5", "every workday at 08:00"),
        (Timing("week", "08:00", "sun"), "0 8 * * 7", "every Sunday at 08:00"),
        (Timing("week", "07:30", "mon,wed,fri"), "30 7 * * 1,3,5", "every Monday, Wednesday and Friday at 07:30"),
        (Timing("week", "08:00", "tue,wed,thu,fri,sat,sun"), "0 8 * * 2,3,4,5,6,7", "every day but Monday at 08:00"),
        (Timing("month", "06:00"), "0 6 1 * *", "on the first of every month at 06:00"),
        (Timing("month", date="2,13,23"), "0 8 2,13,23 * *", "on the 2nd, 13th and 23rd of every month at 08:00"),
        (Timing("month", date="30"), "0 8 30 * *", "on the 30th of every month that has one at 08:00"),
        (Timing("month", date="L"), "0 8 L * *", "on the last day of every month at 08:00"),
        (Timing("month", date="mon#1"), "0 8 * * 1#1", "on the first Monday of every month at 08:00"),
        (Timing("month", date="fri#L"), "0 8 * * 5L", "on the last Friday of every month at 08:00"),
    ],
)
def test_cron_words(timing: Timing, cron: str, words: str) -> None:
    """Each way to say how often has its cron words, and its own."""
    assert (cron, words) == (timing.cron, timing.words)


def test_the_hour_that_spring_leaves_out() -> None:
    """A time that no clock shows comes once, as the clock goes on; the days around it are as always."""
    assert [
        "Sat 28 Mar 02:30 +0100",
        "Sun 29 Mar 03:00 +0200",
        "Mon 30 Mar 02:30 +0200",
    ] == times(Timing("day", "02:30", zone=VIENNA), local("2026-03-27 12:00"), 3)


def test_the_hour_that_autumn_has_twice() -> None:
    """A time that clocks show twice comes once, whenever it is asked for."""
    timing = Timing("day", "02:30", zone=VIENNA)
    assert ["Sun 25 Oct 02:30 +0200", "Mon 26 Oct 02:30 +0100"] == times(timing, local("2026-10-24 12:00"), 2)
    for moment in (local("2026-10-25 02:30"), local("2026-10-25 02:10", fold=1), local("2026-10-25 02:50", fold=1)):
        assert ["Mon 26 Oct 02:30 +0100"] == times(timing, moment, 1)


def test_every_hour_is_an_hour() -> None:
    """Where the clock jumps, an hour later is an hour later."""
    hourly = Timing("hour", "00:00", zone=VIENNA)
    assert [
        "Sun 25 Oct 02:00 +0200",
        "Sun 25 Oct 02:00 +0100",
        "Sun 25 Oct 03:00 +0100",
    ] == times(hourly, local("2026-10-25 01:30"), 3)
    assert ["Sun 29 Mar 01:00 +0100", "Sun 29 Mar 03:00 +0200"] == times(hourly, local("2026-03-29 00:30"), 2)


def test_time_zones() -> None:
    """A zone is known by its name; what stands for UTC is called so, and nothing else is a zone."""
    names = (VIENNA, "Etc/UTC", "GMT", "", "Mars/Olympus", "../etc/passwd")
    assert [VIENNA, "UTC", "UTC", "", "", ""] == [zone_known(name) for name in names]
