"""The merge of two ordered streams: rows with one key are paired; equal or near ones where a key has several."""

from collections.abc import Iterator
from itertools import islice
from operator import lt

from router.sql.comparing.normal_form import Key, RowKeys
from router.sql.comparing.plan import OPPOSITE, Row, Which
from router.sql.comparing.report import Tally
from router.sql.databases.row_weight import row_weight

# The rows of one side on their way to the comparison: their order is proved, and keys that come twice are marked.


class Unordered(Exception):
    """The keys of a side went down: it has to be sorted here."""

    def __init__(self, side: Which) -> None:
        super().__init__(side)
        self.side = side


class RowStream:
    """Ordered rows; those at hand are `rows[at:]`.

    Their `order` has all values that they are sorted by, their `keys` those that partners have in common; `twice` says
    whether a neighbour has the same key.
    """

    def __init__(self, side: Which, batches: Iterator[list[Row]], keys: RowKeys, in_key: int | None = None) -> None:
        """Take batches of rows in the order of `keys`, of which the first `in_key` values (or all) are in a key."""
        self._side, self._batches, self._row_keys = side, batches, keys
        self._key_parts = None if in_key is None else 2 * in_key
        self.rows: list[Row] = []
        self.order: list[Key] = []
        self.keys: list[Key] = []
        self.twice = bytearray()
        self.at = 0
        self._held: tuple[list[Row], list[Key], int] = [], [], 0
        """The last row that came, which waits for the next one, to know whether that has its key."""

    def fill(self) -> bool:
        """Have rows at hand, and return whether there are any; raises Unordered, and what the session raises."""
        while self.at >= len(self.rows):
            batch = next(self._batches, None)
            if batch is None:
                rows, order, twice = self._held
                self._held = [], [], 0
                self._set(rows, order, bytearray((twice,)))
                return bool(rows)
            if batch:
                self._extend(batch)
        return True

    def has(self, key: Key) -> bool:
        """Return whether the next row has this key."""
        return self.fill() and self.keys[self.at] == key

    def take(self) -> Row:
        """Return the next row, and go on to the one behind it."""
        self.at += 1
        return self.rows[self.at - 1]

    def _set(self, rows: list[Row], order: list[Key], twice: bytearray) -> None:
        self.rows, self.order, self.twice, self.at = rows, order, twice, 0
        self.keys = order if self._key_parts is None else [key[: self._key_parts] for key in order]

    def _extend(self, batch: list[Row]) -> None:
        """Put the row that waited and a batch at hand, but for its last row."""
        held_rows, held_order, held_twice = self._held
        rows, order = held_rows + batch, held_order + self._row_keys.of(batch)
        self._set(rows, order, bytearray(len(rows)))
        self.twice[0] = held_twice
        if not all(map(lt, self.keys, islice(self.keys, 1, None))):
            self._mark()
        self._held = [rows.pop()], [order.pop()], self.twice[-1]

    def _mark(self) -> None:
        for place in range(1, len(self.keys)):
            if self.order[place - 1] > self.order[place]:
                raise Unordered(self._side)
            if self.keys[place - 1] == self.keys[place]:
                self.twice[place - 1] = self.twice[place] = True


# Keys that several rows have: equal rows are paired, then those that are near; the others have no partner.

WAITING_ROWS_MAX = 2000
"""So many rows of a side wait at once; the oldest is then told of as one that has no partner."""

WAITING_MAX_BYTES = 16_000_000
"""So much these rows weigh at most."""

TRIED_PARTNERS_MAX = 50
"""So many of the other side's rows are looked at for one that is near."""


