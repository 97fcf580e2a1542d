"""A chart as Teams draws it, where it is small enough; else as a picture; its values as a table beside or behind it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from adapters.rendering.attachment import Attached
from adapters.rendering.cells import cell_of, gone, legend_of
from adapters.rendering.chart_png import png_of
from adapters.rendering.plain_text import NULL
from adapters.rendering.text import clean, distinct, is_small
from adapters.teams.drawing import CardElements, Element, size_of
from adapters.teams.text_elements import CARD_MIN_BYTES, block, bold, run, small
from router.cards import Chart, Head, Table
from router.language.wording import spoken_number, truncate

# Tables, of few columns and rows, for a card is small; what is left out is named.


TEAMS_TABLE_COLUMNS, TEAMS_TABLE_ROWS = 6, 20
LARGE_COLUMNS_MAX = 3
"""Columns above which letters are small, for a phone is narrow."""

LINE_MAX_CHARS = 60
"""Characters of a line of a chat: a column of words gets its share of it at most, for words go on in the next line."""

PHONE_LINE_CHARS = 52
"""Small letters, and gaps beside columns, that a phone has side by side: its cards have 358 pixels, which clients count
as a standard width, not as a narrow one. More columns than fit there stand side by side in a wide chat only."""

COLUMN_MIN_CHARS, COLUMN_MAX_CHARS = 4, 18
"""Characters that a column is made for at least; and at most, where it holds what should not be broken."""

CELL_WIDTHS_IN_CHAT = (120, 80, 60, 40, 30, 20, 12)
"""The widths that cells may be cut at; the largest is taken that fits."""


def draw_table(table: Table, room: int, spare: int = 0) -> CardElements:
    """Draw a Table card in at most `room` bytes, leaving `spare` of them unless that would cost rows."""
    if not table.columns or not table.rows:
        lines = (*_title(table), small(gone(table)))
        return CardElements(lines) if size_of(lines) <= room else CardElements(cut=True)
    columns, rows = min(TEAMS_TABLE_COLUMNS, len(table.columns)), min(TEAMS_TABLE_ROWS, len(table.rows))
    while rows and room > CARD_MIN_BYTES:
        page = replace(table, columns=table.columns[:columns], rows=table.rows[:rows])
        for most, width in product((room - spare, room), CELL_WIDTHS_IN_CHAT):
            cells, legend = grid(page.columns, page.rows, width), small(legend_of(table, rows, columns, width))
            if size_of(drawn := (*_title(table), cells, legend)) > most:
                continue
            if columns <= LARGE_COLUMNS_MAX:
                return CardElements(drawn)
            crowded = sum(each["width"] for each in cells["columns"]) > PHONE_LINE_CHARS
            beside, below = ("atLeast:wide", "atMost:standard") if crowded else ("atLeast:standard", "atMost:narrow")
            phone = listed(page.columns, page.rows, width) | {"targetWidth": below}
            wide = (*_title(table), cells | {"targetWidth": beside}, phone, legend)
            return CardElements(wide if size_of(wide) <= room - spare else drawn)
        rows //= 2
    return CardElements(cut=True)


def _title(table: Table) -> list[Element]:
    """Return what the rows are, and the database that they come from."""
    title, source = (
        truncate(" ".join(clean(each).split()), CHART_TITLE_MAX_CHARS) for each in (table.title, table.source)
    )
    if not title:
        return [small(source)] if source else []
    more = [run(f"  ·  {source}", size="Small", isSubtle=True)] if source else []
    return [block(run(title, weight="Bolder", size="Medium"), *more)]


def listed(columns: Sequence[Head], rows: Sequence[Sequence[str | None]], width: int) -> Element:
    """Return the rows one below the other, for where their columns do not fit side by side."""
    items: list[Element] = []
    for n, row in enumerate(rows):
        first, *others = (cell_of(cell, width) for cell in row)
        runs: list[Element] = []
        for head, cell in zip(columns[1:], others, strict=False):
            name = f"{'   ' if runs else ''}{cell_of(head.name, width)} "
            runs += [run(name, size="Small", isSubtle=True), run(cell, size="Small")]
        items += [
            block(run(first, weight="Bolder")) | ({"separator": True} if n else {}),
            block(*runs) | {"spacing": "None"},
        ]
    return {"type": "Container", "items": items}


def grid(columns: Sequence[Head], rows: Sequence[Sequence[str | None]], width: int) -> Element:
    """Return the cells, each column as wide as what it holds; old clients draw all of them alike."""
    if len(columns) == 1:  # at the far end of a line of its own, a number would be looked for
        columns = [replace(columns[0], kind="text")]
    small = {"size": "Small"} if len(columns) > LARGE_COLUMNS_MAX else {}
    head = [_cell(cell_of(each.name, width), each, weight="Bolder", **small) for each in columns]
    body = [
        [
            _cell(cell_of(cell, width), each, **small, **({"italic": True, "isSubtle": True} if cell is None else {}))
            for cell, each in zip(row, columns, strict=False)
        ]
        for row in rows
    ]
    share = LINE_MAX_CHARS // len(columns)
    return {
        "type": "Table",
        "firstRowAsHeaders": True,
        "columns": [{"width": _width(each, (row[n] for row in rows), share)} for n, each in enumerate(columns)],
        "rows": [
            {"type": "TableRow", "style": "emphasis", "cells": head},
            *({"type": "TableRow", "cells": cells} for cells in body),
        ],
    }


def _width(head: Head, cells: Iterable[str | None], most: int) -> int:
    texts = [cell_of(cell, LINE_MAX_CHARS) for cell in (head.name, *cells)]
    longest = max(map(len, texts))
    whole = head.kind != "text" or (longest <= COLUMN_MAX_CHARS and not any(" " in text for text in texts))
    return max(COLUMN_MIN_CHARS, min(longest, COLUMN_MAX_CHARS if whole else most)) + (4 if whole else 3)


def _cell(text: str, head: Head, **look: object) -> Element:
    item = block(run(text, **look))
    if head.kind == "number":
        item["horizontalAlignment"] = "Right"
    return {"type": "TableCell", "items": [item]}


TEAMS_CHART_SERIES_MAX, TEAMS_CHART_POINTS_MAX = 8, 30
"""The number of points that is legible in the width of a chat."""

PICTURES_MAX = 2
"""Pictures of a message; each takes half a second."""

CHART_LABEL_MAX_CHARS, CHART_TITLE_MAX_CHARS, CHART_CELL_MAX_CHARS = 30, 150, 30
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


def draw_chart(chart: Chart, room: int, nth: int = 0) -> CardElements:
    """Draw a Chart card, the nth of its message, in at most `room` bytes."""
    title = truncate(" ".join(clean(chart.title).split()), CHART_TITLE_MAX_CHARS)
    if not chart.labels or not chart.series:
        return _within(CardElements((small(f"A chart was here: {title}" if title else "A chart was here."),)), room)
    if is_native(chart):
        part = CardElements((*_heading(title), native(chart)))
        if size_of(part.elements) <= room:
            return part
    picture = png_of(chart) if nth < PICTURES_MAX else None
    files = (Attached("chart.png", picture),) if picture else ()
    return _within(CardElements((*_heading(title), *_values(chart)), files), room)


def is_native(chart: Chart) -> bool:
    """Tell whether Teams draws the chart as it is: few points, a number at each, and no bar below zero."""
    above = all(value is None or value >= 0 for series in chart.series for value in series.values)
    return is_small(chart, TEAMS_CHART_SERIES_MAX, TEAMS_CHART_POINTS_MAX) and (chart.kind == "line" or above)


def native(chart: Chart) -> Element:
    """Return the element that Teams draws as a chart; clients that know none show a table."""
    labels = distinct(chart.labels, CHART_LABEL_MAX_CHARS)
    fallback: Element = {"type": "Container", "items": _values(chart)}
    if chart.kind == "pie":
        slices = [
            {"legend": label, "value": value, "color": _COLORS[n % len(_COLORS)]}
            for n, (label, value) in enumerate(zip(labels, chart.series[0].values, strict=True))
        ]
        return {"type": "Chart.Pie", "data": slices, "fallback": fallback}
    names = distinct((series.name for series in chart.series), CHART_LABEL_MAX_CHARS)
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
        "fallback": fallback,
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
    shown = chart.series[: TEAMS_TABLE_COLUMNS - 1]
    heads = [Head("Label"), *(Head(series.name, "number") for series in shown)]
    rows = [
        [label, *(NULL if (value := series.values[n]) is None else spoken_number(value) for series in shown)]
        for n, label in enumerate(chart.labels[:TEAMS_TABLE_ROWS])
    ]
    lines = [
        f"{more:,} more {what} {'is' if more == 1 else 'are'} not shown here."
        for more, what in (
            (len(chart.series) - len(shown), "series"),
            (len(chart.labels) - len(rows), "point" if len(chart.labels) - len(rows) == 1 else "points"),
        )
        if more > 0
    ]
    return [grid(heads, rows, CHART_CELL_MAX_CHARS), *map(small, lines)]


def _within(part: CardElements, room: int) -> CardElements:
    return part if size_of(part.elements) <= room else CardElements(files=part.files, cut=True)
