"""Texts that are like another one by the TF-IDF weights of their terms."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

Weigh = Callable[[str], Mapping[str, float]]
"""Returns the weight of each term of a text; of any text, their squares add up to 2 at most."""


class NearestTexts:
    """An index of texts; the same for the same texts, in whatever order they come."""

    def __init__(self, texts: Iterable[str], weigh: Weigh) -> None:
        self._weigh = weigh
        self._where: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, text in enumerate(texts):
            for term, weight in weigh(text).items():
                self._where[term].append((number, weight))

    def nearest(self, text: str, least: float = 0.0) -> list[tuple[float, int]]:
        """Return (likeness, number) of the texts that are at least so alike, the nearest first.

        The likeness is the cosine, from 0 to 1: 1 is a text with the same words.
        """
        likeness: dict[int, float] = defaultdict(float)
        for term, weight in self._weigh(text).items():
            for number, other in self._where.get(term, ()):
                likeness[number] += weight * other / 2
        found = ((round(share, 6), number) for number, share in likeness.items())
        return sorted((each for each in found if each[0] >= least), key=lambda each: (-each[0], each[1]))
