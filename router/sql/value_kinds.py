"""The kinds of values that Python has no type for, and how each engine's columns are read and written as kinds.

A driver gives the nearest that Python has: a month becomes 30 days, infinity the last day of 9999. So what a driver
cannot hold is read as the engine's own text, by the rows of `READERS`, and becomes one of three types here. Their text
is what people see, what exports and e-mails have, what is written if there is no such type, and what is compared.
"""

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal, InvalidOperation
from functools import partial
from math import trunc
from typing import Any, Final, Literal, TypeVar

Extent = Literal[
    "infinity", "far", "nanoseconds", "midnight", "zero", "months", "days", "clock", "long", "digits", "mixed"
]
"""Properties of values beyond Python's type, or beyond an engine's.

Infinity, or no number; a year before 1 or after 9999; a part of a microsecond; 24:00; a month or day 0. Of an
interval: it has months, it has days, its hours are no time of a day, they are even more than a TIME of MySQL has.
Of JSON: a number in it has more digits than a float or an integer of 64 bits. Of a column of texts: its values are of
several types, or of one that columns are not made of.
"""

CLOCK_MAX_MICROS = (839 * 3600) * 10**6 - 1
"""The most that a TIME of MySQL holds, as 838:59:59.999999."""

DAY_MICROS = 86_400 * 10**6

_NEVER = 10**30
"""Nanoseconds; what is infinite is beyond every time."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A length of time as PostgreSQL and DuckDB keep it: how long a month or a day is depends on where it begins."""

    months: int = 0
    days: int = 0
    micros: int = 0

    def __str__(self) -> str:
        """Return the text that both engines read and that DuckDB writes: "1 year 2 months -3 days 04:05:06"."""
        if self in (INFINITE, MINUS_INFINITE):
            return "infinity" if self.months > 0 else "-infinity"
        years = trunc(self.months / 12)
        parts = ((years, "year"), (self.months - 12 * years, "month"), (self.days, "day"))
        said = [f"{count} {unit}" + ("" if abs(count) == 1 else "s") for count, unit in parts if count]
        if self.micros or not said:
            said.append(_clock(self.micros))
        return " ".join(said)

    @property
    def extents(self) -> frozenset[Extent]:
        """Return the extents of the interval beyond a time of day."""
        if self in (INFINITE, MINUS_INFINITE):
            return frozenset({"infinity"})
        told: dict[Extent, bool] = {
            "months": bool(self.months),
            "days": bool(self.days),
            "clock": not 0 <= self.micros < DAY_MICROS,
            "long": abs(self.micros) > CLOCK_MAX_MICROS,
        }
        return frozenset(extent for extent, has in told.items() if has)


INFINITE: Final = Interval(2**31 - 1, 2**31 - 1, 2**63 - 1)
MINUS_INFINITE: Final = Interval(-(2**31), -(2**31), -(2**63))

TimeKind = Literal["date", "time", "timetz", "timestamp", "timestamptz"]


@dataclass(frozen=True, slots=True)
class ExactTime:
    """A date or a time that Python's types have no room for, as its text; years before 1 end in " BC"."""

    kind: TimeKind
    text: str

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    @property
    def extents(self) -> frozenset[Extent]:
        """Return the extents of the value beyond Python's type."""
        if self.text.endswith("infinity"):
            return frozenset({"infinity"})
        if self.text.startswith("24:"):
            return frozenset({"midnight"})
        found: set[Extent] = {"nanoseconds"} if _NANOSECONDS.search(self.text) else set()
        if self.kind not in ("time", "timetz"):
            if _ZERO.match(self.text):
                found.add("zero")
            elif self.text.endswith("BC") or self.text.find("-") > 4:
                found.add("far")
        return frozenset(found)

    @property
    def zoned(self) -> bool:
        """True if the text says how far it is from UTC."""
        found = _MOMENT.fullmatch(self.text)
        return bool(found and found["zone"])

    def in_utc(self) -> "ExactTime":
        """Return a time with a zone, which is UTC if it has none."""
        if self.zoned or "infinity" in self.extents:
            return self
        text, before, _ = self.text.partition(" BC")
        return ExactTime("timestamptz", f"{text}{'' if ':' in text else ' 00:00:00'}+00{before}")


@dataclass(frozen=True, slots=True)
class JsonText:
    """JSON as the database wrote it: with all digits, and told from the texts and the NULL of SQL."""

    text: str

    def __str__(self) -> str:
        """Return the JSON."""
        return self.text


_LONG_NUMBER = re.compile(r"[\d.]{16}|\d[eE]")


