"""Classifies the intent of a sentence by examples; the same answer for the same sentence, without a model."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from router.knowledge.nearest_texts import NearestTexts
from router.understanding.categories import Category
from router.understanding.scorer import bare, shares, shipped_scorer, tokens
from router.understanding.sentences import ExampleSentence, Sentences, shipped


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """The opinion of something else than words: a share for each category, and its weight (0 to 1)."""

    shares: Sequence[float]
    weight: float


AskOpinion = Callable[[str, Sequence[ExampleSentence]], SecondOpinion | None]
"""Returns what it makes of a sentence among examples; None where it cannot now."""


def weigh(text: str) -> Mapping[str, float]:
    """Return the TF-IDF weights of a text's terms, unknown ones too."""
    return shipped_scorer().vector(text, unknown=True)


_CLASSIFIED_WORD = re.compile(r"[\w*=<>@.'-]*\w[\w*=<>@'-]*|[*=<>]+")

CATEGORIES = tuple(Category)

SAME_SENTENCE_CONFIDENCE = 0.98
"""The confidence where the very sentence is an example."""

WORDS_ALONE_CONFIDENCE = 0.85
"""From this confidence of the words on, nothing else is asked."""

SCHEMA_NAME_SCORE = 0.1
"""The score that one name of a table or a column adds to questions about the data."""

OWN_LIKENESS_MIN, OWN_LIKENESS_FULL = 0.25, 0.75
"""An own example less like a sentence than the first counts nothing, one more like it than the second decides alone."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A category with its share of the confidence."""

    category: Category
    share: float


@dataclass(frozen=True, slots=True)
class Classification:
    """The intent of a sentence: the category with the largest share, and all of them in order.

    `intent` is None where the sentence says nothing at all.
    """

    intent: Category | None
    confidence: float
    ranked: tuple[Scored, ...] = ()


class Classifier:
    """Tells what sentences want, by weights made of the shipped examples; an `own` one near it counts more."""

    def __init__(self, own: Sentences | None = None, likely: AskOpinion | None = None) -> None:
        own = own or Sentences()
        self.own = own.examples
        self.thresholds: Mapping[Category, float] = own.thresholds
        self._same = {_key(each.text): each for each in own.examples}
        self._near, self._likely = NearestTexts((each.text for each in own.examples), weigh), likely

    @cached_property
    def examples(self) -> tuple[ExampleSentence, ...]:
        """All examples; those that are shipped are read when somebody wants to see them, as a talk needs none."""
        return (*shipped(), *self.own)

    def classify(self, text: str, names: frozenset[str] = frozenset()) -> Classification:
        """Return what a sentence wants; `names`: words of known tables and columns, in lower case."""
        if not text.strip():
            return Classification(None, 0.0)
        shared = self._shares(text, names)
        # Vectors cost a request: they are asked for where the words leave a doubt.
        if self._likely and max(shared) < WORDS_ALONE_CONFIDENCE and (others := self._likely(text, self.examples)):
            shared = [(1 - others.weight) * one + others.weight * others.shares[at] for at, one in enumerate(shared)]
        key = _key(text)
        if same := self._same.get(key):
            shared = _surely(same.category, shared)
        ranked = sorted(
            (Scored(category, share) for category, share in zip(CATEGORIES, shared, strict=True)),
            key=lambda each: (-each.share, each.category),
        )
        return Classification(ranked[0].category, round(ranked[0].share, 4), tuple(ranked))

    def prepare(self) -> None:
        """Have vectors made of the examples, where some model makes any; returns at once."""
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
        scores = [scored[scorer.labels.index(category)] for category in CATEGORIES]
        if names:
            named = sum(word in names for word in set(tokens(bare(text))))
            scores[CATEGORIES.index(Category.ASK_DATA)] += SCHEMA_NAME_SCORE * min(named, 3)
        shared = shares(scores, scorer.sharpness)
        for likeness, number in self._near.nearest(text)[:1]:
            example = self.own[number]
            weight = min(max((likeness - OWN_LIKENESS_MIN) / (OWN_LIKENESS_FULL - OWN_LIKENESS_MIN), 0.0), 1.0)
            shared = [
                weight * (category == example.category) + (1 - weight) * share
                for category, share in zip(CATEGORIES, shared, strict=True)
            ]
        return shared


def _is_code(word: str) -> bool:
    """Return whether a word is one of letters and digits that is not known: its pieces say nothing."""
    mixed = any(map(str.isdigit, word)) and any(map(str.isalpha, word))
    return mixed and not any(map(shipped_scorer().knows, tokens(bare(word))))


def _key(text: str) -> str:
    """Return what is the same for sentences with the same words; text without any is its own key."""
    return " ".join(_CLASSIFIED_WORD.findall(bare(text))) or text.strip()


def _surely(category: Category, shared: Sequence[float]) -> list[float]:
    """Return shares with this category before all others, which keep their order."""
    others = sum(share for at, share in enumerate(shared) if CATEGORIES[at] != category) or 1.0
    return [
        SAME_SENTENCE_CONFIDENCE if CATEGORIES[at] == category else (1 - SAME_SENTENCE_CONFIDENCE) * share / others
        for at, share in enumerate(shared)
    ]
