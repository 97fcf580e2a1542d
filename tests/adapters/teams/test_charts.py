"""Charts as Teams draws them."""

import pytest

from adapters.teams.charts import draw_chart, is_native
from adapters.teams.drawing import DETAILS, Element
from router.cards import Chart, Series
from tests.platforms.teams.cards.words import words_of

MONTHS = ("Jan", "Feb", "Mar")
BEST = DETAILS[0]
BELOW = Chart("Profit", "bar", MONTHS, (Series("€", (1.0, -2.0, 3.0)),))


def native(chart: Chart) -> Element:
    """Return the element that Teams draws itself."""
    return draw_chart(chart, BEST, 0).elements[-1]


@pytest.mark.parametrize(
    ("chart", "kind"),
    [
        (Chart("t", "bar", MONTHS, (Series("a", (1, 2, 3)),)), "Chart.HorizontalBar"),
        (Chart("t", "bar", MONTHS, (Series("a", (1, 2, 3)), Series("b", (1, 2, 3)))), "Chart.VerticalBar.Grouped"),
        (Chart("t", "line", MONTHS, (Series("a", (1, -2, 3)),)), "Chart.Line"),
        (Chart("t", "pie", MONTHS, (Series("a", (1, 2, 3)),)), "Chart.Pie"),
    ],
)
def test_each_kind_of_chart_has_its_element(chart: Chart, kind: str) -> None:
    """A client that knows none shows the values as a table."""
    drawn = native(chart)
    assert drawn["type"] == kind
    assert words_of(drawn["fallback"]).startswith("Label | a")


@pytest.mark.parametrize(
    "chart",
    [
        BELOW,
        Chart("t", "line", MONTHS, (Series("a", (1, None, 3)),)),
        Chart("t", "line", MONTHS, (Series("a", (1, float("inf"), 3)),)),
        Chart("t", "line", tuple(map(str, range(31))), (Series("a", (1.0,) * 31),)),
        Chart("t", "line", MONTHS, (Series("a", (1, 2, 3)),) * 9),
    ],
)
def test_what_teams_would_draw_badly_is_a_picture(chart: Chart) -> None:
    """Bars below zero, gaps and crowds; its values are there as text as well."""
    assert not is_native(chart)
    part = draw_chart(chart, BEST, 0)
    assert [file.name for file in part.files] == ["chart.png"]
    assert "Label | " in words_of(list(part.elements))
