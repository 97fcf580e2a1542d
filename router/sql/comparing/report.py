"""The report of a comparison: what is counted while rows go by, and the rows that are handed on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from router.memory.comparing import Reporting
from router.sql.comparing.normal_form import Sameness
from router.sql.comparing.plan import ComparePlan, Difference, Row, Sink, Status, Which
from router.sql.comparing.told_values import brief, told_apart


@dataclass(frozen=True, slots=True)
class Changes:
    """One pair of columns among rows that were paired: in how many it differs, and in how many one side has no value.

    `largest` and `mean` are of the amounts by which numbers differ; None if no two numbers did.
    """

    name: str
    differing: int = 0
    only_left_null: int = 0
    only_right_null: int = 0
    largest: float | None = None
    mean: float | None = None


@dataclass(frozen=True, slots=True)
class Total:
    """One measure of both sides, such as "sum" of "amount"; None if a side has none. `column` is "" for rows."""

    column: str
    measure: str
    left: str | None
    right: str | None
    same: bool


@dataclass(frozen=True, slots=True)
class ShownDifference:
    """A difference with its values as brief texts, None for NULL; `places` are the columns that differ."""

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
    With `reporting` "aggregates" there are only `totals` and the rows of each side. Of the rows that were to be kept,
    `unkept` were too many.
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
    first: tuple[ShownDifference, ...] = ()
    totals: tuple[Total, ...] = ()
    unkept: int = 0

    @property
    def measured(self) -> bool:
        """True if rows were paired by a key, so that it is known which of their columns differ."""
        return self.keyed and bool(self.identical or self.changed)

    @property
    def same(self) -> bool:
        """True if nothing differs."""
        apart = self.changed + self.only_left + self.only_right + self.duplicate_left + self.duplicate_right
        return not apart and self.left_rows == self.right_rows and all(total.same for total in self.totals)


def shown(difference: Difference) -> ShownDifference:
    """Return a difference with its values as brief texts, unlike where they differ."""
    left, right = _texts(difference.left), _texts(difference.right)
    if difference.left and difference.right:
        for place in difference.places:
            left[place], right[place] = told_apart(difference.left[place], difference.right[place])
    return ShownDifference(difference.status, tuple(left) or None, tuple(right) or None, difference.places)


def _texts(row: Row | None) -> list[str | None]:
    return [brief(value) for value in row or ()]


# The counts of a comparison, kept while rows go by.

_BATCH_ROWS = 1000

_ONLY: dict[Which, Status] = {"left": "only_left", "right": "only_right"}
_DUPLICATE: dict[Which, Status] = {"left": "duplicate_left", "right": "duplicate_right"}


class Tally:
    """The counts of one comparison; rows that the report is to have go to the sink.

    The columns in `judged` are those that rows with one key may differ in, or need only be near in, if the plan has
    no key.
    """

    def __init__(self, plan: ComparePlan, sink: Sink | None, judged: Sequence[int]) -> None:
        self.plan, self._sink, self.judged = plan, sink, tuple(judged)
        self._sameness = Sameness(plan.tolerances)
        self._columns = [_ColumnTally() for _ in plan.pairs]
        wants_rows = sink is not None and plan.reporting in ("differences", "all")
        self._told: tuple[Status, ...] = get_args(Status) if wants_rows else ()
        self._waiting: list[Difference] = []
        self.quiet = plan.reporting != "all"
        """True if identical rows need only be counted."""
        self.counts: dict[Status, int] = dict.fromkeys(get_args(Status), 0)
        self.duplicates = 0
        self._first: list[ShownDifference] = []

    def pair(self, left: Row, right: Row) -> None:
        """Count two rows of one key, of which there is no other."""
        places = tuple(self._differing(left, right))
        if places and not self.plan.keys:
            self.alone("left", left)
            self.alone("right", right)
            return
        for place in places:
            form = self.plan.pairs[place].form
            apart = self._sameness.difference(left[place], right[place], form)
            self._columns[place].add(left[place], right[place], apart)
        self._count(Difference("changed" if places else "identical", left, right, places))

    def first_differing(self, one: Row, other: Row) -> int | None:
        """Return the first judged column in which two rows differ, None if they are the same."""
        return next(self._differing(one, other), None)

    def identical(self, left: Row, right: Row) -> None:
        """Count two rows that are known to be the same."""
        self._count(Difference("identical", left, right))

    def alone(self, which: Which, row: Row, duplicate: bool = False) -> None:
        """Count a row of a side that has no partner; `duplicate`: its key is there more than once."""
        status = (_DUPLICATE if duplicate and self.plan.keys else _ONLY)[which]
        self._count(Difference(status, row, None) if which == "left" else Difference(status, None, row))

    def finish(self) -> None:
        """Hand on what is left."""
        if self._waiting and self._sink:
            self._sink.add(self._waiting)
            self._waiting = []

    def report(self, left: str, right: str, rows: dict[Which, int]) -> Report:
        """Return the report on two sides with these names, of which so many rows were read."""
        counts, keyed = self.counts, bool(self.plan.keys)
        names = self.plan.names
        return Report(
            self.plan.reporting,
            left,
            right,
            keyed,
            rows["left"],
            rows["right"],
            counts["identical"],
            counts["changed"],
            counts["only_left"],
            counts["only_right"],
            self.duplicates if keyed else 0,
            counts["duplicate_left"],
            counts["duplicate_right"],
            names,
            tuple(column.changes(name) for name, column in zip(names, self._columns, strict=True)),
            tuple(self._first),
        )

    def _differing(self, one: Row, other: Row) -> Iterator[int]:
        pairs, same = self.plan.pairs, self._sameness.same
        return (place for place in self.judged if not same(one[place], other[place], pairs[place].form))

    def _count(self, row: Difference) -> None:
        self.counts[row.status] += 1
        if row.status == "identical" and self.quiet:
            return
        if row.status != "identical" and len(self._first) < self.plan.first:
            self._first.append(shown(row))
        if row.status in self._told:
            self._waiting.append(row)
            if len(self._waiting) >= _BATCH_ROWS:
                self.finish()


class _ColumnTally:
    """The differences in one column."""

    def __init__(self) -> None:
        self._differing = self._null_left = self._null_right = self._numbers = 0
        self._largest = self._sum = 0.0

    def add(self, left: Any, right: Any, apart: float | None) -> None:
        self._differing += 1
        self._null_left += left is None
        self._null_right += right is None
        if apart is not None:
            self._numbers += 1
            self._sum += abs(apart)
            self._largest = max(self._largest, abs(apart))

    def changes(self, name: str) -> Changes:
        mean = self._sum / self._numbers if self._numbers else None
        largest = self._largest if self._numbers else None
        return Changes(name, self._differing, self._null_left, self._null_right, largest, mean)
