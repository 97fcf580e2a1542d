"""What is to be done with a sentence, as stages ask for it."""

import logging
import sqlite3
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

from router.intents.categories import Category, category_of
from router.intents.choices import Choices
from router.intents.classifier import Classification, Classifier, Scored
from router.intents.decision import Offered, decide
from router.intents.own import Intents

log = logging.getLogger("icc_bot")


@dataclass(frozen=True, slots=True)
class Decided:
    """The category to act on and how sure that is; where it is None, what to offer, the likeliest first."""

    category: Category | None
    confidence: float
    ranked: tuple[Scored, ...] = ()
    options: tuple[Offered, ...] = ()

    @property
    def likely(self) -> Category | None:
        """The category that comes nearest, however unsure that is; None where nothing does."""
        return self.ranked[0].category if self.ranked else self.category


class Deciding(Protocol):
    """Tells what sentences want, and keeps what people said they want; thread-safe."""

    def decide(self, text: str, names: frozenset[str], barred: frozenset[Category]) -> Decided:
        """Return what to do with a sentence where some categories make no sense.

        `names`: words of known tables and columns, in lower case.
        """

    def keep(self, sentence: str, offered: tuple[str, ...], chosen: str) -> None:
        """Keep what a person chose among the options of a clarification, for whoever reviews that."""


class Shipped:
    """The examples that are shipped, and nothing that is kept."""

    def decide(self, text: str, names: frozenset[str], barred: frozenset[Category]) -> Decided:
        """Return what to do with a sentence."""
        return decided(_shipped(), text, names, barred)

    def keep(self, sentence: str, offered: tuple[str, ...], chosen: str) -> None:
        """Keep nothing."""


class OfHouse:
    """The examples of a house besides; what people chose is kept for whoever reviews it."""

    def __init__(self, intents: Intents, choices: Choices) -> None:
        self._intents, self._choices = intents, choices

    def decide(self, text: str, names: frozenset[str], barred: frozenset[Category]) -> Decided:
        """Return what to do with a sentence."""
        return decided(self._intents.classifier(), text, names, barred)

    def keep(self, sentence: str, offered: tuple[str, ...], chosen: str) -> None:
        """Keep what was chosen; where that cannot be, the log says so, and the talk goes on."""
        categories = tuple(found for each in offered if (found := category_of(each)))
        try:
            self._choices.keep(sentence, categories, category_of(chosen))
        except sqlite3.Error as error:
            log.error("what a person said that a sentence asks for is not kept: %s", error)


@cache
def _shipped() -> Classifier:
    return Classifier()


def decided(classifier: Classifier, text: str, names: frozenset[str], barred: frozenset[Category]) -> Decided:
    """Return what to do with a sentence, by a classifier and its thresholds."""
    found = without(classifier.classify(text, names), barred)
    decision = decide(found, classifier.thresholds)
    return Decided(decision.intent, found.confidence, found.ranked, decision.options)


def without(found: Classification, barred: frozenset[Category]) -> Classification:
    """Return a classification in which barred categories have no share: what they had is a question's of its own."""
    gone = sum(each.share for each in found.ranked if each.category in barred)
    if not gone:
        return found
    left = (each for each in found.ranked if each.category not in barred)
    ranked = sorted(
        (replace(each, share=each.share + gone) if each.category is Category.ASK_DATA else each for each in left),
        key=lambda each: (-each.share, each.category),
    )
    return replace(found, intent=ranked[0].category, confidence=round(ranked[0].share, 4), ranked=tuple(ranked))
