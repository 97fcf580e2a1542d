"""Rows whose key is there more than once: equal ones are paired, and what is left of them has no partner."""

from collections import deque
from collections.abc import Iterator
from itertools import islice, zip_longest

from router.sql.comparing.difference import Row, Status
from router.sql.comparing.keys import Key, Keys
from router.sql.comparing.tally import Tally
from router.sql.databases.weight import row_weight

MOST = 2000
"""So many rows of one key wait at once on a side; the oldest is then told of as one that has no partner."""

MOST_BYTES = 16_000_000
"""So much these rows weigh at most."""

TRIED = 50
"""So many of the other side's rows are looked at for one that is near."""


class _Waiting:
    """Rows of one side that wait for an equal one of the other."""

    def __init__(self, status: Status) -> None:
        self.status: Status = status
        self.count = self.bytes = 0
        self._rows: dict[Key, deque[Row]] = {}

    def add(self, key: Key, row: Row) -> None:
        self._rows.setdefault(key, deque()).append(row)
        self.count += 1
        self.bytes += row_weight(row)

    def take(self, key: Key) -> Row | None:
        """Return the row with this key that has waited longest, None where there is none."""
        rows = self._rows.get(key)
        if rows is None:
            return None
        row = rows.popleft()
        self.count -= 1
        self.bytes -= row_weight(row)
        if not rows:
            del self._rows[key]
        return row

    def oldest(self) -> Row | None:
        return self.take(next(iter(self._rows)))

    def rest(self) -> list[Row]:
        return [row for rows in self._rows.values() for row in rows]


class Duplicates:
    """Pairs rows of one key that are the same in all columns, one to one, in bounded memory."""

    def __init__(self, tally: Tally) -> None:
        plan = tally.plan
        self._tally = tally
        self._whole = Keys(range(len(plan.pairs)), [pair.form for pair in plan.pairs], plan.tolerances)

    def pair(self, left: Iterator[Row], right: Iterator[Row]) -> None:
        """Count the rows of one key."""
        mine, others = _Waiting("duplicate_left"), _Waiting("duplicate_right")
        for first, second in zip_longest(left, right):
            if first is not None and first == second:
                self._tally.identical(first, second)
                continue
            if first is not None:
                self._meet(first, mine, others)
            if second is not None:
                self._meet(second, others, mine)
        self._finish(mine.rest(), others.rest())

    def _meet(self, row: Row, own: _Waiting, opposite: _Waiting) -> None:
        (key,) = self._whole.of([row])
        found = opposite.take(key)
        if found is not None:
            left, right = (row, found) if own.status == "duplicate_left" else (found, row)
            self._tally.identical(left, right)
            return
        own.add(key, row)
        while own.count > MOST or (own.bytes > MOST_BYTES and own.count > 1):
            if (oldest := own.oldest()) is not None:
                self._alone(oldest, own.status)

    def _finish(self, lefts: list[Row], rights: list[Row]) -> None:
        """Pair what is near, and tell of the rest."""
        rest = dict(enumerate(rights))
        for row in lefts:
            tried = islice(rest.items(), TRIED)
            place = next((number for number, other in tried if self._tally.same(row, other)), None)
            if place is None:
                self._alone(row, "duplicate_left")
            else:
                self._tally.identical(row, rest.pop(place))
        for row in rest.values():
            self._alone(row, "duplicate_right")

    def _alone(self, row: Row, status: Status) -> None:
        (self._tally.left if status == "duplicate_left" else self._tally.right)(row, status)
