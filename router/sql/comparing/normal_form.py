"""One form for each value, whatever database it comes from, so that equal ones are equal and all have an order."""

from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from itertools import chain, repeat
from math import inf, isfinite
from typing import Any, Final
from uuid import UUID

from router.memory.comparing import Form, Precision, Tolerances
from router.sql.cell_text import TYPED_DIGITS_MAX, denoised, plain
from router.sql.comparing.plan import Row
from router.sql.databases.session import Kind
from router.sql.text_values import bytes_in, identity_in, is_usual, json_in, json_text, moment_in, number_in, truth_in
from router.sql.value_kinds import ExactTime, JsonText, nanoseconds_in, nanoseconds_of

_ENDLESS = frozenset({"nan", "inf", "-inf", "infinity", "-infinity"})


NULL, NUMBER, NOT_A_NUMBER, TIME, TEXT, BYTES = range(6)
"""The ranks of values, from the lowest up; SQLite and the servers have them in this order too."""

Formed = tuple[int, Any]
"""A rank, and a value that has an order among those of its rank."""

NULL_FORM: Final[Formed] = (NULL, 0)

_EXACT = 2**53
"""Up to here, a whole floating-point number is the integer it looks like."""


_READ_AS: tuple[tuple[Form, tuple[type, ...]], ...] = (
    ("json", (list, dict, tuple, JsonText)),
    ("bool", (bool,)),  # before the numbers: a bool is an int
    ("number", (int, float, Decimal)),
    ("time", (date, ExactTime)),
    ("uuid", (UUID,)),
    ("bytes", (bytes, bytearray, memoryview)),
)


_READ_AS_KIND: tuple[tuple[Kind, Form], ...] = (
    ("bool", "bool"),
    ("number", "number"),
    ("date", "time"),
    ("blob", "bytes"),
)


def form_of(kinds: Collection[Kind], left: Collection[Any], right: Collection[Any]) -> Form:
    """Return how texts are read in a pair of columns of these kinds, with these values among theirs.

    "auto" if both have texts, and one or both have numbers too: a text is a number then if the other value is.
    """
    values = (*left, *right)
    texts = {value for value in values if isinstance(value, str)}
    by_type, by_kind = form_of_types(tuple(set(map(type, values)))), _form_of_kinds(kinds)
    form = by_kind if by_type in ("text", "number") and by_kind != "text" else by_type
    if form == "number":
        numbers = {value for value in values if isinstance(value, int | float | Decimal)}
        if texts and numbers and numbers <= {0, 1} and all(map(_is_answer, texts)):
            return "bool"
        mixed = by_kind == "text" and all(any(isinstance(value, str) for value in side) for side in (left, right))
        return "auto" if mixed else "number"
    # Days with hyphens (2026-10-15) and without are texts of times; if all are written alike, they are texts.
    written = {"-" in text for text in texts}
    return "time" if form == "text" and len(written) == 2 and None not in map(moment_in, texts) else form


def _form_of_kinds(kinds: Collection[Kind]) -> Form:
    return next((form for kind, form in _READ_AS_KIND if kind in kinds), "text")


def _is_answer(text: str) -> bool:
    """Return whether a text is a word for yes or no."""
    return number_in(text) is None and truth_in(text) is not None


@cache
def form_of_types(seen: tuple[type, ...]) -> Form:
    """Return how texts are read among values of these types: as what is no text."""
    return next((form for form, types in _READ_AS if any(issubclass(found, types) for found in seen)), "text")


