"""Charts: as Slack draws them if they are small enough; else as a picture, or as bars of letters."""

from adapters.rendering.attachment import Attached
from adapters.rendering.chart_png import png_of
from adapters.rendering.plain_text import text_of_card
from adapters.rendering.text import is_small, make_distinct, remove_unseen, split
from adapters.slack.drawing import Block, CardBlocks
from adapters.slack.mrkdwn import fit
from adapters.slack.text_blocks import PARAGRAPH_MIN_CHARS, SECTION_MAX_CHARS, draw_small, preformatted, section
from router.cards import Chart
from router.language.wording import truncate

# Slack's limits of data_visualization.
CHART_SERIES_MAX = 6
CHART_POINTS_MAX = 20
PIE_SEGMENTS_MAX = 6
CHART_LABEL_MAX_CHARS = 20
CHART_TITLE_MAX_CHARS = 50
CHART_ALT_MAX_CHARS = 1_000
CHARTS_MAX = 2
"""Charts that one message may hold."""


def draw_chart(chart: Chart, room: int, nth: int = 0) -> CardBlocks:
    """Draw a Chart card, the nth of its message."""
    title = fit(remove_unseen(chart.title).strip(), 200)
    if not chart.labels or not chart.series:
        return CardBlocks((draw_small(f"A chart was here: {title}" if title else "A chart was here."),))
    if nth < CHARTS_MAX and is_native(chart):
        return CardBlocks((native(chart),))
    if picture := png_of(chart):
        file = Attached("chart.png", picture, describe_chart(chart))
        return CardBlocks((section(f"{title or 'Chart'}: see the picture."),), (file,))
    if room < PARAGRAPH_MIN_CHARS:
        return CardBlocks(cut=True)
    drawn, *rest = split(
        remove_unseen(text_of_card(chart)).strip("\n"), min(room - PARAGRAPH_MIN_CHARS // 2, SECTION_MAX_CHARS)
    )
    return CardBlocks((preformatted(drawn.strip("\n")),), cut=bool(rest))


def describe_chart(chart: Chart) -> str:
    """Return what a picture of the chart shows: its kind, its title, and its series over how many values."""
    names = ", ".join(series.name for series in chart.series)
    said = f"{chart.kind.capitalize()} chart: {chart.title}. {names} for {len(chart.labels)} values."
    return truncate(" ".join(remove_unseen(said).split()), CHART_ALT_MAX_CHARS)


def is_native(chart: Chart) -> bool:
    """Return whether Slack can draw the chart: few points, and a number at each; in a pie, above zero."""
    if chart.kind == "pie":
        values = chart.series[0].values
        return len(values) <= PIE_SEGMENTS_MAX and all(value is not None and value > 0 for value in values)
    return is_small(chart, CHART_SERIES_MAX, CHART_POINTS_MAX)


def native(chart: Chart) -> Block:
    """Return the block that Slack draws as a chart."""
    labels = make_distinct(chart.labels, CHART_LABEL_MAX_CHARS)
    names = make_distinct((series.name for series in chart.series), CHART_LABEL_MAX_CHARS)
    series = [
        {
            "name": name,
            "data": [{"label": label, "value": value} for label, value in zip(labels, each.values, strict=True)],
        }
        for name, each in zip(names, chart.series, strict=True)
    ]
    title = truncate(" ".join(remove_unseen(chart.title).split()), CHART_TITLE_MAX_CHARS) or "Chart"
    if chart.kind == "pie":
        drawn = {"type": "pie", "segments": series[0]["data"]}
        return {"type": "data_visualization", "title": title, "chart": drawn}
    # The names of several series stand in the legend.
    name = truncate(" ".join(remove_unseen(chart.series[0].name).split()), CHART_TITLE_MAX_CHARS)
    axis = {"y_label": name} if len(chart.series) == 1 and name else {}
    return {
        "type": "data_visualization",
        "title": title,
        "chart": {"type": chart.kind, "series": series, "axis_config": {"categories": labels, **axis}},
    }
