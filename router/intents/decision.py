"""Whether to act on what a sentence seems to want, or to ask which of a few things it is."""

from collections.abc import Mapping
from dataclasses import dataclass

from router.intents.categories import NAMES, Category
from router.intents.classifier import Classification

THRESHOLD = 0.65
"""How sure the bot must be to act on a category that has no threshold of its own."""

TIE = 0.8
"""Two categories are as likely as each other where the second has so much of the first one's share."""

FEWEST, MOST = 2, 3
LIKELY = 0.08
"""A third thing is offered where it is at least so likely."""


@dataclass(frozen=True, slots=True)
class Offered:
    """An option of a clarification: the category's value, and what its button says."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Decision:
    """The category to act on; where that is None, what to offer, the likeliest first."""

    intent: Category | None
    options: tuple[Offered, ...] = ()


def decide(classification: Classification, thresholds: Mapping[Category, float] | None = None) -> Decision:
    """Return what to do; `thresholds` are those of categories that have their own."""
    ranked = classification.ranked
    if classification.intent is None or not ranked:
        return Decision(None)
    needed = (thresholds or {}).get(classification.intent, THRESHOLD)
    tie = len(ranked) > 1 and ranked[1].share > TIE * ranked[0].share
    if classification.confidence >= needed and not tie:
        return Decision(classification.intent)
    offered = [each.category for at, each in enumerate(ranked[:MOST]) if at < FEWEST or each.share >= LIKELY]
    return Decision(None, tuple(Offered(each.value, NAMES[each].label) for each in offered))
