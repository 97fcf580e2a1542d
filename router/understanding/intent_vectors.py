"""Compares a sentence with examples by the vectors of an embedding model; words decide where there are none."""

import math
from collections import defaultdict
from collections.abc import Sequence

from router.knowledge.embeddings import Vectors
from router.understanding.categories import Category
from router.understanding.classifier import SecondOpinion
from router.understanding.sentences import ExampleSentence

EXAMPLES_PER_CATEGORY = 40
"""Examples of a category that are compared with, besides all of the site's own."""

VECTOR_LIKENESS_MIN = 0.4
"""Those that are less alike say nothing."""

VOTERS_MAX = 12
VOTE_DECAY = 18.0
"""The exponential fall of an example's vote with its distance from the nearest."""

VECTORS_WEIGHT = 0.4
"""The weight of vectors beside words."""


class IntentVectors:
    """Compares a sentence with examples by vectors of one model."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self._known: tuple[Sequence[ExampleSentence], list[ExampleSentence]] = ((), [])

    def __call__(self, text: str, examples: Sequence[ExampleSentence]) -> SecondOpinion | None:
        """Return a share for each category; None where no vectors can be had now."""
        of, some = self._known
        if of is not examples:
            some = some_of(examples)
            self._known = examples, some
        found = self._vectors.nearest(text, [each.text for each in some], VECTOR_LIKENESS_MIN)
        if not found:
            return None
        best = found[0][0]
        votes: dict[Category, float] = defaultdict(float)
        for likeness, number in found[:VOTERS_MAX]:
            votes[some[number].category] += math.exp(VOTE_DECAY * (likeness - best))
        total = math.fsum(votes.values())
        return SecondOpinion([votes[each] / total for each in Category], VECTORS_WEIGHT * best)


def some_of(examples: Sequence[ExampleSentence]) -> list[ExampleSentence]:
    """Return all own examples, and of each category some of the others, evenly chosen."""
    by_category: dict[Category, list[ExampleSentence]] = defaultdict(list)
    for each in examples:
        if not each.own:
            by_category[each.category].append(each)
    chosen = [each for each in examples if each.own]
    for found in by_category.values():
        chosen += found[:: max(1, len(found) // EXAMPLES_PER_CATEGORY)][:EXAMPLES_PER_CATEGORY]
    return chosen
