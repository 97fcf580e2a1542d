"""Between which numbers a value lies, and how many bytes its text or list has at most: interval arithmetic."""

import math
import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import product

INFINITY = math.inf


@dataclass(frozen=True, slots=True)
class Bound:
    """Between which numbers a value is, and how many bytes its text or list has at most.

    `is_data` where a table's cells are in it: then it says what is ordinary, as the cells are not known.
    """

    low: float
    high: float
    size: float
    is_data: bool = False


NUMBER_BYTES = 40
"""A number as a text, or in a list."""

LONG_NUMBER_BYTES = 150_000
"""A number of PostgreSQL that a power made: it may have so many digits."""

CELL = Bound(-1_000, 1_000, 100, is_data=True)
"""An ordinary cell of a table."""

FLAG = Bound(0, 1, 5)
NOTHING = Bound(0, 0, 0)
TABLE_ROWS = 1_000
"""Rows of a table, or of a group in it, that are taken for ordinary."""


def number_between(low: float, high: float, *made_of: Bound) -> Bound:
    """Return the bound of a number, which has all its digits as far as it is made of numbers that are written out."""
    data, most = is_data(made_of), max(-low, high)
    is_long = most == INFINITY and (not data or any(magnitude(each) == INFINITY for each in made_of))
    return Bound(low, high, LONG_NUMBER_BYTES if is_long else NUMBER_BYTES * (10 if most >= 10**30 else 1), data)


def symmetric(most: float, *made_of: Bound) -> Bound:
    """Return the bound of a number with this absolute value at most."""
    return number_between(-most, most, *made_of)


def text_of(size: float, made_of: list[Bound]) -> Bound:
    """Return the bound of a text; as a number it has no more digits than the text has."""
    if is_data(made_of):
        return replace(hull([CELL, *made_of]), size=size)
    most = 10.0**size if size < 300 else INFINITY
    return Bound(-most, most, size)


def listed(given: list[Bound]) -> Bound:
    """Bound a list, or an object, of what is given; its items as numbers are theirs."""
    return replace(hull(given), size=sum(max(each.size, 8) + 2 for each in given))


def hull(bounds: list[Bound]) -> Bound:
    """Return the bound of a value that is one of several."""
    if not bounds:
        return NOTHING
    return Bound(
        min(each.low for each in bounds),
        max(each.high for each in bounds),
        max(each.size for each in bounds),
        is_data(bounds),
    )


def is_data(bounds: Iterable[Bound]) -> bool:
    """Return whether a table's cells are in one of several values."""
    return any(each.is_data for each in bounds)


def sizes_of(bounds: list[Bound]) -> float:
    """Return how many bytes several values have together."""
    return sum(each.size for each in bounds)


def magnitude(bound: Bound) -> float:
    """Return the largest absolute value."""
    return max(abs(bound.low), abs(bound.high))


# Arithmetic.


def times(left: float, right: float) -> float:
    """Multiply; nothing, endlessly often, is nothing."""
    return 0.0 if 0 in (left, right) else left * right


def at_the_ends(operation: Callable[[float, float], float], left: Bound, right: Bound) -> Bound:
    """Return the bound of an operation that is largest and smallest at the ends."""
    found = [operation(*ends) for ends in product((left.low, left.high), (right.low, right.high))]
    if any(map(math.isnan, found)):
        return symmetric(INFINITY, left, right)
    return number_between(min(found), max(found), left, right)


def added(left: Bound, right: Bound) -> Bound:
    """Bound a sum."""
    return at_the_ends(operator.add, left, right)


def subtracted(left: Bound, right: Bound) -> Bound:
    """Bound a difference."""
    return at_the_ends(operator.sub, left, right)


def multiplied(left: Bound, right: Bound) -> Bound:
    """Bound a product."""
    return at_the_ends(times, left, right)


def divided(left: Bound, right: Bound) -> Bound:
    """Bound a quotient; a cell that something is divided by is taken for a whole number."""
    if right.low <= 0 <= right.high:
        return symmetric(magnitude(left) if right.is_data else INFINITY, left, right)
    return rounded(at_the_ends(lambda this, that: 0.0 if math.isinf(that) else this / that, left, right))


def rounded(given: Bound) -> Bound:
    """Bound what may have become a whole number."""
    if math.isinf(magnitude(given)):
        return given
    return replace(given, low=float(math.floor(given.low)), high=float(math.ceil(given.high)))


def remainder(left: Bound, right: Bound) -> Bound:
    """Bound what a division leaves."""
    return symmetric(min(magnitude(left), magnitude(right)), left, right)


def raised(base: Bound, exponent: Bound) -> Bound:
    """Bound a power."""
    if exponent.low < 0 and min(abs(base.low), abs(base.high)) < 1:
        return symmetric(INFINITY, base, exponent)
    return symmetric(power_of(max(magnitude(base), 1.0), exponent.high), base, exponent)


def power_of(base: float, exponent: float) -> float:
    """Return a power of a number from 1 on, endless where it has no float."""
    try:
        return float(base ** max(exponent, 0.0))
    except OverflowError:
        return INFINITY


def shifted(left: Bound, right: Bound) -> Bound:
    """Bound a number whose bits are moved to the left."""
    return symmetric(times(magnitude(left), power_of(2.0, right.high)), left, right)


def of_bits(left: Bound, right: Bound) -> Bound:
    """Bound a combination of the bits of two numbers; those of a negative one may be read as a large one."""
    return symmetric(2 * (magnitude(left) + magnitude(right)) + 1 if min(left.low, right.low) >= 0 else 2.0**64)


# What a recursion makes.


def grown(bounds: list[Bound], steps: float) -> Bound:
    """Return the bound, after so many steps, of a value of which three are known.

    What grows faster and faster has none.
    """
    lows, highs, sizes = ([getattr(each, part) for each in bounds] for part in ("low", "high", "size"))
    return Bound(
        -_extrapolated([-low for low in lows], steps),
        _extrapolated(highs, steps),
        _extrapolated(sizes, steps),
        is_data(bounds),
    )


def _extrapolated(values: list[float], steps: float) -> float:
    first, second, third = values
    if third == second:
        return third
    return third + (third - second) * steps if third - second <= 1.001 * (second - first) else INFINITY


# What is written out.

_NUMBERS = re.compile(
    r"0[xX][0-9a-fA-F_]+|0[oObB][0-7_]+|\d[\d_]*(?:\.\d*)?(?:[eE]\+?\d+)?|\.\d+(?:[eE]\+?\d+)?|inf", re.I
)


def literal_text(text: str) -> Bound:
    """Bound a text that is written out; as a number it is at most the largest that is in it."""
    most = max(map(_float_of, _NUMBERS.findall(text)), default=0.0)
    return Bound(-most, most, len(text.encode(errors="replace")))


def literal_number(text: str) -> Bound:
    """Bound a number that is written out."""
    value = _float_of(text)
    exponent = text.lower().partition("e")[2] if text[:2].lower() not in ("0x", "0b") else ""
    return replace(number_between(value, value), size=max(NUMBER_BYTES, len(text) + abs(int(exponent or 0))))


def _float_of(text: str) -> float:
    try:
        return float(int(text, 0)) if text[:2].lower() in ("0x", "0o", "0b") else float(text)
    except (ValueError, OverflowError):
        return INFINITY
