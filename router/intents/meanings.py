"""What a sentence wants by the vectors that a model makes of it and of some examples; words decide where it cannot."""

import math
from collections import defaultdict
from collections.abc import Sequence

from router.intents.categories import Category
from router.intents.linear import CATEGORIES
from router.intents.near import Other
from router.intents.sentences import Example
from router.knowledge.vectors import Vectors

EACH = 40
"""Examples of a category that are compared with, besides all of the house's own."""

LEAST = 0.4
"""Those that are less alike say nothing."""

VOTERS = 12
FALLING = 18.0
"""How much less an example counts that is less alike than the nearest."""

WEIGHT = 0.4
"""How much vectors count beside words."""


class Meanings:
    """Compares a sentence with examples by vectors of one model."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self._known: tuple[Sequence[Example], list[Example]] = ((), [])

    def __call__(self, text: str, examples: Sequence[Example]) -> Other | None:
        """Return a share for each category; None where no vectors can be had now."""
        of, some = self._known
        if of is not examples:
            some = some_of(examples)
            self._known = examples, some
        found = self._vectors.nearest(text, [each.text for each in some], LEAST)
        if not found:
            return None
        best = found[0][0]
        votes: dict[Category, float] = defaultdict(float)
        for likeness, number in found[:VOTERS]:
            votes[some[number].category] += math.exp(FALLING * (likeness - best))
        total = math.fsum(votes.values())
        return Other([votes[each] / total for each in CATEGORIES], WEIGHT * best)


def some_of(examples: Sequence[Example]) -> list[Example]:
    """Return all own examples, and of each category some of the others, evenly chosen."""
    by_category: dict[Category, list[Example]] = defaultdict(list)
    for each in examples:
        if not each.own:
            by_category[each.category].append(each)
    chosen = [each for each in examples if each.own]
    for found in by_category.values():
        chosen += found[:: max(1, len(found) // EACH)][:EACH]
    return chosen
