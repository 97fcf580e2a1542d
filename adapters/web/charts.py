"""A chart that the browser draws: its words and lines take the page's colours, and turn dark when the page does."""

from dataclasses import replace
from functools import partial
from typing import Any

from nicegui import ui

from adapters.rendering.chart_png import SERIES
from router.cards import Chart, ChartKind, Series
from router.jobs.results.chart import kinds_for
from router.sql.cell_text import denoised

KINDS: dict[ChartKind, tuple[str, str]] = {
    "bar": ("bar_chart", "Bars"),
    "line": ("show_chart", "Lines"),
    "pie": ("pie_chart", "Shares"),
}
"""The sign and the word of each way to draw a chart."""
_LYING_BARS_MAX = 40
"""Bars that lie one below the other, all with their label; more of them stand, and some labels are left out."""
_DOTS_MAX = 40
_INK, _MUTED, _LINE, _PANEL = "var(--ink)", "var(--muted)", "var(--line)", "var(--panel)"
_FACE = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
_STRIPES = {"symbol": "rect", "color": "rgba(255, 255, 255, 0.6)", "dashArrayX": [1, 0], "dashArrayY": [2, 4]}


def draw_chart(chart: Chart) -> None:
    """Draw the chart with its title; a screen reader hears what it shows, the numbers are in the table beside it.

    It begins as the columns decide; whoever looks may have it drawn otherwise, in place and in their tab alone.
    """
    with ui.element("figure").classes("chart"):
        with ui.element("div").classes("heading"):
            ui.label(chart.title).classes("prompt")
            ways = ui.element("div").classes("kinds").props('role=group aria-label="Draw as"')
        # As SVG, colours may be the page's variables.
        drawn = ui.echart(options_of(chart), renderer="svg")
        buttons: dict[ChartKind, ui.button] = {}

        def show(kind: ChartKind) -> None:
            drawn.options.clear()
            drawn.options.update(pie_of(chart) if kind == "pie" else options_of(_as(chart, kind)))
            drawn.style(f"height: {_height(chart, kind)}px")
            drawn.props.update({"role": "img", "aria-label": _spoken(chart, kind)})
            for each, button in buttons.items():
                button.props["aria-pressed"] = "true" if each == kind else "false"

        with ways:
            for kind in kinds_for(chart):
                icon, label = KINDS[kind]
                button = ui.button(icon=icon, color=None, on_click=partial(show, kind))
                button.props("flat dense size=sm").classes("icon kind").props.update(
                    {"aria-label": label, "title": label}
                )
                buttons[kind] = button
        show(chart.kind)


def _as(chart: Chart, kind: ChartKind) -> Chart:
    return replace(chart, kind=kind)


def pie_of(chart: Chart) -> dict[str, Any]:
    """Return the parts of a whole as Apache ECharts draws them: each with its name and its share."""
    values = zip(chart.labels, chart.series[0].values, strict=True)
    slices = [{"name": label, "value": float(denoised(value or 0.0))} for label, value in values]
    colours = [SERIES[number % len(SERIES)] for number in range(len(slices))]
    return {
        "animation": False,
        "textStyle": {"fontFamily": _FACE},
        "color": colours,
        "series": [
            {
                "name": chart.series[0].name,
                "type": "pie",
                "radius": ["38%", "66%"],
                "data": slices,
                "label": {
                    "color": _INK,
                    "formatter": "{b}\n{d} %",
                    "lineHeight": 15,
                    "width": 90,
                    "overflow": "truncate",
                },
                "percentPrecision": 1,
                "itemStyle": {"borderColor": _PANEL, "borderWidth": 2},
                "emphasis": {"disabled": True},
            }
        ],
        "tooltip": {
            "trigger": "item",
            "confine": True,
            "backgroundColor": _PANEL,
            "borderColor": _LINE,
            "textStyle": {"color": _INK},
        },
    }


