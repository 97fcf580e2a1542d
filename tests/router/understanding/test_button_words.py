"""Typed texts that stand for buttons or questions."""

import pytest

from router.understanding.button_words import SYNONYMS, word_of
from router.understanding.kinds import asks_clearly, kind_of


@pytest.mark.parametrize(
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


def test_no_word_means_two_things() -> None:
    """No typed word stands for two buttons."""
    pairs = [(typed, word) for word, several in SYNONYMS.items() for typed in several]

    assert [(typed, a, b) for typed, a in pairs for other, b in pairs if typed == other and a < b] == []


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
