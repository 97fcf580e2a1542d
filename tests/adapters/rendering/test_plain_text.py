"""A chart as text."""

import pytest
from wcwidth import wcswidth

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


def test_negative_bars_go_to_the_other_side_of_a_line() -> None:
    """The line stands below itself, and both sides have one scale."""
    assert text_of_card(chart(20, -10, None)).splitlines() == [
        "Sales",
        f"  r0  {' ' * 10}│{'█' * 20} 20",
        f"  r1  {'█' * 10}│ -10",
        f"  r2  {' ' * 10}│ NULL",
    ]


@pytest.mark.parametrize("values", [(1e308, -1e308), (-5e-324, 0.0), (0.0, 0.0), (-1.0, -2.0), (-0.0, None)])
def test_any_number_has_a_bar_that_fits(values: tuple[float, ...]) -> None:
    """The largest and smallest floats neither fail nor burst the width."""
    assert all(line.count("█") <= 30 for line in text_of_card(chart(*values)).splitlines())


def test_wide_characters_keep_the_bars_in_line() -> None:
    """A Chinese character takes two columns, an accent none: the bars begin in the same column all the same."""
    lines = text_of_card(chart(1, 1, 1, labels=("東京", "Zu\u0308rich", "Rome"))).splitlines()[1:]
    assert {wcswidth(line[: line.index("█")]) for line in lines} == {len("  Zürich  ")}


def test_many_labels_are_cut_and_counted() -> None:
    """Forty labels are shown, and the number of the others."""
    lines = text_of_card(chart(*range(1042))).splitlines()
    assert (len(lines), lines[-1]) == (42, "  … and 1,002 more")


def test_several_series_stand_below_each_other() -> None:
    """Each has its name above its own bars."""
    both = Chart("Sales", "line", ("a",), (Series("sum", (1.0,)), Series("count", (2.0,))))
    assert text_of_card(both).splitlines() == ["Sales", "sum:", f"  a  {'█' * 30} 1", "count:", f"  a  {'█' * 30} 2"]
