"""The merge of two ordered streams: rows with one key are paired; equal or near ones if a key has several."""

from collections.abc import Iterator
from itertools import islice, starmap, takewhile
from operator import eq, le, lt

from router.sql.comparing.normal_form import Key, RowKeys
from router.sql.comparing.plan import OPPOSITE, Row, Which
from router.sql.comparing.report import Tally
from router.sql.databases.row_weight import row_weight

_BLOCK_ROWS = 100

# The rows of one side on their way to the comparison: their order is proved, and keys that come twice are marked.


class Unordered(Exception):
    """The keys of a side went down: it has to be sorted here."""

    def __init__(self, side: Which) -> None:
        super().__init__(side)
        self.side = side


class RowStream:
    """Ordered rows; those at hand are `rows[at:]`.

    Their `order` has all values that they are sorted by, their `keys` those that partners have in common.
    """

    def __init__(self, side: Which, batches: Iterator[list[Row]], keys: RowKeys, in_key: int | None = None) -> None:
        """Take batches of rows in the order of `keys`, of which the first `in_key` values (or all) are in a key."""
        self._side, self._batches, self._row_keys = side, batches, keys
        self._key_parts = None if in_key is None else 2 * in_key
        self.rows: list[Row] = []
        self.order: list[Key] = []
        self.keys: list[Key] = []
        self.at = 0
        self._unique = self._ended = False

    def fill(self) -> bool:
        """Have the next row at hand, and the one behind it; return whether there is any.

        Raises Unordered, and what the session raises.
        """
        while self.at + 1 >= len(self.rows) and not self._ended:
            batch = next(self._batches, None)
            if batch is None:
                self._ended = True
            elif batch:
                self._extend(batch)
        return self.at < len(self.rows)

    def has(self, key: Key) -> bool:
        """Return whether the next row has this key."""
        return self.fill() and self.keys[self.at] == key

    def is_twice(self) -> bool:
        """Return whether the row behind the next one has its key."""
        return self.at + 1 < len(self.keys) and self.keys[self.at] == self.keys[self.at + 1]

    def take(self) -> Row:
        """Return the next row, and go on to the one behind it."""
        self.at += 1
        return self.rows[self.at - 1]

    def block(self) -> list[Row]:
        """Return some of the next rows, as far as it is known that their keys are there once."""
        end = len(self.rows) if self._ended else len(self.rows) - 1  # the last one's may be there in the next batch
        return self.rows[self.at : min(end, self.at + _BLOCK_ROWS)] if self._unique else []

    def _extend(self, batch: list[Row]) -> None:
        self.rows = self.rows[self.at :] + batch
        self.order = self.order[self.at :] + self._row_keys.of(batch)
        self.keys = self.order if self._key_parts is None else [key[: self._key_parts] for key in self.order]
        self.at = 0
        self._unique = all(map(lt, self.keys, islice(self.keys, 1, None)))
        if not self._unique and not all(map(le, self.order, islice(self.order, 1, None))):
            raise Unordered(self._side)


# Keys that several rows have: equal rows are paired, then those that are near; the others have no partner.

WAITING_MAX_BYTES = 4_000_000
"""So much the rows of a side weigh that wait at once; the oldest is then told of as one that has no partner."""

WAITING_ROW_BYTES = 1000
"""The weight of a row that waits, besides that of its values."""

TRIED_PARTNERS_MAX = 20
"""So many of the other side's rows are looked at for one that is near."""


class _Waiting:
    """Rows of one side that wait for a partner, by the keys of all their values."""

    def __init__(self) -> None:
        self.rows: dict[Key, list[Row]] = {}
        self._bytes = 0

    @property
    def too_many(self) -> bool:
        """True if they weigh more than they may."""
        return self._bytes > WAITING_MAX_BYTES and len(self.rows) > 1

    def add(self, key: Key, row: Row) -> None:
        self.rows.setdefault(key, []).append(row)
        self._bytes += row_weight(row) + WAITING_ROW_BYTES

    def take(self, key: Key) -> Row:
        """Return a row with this key, which waits no longer."""
        row = self.rows[key].pop()
        self._bytes -= row_weight(row) + WAITING_ROW_BYTES
        if not self.rows[key]:
            del self.rows[key]
        return row


