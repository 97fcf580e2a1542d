"""A chart as a picture, for platforms that draw none themselves."""

import unicodedata
from functools import cache, lru_cache
from io import BytesIO
from math import ceil
from textwrap import wrap
from threading import Lock
from typing import TYPE_CHECKING
from warnings import catch_warnings

from adapters.rendering.text import remove_unseen
from router.cards import Chart
from router.language.wording import spoken_number

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.text import Text


SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#c48200", "#3aa0da")
"""Colours of series: told apart by colour-blind eyes, and seen on white as on the page's dark ground.

More series than these take the colours again, with another stroke.
"""


# The words of a picture, in installed fonts and no longer than there is room for.


# Usual fonts for the scripts that DejaVu Sans lacks, on Linux, Windows and macOS.
_FONTS = (
    "DejaVu Sans",
    *(f"Noto Sans{script}" for script in ("", " CJK SC", " CJK JP", " CJK KR", " Arabic", " Hebrew", " Devanagari")),
    *("Noto Sans Thai", "WenQuanYi Zen Hei", "Droid Sans Fallback", "IPAexGothic", "Microsoft YaHei", "Yu Gothic"),
    *("Malgun Gothic", "Nirmala UI", "Leelawadee UI", "PingFang SC", "Hiragino Sans", "Arial Unicode MS"),
)


def truncate_columns(text: str, columns: int) -> str:
    """Return as much of the text as takes this many columns, with … if some is missing.

    Not by its characters: a Chinese one takes two columns, an accent none.
    """
    if width(text) <= columns:
        return text
    while width(text) > columns - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def width(text: str) -> int:
    """Return how many columns the text takes: two for a Chinese character, none for an accent."""
    from wcwidth import wcswidth  # heavy if no picture is drawn

    return max(wcswidth(text), 0)


@cache
def fonts() -> list[str]:
    """Return those of the fonts that are installed here."""
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    return [name for name in _FONTS if name in installed]


def drawable(text: str) -> str:
    """Return the text on one line, without what cannot be seen."""
    return unicodedata.normalize("NFC", " ".join(remove_unseen(text).split()))


WIDTH, HEIGHT = 760, 420
"""Pixels as a page counts them; the picture has twice as many."""

_INK, _MUTED, _GRID = "#1b2230", "#596377", "#dde1e8"
_DASHES, _HATCHES = ("-", "--"), ("", "////")
_NUMBER_AXIS_PIXELS = 660  # pixels beside the axis of numbers
_LETTER_PIXELS = 6.2  # pixels of a letter of a label, on the average
_LABEL_MAX_COLUMNS, _SERIES_NAME_MAX_COLUMNS, _LABELS_MAX, _MARKS_MAX = 20, 28, 26, 40
_NUMBER_MAX = 1e150  # the square of a larger number is none, and matplotlib takes squares
_FONTS_LOCK = Lock()  # matplotlib's fonts are shared by all pictures, and not safe in several threads


