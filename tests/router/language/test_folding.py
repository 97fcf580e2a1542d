"""Texts that mean the same, however they are typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.language.folding import caseless, distance, fold, folds, within_one, without_accents


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("saint denis", "Saint-Denis"),
        ("SÃO PAULO", "São Paulo"),
        ("sao paulo", "São Paulo"),
        ("mueller", "Müller"),
        ("muller", "Müller"),
        ("strasse", "Straße"),
        ("obrien", "O'Brien"),
        ("wi fi", "Wi-Fi"),
        ("Aarhus", "Århus"),
        ("lodz", "Łódź"),
        ("athina", "Athína"),
        ("москва", "Москва"),
        ("ﬁne", "fine"),
    ],
)
def test_ways_to_type(typed: str, text: str) -> None:
    """Case, accents, blanks, hyphens and points do not matter."""
    assert fold(typed) in folds(text)


def test_different_texts_stay_different() -> None:
    """What differs in letters or digits is not the same."""
    assert len({fold(text) for text in ("Köln", "Kohl", "Model 3", "Model 4", "北京", "東京")}) == 6


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    """A folded text is folded already, whatever letters it is made of."""
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_a_text_is_found_by_itself_in_any_case(text: str) -> None:
    """The first way to type a text is the text; small letters are the same."""
    assert folds(text)[0] == fold(text)
    assert fold(text.lower()) == fold(text) or text.lower().upper() != text.upper()


@pytest.mark.parametrize(
    ("one", "other"),
    [("nort", "north"), ("north", "nort"), ("nrth", "north"), ("nroth", "north"), ("narth", "north"), ("a", "a")],
)
def test_one_letter_off(one: str, other: str) -> None:
    """A letter more, less, other, or two that changed places."""
    assert within_one(one, other)
    assert distance(one, other, 1) <= 1


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_distance_is_the_same_both_ways(one: str, other: str) -> None:
    """It does not matter which of the two was typed, and a limit only cuts."""
    near = distance(one, other, 2)
    assert near == distance(other, one, 2)
    assert (near <= 1) == within_one(one, other)
    assert (near == 0) == (one == other)


def test_weaker_foldings() -> None:
    """Accents alone, or case and blanks alone; letters of other scripts stay whole."""
    assert ("Malaga", "Straße", "한국") == tuple(map(without_accents, ("Málaga", "Straße", "한국")))
    assert "méxico city" == caseless("  México\nCITY")