class _Waiting:
    """Rows of one side that wait for a partner, by their whole keys."""

    def __init__(self) -> None:
        self._rows: dict[Key, list[Row]] = {}
        self._count = self._bytes = 0

    @property
    def oldest(self) -> Key | None:
        """The key that has waited longest."""
        return next(iter(self._rows), None)

    @property
    def too_many(self) -> bool:
        """True where they take more room than they may."""
        return self._count > WAITING_ROWS_MAX or (self._bytes > WAITING_MAX_BYTES and self._count > 1)

    def add(self, key: Key, row: Row) -> None:
        self._rows.setdefault(key, []).append(row)
        self._count += 1
        self._bytes += row_weight(row)

    def take(self, key: Key) -> Row | None:
        """Return a row with this key, which waits no longer; None where there is none."""
        rows = self._rows.get(key)
        if rows is None:
            return None
        row = rows.pop()
        self._count -= 1
        self._bytes -= row_weight(row)
        if not rows:
            del self._rows[key]
        return row

    def first(self, most: int) -> Iterator[tuple[Key, Row]]:
        """Give those that have waited longest, one of each key."""
        return ((key, rows[-1]) for key, rows in islice(self._rows.items(), most))


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
        partner = self._waiting[OPPOSITE[which]].take(key)
        if partner is not None:
            self._meet(which, row, partner)
            return
        own = self._waiting[which]
        own.add(key, row)
        while own.too_many:
            self._give_up(self._lowest() if self._whole is None else which)

    def finish(self) -> None:
        """Pair what is near, and tell of the rest."""
        while any(side.oldest is not None for side in self._waiting.values()):
            self._give_up(self._lowest())

    def _lowest(self) -> Which:
        left, right = self._waiting["left"].oldest, self._waiting["right"].oldest
        return "right" if left is None or (right is not None and right < left) else "left"

    def _give_up(self, which: Which) -> None:
        """Pair the oldest row of a side with one that is near, or tell that there is none."""
        own, others = self._waiting[which], self._waiting[OPPOSITE[which]]
        oldest = own.oldest
        row = own.take(oldest) if oldest is not None else None
        if row is None:
            return
        for key, other in others.first(TRIED_PARTNERS_MAX):
            differing = self._tally.first_differing(row, other)
            if differing is None:
                others.take(key)
                self._meet(which, row, other)
                return
            if self._whole is None and differing == self._tally.judged[0]:
                break  # the next ones are farther still
        self._tally.alone(which, row, duplicate=True)

    def _meet(self, which: Which, row: Row, other: Row) -> None:
        self._tally.identical(*((row, other) if which == "left" else (other, row)))


_BLOCK_ROWS = 100


def merge(left: RowStream, right: RowStream, tally: Tally, whole: RowKeys | None = None) -> None:
    """Pair the rows of two sides by their keys, and count each for what it is.

    `whole` makes the keys of all values of a row where the streams are sorted by less than that.
    """
    streams: tuple[tuple[Which, RowStream], ...] = ("left", left), ("right", right)
    while (more_left := left.fill()) | (more_right := right.fill()):
        if more_left and more_right and _meet_next(left, right, tally):
            continue
        key = min(stream.keys[stream.at] for _, stream in streams if stream.fill())
        heads = [(which, stream) for which, stream in streams if stream.has(key)]
        if any(stream.twice[stream.at] for _, stream in heads):
            tally.duplicates += 1
            _pair_group(left, right, key, tally, whole)
        else:
            for which, stream in heads:
                tally.alone(which, stream.take())


def _meet_next(left: RowStream, right: RowStream, tally: Tally) -> bool:
    """Pair the next rows, if their key is there once on both sides; return whether it is. Most rows need no more."""
    if tally.quiet and (passed := _pass_equal(left, right)):
        tally.counts["identical"] += passed
        return True
    if left.keys[left.at] != right.keys[right.at] or left.twice[left.at] or right.twice[right.at]:
        return False
    tally.pair(left.take(), right.take())
    return True


def _pass_equal(left: RowStream, right: RowStream) -> int:
    """Pass over the next rows that are equal, at once, which costs next to nothing; return how many."""
    if left.rows[left.at] != right.rows[right.at]:
        return 0
    lefts, rights = (stream.rows[stream.at : stream.at + _BLOCK_ROWS] for stream in (left, right))
    count = min(len(lefts), len(rights))
    if lefts != rights:
        pairs = enumerate(zip(lefts, rights, strict=False))
        count = next((place for place, (mine, its) in pairs if mine != its), count)
    for stream in (left, right):
        marked = stream.twice.find(1, stream.at, stream.at + count)
        count = count if marked < 0 else marked - stream.at
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
