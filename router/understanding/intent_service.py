"""The intent of a sentence, as stages ask for it: a category to act on, or options to offer."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from sqlalchemy.exc import SQLAlchemyError

from router.understanding.categories import NAMES, Category, category_of
from router.understanding.choice_log import ChoiceLog
from router.understanding.classifier import Classification, Classifier, Scored
from router.understanding.site_examples import SiteExamples

log = logging.getLogger("icc_bot")

DEFAULT_CONFIDENCE_MIN = 0.65
"""The confidence from which the bot acts on a category that has no threshold of its own."""

TIE_RATIO = 0.8
"""Two categories are as likely as each other where the second has so much of the first one's share."""

OFFERED_MIN, OFFERED_MAX = 2, 3
THIRD_OPTION_SHARE_MIN = 0.08
"""A third thing is offered where it is at least so likely."""


@dataclass(frozen=True, slots=True)
class Offered:
    """An option of a clarification: the category's value, and what its button says."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class IntentDecision:
    """The category to act on and how sure that is; where it is None, what to offer, the likeliest first."""

    category: Category | None
    confidence: float
    ranked: tuple[Scored, ...] = ()
    options: tuple[Offered, ...] = ()

    @property
    def likely(self) -> Category | None:
        """The category that comes nearest, however unsure that is; None where nothing does."""
        return self.ranked[0].category if self.ranked else self.category


def decide(classification: Classification, thresholds: Mapping[Category, float] | None = None) -> IntentDecision:
    """Return what to do; `thresholds` are those of categories that have their own."""
    ranked, confidence = classification.ranked, classification.confidence
    if classification.intent is None or not ranked:
        return IntentDecision(None, confidence, ranked)
    needed = (thresholds or {}).get(classification.intent, DEFAULT_CONFIDENCE_MIN)
    tie = len(ranked) > 1 and ranked[1].share > TIE_RATIO * ranked[0].share
    if confidence >= needed and not tie:
        return IntentDecision(classification.intent, confidence, ranked)
    offered = [
        each.category
        for at, each in enumerate(ranked[:OFFERED_MAX])
        if at < OFFERED_MIN or each.share >= THIRD_OPTION_SHARE_MIN
    ]
    options = tuple(Offered(each.value, NAMES[each].label) for each in offered)
    return IntentDecision(None, confidence, ranked, options)


class IntentService(Protocol):
    """The interface to the classifier: tells what sentences want, and keeps what people chose; thread-safe."""

    def decide(self, text: str, names: frozenset[str], barred: frozenset[Category]) -> IntentDecision:
        """Return what to do with a sentence where some categories make no sense.

        `names`: words of known tables and columns, in lower case.
        """

    def keep(self, sentence: str, offered: tuple[str, ...], chosen: str) -> None:
        """Keep what a person chose among the options of a clarification, for whoever reviews that."""


class ShippedIntents:
    """The examples that are shipped, and nothing that is kept."""

    def decide(self, text: str, names: frozenset[str], barred: frozenset[Category]) -> IntentDecision:
        """Return what to do with a sentence."""
        return intent_of(_shipped(), text, names, barred)

    def keep(self, sentence: str, offered: tuple[str, ...], chosen: str) -> None:
        """Keep nothing."""


class SiteIntents:
    """The shipped examples and the site's own; what people chose is kept for whoever reviews it."""

    def __init__(self, intents: SiteExamples, choices: ChoiceLog) -> None:
        self._intents, self._choices = intents, choices

    def decide(self, text: str, names: frozenset[str], barred: frozenset[Category]) -> IntentDecision:
        """Return what to do with a sentence."""
        return intent_of(self._intents.classifier(), text, names, barred)

    def keep(self, sentence: str, offered: tuple[str, ...], chosen: str) -> None:
        """Keep what was chosen; where that cannot be, the log says so, and the talk goes on."""
        categories = tuple(found for each in offered if (found := category_of(each)))
        try:
            self._choices.keep(sentence, categories, category_of(chosen))
        except SQLAlchemyError as error:
            log.error("what a person said that a sentence asks for is not kept: %s", error)


@cache
def _shipped() -> Classifier:
    return Classifier()


def intent_of(classifier: Classifier, text: str, names: frozenset[str], barred: frozenset[Category]) -> IntentDecision:
    """Return what to do with a sentence, by a classifier and its thresholds."""
    return decide(without(classifier.classify(text, names), barred), classifier.thresholds)


def without(found: Classification, barred: frozenset[Category]) -> Classification:
    """Return a classification in which barred categories have no share.

    A change of the last question is a question of its own, where there is none to be changed; so is what was surely
    any of them. Else all others are the likelier.
    """
    shares = {each.category: each.share for each in found.ranked}
    gone = {category: shares.pop(category) for category in barred if category in shares}
    if not any(gone.values()):
        return found
    asks = (
        share for each, share in gone.items() if each == Category.REFINE_QUESTION or share >= DEFAULT_CONFIDENCE_MIN
    )
    shares[Category.ASK_DATA] += sum(asks)
    total = sum(shares.values()) or 1.0
    ranked = sorted(
        (Scored(category, share / total) for category, share in shares.items()),
        key=lambda each: (-each.share, each.category),
    )
    return Classification(ranked[0].category, round(ranked[0].share, 4), tuple(ranked))
