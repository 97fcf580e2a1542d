"""How many requests of one token are worked on at once, so that no program takes all threads for itself."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from adapters.api.problems import Refused


class Crowd:
    """Requests that are worked on now, by token; used by one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return how many tokens have requests inside."""
        return len(self._inside)

    @contextmanager
    def enter(self, name: str) -> Iterator[None]:
        """Count one until the end of the block; raises Refused where there are too many."""
        if self._inside[name] >= self._most:
            raise Refused(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"{self._most} requests by this token are being answered. Send this one again in a moment.",
                headers={"Retry-After": "1"},
            )
        self._inside[name] += 1
        try:
            yield
        finally:
            self._inside[name] -= 1
            if not self._inside[name]:
                del self._inside[name]
