"""The rows of one side on their way to the comparison: their order is proved, and keys that come twice are marked."""

from collections.abc import Iterator
from itertools import islice
from operator import lt

from router.sql.comparing.normal_form import Key, RowKeys
from router.sql.comparing.plan import Row, Which


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
