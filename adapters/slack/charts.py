"""A chart as Slack draws it, where it is small enough; else as a picture, or as bars of letters."""

from adapters.attached import Attached
from adapters.chart_png import png_of
from adapters.fitting import cut, distinct, is_small, split
from adapters.plain import text_of_card
from adapters.slack.drawn import Block, Part, Richness
from adapters.slack.mrkdwn import escaped, fitted
from adapters.slack.texts import LEAST_ROOM, LONGEST_SECTION, preformatted, section, small
from adapters.unseen import clean
from router.cards import Chart

# Slack's limits of data_visualization.
MOST_SERIES = 6
MOST_POINTS = 20
LONGEST_LABEL = 20
LONGEST_TITLE = 50
MOST_CHARTS = 2
"""Charts that one message may hold."""


def draw_chart(chart: Chart, richness: Richness, room: int, nth: int = 0) -> Part:
    """Draw a Chart card, the nth of its message."""
    title = clean(chart.title).strip()
    if not chart.labels or not chart.series:
        return Part((small(f"A chart was here: {fitted(title, 200)}" if title else "A chart was here."),))
    if richness == Richness.FULL and nth < MOST_CHARTS and is_native(chart):
        return Part((native(chart),))
    if richness == Richness.FULL and (picture := png_of(chart)):
        return Part((section(f"{fitted(title, 200) or 'Chart'}: see the picture."),), (Attached("chart.png", picture),))
    if room < LEAST_ROOM:
        return Part(cut=True)
    parts = split(clean(text_of_card(chart)).strip("\n"), min(room - LEAST_ROOM // 2, LONGEST_SECTION), escaped)
    return Part(tuple(preformatted(parts[0].strip("\n"), richness)), cut=len(parts) > 1)


def is_native(chart: Chart) -> bool:
    """Tell whether Slack can draw the chart: few points, and a number at each."""
    return is_small(chart, MOST_SERIES, MOST_POINTS)


def native(chart: Chart) -> Block:
    """Return the block that Slack draws as a chart."""
    labels = distinct(chart.labels, LONGEST_LABEL)
    names = distinct((series.name for series in chart.series), LONGEST_LABEL)
    series = [
        {
            "name": name,
            "data": [{"label": label, "value": value} for label, value in zip(labels, each.values, strict=True)],
        }
        for name, each in zip(names, chart.series, strict=True)
    ]
    return {
        "type": "data_visualization",
        "title": cut(" ".join(clean(chart.title).split()), LONGEST_TITLE) or "Chart",
        "chart": {"type": chart.kind, "series": series, "axis_config": {"categories": labels}},
    }
