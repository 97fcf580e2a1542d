"""A dict of limited size, for what is worth remembering for a while."""

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

CACHE_ENTRIES_MAX = 10_000


class BoundedCache(dict[K, V]):
    """A dict that forgets its oldest entries beyond the last `most`; writing one again makes it young again."""

    def __init__(self, most: int = CACHE_ENTRIES_MAX) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._most:
            del self[next(iter(self))]