def json_extents(text: str) -> frozenset[Extent]:
    """Return what a binary form of JSON may have no room for: a number that is no float, nor an integer of 64 bits."""
    kept: list[bool] = []
    if _LONG_NUMBER.search(text):
        with suppress(ValueError, RecursionError):  # what is no JSON, no database takes
            json.loads(
                text,
                parse_float=lambda digits: kept.append(_is_float(digits)),
                parse_int=lambda digits: kept.append(len(digits) < 19 or -(2**63) <= Decimal(digits) < 2**64),
            )
    return frozenset() if all(kept) else frozenset({"digits"})


def _is_float(digits: str) -> bool:
    try:
        return Decimal(repr(float(digits))) == Decimal(digits)
    except InvalidOperation:  # an exponent beyond all numbers
        return False


# Texts of engines as values.

T = TypeVar("T")

_NANOSECONDS = re.compile(r"\.\d{6}\d*[1-9]")
_ZERO = re.compile(r"\d{4}-(00|\d\d-00)|0000-")
_FRACTION = re.compile(r"(\.\d{6})0+(?=\D|\Z)")
_BEFORE_CHRIST = re.compile(r"(\S+) \(BC\)(.*)")
_UNITS = {"year": 12, "month": 1, "mon": 1}
_PART = re.compile(r"([+-]?\d+) (year|month|mon|day)s?")
_CLOCK = re.compile(r"([+-]?)(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?")
_INTERVAL = re.compile(rf"(?:{_PART.pattern} ?)*(?:{_CLOCK.pattern})?")


def interval_in(text: str) -> Interval | None:
    """Return the interval that a text is, None for another text."""
    text = text.strip()
    if text in ("infinity", "-infinity"):
        return INFINITE if text == "infinity" else MINUS_INFINITE
    if not text or not _INTERVAL.fullmatch(text):
        return None
    months = days = micros = 0
    for count, unit in _PART.findall(text):
        if unit == "day":
            days += int(count)
        else:
            months += int(count) * _UNITS[unit]
    if clock := _CLOCK.search(text):
        sign, hours, minutes, seconds, part = clock.groups(default="")
        whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
        micros = (-1 if sign == "-" else 1) * (whole * 10**6 + int(part.ljust(6, "0")))
    return Interval(months, days, micros)


def read_interval(text: str) -> Any:
    """Return an interval, or the text in a style that is not known."""
    found = interval_in(text)
    return text if found is None else found


def _read(kind: TimeKind, read: Callable[[str], T], text: str) -> T | ExactTime:
    """Return a date or a time as Python's type if that has room for it."""
    text = _FRACTION.sub(r"\1", text) if "." in text else text
    try:
        if not ("." in text and _NANOSECONDS.search(text)):  # which Python would cut
            return read(text)
    except ValueError:
        pass
    return ExactTime(kind, _BEFORE_CHRIST.sub(r"\1\2 BC", text))


read_date = partial(_read, "date", date.fromisoformat)
read_time = partial(_read, "time", time.fromisoformat)
read_timetz = partial(_read, "timetz", time.fromisoformat)
read_timestamp = partial(_read, "timestamp", datetime.fromisoformat)
read_timestamptz = partial(_read, "timestamptz", datetime.fromisoformat)


def read_clock(text: str) -> Any:
    """Return a time of MySQL: one of a day, or an interval of more hours or fewer than none."""
    return read_time(text) if text[2:3] == ":" and text < "24" else read_interval(text)


def read_number(text: str) -> int | Decimal:
    """Return a whole number with all its digits, of which Python's own have a few thousand at most."""
    return int(text) if len(text) < 4000 else Decimal(text)


def bit_reader(length: int) -> Callable[[Any], Any]:
    """Return what reads the bytes of a BIT of MySQL: one bit is yes or no, several are as many digits."""

    def read(data: Any) -> Any:
        if not isinstance(data, bytes):
            return data
        number = int.from_bytes(data, "big")
        return bool(number) if length == 1 else f"{number:0{length}b}"

    return read


# The order of times.

_MOMENT = re.compile(
    r"(?:(?P<year>\d{4,})-(?P<month>\d\d)-(?P<day>\d\d))?(?:[ T]?(?P<clock>\d\d:\d\d:\d\d)(?:\.(?P<part>\d{1,9}))?)?"
    r"(?P<zone>Z|[+-]\d\d(?::?\d\d(?::\d\d)?)?)?(?P<bc> BC)?"
)
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 — only differences are taken
_EPOCH_UTC = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_DAY = _EPOCH.toordinal()
_DAY_NANOS = 1000 * DAY_MICROS


