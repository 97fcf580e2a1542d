"""Classifies the intent of a sentence by examples; the same answer for the same sentence, without a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from router.knowledge.nearest_texts import NearestTexts
from router.understanding.categories import Category
from router.understanding.scorer import bare, shares, shipped_scorer, tokens
from router.understanding.sentences import ExampleSentence, Sentences, shipped

CONFIDENCE_MIN: Final = 0.65
"""The confidence from which the bot acts on a category that has no threshold of its own."""

TIE_RATIO: Final = 0.8
"""Two categories are as likely as each other if the second has so much of the first one's share."""

OFFERED_MIN, OFFERED_MAX = 2, 3
THIRD_OPTION_SHARE_MIN: Final = 0.08
"""A third thing is offered if it is at least so likely."""

WORDS_ALONE_CONFIDENCE: Final = 0.85
"""From this confidence of the words on, nothing else is asked."""

SCHEMA_NAME_SCORE: Final = 0.1
"""The score that one name of a table or a column adds to questions about the data."""

OWN_LIKENESS_MIN, OWN_LIKENESS_FULL = 0.25, 0.75
"""An own example less like a sentence than the first counts nothing, one more like it than the second decides alone."""


def weigh(text: str) -> Mapping[str, float]:
    """Return the TF-IDF weights of a text's terms, unknown ones too."""
    return shipped_scorer().vector(text, unknown=True)


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """The opinion of something else than words: a share for each category, and its weight (0 to 1)."""

    shares: Sequence[float]
    weight: float


AskOpinion = Callable[[str, Sequence[ExampleSentence]], SecondOpinion | None]
"""Returns what it makes of a sentence among examples; None if it cannot now."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A category with its share of the confidence."""

    category: Category
    share: float


@dataclass(frozen=True, slots=True)
class IntentDecision:
    """The category to act on and how sure that is; None if it is in doubt. All are `ranked`, the likeliest first."""

    category: Category | None
    confidence: float
    ranked: tuple[Scored, ...] = ()

    @property
    def likely(self) -> Category | None:
        """The category that comes nearest, however unsure that is; None if nothing does."""
        return self.ranked[0].category if self.ranked else self.category

    @property
    def options(self) -> tuple[Category, ...]:
        """The categories to offer if it is in doubt, the likeliest first."""
        offered = self.ranked[: 0 if self.category else OFFERED_MAX]
        return tuple(
            e.category for at, e in enumerate(offered) if at < OFFERED_MIN or e.share >= THIRD_OPTION_SHARE_MIN
        )


class Classifier:
    """Classifies sentences by weights trained on the shipped examples; an `own` example nearby counts more."""

    def __init__(self, own: Sentences | None = None, likely: AskOpinion | None = None) -> None:
        own = own or Sentences()
        self.own = own.examples
        self.thresholds: Mapping[Category, float] = own.thresholds
        self._near = NearestTexts((each.text for each in own.examples), weigh)
        self._likely = likely

    @cached_property
    def examples(self) -> tuple[ExampleSentence, ...]:
        """All examples; those that are shipped are read when somebody wants to see them, as a talk needs none."""
        return (*shipped(), *self.own)

    def decide(
        self, text: str, names: frozenset[str] = frozenset(), barred: frozenset[Category] = frozenset()
    ) -> IntentDecision:
        """Return what to do with a sentence if some categories make no sense.

        `names`: words of known tables and columns, in lower case. A change of the last question is a question of its
        own, if there is none to be changed; so is what was surely any of the barred ones.
        """
        if not text.strip():
            return IntentDecision(None, 0.0)
        shared = self._shares(text, names)
        # Vectors cost a request, which is made only if the words leave a doubt.
        if self._likely and max(shared) < WORDS_ALONE_CONFIDENCE and (others := self._likely(text, self.examples)):
            shared = [(1 - others.weight) * one + others.weight * others.shares[at] for at, one in enumerate(shared)]
        left = dict(zip(Category, shared, strict=True))
        for category in barred:
            share = left.pop(category)
            if category == Category.REFINE_QUESTION or share >= CONFIDENCE_MIN:
                left[Category.ASK_DATA] += share
        total = sum(left.values())
        scored = (Scored(category, share / total) for category, share in left.items())
        ranked = sorted(scored, key=lambda each: (-each.share, each.category))
        first, second = ranked[:2]
        sure = first.share >= self.thresholds.get(first.category, CONFIDENCE_MIN)
        tie = second.share > TIE_RATIO * first.share
        return IntentDecision(first.category if sure and not tie else None, round(first.share, 4), tuple(ranked))

    def prepare(self) -> None:
        """Have vectors made of the examples, if some model makes any; returns at once."""
        if self._likely:
            self._likely(self.examples[0].text, self.examples)

    def nearest(self, text: str, category: Category, most: int) -> list[ExampleSentence]:
        """Return the examples of a category that are most like a sentence, the nearest first."""
        of_it = [each for each in self.examples if each.category == category]
        found = NearestTexts((each.text for each in of_it), weigh).nearest(text)
        return [of_it[number] for _, number in found[:most]]

    def _shares(self, text: str, names: frozenset[str]) -> list[float]:
        scorer = shipped_scorer()
        scored = scorer.scores(" ".join(word for word in text.split() if not _is_code(word)) or text)
        scores = {category: scored[scorer.labels.index(category)] for category in Category}
        if names:
            named = sum(word in names for word in set(tokens(bare(text))))
            scores[Category.ASK_DATA] += SCHEMA_NAME_SCORE * min(named, 3)
        shared = shares(list(scores.values()), scorer.sharpness)
        if not (near := self._near.nearest(text)):
            return shared
        likeness, at = near[0]
        weight = min(max((likeness - OWN_LIKENESS_MIN) / (OWN_LIKENESS_FULL - OWN_LIKENESS_MIN), 0.0), 1.0)
        nearest = self.own[at].category
        return [weight * (each == nearest) + (1 - weight) * one for each, one in zip(Category, shared, strict=True)]


def _is_code(word: str) -> bool:
    """Return whether a word is one of letters and digits that is not known: its pieces say nothing."""
    mixed = any(map(str.isdigit, word)) and any(map(str.isalpha, word))
    return mixed and not any(map(shipped_scorer().knows, tokens(bare(word))))
