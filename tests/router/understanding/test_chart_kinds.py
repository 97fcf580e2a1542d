"""Wishes for another drawing of a result."""

import pytest

from router.cards import ChartKind
from router.understanding.chart_kinds import chart_kind_in, chart_kind_wished


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("make it a line", "line"),
        ("can you make it a pie?", "pie"),
        ("as a column chart please", "bar"),
        ("bars instead", "bar"),
        ("switch to lines", "line"),
        ("show me a bar chart", "bar"),
        ("show it as lines", "line"),
        ("Pie", "pie"),
        ("als Kreisdiagramm", "pie"),
        ("en barres", "bar"),
        ("como líneas", "line"),
        ("show me the lines", None),
        ("show me order lines", None),
        ("which lines were late", None),
        ("chart", None),
    ],
)
def test_a_sentence_for_another_drawing_is_told_from_a_question(text: str, kind: ChartKind | None) -> None:
    """Only a sentence that asks for nothing else is one."""
    assert kind == chart_kind_wished(text)


def test_a_wish_for_a_picture_may_name_its_kind() -> None:
    """Among other words, too."""
    assert chart_kind_in("draw the revenue by month as a line chart") == "line"
    assert chart_kind_in("draw it") is None