def nanoseconds_of(value: date | time | ExactTime | Interval) -> int:
    """Return where a time lies among all others, in nanoseconds from 1970 in UTC, or from midnight.

    A time without a zone is believed to be in UTC. An interval has months of 30 days for this.
    """
    if isinstance(value, datetime):
        apart = value - (_EPOCH_UTC if value.tzinfo else _EPOCH)
        return (apart.days * 86_400 + apart.seconds) * 10**9 + apart.microseconds * 1000
    if isinstance(value, date):
        return (value.toordinal() - _EPOCH_DAY) * _DAY_NANOS
    if isinstance(value, Interval):
        days = 30 * value.months + value.days
        return (days * 86_400 * 10**6 + value.micros) * 1000
    return nanoseconds_in(value.isoformat() if isinstance(value, time) else value.text) or 0


def nanoseconds_in(text: str) -> int | None:
    """Return where a time that is a text lies among all others, None for a text that is no time."""
    if text in ("infinity", "-infinity"):
        return _NEVER if text == "infinity" else -_NEVER
    found = _MOMENT.fullmatch(text)
    if found is None or not (found["year"] or found["clock"]):
        return None
    days = 0
    if found["year"]:
        if found["month"] > "12" or found["day"] > "31":
            return None
        year = int(found["year"])
        days = _days_of(1 - year if found["bc"] else year, int(found["month"]), int(found["day"]))
    seconds = _seconds_in(found["clock"] or "00:00:00") - _offset_in(found["zone"] or "")
    return days * _DAY_NANOS + seconds * 10**9 + int((found["part"] or "").ljust(9, "0"))


def _days_of(year: int, month: int, day: int) -> int:
    """Return the days from 1970 of a day in any year of the Gregorian calendar, month and day 0 included."""
    cycles, within = divmod(year, 400)
    months = date(2000 + within, max(1, min(month, 12)), 1).toordinal() - date(2000, 1, 1).toordinal()
    return cycles * 146_097 - 719_528 + months + day - 1 - (31 if month == 0 else 0)


def _seconds_in(clock: str) -> int:
    hours, minutes, seconds = map(int, clock.split(":"))
    return (hours * 60 + minutes) * 60 + seconds


def _offset_in(zone: str) -> int:
    digits = zone[1:].replace(":", "").ljust(6, "0")
    offset = _seconds_in(f"{digits[:2]}:{digits[2:4]}:{digits[4:6]}")
    return -offset if zone.startswith("-") else offset


def _clock(micros: int) -> str:
    seconds, part = divmod(abs(micros), 10**6)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}" + (f".{part:06}" if part else "")
    return f"-{text}" if micros < 0 else text


# The table: a row a dialect, by the name or the number that the engine, or its driver, has for a type.

Reader = Callable[[Any], Any]

READERS: Mapping[str, Mapping[str | int, Reader]] = {
    "postgres": {
        "date": read_date,
        "time": read_time,
        "timetz": read_timetz,
        "timestamp": read_timestamp,
        "timestamptz": read_timestamptz,
        "interval": read_interval,
        "json": JsonText,
        "jsonb": JsonText,
        # What psycopg has classes for that nobody downstream knows is its text.
        **dict.fromkeys(("inet", "cidr", "record"), str),
        **dict.fromkeys(("int4range", "int8range", "numrange", "daterange", "tsrange", "tstzrange"), str),
        **dict.fromkeys(("int4multirange", "int8multirange", "nummultirange"), str),
        **dict.fromkeys(("datemultirange", "tsmultirange", "tstzmultirange"), str),
    },
    "duckdb": {
        "float": float,  # of its shortest text: 1.1, and not the double next to it
        "date": read_date,
        **dict.fromkeys(("time", "time_ns"), read_time),
        "time with time zone": read_timetz,
        **dict.fromkeys(("timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns"), read_timestamp),
        "timestamp with time zone": read_timestamptz,
        "interval": read_interval,
        "bignum": read_number,
        "json": JsonText,
        "variant": JsonText,
        "geometry": str,
    },
    # By the numbers of MySQL's protocol; 16, a BIT, needs its length.
    "mysql": {10: read_date, 14: read_date, 11: read_clock, 7: read_timestamp, 12: read_timestamp, 245: JsonText},
}
"""Makes values of an engine's texts; a type that is not here is held exactly by what the driver gives."""


def duckdb_text(value: Any) -> Any:
    """Return what DuckDB takes for a value: its own text if Python has no type."""
    if isinstance(value, ExactTime) and value.text.endswith(" BC"):
        day, _, rest = value.text.removesuffix(" BC").partition(" ")
        return f"{day} (BC)" + (f" {rest}" if rest else "")
    return str(value) if isinstance(value, ExactTime | Interval) else value
