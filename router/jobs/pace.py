"""Progress at a pace that a chat bears."""

from collections.abc import Callable
from time import monotonic

PAUSE = 0.5
"""Seconds between two reports."""


def paced(tell: Callable[[int], None], clock: Callable[[], float] = monotonic) -> Callable[[int], None]:
    """Return a function that passes a number of rows on to `tell`, but never two of them within the pause."""
    told = clock()

    def report(rows: int) -> None:
        nonlocal told
        if clock() - told >= PAUSE:
            told = clock()
            tell(rows)

    return report
