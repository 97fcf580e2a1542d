"""The decision to act on a sentence, or to ask what was meant."""

import pytest

from router.understanding.categories import Category
from router.understanding.classifier import Classification, Scored
from router.understanding.intent_service import IntentDecision, Offered, decide


def judged(*shares: tuple[Category, float]) -> Classification:
    """Return a classification with these shares."""
    ranked = tuple(Scored(category, share) for category, share in shares)
    return Classification(ranked[0].category, ranked[0].share, ranked)


HELP, WRITE, EMAIL = Category.HELP, Category.WRITE, Category.EMAIL


@pytest.mark.parametrize(
    ("classification", "offered"),
    [
        (judged((HELP, 0.65), (WRITE, 0.3), (EMAIL, 0.05)), ()),
        (judged((HELP, 0.64), (WRITE, 0.3), (EMAIL, 0.06)), (HELP, WRITE)),
        (judged((HELP, 0.5), (WRITE, 0.3), (EMAIL, 0.2)), (HELP, WRITE, EMAIL)),
        (judged((HELP, 0.34), (WRITE, 0.33), (EMAIL, 0.33)), (HELP, WRITE, EMAIL)),
    ],
)
def test_a_doubt_is_offered(classification: Classification, offered: tuple[Category, ...]) -> None:
    """Below the threshold, the likeliest two or three are offered, the likeliest first."""
    decision = decide(classification)

    assert offered == tuple(each.id for each in decision.options)
    assert (None if offered else HELP) == decision.category


def test_a_category_may_have_its_own_threshold() -> None:
    """What acts on little asks little, but not where two things are as likely as each other."""
    thresholds = {HELP: 0.4}

    assert HELP == decide(judged((HELP, 0.5), (WRITE, 0.3), (EMAIL, 0.2)), thresholds).category
    assert decide(judged((HELP, 0.45), (WRITE, 0.44), (EMAIL, 0.11)), thresholds).category is None
    assert decide(judged((WRITE, 0.5), (HELP, 0.3), (EMAIL, 0.2)), thresholds).category is None


def test_options_have_labels() -> None:
    """An option is the category's value, with what its button says; nothing said offers nothing."""
    decision = decide(judged((EMAIL, 0.5), (Category.ASK_DATA, 0.5)))

    assert (
        Offered("email", "E-mail the result"),
        Offered("ask_data", "Ask a question about the data"),
    ) == decision.options
    assert IntentDecision(None, 0.0) == decide(Classification(None, 0.0))