def options_of(chart: Chart) -> dict[str, Any]:
    """Return the chart as Apache ECharts draws it."""
    several, lying = len(chart.series) > 1, _lies(chart)
    labels = _labels(chart, lying)
    numbers = {
        "type": "value",
        "scale": chart.kind == "line",
        "axisLabel": {"color": _MUTED, "hideOverlap": True},
        "splitLine": {"lineStyle": {"color": _LINE}},
        "splitNumber": 4,
        "minInterval": 1 if _whole(chart) else 0,
    }
    return {
        "animation": False,
        "textStyle": {"fontFamily": _FACE},
        "grid": {
            "left": 8,
            "right": 64 if lying else 24,
            "top": 40 if several else 12,
            "bottom": 8,
            "containLabel": True,
        },
        "xAxis": numbers if lying else labels,
        "yAxis": labels if lying else numbers,
        "series": [_series(series, chart.kind, number, lying) for number, series in enumerate(chart.series)],
        "tooltip": {
            "trigger": "axis",
            "confine": True,
            "axisPointer": {"type": "line" if chart.kind == "line" else "shadow"},
            "backgroundColor": _PANEL,
            "borderColor": _LINE,
            "textStyle": {"color": _INK},
        },
        "legend": {
            "show": several,
            "type": "scroll",
            "top": 0,
            "left": 0,
            "textStyle": {"color": _INK},
            "pageTextStyle": {"color": _MUTED},
            "pageIconColor": _INK,
            "pageIconInactiveColor": _LINE,
        },
    }


def _series(series: Series, kind: str, number: int, lying: bool) -> dict[str, Any]:
    again = number >= len(SERIES)
    values = [None if value is None else float(denoised(value)) for value in series.values]
    drawn: dict[str, Any] = {
        "name": series.name,
        "type": kind,
        "data": values,
        "color": SERIES[number % len(SERIES)],
        "emphasis": {"disabled": True},
    }
    if kind == "line":
        dotted = "circle" if len(values) <= _DOTS_MAX else "none"
        drawn |= {"lineStyle": {"type": "dashed" if again else "solid"}, "symbol": dotted, "symbolSize": 5}
        drawn |= {"showAllSymbol": True, "data": _dotted(values)}
    elif again:
        drawn["itemStyle"] = {"decal": {**_STRIPES, "rotation": -0.8}}
    if lying:  # a bar that is too short to be seen has its number
        drawn["label"] = {"show": True, "position": "right", "color": _MUTED, "fontSize": 11}
    return drawn


def _dotted(values: list[float | None]) -> list[Any]:
    """Return the values with a dot on each that stands between two gaps: it has no line to be seen by."""
    beside = [None, *values, None]
    return [
        {"value": value, "symbol": "circle"} if value is not None and before is after is None else value
        for before, value, after in zip(beside, values, beside[2:], strict=False)
    ]


def _labels(chart: Chart, lying: bool) -> dict[str, Any]:
    """Return the axis of labels: the first is on top where bars lie, to the left where they stand."""
    look: dict[str, Any] = {
        "color": _MUTED,
        "hideOverlap": True,
        "overflow": "truncate",
        "width": 180 if lying else 120,
    }
    if lying:
        look |= {"interval": 0}
    elif chart.kind == "bar":
        look |= {"rotate": 40}
    return {
        "type": "category",
        "data": list(chart.labels),
        "inverse": lying,
        "axisLabel": look,
        "axisLine": {"lineStyle": {"color": _MUTED}},
        "axisTick": {"show": False},
        "boundaryGap": chart.kind == "bar",
    }


def _whole(chart: Chart) -> bool:
    """Tell whether all values are whole numbers, so that no half of one stands at the axis."""
    return all(value is None or float(value).is_integer() for series in chart.series for value in series.values)


def _lies(chart: Chart) -> bool:
    return chart.kind == "bar" and len(chart.labels) * len(chart.series) <= _LYING_BARS_MAX


def _height(chart: Chart, kind: ChartKind) -> int:
    """Return the pixels that the chart is high: long names need room where bars lie."""
    if kind == "pie" or not _lies(_as(chart, kind)):
        return 340
    bars = len(chart.labels) * (len(chart.series) * 14 + 14)
    return bars + (90 if len(chart.series) > 1 else 50)


_NAMES: dict[ChartKind, str] = {"bar": "Bar", "line": "Line", "pie": "Pie"}


def _spoken(chart: Chart, kind: ChartKind) -> str:
    names = ", ".join(series.name for series in chart.series)
    ends = f", from {chart.labels[0]} to {chart.labels[-1]}" if len(chart.labels) > 1 else ""
    return f"{_NAMES[kind]} chart of {names}: {chart.title} ({len(chart.labels)} values{ends})"
