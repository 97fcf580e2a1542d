"""The meaning of a sentence that is typed at a card, by the classifier of all sentences."""

from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from router.understanding.categories import Category
from router.understanding.scorer import shipped_scorer

ANYWHERE: Final[frozenset[str]] = frozenset(
    [
        *("yes", "no", "cancel", "back", "edit", "again", "wait", "about", "outside", "csv", "xlsx", "chart", "share"),
        *(Category.SMALL_TALK, Category.DESCRIBE_DATA, Category.JOB_STATUS, Category.HUMAN_HANDOFF),
        *(Category.ASK_DATA, Category.REFINE_QUESTION),
        *(Category.EMAIL, Category.WRITE, Category.SCHEDULE, Category.COMPARE),
    ]
)
"""Meanings that a sentence can have at any card; a card names what else can be meant at it."""

TYPED_MAX_CHARS: Final = 300
"""Characters of a sentence that is looked at."""


@dataclass(frozen=True, slots=True)
class CardMeaning:
    """A meaning that a sentence has at a card, with its share of the confidence (0 to 1)."""

    meaning: str
    share: float


def meaning_at(card: str, accepts: Set[str], text: str) -> CardMeaning | None:
    """Return the likeliest meaning of a sentence at a card that accepts these besides; None for what is too long."""
    if not text.strip() or len(text) > TYPED_MAX_CHARS:
        return None
    shared = shipped_scorer().shares(text, ANYWHERE | accepts, card)
    best = max(shared, key=shared.__getitem__)
    return CardMeaning(best, shared[best])
