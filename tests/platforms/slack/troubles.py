"""Calls that go wrong because a test wants it: the next ones of a method, or some of all, by a seeded chance."""

import random
from collections import defaultdict, deque
from dataclasses import dataclass, field

RANDOM = ("ratelimited", "500", "503", "drop", "lose")


@dataclass(frozen=True, slots=True)
class Trouble:
    """A way in which a call goes wrong.

    `ratelimited` (429 with Retry-After), `500` and `503` are answered before anything is done, `drop` closes the
    connection before anything is done, `lose` does it and then closes the connection, `slow` does it and answers after
    `seconds`. Any other word is the error of an answer with ok: false.
    """

    how: str
    retry_after: int = 1
    seconds: float = 0.0


@dataclass
class Troubles:
    """The calls that are going to go wrong, a queue for each method; `*` is any method."""

    _next: dict[str, deque[Trouble]] = field(default_factory=lambda: defaultdict(deque))
    _rate: float = 0.0
    _chance: random.Random = field(default_factory=random.Random)
    _hows: tuple[Trouble, ...] = ()
    _methods: frozenset[str] = frozenset()

    def add(self, method: str, trouble: Trouble, times: int) -> None:
        """Let the next `times` calls of a method go wrong."""
        self._next[method].extend([trouble] * times)

    def some(self, rate: float, seed: int, hows: tuple[Trouble, ...], methods: tuple[str, ...]) -> None:
        """Let each call go wrong with this chance; without methods, of all methods."""
        self._rate, self._chance, self._hows, self._methods = rate, random.Random(seed), hows, frozenset(methods)

    def take(self, method: str) -> Trouble | None:
        """Return how this call goes wrong, if it does."""
        for name in (method, "*"):
            if self._next[name]:
                return self._next[name].popleft()
        if self._rate and (not self._methods or method in self._methods) and self._chance.random() < self._rate:
            return self._chance.choice(self._hows)
        return None
