"""Rows that have no equal one on the other side, where there is no key: one that is near enough may follow."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

from router.sql.comparing.difference import Row, Which
from router.sql.comparing.forms import NUMBER
from router.sql.comparing.keys import Key
from router.sql.comparing.plan import FLOATS, Form, Tolerances
from router.sql.comparing.sameness import Sameness
from router.sql.comparing.tally import Tally
from router.sql.databases.weight import row_weight

MOST = 2000
"""So many rows wait at once; the oldest is then told of as one that has no partner."""

MOST_BYTES = 32_000_000
"""So much these rows weigh at most."""

ALIKE = 200
"""So many of them are of one side and alike in all that must be equal."""


@dataclass(slots=True, eq=False)
class _Waiting:
    """A row, and what it waits among: all rows whose columns are equal that must be."""

    which: Which
    row: Row
    alike: Key
    numbers: tuple[float, ...]
    """Those that need only be near, roughly; NaN for what is none."""
    bytes: int
    gone: bool = False


class Leftovers:
    """Takes the rows that no equal one was found for, in the order of their keys, and pairs those that are near.

    Numbers at the places `near` need only be near, as the tolerances say; everything else is equal, or they are two
    rows. Of the rows that are alike in that, the first number tells which ones are past.
    """

    def __init__(
        self, tally: Tally, tolerances: Tolerances, near: Sequence[int] = (), forms: Sequence[Form] = ()
    ) -> None:
        self._tally, self._same, self._near, self._forms = tally, Sameness(tolerances).same, tuple(near), tuple(forms)
        self._apart, self._share = tolerances.absolute, max(tolerances.relative, FLOATS)
        exact = [place for place in range(len(forms)) if place not in near]
        self._exact = [part for place in exact for part in (2 * place, 2 * place + 1)]
        self._waiting: deque[_Waiting] = deque()
        self._bytes = 0
        """Of those that wait; what is gone may be in the list still, without its values."""
        self._alike: dict[tuple[Which, Key], deque[_Waiting]] = {}

    def add(self, which: Which, row: Row, key: Key) -> None:
        """Take a row of a side."""
        if not self._near:
            self._alone(which, row)
            return
        alike = tuple([key[part] for part in self._exact])
        near = tuple([_rough(*key[2 * place : 2 * place + 2]) for place in self._near])
        new = _Waiting(which, row, alike, near, row_weight(row))
        if not self._paired(new):
            mine = self._alike.setdefault((which, alike), deque())
            mine.append(new)
            self._waiting.append(new)
            self._bytes += new.bytes
            if len(mine) > ALIKE:
                self._give_up(mine[0])
            while len(self._waiting) > MOST or (self._bytes > MOST_BYTES and len(self._waiting) > 1):
                self._give_up(self._waiting.popleft())

    def finish(self) -> None:
        """Tell of the rows that wait still: no near one came."""
        while self._waiting:
            self._give_up(self._waiting.popleft())

    def _paired(self, new: _Waiting) -> bool:
        """Pair a row with the first of the other side that is near; tell of those that no later one can be near."""
        others = self._alike.get(("right" if new.which == "left" else "left", new.alike))
        while others and not self._are_near(others[0], new, self._near[:1]):
            self._give_up(others[0])
        for other in others or ():
            if not self._far(other, new) and self._are_near(other, new, self._near):
                its = self._forget(other)
                left, right = (new.row, its) if new.which == "left" else (its, new.row)
                self._tally.identical(left, right)
                return True
        return False

    def _are_near(self, one: _Waiting, other: _Waiting, places: Sequence[int]) -> bool:
        return all(self._same(one.row[place], other.row[place], self._forms[place]) for place in places)

    def _far(self, one: _Waiting, other: _Waiting) -> bool:
        """Tell whether two rows are surely not near: most are not, and this costs little."""
        for mine, its in zip(one.numbers, other.numbers, strict=True):
            if abs(mine - its) > self._apart + self._share * (abs(mine) + abs(its)):
                return True
        return False

    def _give_up(self, row: _Waiting) -> None:
        if not row.gone:
            self._alone(row.which, self._forget(row))

    def _forget(self, row: _Waiting) -> Row:
        """Have a row wait no more, and return its values, which are not held any longer."""
        row.gone = True
        self._bytes -= row.bytes
        mine = self._alike[row.which, row.alike]
        mine.remove(row)
        if not mine:
            del self._alike[row.which, row.alike]
        values, row.row, row.alike = row.row, (), ()
        return values

    def _alone(self, which: Which, row: Row) -> None:
        (self._tally.left if which == "left" else self._tally.right)(row)


def _rough(rank: int, value: Any) -> float:
    try:
        return float(value) if rank == NUMBER else nan
    except OverflowError:
        return nan