class Normalizer:
    """Brings values into their one form, by tolerances that can be had by looking at one value alone."""

    def __init__(self, tolerances: Tolerances) -> None:
        self._tolerances = tolerances
        self._floor, self._trim = _FLOORS[tolerances.precision], _TRIMS[tolerances.blanks]
        self._by_type: dict[type, Callable[[Any], Formed]] = {
            type(None): lambda _: NULL_FORM,
            int: lambda value: (NUMBER, value),
            bool: lambda value: (NUMBER, int(value)),
            float: _float,
            Decimal: _decimal,
            **dict.fromkeys((datetime, date), lambda value: (TIME, self._floor(nanoseconds_of(value)))),
            ExactTime: self._exact_time,
            UUID: lambda value: (TEXT, str(value)),
            **dict.fromkeys((bytes, bytearray, memoryview), lambda value: (BYTES, bytes(value))),
            **dict.fromkeys((list, dict, tuple, JsonText), lambda value: (TEXT, json_text(value))),
        }

    def _exact_time(self, value: ExactTime) -> Formed:
        """Return the form of a time; one of a day is its text, as all of them are."""
        place = None if value.kind in ("time", "timetz") else nanoseconds_in(value.text)
        return self.plain(value.text) if place is None else (TIME, self._floor(place))

    def of(self, value: Any, form: Form) -> Formed:
        """Return a value's form."""
        if isinstance(value, str):
            return self._text(value, form)
        make = self._by_type.get(type(value))
        return self.plain(plain(value)) if make is None else make(value)

    def texts(self, column: list[str]) -> list[str] | None:
        """Return texts that are nothing but texts as they are compared; None if an empty one has no such form."""
        if self._tolerances.empty:
            return None
        column = list(map(self._trim, column))
        return [text.casefold() for text in column] if self._tolerances.fold else column

    def plain(self, text: str) -> Formed:
        """Return the form of a text that is nothing but a text."""
        text = self._trim(text)
        if not text and self._tolerances.empty:
            return NULL_FORM
        return TEXT, text.casefold() if self._tolerances.fold else text

    def _text(self, text: str, form: Form) -> Formed:
        if form == "text":
            return self.plain(text)
        if form == "auto":
            return self._text_or_number(text)
        rank, read = _TEXTS[form]
        found = read(text)
        if found is None and rank == NUMBER and text.strip().lower() in _ENDLESS:
            return _decimal(Decimal(text.strip()))
        if found is None:
            return self.plain(text)
        return rank, self._floor(found) if rank == TIME else found

    def _text_or_number(self, text: str) -> Formed:
        """Return a text that a number would be written as for that number, so that 7 is "7", and "007" another text."""
        rank, plain = self.plain(text)
        number = number_in(plain) if rank == TEXT and is_usual(plain) else None
        return (rank, plain) if number is None else (NUMBER, number)


_TEXTS: dict[Form, tuple[int, Callable[[str], Any]]] = {
    "number": (NUMBER, number_in),
    "bool": (NUMBER, truth_in),
    "time": (TIME, moment_in),
    "uuid": (TEXT, identity_in),
    "bytes": (BYTES, bytes_in),
    "json": (TEXT, json_in),
}


def _float(value: float) -> Formed:
    """Return the number that is written for it, as databases with decimals have it."""
    if value.is_integer() and abs(value) <= _EXACT:
        return NUMBER, int(value)
    return _decimal(Decimal(repr(value)))


def _decimal(value: Decimal) -> Formed:
    return (NOT_A_NUMBER, 0) if value.is_nan() else (NUMBER, value)


_TRIMS: dict[str, Callable[[str], str]] = {"count": str, "end": lambda text: text.rstrip(" "), "around": str.strip}
_FLOORS: dict[Precision, Callable[[int], int]] = {
    "microsecond": lambda moment: moment,
    "millisecond": lambda moment: moment - moment % 10**6,
    "second": lambda moment: moment - moment % 10**9,
    "minute": lambda moment: moment - moment % (60 * 10**9),
    "day": lambda moment: moment - moment % (86_400 * 10**9),
}


# The keys of rows, made a batch at a time: values in their one form, so that rows of two databases have one order.

Key = tuple[Any, ...]
"""The ranks and values of a row's key, in turn: (1, 17, 4, "DE")."""