class KeyGroup:
    """Pairs the rows of one key one to one, in bounded memory.

    Without `whole`, rows come in the order of all their values, so that the lowest that waits has the lowest partner;
    else `whole` makes the keys of all values.
    """

    def __init__(self, tally: Tally, whole: RowKeys | None) -> None:
        self._tally, self._whole = tally, whole
        self._waiting: dict[Which, _Waiting] = {"left": _Waiting(), "right": _Waiting()}

    def add(self, which: Which, row: Row, order: Key) -> None:
        """Take a row of a side, with the key that it was sorted by."""
        key = order if self._whole is None else self._whole.of([row])[0]
        own, others = self._waiting[which], self._waiting[OPPOSITE[which]]
        if key in others.rows:
            self._meet(which, row, others.take(key))
            return
        own.add(key, row)
        while own.too_many:
            self._give_up(self._lowest() if self._whole is None else which)

    def finish(self) -> None:
        """Pair what is near, and tell of the rest."""
        while any(side.rows for side in self._waiting.values()):
            self._give_up(self._lowest())

    def _lowest(self) -> Which:
        """Return the side whose oldest row has the lower key."""
        oldest = [(next(iter(side.rows)), which) for which, side in self._waiting.items() if side.rows]
        return min(oldest)[1]

    def _give_up(self, which: Which) -> None:
        """Pair the oldest row of a side with one that is near, or tell that there is none."""
        own, others = self._waiting[which], self._waiting[OPPOSITE[which]]
        row = own.take(next(iter(own.rows)))
        for key, candidates in islice(others.rows.items(), TRIED_PARTNERS_MAX):
            differing = self._tally.first_differing(row, candidates[-1])
            if differing is None:
                self._meet(which, row, others.take(key))
                return
            if self._whole is None and differing == self._tally.judged[0]:
                break  # the next ones are farther still
        self._tally.alone(which, row, duplicate=True)

    def _meet(self, which: Which, row: Row, other: Row) -> None:
        self._tally.identical(*((row, other) if which == "left" else (other, row)))


def merge(left: RowStream, right: RowStream, tally: Tally, whole: RowKeys | None = None) -> None:
    """Pair the rows of two sides by their keys, and count each for what it is.

    `whole` makes the keys of all values of a row if the streams are sorted by less than that.
    """
    streams: tuple[tuple[Which, RowStream], ...] = ("left", left), ("right", right)
    while (more_left := left.fill()) | (more_right := right.fill()):
        if more_left and more_right and tally.quiet and _pass_equal(left, right, tally):
            continue
        key = min(stream.keys[stream.at] for _, stream in streams if stream.fill())
        heads = [(which, stream) for which, stream in streams if stream.has(key)]
        if any(stream.is_twice() for _, stream in heads):
            tally.duplicates += 1
            _pair_group(left, right, key, tally, whole)
        elif len(heads) == len(streams):
            tally.pair(left.take(), right.take())
        else:
            for which, stream in heads:
                tally.alone(which, stream.take())


def _pass_equal(left: RowStream, right: RowStream, tally: Tally) -> int:
    """Count the next rows that are equal and have keys of their own, as most rows are; return how many they are."""
    equal: Iterator[bool] = starmap(eq, zip(left.block(), right.block(), strict=False))
    count = sum(takewhile(bool, equal))
    tally.counts["identical"] += count
    left.at += count
    right.at += count
    return count


def _pair_group(left: RowStream, right: RowStream, key: Key, tally: Tally, whole: RowKeys | None) -> None:
    """Pair the rows of a key that one side has more than once, in the order that they come in."""
    group = KeyGroup(tally, whole)
    while (more_left := left.has(key)) | (more_right := right.has(key)):
        if more_left and more_right and left.rows[left.at] == right.rows[right.at]:
            tally.identical(left.take(), right.take())
            continue
        mine = left.order[left.at] if more_left else None
        its = right.order[right.at] if more_right else None
        if mine is not None and (its is None or mine <= its):
            group.add("left", left.take(), mine)
        if its is not None and (mine is None or its <= mine):
            group.add("right", right.take(), its)
    group.finish()
