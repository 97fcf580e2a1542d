"""A chart as Teams draws it, where it is small enough; else as a picture; its values as a table beside or behind it."""

import re

from adapters.attached import Attached
from adapters.chart_png import png_of
from adapters.fitting import cut, distinct, is_small
from adapters.plain import NULL
from adapters.teams.drawn import Element, Part, size_of
from adapters.teams.tables import MOST_COLUMNS, MOST_ROWS, grid
from adapters.teams.texts import bold, small
from adapters.unseen import clean
from router.cards import Chart, Head

MOST_SERIES, MOST_POINTS = 8, 30
"""What is legible in the width of a chat."""

MOST_PICTURES = 2
"""Pictures of a message; each takes half a second."""

LONGEST_LABEL, LONGEST_TITLE, LONGEST_CELL = 30, 150, 30
_COLORS = (
    *("categoricalBlue", "categoricalMarigold", "categoricalTeal", "categoricalPurple"),
    *("categoricalLightBlue", "categoricalRed", "categoricalLime", "categoricalLavender"),
)
"""By name, so that each client takes its own shades; neighbours are told apart by colour-blind eyes."""

LONG_LABELS, AXIS = 12, 55
"""Characters of the longest label, and of all as long as it, above which bars lie: under others, they are cut."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_IN_A_YEAR = re.compile(r"(\d{4})-(.+)")
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")


def draw_chart(chart: Chart, room: int, nth: int = 0) -> Part:
    """Draw a Chart card, the nth of its message, in at most `room` bytes."""
    title = cut(" ".join(clean(chart.title).split()), LONGEST_TITLE)
    if not chart.labels or not chart.series:
        return _within(Part((small(f"A chart was here: {title}" if title else "A chart was here."),)), room)
    if is_native(chart):
        part = Part((*_heading(title), native(chart)))
        if size_of(part.elements) <= room:
            return part
    picture = png_of(chart) if nth < MOST_PICTURES else None
    files = (Attached("chart.png", picture),) if picture else ()
    return _within(Part((*_heading(title), *_values(chart)), files), room)


def is_native(chart: Chart) -> bool:
    """Tell whether Teams draws the chart as it is: few points, a number at each, and no bar below zero."""
    above = all(value is None or value >= 0 for series in chart.series for value in series.values)
    return is_small(chart, MOST_SERIES, MOST_POINTS) and (chart.kind == "line" or above)


def native(chart: Chart) -> Element:
    """Return the element that Teams draws as a chart; clients that know none show a table."""
    labels = distinct(chart.labels, LONGEST_LABEL)
    names = distinct((series.name for series in chart.series), LONGEST_LABEL)
    single, longest = len(names) == 1, max(map(len, labels))
    lying = chart.kind == "bar" and single and (longest > LONG_LABELS or longest * len(labels) > AXIS)
    labels, year = (labels, "") if lying else _shortened(labels)
    rows = [
        [{"x": label, "y": value} for label, value in zip(labels, series.values, strict=True)]
        for series in chart.series
    ]
    lines = [
        {"legend": name, "values": values, "color": _COLORS[n % len(_COLORS)]}
        for n, (name, values) in enumerate(zip(names, rows, strict=True))
    ]
    flat = chart.kind == "bar" and single
    kind = "Line" if chart.kind == "line" else "VerticalBar.Grouped"
    drawn: Element = {
        "type": "Chart.HorizontalBar" if lying else "Chart.VerticalBar" if flat else f"Chart.{kind}",
        "data": rows[0] if flat else lines,
        "fallback": {"type": "Container", "items": _values(chart)},
    }
    if flat:
        drawn["color"] = _COLORS[0]
    if single:  # alone, a series has no legend
        drawn["xAxisTitle" if lying else "yAxisTitle"] = names[0]
    return drawn | ({"xAxisTitle": year} if year else {})


def _shortened(labels: list[str]) -> tuple[list[str], str]:
    """Return labels that fit below an axis, and the year that was taken out of all of them.

    Of longer ones, Teams shows a letter or two; of whole days it shows as many as fit, so that months of several years
    become their first days.
    """
    if all(map(_DAY.fullmatch, labels)):
        return labels, ""
    parts = [_IN_A_YEAR.fullmatch(label) for label in labels]
    if len(labels) > 1 and all(parts) and len({part[1] for part in parts if part}) == 1:
        return [part[2] for part in parts if part], labels[0][:4]
    if all(map(_MONTH.fullmatch, labels)):
        return [f"{label}-01" for label in labels], ""
    return labels, ""


def _heading(title: str) -> list[Element]:
    # Not every client shows the title that a chart has itself.
    return [bold(title)] if title else []


def _values(chart: Chart) -> list[Element]:
    """Return the values as a table, as many as a table shows."""
    shown = chart.series[: MOST_COLUMNS - 1]
    heads = [Head("Label"), *(Head(series.name, "number") for series in shown)]
    rows = [
        [label, *(NULL if (value := series.values[n]) is None else f"{value:,.10g}" for series in shown)]
        for n, label in enumerate(chart.labels[:MOST_ROWS])
    ]
    lines = [
        f"{more:,} more {what} {'is' if more == 1 else 'are'} not shown here."
        for more, what in (
            (len(chart.series) - len(shown), "series"),
            (len(chart.labels) - len(rows), "point" if len(chart.labels) - len(rows) == 1 else "points"),
        )
        if more > 0
    ]
    return [grid(heads, rows, LONGEST_CELL), *map(small, lines)]


def _within(part: Part, room: int) -> Part:
    return part if size_of(part.elements) <= room else Part(files=part.files, cut=True)
