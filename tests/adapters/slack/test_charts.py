"""Charts."""

from hypothesis import given, settings

from adapters.slack.charts import draw_chart, is_native, native
from router.cards import Chart, Series
from tests.platforms.slack.kit.payload import message_problems
from tests.support.hypothesis_examples import examples
from tests.support.replies import QUICK, charts

SALES = Chart("Revenue by region", "bar", ("North", "South"), (Series("revenue", (10.5, -2.0)),))


def test_slack_draws_a_pie_of_a_few_parts() -> None:
    """It takes six, each above nothing; more of them are a picture."""
    pie = Chart("Revenue", "pie", ("North", "South"), (Series("revenue", (10.5, 2.0)),))
    assert is_native(pie)
    assert native(pie)["chart"] == {
        "type": "pie",
        "segments": [{"label": "North", "value": 10.5}, {"label": "South", "value": 2.0}],
    }
    assert not is_native(Chart("", "pie", tuple("abcdefg"), (Series("n", (1.0,) * 7),)))
    assert not is_native(Chart("", "pie", ("a", "b"), (Series("n", (1.0, 0.0)),)))


def test_a_gap_or_too_many_points_cannot_be_drawn_by_slack() -> None:
    """NULL is no number, and a lie as 0."""
    assert is_native(SALES)
    assert not is_native(Chart("", "line", ("a", "b"), (Series("n", (1.0, None)),)))
    assert not is_native(Chart("", "line", tuple(map(str, range(21))), (Series("n", (1.0,) * 21),)))
    assert not is_native(Chart("", "bar", ("a",), (Series("n", (float("inf"),)),)))


def test_a_larger_chart_is_a_picture_where_pictures_are_taken() -> None:
    """Its words are in the picture's description."""
    many = Chart("Revenue", "bar", tuple(map(str, range(30))), (Series("revenue", (1.0,) * 30),))
    drawn = draw_chart(many, 5_000)
    (picture,) = drawn.files
    assert isinstance(picture.content, bytes)
    assert (picture.name, picture.content[:4]) == ("chart.png", b"\x89PNG")
    assert picture.alt == "Bar chart: Revenue. revenue for 30 values."


@settings(max_examples=examples(25), deadline=None, phases=QUICK)
@given(charts())
def test_slack_takes_every_chart(chart: Chart) -> None:
    """Whatever the chart holds, it is valid."""
    assert message_problems(list(draw_chart(chart, 5_000).blocks)) == ("", [])