class RowKeys:
    """Makes the keys of rows from the values at `places`, which are read in their `forms`."""

    def __init__(self, places: Sequence[int], forms: Sequence[Form], tolerances: Tolerances) -> None:
        self._places, self.forms = tuple(places), tuple(forms)
        self._normalizer = Normalizer(tolerances)

    def of(self, rows: Sequence[Row]) -> list[Key]:
        """Return a key a row."""
        if not rows:
            return []
        parts = [self._column([row[place] for row in rows], form) for place, form in self._each()]
        return list(zip(*chain.from_iterable(parts), strict=False))  # a rank may be the same for all, without end

    def is_misplaced(self, rows: Sequence[Row]) -> bool:
        """Return whether a database surely has these in another order: it sorts the texts of numbers as texts."""
        return any(
            form in ("number", "bool", "json") and any(isinstance(row[place], str) for row in rows)
            for place, form in self._each()
        )

    def _each(self) -> "zip[tuple[int, Form]]":
        return zip(self._places, self.forms, strict=True)

    def _column(self, values: list[Any], form: Form) -> tuple[Any, Any]:
        """Return the ranks and the values of a column; what is in its form already costs a look at the types."""
        types = set(map(type, values))
        if types == {int}:
            return repeat(NUMBER), values
        if types == {str} and form == "text" and (texts := self._normalizer.texts(values)) is not None:
            return repeat(TEXT), texts
        of = self._normalizer.of
        ranks, formed = zip(*[of(value, form) for value in values], strict=True)
        return ranks, formed


# Equality of two values, whatever types two databases have for them.


FLOAT_TOLERANCE = 1e-9
"""The share by which two numbers may differ if one is a float: sums differ by the order in which they are added up."""

RESIDUE_MAX = 1e-9
"""So much may a sum of floats leave in place of zero."""


class Sameness:
    """Judges pairs of values by tolerances."""

    def __init__(self, tolerances: Tolerances) -> None:
        self._tolerances = tolerances
        self._normalizer = Normalizer(tolerances)

    def same(self, left: Any, right: Any, form: Form = "auto") -> bool:
        """Return whether two values are the same; texts are read as `form` says, by itself as the other value is."""
        if left is right or left == right:
            return True
        first, second = self._formed(left, right, form)
        if first == second:
            return True
        if first[0] == second[0] == NUMBER:
            return self._near(Decimal(first[1]), Decimal(second[1]), float in (type(left), type(right)))
        return False

    def difference(self, left: Any, right: Any, form: Form = "auto") -> float | None:
        """Return by how much the left number is larger than the right one; None if one of them is no number."""
        first, second = self._formed(left, right, form)
        if not first[0] == second[0] == NUMBER:
            return None
        mine, its = Decimal(first[1]), Decimal(second[1])
        apart = float(mine - its) if mine.is_finite() and its.is_finite() else inf
        return apart if isfinite(apart) else None

    def _formed(self, left: Any, right: Any, form: Form) -> tuple[Formed, Formed]:
        if form == "auto":
            form = form_of_types((type(left), type(right)))
        return self._normalizer.of(left, form), self._normalizer.of(right, form)

    def _near(self, mine: Decimal, its: Decimal, floating: bool) -> bool:
        if not mine.is_finite() or not its.is_finite():
            return False
        relative = self._tolerances.relative
        if floating:
            left, right = _without_noise(mine), _without_noise(its)
            if _is_typed(left) and _is_typed(right):
                mine, its = left, right
            elif _is_residue(left, right) or _is_residue(right, left):
                return True
            else:
                relative = max(relative, FLOAT_TOLERANCE)
        # Of what is written: 0.3 and 0.2 are apart by 0.1, which floating-point numbers would deny.
        allowed = max(Decimal(repr(self._tolerances.absolute)), Decimal(repr(relative)) * max(abs(mine), abs(its)))
        return abs(mine - its) <= allowed


_TYPED_PLACES_MAX = 6
"""The decimal places of numbers that people and programs write down, such as prices; a computed one has more."""


def _without_noise(number: Decimal) -> Decimal:
    """Return a number without what adding up floats leaves in its last digits."""
    rounded = float(number)
    return denoised(rounded) if isfinite(rounded) else number


def _is_typed(number: Decimal) -> bool:
    """Return whether a number looks typed in, and so differs from any other such one."""
    _, digits, exponent = number.normalize().as_tuple()
    assert isinstance(exponent, int), "the number is finite"
    if exponent >= 0:
        return abs(number) <= _EXACT
    return len(digits) <= TYPED_DIGITS_MAX and exponent >= -_TYPED_PLACES_MAX


def _is_residue(number: Decimal, other: Decimal) -> bool:
    """Return whether the other number is zero, and this one what adding up floats may have left of zero."""
    return not other and abs(number) < RESIDUE_MAX and len(number.as_tuple().digits) > TYPED_DIGITS_MAX
