"""What a sentence changes of a comparison, as values of its form."""

import pytest

from router.memory.comparing import ComparedColumns, ComparedPair
from router.understanding.parameters.comparing import comparison_patch
from tests.support.rows import every_row

FOUND = ComparedColumns(
    ("id", "email", "city", "country", "revenue", "amount"),
    ("id", "email", "city", "country", "turnover", "total"),
    tuple(ComparedPair(n, n) for n in range(6)),
    (0,),
)


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("the key is id and country", {"k0": "0", "k1": "3"}),
        ("key: country, city", {"k0": "3", "k1": "2"}),
        ("la clave es country y city", {"k0": "3", "k1": "2"}),
        ("turnover as key plz", {"k0": "4"}),
        ("by email", {"k0": "1"}),
        ("amount goes to total", {"c5": "5"}),
        ("amount = turnover", {"c4": "out", "c5": "4"}),
        ("amount with total and revenue with turnover", {"c5": "5", "c4": "4"}),
        ("revenue gehört zu turnover", {"c4": "4"}),
        ("leave out id, city", {"c0": "out", "c2": "out"}),
        ("nur die Abweichungen anzeigen", {"reporting": "differences"}),
        ("just a summary please", {"reporting": "summary"}),
        ("je Spalte bitte", {"reporting": "columns"}),
        ("aggregates are enough for me", {"reporting": "aggregates"}),
    ],
)
def test_values_of_the_form(typed: str, values: dict[str, str]) -> None:
    """Columns are those that there are, by their names."""
    assert values == comparison_patch(typed, FOUND)


@every_row(
    "typed",
    [
        "what is the key?",
        "email is not a key",
        "email, not id",
        "by email instead of id",
        "don't leave out city",
        "don't use email as key",
        "not everything, just the differences",
        "the key is weather",
        "drop everything except id",
        "no differences please",
        "only in Germany",
        "add country to the key",
        "id = email = total",
        "id = weather",
        "leave out city, they spell it badly",
        "up to 2 % is fine",
        "Umsatz gegen Netto, nicht gegen Brutto",
        "swap them",
        "100",
    ],
)
def test_what_is_not_surely_a_change(typed: str) -> None:
    """Nothing is guessed, nor where anything is denied: the person is asked, or fills in the form."""
    assert {} == comparison_patch(typed, FOUND)