@lru_cache(maxsize=8)
def png_of(chart: Chart) -> bytes | None:
    """Return the chart as a PNG of WIDTH x HEIGHT at double density; None if matplotlib is not installed.

    The latest are remembered: a message may be drawn several times.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine
    except ImportError:
        return None
    # A letter that no font has is drawn as a box, and nobody need be warned of it.
    with _FONTS_LOCK, catch_warnings(action="ignore", category=UserWarning):
        layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12)
        figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=200, layout=layout, facecolor="white")
        FigureCanvasAgg(figure)
        _draw(figure, chart)
        picture = BytesIO()
        figure.savefig(picture, format="png", metadata={"Software": None})
    return picture.getvalue()


def _draw(figure: "Figure", chart: Chart) -> None:
    axes = figure.add_subplot()
    title = "\n".join(
        truncate_columns(line, 72) for line in wrap(drawable(chart.title), 72, max_lines=2, placeholder=" …")
    )
    _plain(axes.set_title(title, loc="left", fontsize=11, fontweight="bold", color=_INK, pad=10))
    if chart.kind == "pie":
        _draw_slices(axes, chart)
        return
    drawn = _draw_lines(axes, chart) if chart.kind == "line" else _draw_bars(axes, chart)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(_MUTED)
    axes.grid(axis="y", color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="both", length=0, labelsize=9, labelcolor=_MUTED)
    axes.yaxis.set_major_formatter(lambda value, _: spoken_number(value).replace("-", "−", 1))
    _label(axes, chart.labels)
    if len(chart.series) > 1:
        _name_series(figure, chart, drawn)


def _draw_slices(axes: "Axes", chart: Chart) -> None:
    """Draw the parts of a whole, clockwise from the top; the legend has their labels and shares."""
    values = [_finite(value) or 0.0 for value in chart.series[0].values]
    whole = sum(values) or 1.0
    labels = [
        f"{truncate_columns(drawable(label), _LABEL_MAX_COLUMNS)}  {value / whole:.0%}"
        for label, value in zip(chart.labels, values, strict=True)
    ]
    drawn = axes.pie(
        values,
        colors=[SERIES[number % len(SERIES)] for number in range(len(values))],
        startangle=90,
        counterclock=False,
        wedgeprops={"linewidth": 1.5, "edgecolor": "white"},
    )
    for number, part in enumerate(drawn[0]):
        part.set_hatch(_HATCHES[number // len(SERIES) % 2])
    legend = axes.legend(
        drawn[0],
        ["…"] * len(labels),
        loc="center left",
        bbox_to_anchor=(1.05, 0.5),
        fontsize=9,
        frameon=False,
        labelcolor=_INK,
    )
    _name_entries(legend, labels)


def _draw_lines(axes: "Axes", chart: Chart) -> "list[Artist]":
    """Draw a line a series, and return what stands for each in the legend."""
    drawn: list[Artist] = []
    places = range(len(chart.labels))
    for number, series in enumerate(chart.series):
        values = [_finite(value) for value in series.values]
        gaps = [True, *(value is None for value in values), True]
        # A value between two gaps has no line to be seen by.
        alone = [place for place in places if gaps[place] and gaps[place + 2]]
        drawn += axes.plot(
            places,
            [float("nan") if value is None else value for value in values],
            color=SERIES[number % len(SERIES)],
            linestyle=_DASHES[number // len(SERIES) % 2],
            linewidth=1.8,
            marker="o",
            markersize=3.5,
            markevery=None if len(places) <= _MARKS_MAX else alone,
        )
    axes.margins(x=0.02)
    return drawn


def _draw_bars(axes: "Axes", chart: Chart) -> "list[Artist]":
    """Draw the bars of all series side by side, and return what stands for each in the legend."""
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Patch

    drawn: list[Artist] = []
    count = len(chart.series)
    wide = 0.8 / count
    for number, series in enumerate(chart.series):
        shown = [(place, value) for place, value in enumerate(map(_finite, series.values)) if value is not None]
        look = Patch(facecolor=SERIES[number % len(SERIES)], hatch=_HATCHES[number // len(SERIES) % 2], linewidth=0)
        look.set_edgecolor("white")
        left = [place + (number - count / 2) * wide for place, _ in shown]
        corners = [
            ((x, 0), (x, value), (x + wide, value), (x + wide, 0)) for x, (_, value) in zip(left, shown, strict=True)
        ]
        axes.add_collection(
            PolyCollection(
                corners, facecolor=look.get_facecolor(), hatch=look.get_hatch(), edgecolor="white", linewidth=0
            )
        )
        drawn.append(look)
    axes.autoscale_view()
    axes.axhline(0, color=_MUTED, linewidth=0.8)
    low, high = axes.get_ylim()
    values = [value for series in chart.series for value in map(_finite, series.values) if value is not None]
    if any(values):
        axes.set_ylim(low if min(values) < 0 else 0, high if max(values) > 0 else 0)
    axes.set_xlim(-0.6, len(chart.labels) - 0.4)
    return drawn


def _label(axes: "Axes", labels: tuple[str, ...]) -> None:
    """Put the labels below the axis: side by side if they fit, else at an angle; of many, each second, third…"""
    step = ceil(len(labels) / _LABELS_MAX) or 1
    places = range(0, len(labels), step)
    shown = [truncate_columns(drawable(labels[place]), _LABEL_MAX_COLUMNS) for place in places]
    longest = max(map(width, shown), default=0)
    fits = (longest + 1.5) * _LETTER_PIXELS * len(shown) <= _NUMBER_AXIS_PIXELS
    axes.set_xticks(places, shown)
    for text in axes.get_xticklabels():
        _plain(text)
        if not fits:
            text.set(rotation=40, horizontalalignment="right", rotation_mode="anchor")


def _name_series(figure: "Figure", chart: Chart, drawn: "list[Artist]") -> None:
    names = [truncate_columns(drawable(series.name), _SERIES_NAME_MAX_COLUMNS) for series in chart.series]
    room = max(map(width, names)) * _LETTER_PIXELS * 1.15 + 50
    legend = figure.legend(
        drawn,
        ["…"] * len(names),
        loc="outside lower left",
        ncols=max(1, min(4, len(names), int(WIDTH // room))),
        fontsize=9,
        frameon=False,
        labelcolor=_INK,
    )
    _name_entries(legend, names)


def _name_entries(legend: "Legend", names: list[str]) -> None:
    """Write the names into a legend: as its labels, those that begin with _ would be left out."""
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)
        _plain(text)


def _plain(text: "Text") -> None:
    """Have the text drawn as it is: two $ in it are no formula."""
    text.set_parse_math(False)
    text.set_fontfamily(fonts())


def _finite(value: float | None) -> float | None:
    return value if value is not None and abs(value) < _NUMBER_MAX else None
