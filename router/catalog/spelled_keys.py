"""Texts of one length in their order, found by how they begin and how they end."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence

_LAST = "\U0010ffff"


class Keys:
    """Keys of one length, each with a number; four bytes a key for the way by its end."""

    def __init__(self, numbered: Sequence[tuple[str, int]]) -> None:
        ordered = sorted(numbered)
        self._keys = [key for key, _ in ordered]
        self._numbers = array("I", (number for _, number in ordered))
        reverse = [key[::-1] for key in self._keys]
        self._backwards = array("I", sorted(range(len(reverse)), key=reverse.__getitem__))

    def same(self, key: str) -> Iterator[int]:
        """Yield the numbers of a key."""
        at = bisect_left(self._keys, key)
        while at < len(self._keys) and self._keys[at] == key:
            yield self._numbers[at]
            at += 1

    def beginning(self, start: str) -> Iterator[tuple[str, int]]:
        """Yield the keys that begin like this, with their numbers."""
        for at in range(bisect_left(self._keys, start), bisect_left(self._keys, start + _LAST)):
            yield self._keys[at], self._numbers[at]

    def ending(self, end: str) -> Iterator[tuple[str, int]]:
        """Yield the keys that end like this, with their numbers."""
        start = end[::-1]
        first, last = (bisect_left(self._backwards, each, key=self._reversed) for each in (start, start + _LAST))
        for place in self._backwards[first:last]:
            yield self._keys[place], self._numbers[place]

    def _reversed(self, place: int) -> str:
        return self._keys[place][::-1]
