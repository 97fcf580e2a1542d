"""The dice of the sample data: one stream a topic, so that a change in one topic leaves the others as they were."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")


def stream(*topic: object) -> Random:
    """Return dice that always fall the same way for the same topic."""
    return Random("/".join(str(part) for part in ("tarn-and-trail", *topic)))  # noqa: S311 - sample data, no secrets


class Urn(Generic[T]):
    """Things that are drawn by weight."""

    def __init__(self, things: Sequence[T], weights: Sequence[float]) -> None:
        self.things = things
        self._sums = list(accumulate(weights))

    def draw(self, dice: Random, first: int | None = None) -> T:
        """Draw one of the `first` things (of all, if None), each as often as its weight says."""
        last = (first or len(self.things)) - 1
        return self.things[bisect_right(self._sums, dice.random() * self._sums[last], 0, last)]
