"""Texts that mean the same, however they are typed."""

import pytest

from router.language.folding import caseless, fold, folds, without_accents


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


def test_weaker_foldings() -> None:
    """Accents alone, or case and blanks alone; letters of other scripts stay whole."""
    assert ("Malaga", "Straße", "한국") == tuple(map(without_accents, ("Málaga", "Straße", "한국")))
    assert "méxico city" == caseless("  México\nCITY")
