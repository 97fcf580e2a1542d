"""The merge of two ordered streams: by a key, or by whole rows where there is none."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from math import nan
from operator import lt
from typing import Any

from router.memory.comparing import Form, Tolerances
from router.sql.comparing.normal_form import NUMBER, Key, RowKeys, Sameness
from router.sql.comparing.plan import FLOAT_TOLERANCE, RESIDUE_MAX, Row, Status, Which
from router.sql.comparing.report import Tally
from router.sql.databases.row_weight import row_weight

# The rows of one side on their way to the comparison: their order is proved, and keys that come twice are marked.


class Unordered(Exception):
    """The keys of a side went down: it has to be sorted here."""

    def __init__(self, side: Which) -> None:
        super().__init__(side)
        self.side = side


class RowStream:
    """Ordered rows; those at hand are `rows[at:]`, with their `keys`, and `twice` where a neighbour has that too."""

    def __init__(self, side: Which, batches: Iterator[list[Row]], keys: RowKeys) -> None:
        self._side, self._batches, self._keys = side, batches, keys
        self.rows: list[Row] = []
        self.keys: list[Key] = []
        self.twice = bytearray()
        self.at = 0
        self._held: tuple[Row, Key, int] | None = None
        """The last row that came, which waits for the next one, to know whether that has its key."""

    def fill(self) -> bool:
        """Have rows at hand, and tell whether there are any; raises Unordered, and what the session raises."""
        while self.at >= len(self.rows):
            batch = next(self._batches, None)
            if batch is None:
                if self._held is None:
                    return False
                row, key, twice = self._held
                self._held, self.at = None, 0
                self.rows, self.keys, self.twice = [row], [key], bytearray((twice,))
            elif batch:
                self._take(batch)
        return True

    def same(self, key: Key) -> Iterator[Row]:
        """Take the rows with this key, which are the next."""
        while self.fill() and self.keys[self.at] == key:
            self.at += 1
            yield self.rows[self.at - 1]

    def _take(self, batch: list[Row]) -> None:
        """Put a batch at hand, but for its last row."""
        rows, keys, marked = batch, self._keys.of(batch), False
        if self._held is not None:
            rows, keys, marked = [self._held[0], *rows], [self._held[1], *keys], bool(self._held[2])
        twice = bytearray(len(rows))
        twice[0] = marked
        if not all(map(lt, keys, islice(keys, 1, None))):
            self._mark(keys, twice)
        self._held = rows[-1], keys[-1], twice[-1]
        self.rows, self.keys, self.twice, self.at = rows[:-1], keys[:-1], twice, 0

    def _mark(self, keys: list[Key], twice: bytearray) -> None:
        for place in range(1, len(keys)):
            if keys[place - 1] == keys[place]:
                twice[place - 1] = twice[place] = True
            elif not keys[place - 1] < keys[place]:
                raise Unordered(self._side)


# Without a key: a row that has no equal one on the other side waits, since one that is near enough may follow.

WAITING_ROWS_MAX = 2000
"""So many rows wait at once; the oldest is then told of as one that has no partner."""

LEFTOVERS_MAX_BYTES = 32_000_000
"""So much these rows weigh at most."""

ALIKE_ROWS_MAX = 200
"""So many of them are of one side and alike in all that must be equal."""


@dataclass(slots=True, eq=False)
class _WaitingRow:
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
        self._apart = max(tolerances.absolute, RESIDUE_MAX)
        self._share = max(tolerances.relative, FLOAT_TOLERANCE)
        exact = [place for place in range(len(forms)) if place not in near]
        self._exact = [part for place in exact for part in (2 * place, 2 * place + 1)]
        self._waiting: deque[_WaitingRow] = deque()
        self._bytes = 0
        """Of those that wait; what is gone may be in the list still, without its values."""
        self._alike: dict[tuple[Which, Key], deque[_WaitingRow]] = {}

    def add(self, which: Which, row: Row, key: Key) -> None:
        """Take a row of a side."""
        if not self._near:
            self._alone(which, row)
            return
        alike = tuple([key[part] for part in self._exact])
        near = tuple([_rough(*key[2 * place : 2 * place + 2]) for place in self._near])
        new = _WaitingRow(which, row, alike, near, row_weight(row))
        if not self._paired(new):
            mine = self._alike.setdefault((which, alike), deque())
            mine.append(new)
            self._waiting.append(new)
            self._bytes += new.bytes
            if len(mine) > ALIKE_ROWS_MAX:
                self._give_up(mine[0])
            while len(self._waiting) > WAITING_ROWS_MAX or (
                self._bytes > LEFTOVERS_MAX_BYTES and len(self._waiting) > 1
            ):
                self._give_up(self._waiting.popleft())

    def finish(self) -> None:
        """Tell of the rows that wait still: no near one came."""
        while self._waiting:
            self._give_up(self._waiting.popleft())

    def _paired(self, new: _WaitingRow) -> bool:
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

    def _are_near(self, one: _WaitingRow, other: _WaitingRow, places: Sequence[int]) -> bool:
        return all(self._same(one.row[place], other.row[place], self._forms[place]) for place in places)

    def _far(self, one: _WaitingRow, other: _WaitingRow) -> bool:
        """Tell whether two rows are surely not near: most are not, and this costs little."""
        for mine, its in zip(one.numbers, other.numbers, strict=True):
            if abs(mine - its) > self._apart + self._share * (abs(mine) + abs(its)):
                return True
        return False

    def _give_up(self, row: _WaitingRow) -> None:
        if not row.gone:
            self._alone(row.which, self._forget(row))

    def _forget(self, row: _WaitingRow) -> Row:
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


# Keys that are there more than once: equal rows are paired, and the others have no partner.

WAITING_DUPLICATES_MAX = 2000
"""So many rows of one key wait at once on a side; the oldest is then told of as one that has no partner."""

DUPLICATES_MAX_BYTES = 16_000_000
"""So much these rows weigh at most."""

TRIED_PARTNERS_MAX = 50
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
        self._whole = RowKeys(range(len(plan.pairs)), [pair.form for pair in plan.pairs], plan.tolerances)

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
        while own.count > WAITING_DUPLICATES_MAX or (own.bytes > DUPLICATES_MAX_BYTES and own.count > 1):
            if (oldest := own.oldest()) is not None:
                self._alone(oldest, own.status)

    def _finish(self, lefts: list[Row], rights: list[Row]) -> None:
        """Pair what is near, and tell of the rest."""
        rest = dict(enumerate(rights))
        for row in lefts:
            tried = islice(rest.items(), TRIED_PARTNERS_MAX)
            place = next((number for number, other in tried if self._tally.same(row, other)), None)
            if place is None:
                self._alone(row, "duplicate_left")
            else:
                self._tally.identical(row, rest.pop(place))
        for row in rest.values():
            self._alone(row, "duplicate_right")

    def _alone(self, row: Row, status: Status) -> None:
        (self._tally.left if status == "duplicate_left" else self._tally.right)(row, status)


_BATCH_ROWS = 100


def merge_by_key(left: RowStream, right: RowStream, tally: Tally) -> None:
    """Pair rows whose key is there once on both sides, and equal ones of the others; count the rest for what it is."""
    duplicates = Duplicates(tally)
    while left.fill() and right.fill():
        if not _run(left, right, tally, tally.pair):
            _odd(left, right, tally, duplicates)
    for stream in (left, right):
        while stream.fill():
            _odd(left, right, tally, duplicates)


def merge_whole(left: RowStream, right: RowStream, tally: Tally, leftovers: Leftovers) -> None:
    """Pair equal rows one to one, and hand on what is left of either side."""
    while left.fill() or right.fill():
        if left.fill() and right.fill() and _run(left, right, tally, tally.identical):
            continue
        key = _lowest(left, right)
        mine, others = left.same(key), right.same(key)
        first, second = next(mine, None), next(others, None)
        while first is not None and second is not None:
            tally.identical(first, second)
            first, second = next(mine, None), next(others, None)
        while first is not None:
            leftovers.add("left", first, key)
            first = next(mine, None)
        while second is not None:
            leftovers.add("right", second, key)
            second = next(others, None)
    leftovers.finish()


def _run(left: RowStream, right: RowStream, tally: Tally, met: Callable[[Row, Row], None]) -> int:
    """Pair rows as long as both sides have the same key, once; return how many. Most rows never leave this loop."""
    start, most = left.at, min(len(left.rows) - left.at, len(right.rows) - right.at)
    quiet = tally.quiet
    done = 0
    while done < most:
        if quiet and (step := _equal(left, right, most - done)):
            tally.counts["identical"] += step
        elif (step := _paired(left, right, min(_BATCH_ROWS, most - done), tally, met)) == 0:
            break
        done += step
    return left.at - start


def _equal(left: RowStream, right: RowStream, most: int) -> int:
    """Pass over the next rows if they are equal, all at once, which costs next to nothing; return how many."""
    size = min(_BATCH_ROWS, most)
    here, there = slice(left.at, left.at + size), slice(right.at, right.at + size)
    if left.rows[here] != right.rows[there] or any(left.twice[here]) or any(right.twice[there]):
        return 0
    left.at += size
    right.at += size
    return size


def _paired(left: RowStream, right: RowStream, most: int, tally: Tally, met: Callable[[Row, Row], None]) -> int:
    """Pair the next rows one by one; return how many there were before the sides part."""
    end, offset = left.at + most, right.at - left.at
    lefts, rights, quiet, identical = left.rows, right.rows, tally.quiet, 0
    left_keys, right_keys, left_twice, right_twice = left.keys, right.keys, left.twice, right.twice
    begun = place = left.at
    while place < end:
        other = place + offset
        if left_keys[place] != right_keys[other] or left_twice[place] or right_twice[other]:
            break
        if quiet and lefts[place] == rights[other]:
            identical += 1
        else:
            met(lefts[place], rights[other])
        place += 1
    tally.counts["identical"] += identical
    left.at, right.at = place, place + offset
    return place - begun


def _odd(left: RowStream, right: RowStream, tally: Tally, duplicates: Duplicates) -> None:
    """Count the rows of the lowest key, which one side does not have, or one has more than once."""
    key = _lowest(left, right)
    mine = left.fill() and left.keys[left.at] == key
    others = right.fill() and right.keys[right.at] == key
    if (mine and left.twice[left.at]) or (others and right.twice[right.at]):
        tally.duplicates += 1
        duplicates.pair(left.same(key), right.same(key))
        return
    for row in left.same(key):
        tally.left(row)
    for row in right.same(key):
        tally.right(row)


def _lowest(left: RowStream, right: RowStream) -> Key:
    """Return the lower key of the two that are next; at least one side has a row."""
    if not left.fill():
        right.fill()
        return right.keys[right.at]
    if not right.fill():
        return left.keys[left.at]
    return min(left.keys[left.at], right.keys[right.at])
