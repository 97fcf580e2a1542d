"""How far a run is, on the terminal."""

import sys
import time
from collections.abc import Iterable

from bot.evaluation.answers import Answer


class Bar:
    """How far a run is, in one line that is written over."""

    def __init__(self, total: int, before: Iterable[Answer]) -> None:
        self._total, self._before, self._began = total, len(list(before)), time.monotonic()

    def draw(self, answers: Iterable[Answer]) -> None:
        """Say how many are answered, and how many of them rightly."""
        given = list(answers)
        asked = len(given) - self._before
        if not asked or not sys.stderr.isatty():
            return
        left = (time.monotonic() - self._began) / asked * (self._total - len(given))
        right = sum(answer.right for answer in given) / len(given)
        text = f"{len(given)} of {self._total}, {right:.0%} right, {left / 60:.0f} minutes to go"
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
