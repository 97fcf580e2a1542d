"""A chart as Teams draws it, if it is small enough; else its values as a table, with a picture."""

import re

from adapters.rendering.attachment import Attached
from adapters.rendering.chart_png import png_of
from adapters.rendering.text import is_small, make_distinct, remove_unseen
from adapters.teams.drawing import CardElements, Detail, Element
from adapters.teams.tables import draw_table
from adapters.teams.text_elements import draw_heading, draw_small
from router.cards import Chart, Head, Table
from router.language.wording import spoken_number, truncate

CHART_SERIES_MAX, CHART_POINTS_MAX = 8, 30
"""The series and points that are legible in the width of a chat."""

PICTURES_MAX = 2
"""Pictures of a message; each takes half a second."""

CHART_LABEL_MAX_CHARS, CHART_TITLE_MAX_CHARS = 30, 150

_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_PART_OF_YEAR = re.compile(r"\d{4}-\D.*")


def draw_chart(chart: Chart, detail: Detail, nth: int) -> CardElements:
    """Draw a Chart card, the nth of its message."""
    title = truncate(" ".join(remove_unseen(chart.title).split()), CHART_TITLE_MAX_CHARS)
    if not chart.labels or not chart.series:
        return CardElements((draw_small(f"A chart was here: {title}" if title else "A chart was here."),))
    heading = [draw_heading(title)] if title else []  # not every client shows the title that a chart has itself
    if is_native(chart):
        return CardElements((*heading, _native(chart) | {"fallback": _values(chart, detail)}))
    picture = png_of(chart) if nth < PICTURES_MAX else None
    files = (Attached("chart.png", picture),) if picture else ()
    return CardElements((*heading, _values(chart, detail)), files)


def is_native(chart: Chart) -> bool:
    """Return whether Teams draws the chart as it is: few points, a number at each, and no bar below zero."""
    above = all(value is None or value >= 0 for series in chart.series for value in series.values)
    return is_small(chart, CHART_SERIES_MAX, CHART_POINTS_MAX) and (chart.kind == "line" or above)


def _native(chart: Chart) -> Element:
    """Return the element that Teams draws as a chart, in colours of its own."""
    labels = make_distinct(chart.labels, CHART_LABEL_MAX_CHARS)
    values = chart.series[0].values
    if chart.kind == "pie":
        slices = [{"legend": label, "value": value} for label, value in zip(labels, values, strict=True)]
        return {"type": "Chart.Pie", "data": slices}
    if chart.kind == "bar" and len(chart.series) == 1:  # lying, so that the labels are not cut
        return {
            "type": "Chart.HorizontalBar",
            "data": [{"x": label, "y": value} for label, value in zip(labels, values, strict=True)],
            "xAxisTitle": make_distinct([chart.series[0].name], CHART_LABEL_MAX_CHARS)[0],
        }
    below, year = _axis(labels)
    lines = [
        {"legend": name, "values": [{"x": x, "y": y} for x, y in zip(below, series.values, strict=True)]}
        for name, series in zip(
            make_distinct((each.name for each in chart.series), CHART_LABEL_MAX_CHARS), chart.series, strict=True
        )
    ]
    kind = "Chart.Line" if chart.kind == "line" else "Chart.VerticalBar.Grouped"
    return {"type": kind, "data": lines, **({"xAxisTitle": year} if year else {})}


def _axis(labels: list[str]) -> tuple[list[str], str]:
    """Return labels that fit below an axis, and the year that was taken out of all of them.

    Of longer ones, Teams shows a letter or two; of whole days it shows as many as fit, so that months become their
    first days.
    """
    if all(map(_MONTH.fullmatch, labels)):
        return [f"{label}-01" for label in labels], ""
    if all(map(_PART_OF_YEAR.fullmatch, labels)) and len({label[:4] for label in labels}) == 1:
        return [label[5:] for label in labels], labels[0][:4]
    return labels, ""


def _values(chart: Chart, detail: Detail) -> Element:
    """Return the values as a table, as many as a table shows."""
    heads = (Head("Label"), *(Head(each.name, "number") for each in chart.series))
    columns = (tuple(map(_number, each.values)) for each in chart.series)
    rows = tuple(zip(chart.labels, *columns, strict=True))
    drawn = draw_table(Table(heads, rows, len(rows)), detail)
    return {"type": "Container", "items": list(drawn.elements)}


def _number(value: float | None) -> str | None:
    return None if value is None else spoken_number(value)
