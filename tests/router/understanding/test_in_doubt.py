"""Sentences that the examples are in doubt about."""

import pytest

from router.understanding.categories import Category
from router.understanding.classifier import IntentDecision, Scored
from router.understanding.interpretation import asks_back


def doubt(**shares: float) -> IntentDecision:
    ranked = sorted((Scored(Category[name], share) for name, share in shares.items()), key=lambda each: -each.share)
    return IntentDecision(None, ranked[0].share, tuple(ranked))


@pytest.mark.parametrize(
    ("text", "found", "asked"),
    [
        ("odd returns of old carts", doubt(ASK_DATA=0.5, ABUSE=0.3), False),
        ("price of a share of theirs", doubt(ASK_DATA=0.4, OTHER_SYSTEMS=0.5), False),
        ("share of theirs", doubt(ASK_DATA=0.4, OTHER_SYSTEMS=0.5), True),
        ("price of the orders of theirs", doubt(ASK_DATA=0.4, OTHER_SYSTEMS=0.5), False),
        ("just give me something", doubt(ASK_DATA=0.6, ABUSE=0.1), True),
        ("put it somewhere", doubt(WRITE=0.6, ASK_DATA=0.4), True),
    ],
)
def test_what_is_as_likely_outside_is_asked_about(text: str, found: IntentDecision, asked: bool) -> None:
    """Unless it has a name of the database; so is what names nothing."""
    assert asked == asks_back(text, found, frozenset({"price", "orders"}), follows=False)
