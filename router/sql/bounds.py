"""Bounds of values: the largest number, and the most bytes of a text or list."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

INFINITY = math.inf


@dataclass(frozen=True, slots=True)
class Bound:
    """The largest absolute value of a number, and how many bytes its text or list has at most.

    `is_data` if a table's cells are in it: then it says what is ordinary, as the cells are not known.
    """

    most: float
    size: float
    is_data: bool = False


NUMBER_BYTES = 40
"""A number as a text, or in a list."""

LONG_NUMBER_BYTES = 150_000
"""A number of PostgreSQL that a power made: it may have so many digits."""

CELL = Bound(1_000, 100, is_data=True)
"""An ordinary cell of a table."""

FLAG = Bound(1, 5)
ZERO_BOUND = Bound(0, 0)
TABLE_ROWS = 1_000
"""Rows of a table, or of a group in it, that are taken for ordinary."""


def number(most: float, *made_of: Bound) -> Bound:
    """Return the bound of a number, which has all its digits as far as it is made of numbers that are written out."""
    data = is_data(made_of)
    is_long = most == INFINITY and (not data or any(each.most == INFINITY for each in made_of))
    return Bound(most, LONG_NUMBER_BYTES if is_long else NUMBER_BYTES * (10 if most >= 10**30 else 1), data)


def text_of(size: float, made_of: list[Bound]) -> Bound:
    """Return the bound of a text; as a number it has no more digits than the text has."""
    if is_data(made_of):
        return replace(hull([CELL, *made_of]), size=size)
    return Bound(10.0**size if size < 300 else INFINITY, size)


def joined(given: list[Bound]) -> Bound:
    """Bound a text that holds all that is given."""
    return text_of(sizes_of(given), given)


def listed(given: list[Bound]) -> Bound:
    """Bound a list, or an object, of what is given; its items as numbers are theirs."""
    return replace(hull(given), size=sum(max(each.size, 8) + 2 for each in given))


def hull(bounds: list[Bound]) -> Bound:
    """Return the bound of a value that is one of several."""
    if not bounds:
        return ZERO_BOUND
    return Bound(max(each.most for each in bounds), max(each.size for each in bounds), is_data(bounds))


def is_data(bounds: Iterable[Bound]) -> bool:
    """Return whether a table's cells are in one of several values."""
    return any(each.is_data for each in bounds)


def sizes_of(bounds: list[Bound]) -> float:
    """Return how many bytes several values have together."""
    return sum(each.size for each in bounds)


def times(left: float, right: float) -> float:
    """Multiply; nothing, endlessly often, is nothing."""
    return 0.0 if 0 in (left, right) else left * right


def added(left: Bound, right: Bound) -> Bound:
    """Bound a sum, or a difference: a number may be a negative one."""
    return number(left.most + right.most, left, right)


def multiplied(left: Bound, right: Bound) -> Bound:
    """Bound a product."""
    return number(times(left.most, right.most), left, right)


def divided(left: Bound, right: Bound, divisor: float | None) -> Bound:
    """Bound a quotient by a number that is written out, or by a cell, which is taken for a whole number."""
    if divisor and math.isfinite(divisor):
        return number(left.most / abs(divisor) + 1, left, right)  # -7 // 2 is -4
    return number(left.most if right.is_data else INFINITY, left, right)


def remainder(left: Bound, right: Bound) -> Bound:
    """Bound what a division leaves."""
    return number(min(left.most, right.most), left, right)


# What a recursion makes.


def grown(bounds: list[Bound], steps: float) -> Bound:
    """Return the bound, after so many steps, of a value of which three are known.

    What grows faster and faster has none.
    """
    most, sizes = [each.most for each in bounds], [each.size for each in bounds]
    return Bound(_extrapolated(most, steps), _extrapolated(sizes, steps), is_data(bounds))


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
    return Bound(max(map(float_of, _NUMBERS.findall(text)), default=0.0), len(text.encode(errors="replace")))


def literal_number(text: str) -> Bound:
    """Bound a number that is written out."""
    exponent = text.lower().partition("e")[2] if text[:2].lower() not in ("0x", "0b") else ""
    return replace(number(float_of(text)), size=max(NUMBER_BYTES, len(text) + abs(int(exponent or 0))))


def float_of(text: str) -> float:
    """Return a number that is written out."""
    try:
        return float(int(text, 0)) if text[:2].lower() in ("0x", "0o", "0b") else float(text)
    except (ValueError, OverflowError):
        return INFINITY
