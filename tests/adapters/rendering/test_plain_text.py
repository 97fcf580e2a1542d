"""A chart as text."""

import pytest

from adapters.rendering.plain_text import text_of_card
from router.cards import Chart, Series


def chart(*values: float | None, labels: tuple[str, ...] = ()) -> Chart:
    return Chart("Sales", "bar", labels or tuple(f"r{n}" for n in range(len(values))), (Series("total", values),))


def test_bars_grow_with_the_values() -> None:
    """The largest value has the longest bar; NULL has none, and says so."""
    assert text_of_card(chart(1500, 750.5, 0, None)).splitlines() == [
        "Sales",
        f"  r0  {'█' * 30} 1,500",
        f"  r1  {'█' * 15} 750.5",
        "  r2  0",
        "  r3  NULL",
    ]


@pytest.mark.parametrize("values", [(1e308, -1e308), (-5e-324, 0.0), (0.0, 0.0), (-1.0, -2.0), (-0.0, None)])
def test_any_number_has_a_bar_that_fits(values: tuple[float, ...]) -> None:
    """The largest and smallest floats neither fail nor burst the width."""
    assert all(line.count("█") <= 30 for line in text_of_card(chart(*values)).splitlines())
