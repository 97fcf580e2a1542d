"""One form for each value, whatever database it comes from, so that equal ones are equal and all have an order."""

from collections.abc import Callable, Collection, Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cache
from typing import Any, Final
from uuid import UUID

from router.sql.comparing import reading
from router.sql.comparing.plan import Form, Tolerances
from router.sql.databases import Kind
from router.sql.writing.texts import text_of

NULL, NUMBER, NOT_A_NUMBER, TIME, TEXT, BYTES = range(6)
"""The ranks of values, from the lowest up; SQLite and the servers have them in this order too."""

Formed = tuple[int, Any]
"""A rank, and a value that has an order among those of its rank."""

NOTHING: Final[Formed] = (NULL, 0)
NAN: Final[Formed] = (NOT_A_NUMBER, 0)

_EXACT = 2**53
"""Up to here, a whole floating-point number is the integer it looks like."""


_READ_AS: tuple[tuple[Form, tuple[type, ...]], ...] = (
    ("json", (list, dict, tuple)),
    ("bool", (bool,)),  # before the numbers: a bool is an int
    ("number", (int, float, Decimal)),
    ("time", (date,)),
    ("uuid", (UUID,)),
    ("bytes", (bytes, bytearray, memoryview)),
)


_TOLD_BY: tuple[tuple[Kind, Form], ...] = (("bool", "bool"), ("number", "number"), ("date", "time"), ("blob", "bytes"))


def form_of(kinds: Iterable[Kind], left: Collection[Any], right: Collection[Any]) -> Form:
    """Return how texts are read in a pair of columns of these kinds, with these values among theirs.

    "auto" where both have texts, and one or both have numbers too: a text is a number then where the other value is.
    """
    values = (*left, *right)
    known = {value for value in values if isinstance(value, str | int | float | Decimal)}
    seen = form_of_types(tuple(set(map(type, values))))
    named = set(kinds)
    told: Form = next((form for kind, form in _TOLD_BY if kind in named), "text")
    form = told if seen in ("text", "number") and told != "text" else seen
    if form == "number" and _answers(known):
        return "bool"
    if form == "number" and told == "text" and all(any(isinstance(v, str) for v in side) for side in (left, right)):
        return "auto"
    return "time" if form == "text" and _dates(known) else form


def _answers(values: Iterable[Any]) -> bool:
    """Tell whether these are words for yes and no on one side, and 1 and 0 on the other."""
    words = {value for value in values if isinstance(value, str)}
    numbers = {value for value in values if not isinstance(value, str)}
    said = all(reading.number_in(word) is None and reading.truth_in(word) is not None for word in words)
    return bool(words and numbers) and said and numbers <= {0, 1}


def _dates(values: Collection[Any]) -> bool:
    """Tell whether these are texts that all say a time, some of them with hyphens (2026-10-15) and some without."""
    texts = [value for value in values if isinstance(value, str)]
    hyphens = {"-" in text for text in texts}
    return len(hyphens) == 2 and all(reading.moment_in(text) for text in texts)


@cache
def form_of_types(seen: tuple[type, ...]) -> Form:
    """Return how texts are read among values of these types: as what is no text."""
    return next((form for form, types in _READ_AS if any(issubclass(found, types) for found in seen)), "text")


class Forming:
    """Brings values into their one form, by tolerances that can be had by looking at one value alone."""

    def __init__(self, tolerances: Tolerances) -> None:
        self._tolerances = tolerances
        self._floor = _FLOORS[tolerances.precision]
        self._by_type: dict[type, Callable[[Any], Formed]] = {
            type(None): lambda _: NOTHING,
            int: lambda value: (NUMBER, value),
            bool: lambda value: (NUMBER, int(value)),
            float: _float,
            Decimal: lambda value: NAN if value.is_nan() else (NUMBER, value),
            datetime: lambda value: (TIME, self._floor(reading.without_zone(value))),
            date: lambda value: (TIME, datetime.combine(value, time())),
            UUID: lambda value: (TEXT, str(value)),
            **dict.fromkeys((bytes, bytearray, memoryview), lambda value: (BYTES, bytes(value))),
            **dict.fromkeys((list, dict, tuple), lambda value: (TEXT, reading.json_text(value))),
        }

    def of(self, value: Any, form: Form) -> Formed:
        """Return a value's form."""
        if isinstance(value, str):
            return self._text(value, form)
        make = self._by_type.get(type(value))
        return self.plain(text_of(value)) if make is None else make(value)

    def texts(self, column: list[str]) -> list[str] | None:
        """Return texts that are nothing but texts as they are compared; None where an empty one has no such form."""
        if self._tolerances.empty:
            return None
        if self._tolerances.blanks == "end":
            column = [text.rstrip(" ") for text in column]
        elif self._tolerances.blanks == "around":
            column = [text.strip() for text in column]
        return [text.casefold() for text in column] if self._tolerances.fold else column

    def plain(self, text: str) -> Formed:
        """Return the form of a text that is nothing but a text."""
        if self._tolerances.blanks == "end":
            text = text.rstrip(" ")
        elif self._tolerances.blanks == "around":
            text = text.strip()
        if not text and self._tolerances.empty:
            return NOTHING
        return TEXT, text.casefold() if self._tolerances.fold else text

    def _text(self, text: str, form: Form) -> Formed:
        if form == "text":
            return self.plain(text)
        if form == "auto":
            return self._text_or_number(text)
        rank, read = _TEXTS[form]
        found = read(text)
        if found is None:
            return NAN if rank == NUMBER and text.strip().lower() == "nan" else self.plain(text)
        return rank, self._floor(found) if rank == TIME else found

    def _text_or_number(self, text: str) -> Formed:
        """Return a text that a number would be written as for that number, so that 7 is "7", and "007" another text."""
        rank, plain = self.plain(text)
        number = reading.number_in(plain) if rank == TEXT and reading.usual(plain) else None
        return (rank, plain) if number is None else (NUMBER, number)


_TEXTS: dict[Form, tuple[int, Callable[[str], Any]]] = {
    "number": (NUMBER, reading.number_in),
    "bool": (NUMBER, reading.truth_in),
    "time": (TIME, reading.moment_in),
    "uuid": (TEXT, reading.identity_in),
    "bytes": (BYTES, reading.bytes_in),
    "json": (TEXT, reading.json_in),
}


def _float(value: float) -> Formed:
    """Return the number that is written for it, as databases with decimals have it."""
    if value != value:
        return NAN
    if value.is_integer() and abs(value) <= _EXACT:
        return NUMBER, int(value)
    return NUMBER, value if value in (float("inf"), float("-inf")) else Decimal(repr(value))


def _day(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


_FLOORS: dict[str, Callable[[datetime], datetime]] = {
    "microsecond": lambda moment: moment,
    "millisecond": lambda moment: moment - timedelta(microseconds=moment.microsecond % 1000),
    "second": lambda moment: moment.replace(microsecond=0),
    "minute": lambda moment: moment.replace(second=0, microsecond=0),
    "day": _day,
}
