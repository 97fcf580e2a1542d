"""What a sentence wants, told by examples; the same answer for the same sentence, without a model."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from router.intents.categories import Category
from router.intents.features import grouped
from router.intents.learning import adapted
from router.intents.linear import CATEGORIES, Weights, read, shares
from router.intents.masks import masked, plain, tokens
from router.intents.near import Likely, Near
from router.intents.sentences import Example, Sentences, shipped, shipped_sentences

_WORD = re.compile(r"[\w*=<>@.'-]*\w[\w*=<>@'-]*|[*=<>]+")

SHARPNESS = 1.1
"""How much the shares of the weights are drawn apart, so that what is said with 0.9 is right nine times of ten."""

KNOWN = 0.98
"""How sure it is where the very sentence is an example."""

SURE = 0.85
"""Where the words are so sure, nothing else is asked."""

NAME = 0.35
"""What one name of a table or a column says for a question about the data, as a logarithm."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A category with its share of the confidence."""

    category: Category
    share: float


@dataclass(frozen=True, slots=True)
class Classification:
    """What a sentence wants: the category with the largest share, and all of them in order.

    `intent` is None where the sentence says nothing at all.
    """

    intent: Category | None
    confidence: float
    ranked: tuple[Scored, ...] = ()


class Classifier:
    """Tells what sentences want, by weights made of examples; `own` are added to those that are shipped."""

    def __init__(self, own: Sentences | None = None, likely: Likely | None = None) -> None:
        own = own or Sentences()
        known = shipped_sentences()
        self.own = own.examples
        self.examples: tuple[Example, ...] = (*known.examples, *own.examples)
        self.thresholds: Mapping[Category, float] = {**known.thresholds, **own.thresholds}
        self._same = {_key(each.text): each for each in own.examples}
        taught = [(each.text, each.category) for each in own.examples]
        self._weights = adapted(shipped_weights(), taught) if taught else shipped_weights()
        self._near, self._likely = Near(own.examples), likely

    def classify(self, text: str, names: frozenset[str] = frozenset()) -> Classification:
        """Return what a sentence wants; `names`: words of known tables and columns, in lower case."""
        if not text.strip():
            return Classification(None, 0.0)
        shared = self._shares(text, names)
        # Vectors cost a request: they are asked for where the words leave a doubt.
        if self._likely and max(shared) < SURE and (others := self._likely(text, self.examples)):
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

    def nearest(self, text: str, category: Category, most: int) -> list[Example]:
        """Return the examples of a category that are most like a sentence, the nearest first."""
        found = [*self._near.several(text, category, most), *shipped_index().several(text, category, most)]
        return [each for _, each in sorted(found, key=lambda each: -each[0])[:most]]

    def _shares(self, text: str, names: frozenset[str]) -> list[float]:
        scores = self._weights.scores(grouped(text))
        if names:
            named = sum(word in names for word in set(tokens(masked(plain(text)))))
            scores[CATEGORIES.index(Category.ASK_DATA)] += NAME * min(named, 3)
        return shares(scores, SHARPNESS)


@cache
def shipped_weights() -> Weights:
    """Return the weights that are shipped."""
    return read(files("router.intents").joinpath("weights.txt").read_text(encoding="utf-8"))[0]


@cache
def shipped_index() -> Near:
    """Return the shipped examples by their words; made when somebody wants to see them, as a talk needs none."""
    return Near(shipped())


def _key(text: str) -> str:
    """Return what is the same for sentences with the same words; text without any is its own key."""
    return " ".join(_WORD.findall(plain(text))) or text.strip()


def _surely(category: Category, shared: Sequence[float]) -> list[float]:
    """Return shares with this category before all others, which keep their order."""
    others = sum(share for at, share in enumerate(shared) if CATEGORIES[at] != category) or 1.0
    return [KNOWN if CATEGORIES[at] == category else (1 - KNOWN) * share / others for at, share in enumerate(shared)]
