"""A chart that the browser draws: `chart_theme.toml` has what all charts look like, this file what is of one chart."""

import tomllib
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from nicegui import ui

from adapters.rendering.chart_png import SERIES
from router.cards import Chart, ChartKind, Series
from router.jobs.results.chart import kinds_for
from router.sql.cell_text import denoised

THEME = tomllib.loads(Path(__file__).with_name("chart_theme.toml").read_text(encoding="utf-8"))

KINDS: dict[ChartKind, tuple[str, str, str]] = {
    "bar": ("bar_chart", "Bars", "Bar"),
    "line": ("show_chart", "Lines", "Line"),
    "pie": ("pie_chart", "Shares", "Pie"),
}
"""The sign of each way to draw a chart, its button's word, and what a screen reader calls such a chart."""
LYING_BARS_MAX = 40
"""Bars that lie one below the other, all with their label; more of them stand, and some labels are left out."""
DOTS_MAX = 40
STRIPES = {"symbol": "rect", "color": "rgba(255, 255, 255, 0.6)", "dashArrayX": [1, 0], "dashArrayY": [2, 4]}


def draw_chart(chart: Chart) -> None:
    """Draw the chart with its title; a screen reader hears what it shows, the numbers are in the table beside it.

    It begins as the columns decide; people may have it drawn otherwise, in place and in their tab alone.
    """
    with ui.element("figure").classes("chart"):
        with ui.element("div").classes("heading"):
            ui.label(chart.title).classes("prompt")
            ways = ui.element("div").classes("kinds").props('role=group aria-label="Draw as"')
        # As SVG, colours may be the page's variables.
        drawn = ui.echart(options_of(chart), renderer="svg", theme=THEME)
        buttons: dict[ChartKind, ui.button] = {}

        def show(kind: ChartKind) -> None:
            other = replace(chart, kind=kind)
            drawn.options.clear()
            drawn.options.update(options_of(other))
            drawn.style(f"height: {_height(other)}px")
            drawn.props.update({"role": "img", "aria-label": _spoken(other)})
            for each, button in buttons.items():
                button.props["aria-pressed"] = "true" if each == kind else "false"

        with ways:
            for kind in kinds_for(chart):
                icon, label, _ = KINDS[kind]
                button = ui.button(icon=icon, color=None, on_click=partial(show, kind))
                button.props("flat dense size=sm").classes("icon kind")
                button.props.update({"aria-label": label, "title": label})
                buttons[kind] = button
        show(chart.kind)


def options_of(chart: Chart) -> dict[str, Any]:
    """Return the chart as Apache ECharts draws it."""
    if chart.kind == "pie":
        values = zip(chart.labels, chart.series[0].values, strict=True)
        slices = [{"name": label, "value": float(denoised(value or 0.0))} for label, value in values]
        pie = {"name": chart.series[0].name, "type": "pie", "data": slices}
        return {"color": list(SERIES), "series": [pie], "tooltip": {"trigger": "item"}}
    several, lying = len(chart.series) > 1, _is_lying(chart)
    numbers = {"type": "value", "scale": chart.kind == "line", "minInterval": 1 if _is_whole(chart) else 0}
    labels = _labels(chart, lying)
    return {
        "color": list(SERIES),
        "grid": {"right": 64 if lying else 24, "top": 40 if several else 12},
        "xAxis": numbers if lying else labels,
        "yAxis": labels if lying else numbers,
        "series": [_series(series, chart.kind, number, lying) for number, series in enumerate(chart.series)],
        "tooltip": {"trigger": "axis", "axisPointer": {"type": "line" if chart.kind == "line" else "shadow"}},
        "legend": {"show": several, "type": "scroll"},
    }


def _series(series: Series, kind: ChartKind, number: int, lying: bool) -> dict[str, Any]:
    """Return a series; those beyond the colours take them again, dashed or striped."""
    again = number >= len(SERIES)
    values = [None if value is None else float(denoised(value)) for value in series.values]
    drawn: dict[str, Any] = {"name": series.name, "type": kind}
    if kind == "line":
        dotted = "circle" if len(values) <= DOTS_MAX else "none"
        return drawn | {
            "data": _dotted(values),
            "lineStyle": {"type": "dashed" if again else "solid"},
            "symbol": dotted,
        }
    striped = {"itemStyle": {"decal": {**STRIPES, "rotation": -0.8}}} if again else {}
    # A lying bar that is too short to be seen has its number.
    return drawn | {"data": values, "label": {"show": lying}} | striped


def _dotted(values: list[float | None]) -> list[Any]:
    """Return the values with a dot on each that stands between two gaps: it has no line to be seen by."""
    beside = [None, *values, None]
    return [
        {"value": value, "symbol": "circle"} if value is not None and before is after is None else value
        for before, value, after in zip(beside, values, beside[2:], strict=False)
    ]


def _labels(chart: Chart, lying: bool) -> dict[str, Any]:
    """Return the axis of labels: the first is on top if bars lie, to the left if they stand."""
    look: dict[str, Any] = {"width": 180 if lying else 120}
    if lying:
        look["interval"] = 0
    elif chart.kind == "bar":
        look["rotate"] = 40
    axis = {"type": "category", "data": list(chart.labels), "inverse": lying}
    return axis | {"axisLabel": look, "boundaryGap": chart.kind == "bar"}


def _is_whole(chart: Chart) -> bool:
    """Return whether all values are whole numbers, so that no half of one stands at the axis."""
    return all(value is None or float(value).is_integer() for series in chart.series for value in series.values)


def _is_lying(chart: Chart) -> bool:
    return chart.kind == "bar" and len(chart.labels) * len(chart.series) <= LYING_BARS_MAX


def _height(chart: Chart) -> int:
    """Return the pixels that the chart is high: long names need room if bars lie."""
    if not _is_lying(chart):
        return 340
    bars = len(chart.labels) * (len(chart.series) * 14 + 14)
    return bars + (90 if len(chart.series) > 1 else 50)


def _spoken(chart: Chart) -> str:
    names = ", ".join(series.name for series in chart.series)
    ends = f", from {chart.labels[0]} to {chart.labels[-1]}" if len(chart.labels) > 1 else ""
    return f"{KINDS[chart.kind][2]} chart of {names}: {chart.title} ({len(chart.labels)} values{ends})"
