"""Several things in one sentence: "a, b and c", "1 row", "2,345 rows"."""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from router.language.inflection import plural


def and_list(parts: Iterable[str]) -> str:
    """Return "a", "a and b", or "a, b and c"."""
    return _listed(list(parts), "and")


def or_list(parts: Iterable[str]) -> str:
    """Return "a", "a or b", or "a, b or c"."""
    return _listed(list(parts), "or")


def counted(count: int, noun: str) -> str:
    """Return how many of a noun there are: "1 row", "0 rows", "2,345 rows"."""
    return f"{count:,} {noun if count == 1 else plural(noun)}"


def verb(count: int, one: str, several: str) -> str:
    """Return the verb that goes with so many: "is" or "are", "differs" or "differ"."""
    return one if count == 1 else several


def _listed(parts: list[str], last: str) -> str:
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else "".join(parts)


# Numbers as people read them.


_BYTE_UNITS = ("B", "kB", "MB", "GB")


def size_words(count: int) -> str:
    """Return a number of bytes as people say it: "1.2 kB"."""
    amount, unit = float(count), 0
    while amount >= 999.95 and unit < len(_BYTE_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{count} B" if unit == 0 else f"{amount:.1f} {_BYTE_UNITS[unit]}"


def spoken_number(value: float) -> str:
    """Return a number as a chart names it: with thousands parted, and ten digits, or all of the integer and cents.

    What is beyond the integers that a float keeps has an exponent, by which one sees that it is rounded.
    """
    size = abs(value)
    digits = len(f"{size:.0f}") + 2 if 1 <= size <= 2**53 else 0
    return f"{value:,.{max(10, digits)}g}"


# Days, times and lengths of time in words; English, whatever the machine's locale is.


MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November"),
    "December",
)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_UNIT_SECONDS = (("day", 86_400), ("hour", 3_600), ("minute", 60))


def spoken_time(time: datetime, zone: str) -> str:
    """Return "Mon 30 Nov 08:00", in the zone."""
    local = time.astimezone(ZoneInfo(zone))
    return f"{_DAYS[local.weekday()]} {spoken_day(time, zone)} {local:%H:%M}"


def spoken_day(time: datetime, zone: str) -> str:
    """Return "30 Nov", in the zone."""
    local = time.astimezone(ZoneInfo(zone))
    return f"{local.day} {MONTHS[local.month - 1][:3]}"


def whole_units(length: timedelta) -> tuple[float, str]:
    """Return a length of time in the greatest unit that it has one of, day, hour or minute; (0, "") below a minute."""
    seconds = length.total_seconds()
    return next(((seconds / each, unit) for unit, each in _UNIT_SECONDS if seconds >= each), (0.0, ""))


# Texts on one line, texts that are made to fit, and the words of a text.


WORD = re.compile(r"[^\W_]+")
"""A run of letters and digits: "order_items" has two."""

NAME_WORD = re.compile(r"\w+")
"""A run of letters, digits and underscores: "order_items" is one, as a name is written in SQL."""

_JOINERS = "\u200c\u200d"
"""Not seen, and yet a part of words in some scripts."""


def one_line(text: str) -> str:
    """Return what people wrote on one line, with single blanks and nothing in it that cannot be seen."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() or char in _JOINERS else " " for char in text)
    return " ".join(text.split())


def truncate(text: str, max_chars: int) -> str:
    """Return the text, cut with a visible mark if it is longer than `max_chars`."""
    return text if len(text) <= max_chars else text[: max(0, max_chars - 1)].rstrip() + "…"
