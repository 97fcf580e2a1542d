"""The counts of a comparison, kept while rows go by, and the rows that are handed on."""

from router.sql.comparing.equality import Sameness
from router.sql.comparing.plan import ComparePlan, Difference, Row, Sink, Status
from router.sql.comparing.report import Changes, ShownDifference, shown

_BATCH_ROWS = 1000


class Tally:
    """The counts of one comparison; rows that the report is to have go to the sink."""

    def __init__(self, plan: ComparePlan, sink: Sink) -> None:
        self.plan, self._sink = plan, sink
        self._sameness = Sameness(plan.tolerances)
        self._judged = [(place, pair.form) for place, pair in enumerate(plan.pairs) if place not in plan.keys]
        self._forms = [pair.form for pair in plan.pairs]
        self._columns = [_ColumnTally() for _ in plan.pairs]
        self._told = plan.reporting in ("differences", "all")
        self._all = plan.reporting == "all"
        self._waiting: list[Difference] = []
        self.counts: dict[Status, int] = dict.fromkeys(
            ("identical", "changed", "only_left", "only_right", "duplicate_left", "duplicate_right"), 0
        )
        self.duplicates = 0
        self.first: list[ShownDifference] = []

    @property
    def quiet(self) -> bool:
        """True where identical rows need only be counted."""
        return not self._all

    def pair(self, left: Row, right: Row) -> None:
        """Count two rows of one key."""
        places = tuple(p for p, form in self._judged if not self._sameness.same(left[p], right[p], form))
        for p in places:
            self._columns[p].add(left[p], right[p], self._sameness.difference(left[p], right[p], self._forms[p]))
        self._count(Difference("changed" if places else "identical", left, right, places))

    def same(self, left: Row, right: Row) -> bool:
        """Tell whether two rows of one key are the same in everything else."""
        return all(self._sameness.same(left[place], right[place], form) for place, form in self._judged)

    def identical(self, left: Row, right: Row) -> None:
        """Count two rows that are known to be the same."""
        self._count(Difference("identical", left, right))

    def left(self, row: Row, status: Status = "only_left") -> None:
        """Count a row of the left side that has no partner."""
        self._count(Difference(status, row, None))

    def right(self, row: Row, status: Status = "only_right") -> None:
        """Count a row of the right side that has no partner."""
        self._count(Difference(status, None, row))

    def finish(self) -> None:
        """Hand on what is left."""
        if self._waiting:
            self._sink.add(self._waiting)
            self._waiting = []

    def changes(self) -> tuple[Changes, ...]:
        """Return what was counted a column."""
        return tuple(column.changes(name) for name, column in zip(self.plan.names, self._columns, strict=True))

    def _count(self, row: Difference) -> None:
        self.counts[row.status] += 1
        if row.status != "identical" and len(self.first) < self.plan.first:
            self.first.append(shown(row))
        if self._all or (self._told and row.status != "identical"):
            self._waiting.append(row)
            if len(self._waiting) >= _BATCH_ROWS:
                self.finish()


class _ColumnTally:
    """The differences in one column."""

    def __init__(self) -> None:
        self._differing = self._null_left = self._null_right = self._numbers = 0
        self._largest = self._sum = 0.0

    def add(self, left: object, right: object, apart: float | None) -> None:
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
