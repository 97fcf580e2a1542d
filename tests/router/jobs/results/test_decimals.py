"""Numbers of a column stand one below the other."""

import pytest

from router.cards import Head
from router.jobs.results.pages import aligned

NUMBER = Head("n", "number")


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (["7.25", "7.5", "8"], ["7.25", "7.50", "8.00"]),
        (["-1.5", None, "0.25"], ["-1.50", None, "0.25"]),
        (["1", "2"], ["1", "2"]),
        (["0.3333", "1.5"], ["0.3333", "1.5"]),
        (["1.5", "NaN"], ["1.5", "NaN"]),
        ([None], [None]),
        ([], []),
    ],
)
def test_decimals(cells: list[str | None], shown: list[str | None]) -> None:
    """A few decimals are filled up with zeros; many, and what is no number, are left alone."""
    assert aligned([(cell,) for cell in cells], [NUMBER]) == tuple((cell,) for cell in shown)
