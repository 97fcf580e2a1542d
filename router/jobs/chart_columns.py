"""Which columns of a result become labels, and which become bars or lines."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from router.cards import Head
from router.jobs.sheet import Row

_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+")
_NAMING = {"id", "uuid", "guid", "key", "code", "number", "no", "nr", "num", "zip", "postcode", "plz", "phone"}
# Databases fold customerId to customerid: what ends with "id" is an id, these words aside.
_NO_IDS = {"paid", "unpaid", "prepaid", "repaid", "overpaid", "bid", "aid", "grid", "valid", "invalid", "void", "fluid"}

_DAY = r"[12]\d{3}-[01]\d-[0-3]\d"
_CLOCK = r"[0-2]\d:[0-5]\d(:[0-6]\d(\.\d+)?)?"
_TIME = re.compile(rf"{_DAY}([T ]{_CLOCK}\s?(Z|[+-]\d\d(:?\d\d)?)?)?|[12]\d{{3}}-([01]\d|Q[1-4]|W[0-5]\d)|{_CLOCK}")
_YEAR = re.compile(r"(19|20)\d\d")
# The numbers that such a column holds, where it is of the calendar.
_CALENDAR = {
    "year": range(1900, 2101),
    "quarter": range(1, 5),
    "month": range(1, 13),
    "week": range(54),
    "day": range(1, 367),
    "hour": range(24),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """The part of each column, by its place: `label` is None where the rows are only counted.

    `timed`: the labels are times, or periods of the calendar. `names` can tell apart rows of one label.
    """

    label: int | None
    timed: bool
    names: tuple[int, ...]
    series: tuple[int, ...]


def columns_of(heads: Sequence[Head], rows: Sequence[Row]) -> Columns:
    """Return the parts that the columns play, by their kinds, names and values; at least one holds numbers.

    Labels are the first column of times, else of texts, else of yes and no; among numbers alone a period of the
    calendar, an id, or the first column. The other numbers are series: periods and ids only where they are alone.
    """

    def places(fits: Callable[[Head, list[Any]], bool]) -> list[int]:
        return [place for place, head in enumerate(heads) if fits(head, [row[place] for row in rows])]

    times = places(_holds_times)
    texts = [place for place in places(lambda head, _: head.kind == "text") if place not in times]
    flags = places(lambda head, _: head.kind == "bool")
    numbers = places(lambda head, _: head.kind == "number")
    periods = places(_holds_periods)
    ids = [place for place in numbers if names_things(heads[place].name) and place not in periods]
    several = [*periods, *ids, *numbers] if len(numbers) > 1 else []
    label = next(iter([*times, *texts, *flags, *several]), None)
    rest = [place for place in numbers if place != label]
    names = [place for place in (*times, *texts, *flags, *periods, *ids) if place != label]
    counted = [place for place in rest if place not in periods and place not in ids]
    return Columns(label, label in times or label in periods, tuple(sorted(names)), tuple(counted or rest))


def names_things(name: str) -> bool:
    """Tell whether a column of this name holds numbers that name things and count nothing: ids, codes, numbers."""
    words = [word.lower() for word in _BORDER.split(name) if word and not word.isdigit()]
    return bool(words) and (words[-1] in _NAMING or (words[-1].endswith("id") and words[-1] not in _NO_IDS))


def _holds_times(head: Head, values: list[Any]) -> bool:
    """Tell whether the column holds times, or texts that are times, months or years: SQLite has no other dates."""
    if head.kind != "text":
        return head.kind == "date"
    texts = [value for value in values if value is not None]
    return bool(texts) and (_all_fit(_TIME, texts) or _all_fit(_YEAR, texts))


def _all_fit(pattern: re.Pattern[str], values: list[Any]) -> bool:
    return all(isinstance(value, str) and pattern.fullmatch(value) for value in values)


def _holds_periods(head: Head, values: list[Any]) -> bool:
    """Tell whether the column holds years, months and the like as numbers: `order_year`, but not `visits_a_day`."""
    if head.kind != "number":
        return False
    name = head.name.lower()
    period = _CALENDAR["year"] if re.search(r"(^|[\W_])year$", name) else _CALENDAR.get(name)
    numbers = [value for value in values if value is not None]
    return period is not None and bool(numbers) and all(value in period for value in numbers)
