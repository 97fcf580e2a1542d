"""Typed texts that stand for buttons or questions."""

from itertools import combinations

import pytest

from router.language.phrases import listed, lists_of
from router.understanding.button_words import word_of
from router.understanding.kinds import asks_clearly, kind_of
from tests.support.rows import every_row


@every_row(
    ("text", "kind"),
    [
        ("Which five customers brought the most revenue this year?", "question"),
        ("revenue by region", "question"),
        ("select the best customers for me", "question"),
        ("show me all orders from Germany", "question"),
        ("with how many customers did we start?", "question"),
        ("delete last year's orders", "question"),
        ("wer sind unsere besten Kunden?", "question"),
        ("hi", "neither"),
        ("Hello!", "neither"),
        ("okay", "neither"),
        ("run it", "neither"),
        ("generate", "neither"),
        ("?", "neither"),
        ("...", "neither"),
        ("", "neither"),
        ("revenue", "neither"),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    """A first message that is no SQL is a question, or neither."""
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    ("text", "word"),
    [("okay", "yes"), ("Sure.", "yes"), ("RUN IT!", "yes"), ("nope", "no"), ("Never mind", None), ("okay then", "yes")],
)
def test_typed_words_do_what_buttons_do(text: str, word: str | None) -> None:
    """Words of agreement and refusal are read whatever their case and closing mark."""
    assert word_of(text, ("yes", "no")) == word


def test_no_phrase_means_two_things() -> None:
    """No phrase stands for two buttons, but Stop, which leaves the card where nothing is at work."""
    lists = {each: listed(each) for each in lists_of("buttons") if each != "buttons.stop"}

    assert [] == [(a, b, lists[a] & lists[b]) for a, b in combinations(lists, 2) if lists[a] & lists[b]]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("yes, run it please", "yes"),
        ("👍🏽", "yes"),
        ("vale, adelante", "yes"),
        ("schick es ab", "yes"),
        ("nope, forget it", "cancel"),
        ("das brauch ich nicht mehr", "cancel"),
        ("wait, let me fix it", "edit"),
        ("excel?", "xlsx"),
        ("yes?", None),
        ("perfect, thanks", None),
        ("run it again", None),
        ("do it but not today", None),
        ("run it, my boss is waiting", None),
        ("yes\nrun", None),
    ],
)
def test_only_exact_words_stand_for_buttons(text: str, word: str | None) -> None:
    """All of a message is phrases of a button and small words; a longer sentence is never a Yes."""
    assert word_of(text, ("yes", "no", "cancel", "back", "edit", "again", "xlsx", "email")) == word


@pytest.mark.parametrize(
    ("text", "clear"),
    [
        ("Which products sell best?", True),
        ("show me the open orders", True),
        ("hmm not sure", False),
        ("maybe later", False),
    ],
)
def test_a_clear_question(text: str, clear: bool) -> None:
    """Only a sentence that asks is taken for a new question where another answer was expected."""
    assert asks_clearly(text) == clear
