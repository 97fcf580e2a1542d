"""What a sentence changes of a comparison."""

import pytest

from router.understanding.parameters.comparing import ComparisonCorrection, comparison_correction

LEFT = ("id", "email", "city", "country", "revenue", "amount")
RIGHT = ("id", "email", "city", "country", "turnover", "total")


@pytest.mark.parametrize(
    ("typed", "correction"),
    [
        ("la clave es el país y la ciudad", ComparisonCorrection(keys=("country", "city"))),
        ("not by id but by email", ComparisonCorrection(keys=("email",))),
        ("without a key", ComparisonCorrection(no_key=True)),
        ("Umsatz gegen turnover, nicht gegen total", ComparisonCorrection(pairs={"revenue": "turnover"})),
        ("ignore the city, they spell it differently", ComparisonCorrection(pairs={"city": ""})),
        ("only compare the email", ComparisonCorrection(only=("email",))),
        ("nur die Abweichungen anzeigen", ComparisonCorrection(report="differences")),
        ("not everything, just the differences", ComparisonCorrection(report="differences")),
        ("la casse n'importe pas", ComparisonCorrection(tolerances={"fold": "True"})),
        ("up to 2 % is fine", ComparisonCorrection(tolerances={"relative": "2"})),
        ("no differences please", ComparisonCorrection()),
        ("only in Germany", ComparisonCorrection()),
        ("what is the key?", ComparisonCorrection()),
    ],
)
def test_what_is_changed(typed: str, correction: ComparisonCorrection) -> None:
    assert correction == comparison_correction(typed, LEFT, RIGHT)
