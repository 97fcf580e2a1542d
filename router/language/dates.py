"""Days, times and lengths of time in words; English, whatever the machine's locale is."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

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
