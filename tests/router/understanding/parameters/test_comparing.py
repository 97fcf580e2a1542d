"""What a sentence changes of a comparison, as values of its form."""

import pytest

from router.memory.comparing import ComparedColumns, MatchedColumns
from router.understanding.parameters.comparing import comparison_patch

FOUND = ComparedColumns(
    ("id", "email", "city", "country", "revenue", "amount"),
    ("id", "email", "city", "country", "turnover", "total"),
    tuple(MatchedColumns(n, n) for n in range(6)),
    (0,),
)


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("the key is id and country", {"k0": "0", "k1": "3"}),
        ("la clave es el país y la ciudad", {"k0": "3", "k1": "2"}),
        ("la clé c'est l'email", {"k0": "1"}),
        ("turnover as key plz", {"k0": "4"}),
        ("without a key", {"k0": "out"}),
        ("amount goes to total", {"c5": "5"}),
        ("amount = turnover", {"c4": "out", "c5": "4"}),
        ("amount with total and revenue with turnover", {"c5": "5", "c4": "4"}),
        ("revenue gehört zu turnover", {"c4": "4"}),
        ("leave out id, city", {"c0": "out", "c2": "out"}),
        ("everything except email", {"c1": "out"}),
        ("only compare the email", {"c2": "out", "c3": "out", "c4": "out", "c5": "out"}),
        ("nur die Abweichungen anzeigen", {"report": "differences"}),
        ("without the identical rows", {"report": "differences"}),
        ("show everything, also the rows that are equal", {"report": "all"}),
        ("just give me a count of differences", {"report": "summary"}),
        ("je Spalte bitte", {"report": "columns"}),
        ("aggregates are enough for me", {"report": "aggregates"}),
        ("la casse n'importe pas", {"fold": "True"}),
        ("ignore trailing spaces", {"blanks": "around"}),
        ("up to 2 % is fine", {"apart": "2 %"}),
        ("ignore anything under 1 cent", {"apart": "0.01"}),
        ("Toleranz auf 0,5 setzen", {"apart": "0.5"}),
        ("0.01", {"apart": "0.01"}),
        ("1 %, ignore case, by email", {"apart": "1 %", "fold": "True", "k0": "1"}),
    ],
)
def test_values_of_the_form(typed: str, values: dict[str, str]) -> None:
    """Columns are those that there are, by their names or by what these mean."""
    assert (values, ()) == comparison_patch(typed, FOUND)


@pytest.mark.parametrize(
    "typed",
    [
        "what is the key?",
        "email is not a key",
        "email, not id",
        "by email instead of id",
        "not everything, just the differences",
        "the key is weather",
        "drop everything except id",
        "no differences please",
        "only what's missing in B",
        "only in Germany",
        "add country to the key",
        "id = email = total",
        "amount within 1 cent",
        "Umsatz gegen Netto, nicht gegen Brutto",
        "swap them",
        "100",
    ],
)
def test_what_is_not_surely_a_change(typed: str) -> None:
    """Nothing is guessed, nor where anything is denied: the person is asked, or fills in the form."""
    assert comparison_patch(typed, FOUND) is None


def test_a_reason_is_told_back() -> None:
    """Words that name nothing of the comparison change nothing of it, and are not passed over in silence."""
    assert ({"c2": "out"}, ("they spell it badly",)) == comparison_patch("ignore the city, they spell it badly", FOUND)
