"""Classifies sentences for the stages, and keeps people's choices for those that were in doubt."""

import logging
from collections.abc import Callable
from functools import cache

from sqlalchemy.exc import SQLAlchemyError

from router.understanding.categories import Category, category_of
from router.understanding.choice_log import ChoiceLog
from router.understanding.classifier import Classifier, IntentDecision

log = logging.getLogger("icc_bot")


@cache
def shipped_classifier() -> Classifier:
    """Return the classifier of the shipped examples alone."""
    return Classifier()


class Intents:
    """The classifier as it is now, and the log of choices, if there is one; thread-safe."""

    def __init__(
        self, classifier: Callable[[], Classifier] = shipped_classifier, choices: ChoiceLog | None = None
    ) -> None:
        self._classifier, self._choices = classifier, choices

    def decide(self, text: str, names: frozenset[str], barred: frozenset[Category]) -> IntentDecision:
        """Return what to do with a sentence, as the classifier does."""
        return self._classifier().decide(text, names, barred)

    def keep(self, sentence: str, offered: tuple[str, ...], chosen: str) -> None:
        """Keep what was chosen, for a review; if that cannot be, the log says so, and the talk goes on."""
        if self._choices is None:
            return
        categories = tuple(found for each in offered if (found := category_of(each)))
        try:
            self._choices.keep(sentence, categories, category_of(chosen))
        except SQLAlchemyError as error:
            log.error("what a person said that a sentence asks for is not kept: %s", error)
