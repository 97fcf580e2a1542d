"""Compares a sentence with examples by the vectors of an embedding model; words decide if there are none."""

import math
from collections import defaultdict
from collections.abc import Sequence

from router.knowledge.embeddings import Vectors
from router.understanding.categories import Category
from router.understanding.classifier import SecondOpinion
from router.understanding.sentences import ExampleSentence

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

    def __call__(self, text: str, examples: Sequence[ExampleSentence]) -> SecondOpinion | None:
        """Return a share for each category; None if no vectors can be had now."""
        found = self._vectors.nearest(text, [each.text for each in examples], VECTOR_LIKENESS_MIN)
        if not found:
            return None
        best = found[0][0]
        votes: dict[Category, float] = defaultdict(float)
        for likeness, number in found[:VOTERS_MAX]:
            votes[examples[number].category] += math.exp(VOTE_DECAY * (likeness - best))
        total = math.fsum(votes.values())
        return SecondOpinion([votes[each] / total for each in Category], VECTORS_WEIGHT * best)
