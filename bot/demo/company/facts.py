"""The facts about the sample company, and its dice: one stream a topic, so that a change leaves other topics alone."""

import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, Generic, TypeVar

T = TypeVar("T")

FACTS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("company.toml").read_text(encoding="utf-8"))


def read_facts(topic: str, kind: Callable[..., T]) -> tuple[T, ...]:
    """Return what is made of each fact of a topic, with ids from 1 on."""
    return tuple(kind(id=number, **fact) for number, fact in enumerate(FACTS[topic], 1))


def stream(*topic: object) -> Random:
    """Return dice that always fall the same way for the same topic."""
    return Random("/".join(str(part) for part in ("tarn-and-trail", *topic)))  # noqa: S311 - sample data, no secrets


def days_of(first: date, today: date) -> Iterator[date]:
    """Yield every day from the first to the last one."""
    for ago in range((today - first).days + 1):
        yield first + timedelta(ago)


class Urn(Generic[T]):
    """Things that are drawn by weight."""

    def __init__(self, things: Sequence[T], weights: Sequence[float]) -> None:
        self.things = things
        self._sums = list(accumulate(weights))

    def draw(self, dice: Random, first: int | None = None) -> T:
        """Draw one of the `first` things (of all, if None), each as often as its weight says."""
        last = (first or len(self.things)) - 1
        return self.things[bisect_right(self._sums, dice.random() * self._sums[last], 0, last)]


def urn_of(topic: str) -> Urn[Any]:
    """Return the urn of the facts about what is drawn."""
    return Urn(**FACTS["chances"][topic])
