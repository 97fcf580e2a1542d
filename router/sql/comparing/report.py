"""What came of a comparison; all of it can be kept as JSON."""

from dataclasses import dataclass
from typing import Any

from router.sql.comparing.difference import Difference, Row, Status, Which
from router.sql.comparing.plan import Reporting
from router.sql.comparing.telling import shared
from router.sql.writing.texts import text_of

_LONGEST = 200
_BEFORE = 40
_BYTES = (bytes, bytearray, memoryview)


@dataclass(frozen=True, slots=True)
class Changes:
    """One pair of columns among rows that were paired: in how many it differs, and in how many one side has no value.

    `largest` and `mean` are of the amounts by which numbers differ; None where no two numbers did.
    """

    name: str
    differing: int = 0
    only_left_null: int = 0
    only_right_null: int = 0
    largest: float | None = None
    mean: float | None = None


@dataclass(frozen=True, slots=True)
class Total:
    """One measure of both sides, such as "sum" of "amount"; None where a side has none. `column` is "" for rows."""

    column: str
    measure: str
    left: str | None
    right: str | None
    same: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A difference with its values as texts, None for NULL; `places` are the columns that differ."""

    status: Status
    left: tuple[str | None, ...] | None
    right: tuple[str | None, ...] | None
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A comparison that came to its end.

    Every row of a side is in one count: identical, changed, only there, or a duplicate: its key (one of
    `duplicate_keys`) is there more than once on a side, and no row of the other side that is left is equal to it.
    Without a key nothing is changed or a duplicate.
    With `reporting` "aggregates" there are only `totals` and the rows of each side; `untold` are the columns of which
    some are missing, as a database would count what is no difference here, or has another order. `sorted_here` are the
    sides that their database did not give in order. Of the rows that were to be kept, `unkept` were too many.
    """

    reporting: Reporting
    left: str
    right: str
    keyed: bool
    left_rows: int
    right_rows: int
    identical: int = 0
    changed: int = 0
    only_left: int = 0
    only_right: int = 0
    duplicate_keys: int = 0
    duplicate_left: int = 0
    duplicate_right: int = 0
    names: tuple[str, ...] = ()
    columns: tuple[Changes, ...] = ()
    first: tuple[Shown, ...] = ()
    totals: tuple[Total, ...] = ()
    sorted_here: tuple[Which, ...] = ()
    untold: tuple[str, ...] = ()
    unkept: int = 0

    @property
    def measured(self) -> bool:
        """Whether rows were paired by a key, so that it is known which of their columns differ."""
        return self.keyed and bool(self.identical or self.changed)

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        apart = self.changed + self.only_left + self.only_right + self.duplicate_left + self.duplicate_right
        return not apart and self.left_rows == self.right_rows and all(total.same for total in self.totals)


def shown(difference: Difference) -> Shown:
    """Return a difference with its values as texts of at most 200 characters, unlike where they differ."""
    left, right = _texts(difference.left), _texts(difference.right)
    if difference.left is not None and difference.right is not None and left and right:
        for place in difference.places:
            if left[place] is not None and left[place] == right[place]:
                mine, other = _apart(difference.left[place], difference.right[place])
                left = (*left[:place], mine, *left[place + 1 :])
                right = (*right[:place], other, *right[place + 1 :])
    return Shown(difference.status, left, right, difference.places)


def brief(value: Any) -> str | None:
    """Return a value as a text of at most 200 characters, None for NULL."""
    if value is None:
        return None
    if isinstance(value, _BYTES):
        return f"{len(value):,} byte{'' if len(value) == 1 else 's'}"
    return _cut(text_of(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _apart(left: Any, right: Any) -> tuple[str, str]:
    """Return two values from shortly before where they differ; those that are written alike have their types."""
    mine, other = _written(left), _written(right)
    if mine == other:
        return _cut(f"{mine} ({type(left).__name__})"), _cut(f"{other} ({type(right).__name__})")
    start = max(0, shared(mine, other) - _BEFORE)
    return (_cut(f"…{mine[start:]}"), _cut(f"…{other[start:]}")) if start else (_cut(mine), _cut(other))


def _written(value: Any) -> str:
    return f"0x{bytes(value).hex()}" if isinstance(value, _BYTES) else text_of(value)


def _texts(row: Row | None) -> tuple[str | None, ...] | None:
    return None if row is None else tuple(map(brief, row))
