"""What was seen of a column's values while they were stored: enough to make a table for them without a second look."""

from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from typing import Any

ZONED = "+zone"
"""What the name of a type ends with where its values have a time zone."""

_INT64 = 2**63


@dataclass(frozen=True, slots=True)
class Seen:
    """The names of the types of a column's values ("datetime+zone" is one), NULL aside.

    `whole` and `scale` are the most digits before and behind the point that a decimal has, or an integer over 64 bits;
    `numbers` is false where a decimal is infinite or not a number.
    """

    types: tuple[str, ...] = ()
    whole: int = 0
    scale: int = 0
    numbers: bool = True
    wide: bool = False
    """Whether an integer has more than 64 bits."""


class Tally:
    """One column on its way to the disk."""

    def __init__(self) -> None:
        self._types: set[str] = set()
        self._whole = self._scale = 0
        self._numbers, self._wide = True, False
        self._quantum = Decimal(1)

    def add(self, types: set[type], column: tuple[Any, ...]) -> None:
        """Look at some values, whose types are known; only decimals and times are looked at one by one."""
        for kind in types:
            if kind is Decimal:
                self._decimals([value for value in column if type(value) is Decimal])
            if kind in (datetime, time):
                zones = {value.tzinfo is not None for value in column if type(value) is kind}
                self._types |= {kind.__name__ + ZONED * zoned for zoned in zones}
            elif kind is not type(None):
                self._types.add(kind.__name__)

    def widen(self, column: tuple[Any, ...]) -> None:
        """Look for integers over 64 bits, of which the store tells that there may be some."""
        numbers = [value for value in column if type(value) is int and not -_INT64 <= value < _INT64]
        if numbers:
            self._wide = True
            self._decimals([Decimal(number) for number in (max(numbers, key=abs),)])

    def seen(self) -> Seen:
        """Return what was seen so far."""
        return Seen(tuple(sorted(self._types)), self._whole, self._scale, self._numbers, self._wide)

    def _decimals(self, values: list[Decimal]) -> None:
        # A column's decimals mostly have equally many digits behind the point, and then asking is quick.
        others = [value for value in values if not value.same_quantum(self._quantum)]
        for value in others:
            exponent = value.as_tuple().exponent
            if isinstance(exponent, int):
                self._scale, self._quantum = max(self._scale, -exponent), value
            else:
                self._numbers = False
        self._whole = max(self._whole, *(value.adjusted() + 1 for value in values))
