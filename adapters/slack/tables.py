"""A page of a result as a table that fits into a message; what is left out is named."""

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from adapters.rendering.attachment import Attached
from adapters.rendering.cells import CELL_MAX_CHARS, cell_of, cells_of, gone, legend_of
from adapters.rendering.chart_png import png_of
from adapters.rendering.plain_text import NULL, count_of, text_of_card
from adapters.rendering.text import clean, distinct, is_small, split
from adapters.slack.drawing import Block, CardBlocks, Richness
from adapters.slack.mrkdwn import escaped, fitted
from adapters.slack.text_blocks import PARAGRAPH_MIN_CHARS, SECTION_MAX_CHARS, preformatted, section, small
from router.cards import Chart, Head, Table
from router.language.wording import truncate

# Charts: as Slack draws them where they are small enough; else as a picture, or as bars of letters.


# Slack's limits of data_visualization.
CHART_SERIES_MAX = 6
CHART_POINTS_MAX = 20
CHART_LABEL_MAX_CHARS = 20
CHART_TITLE_MAX_CHARS = 50
CHARTS_MAX = 2
"""Charts that one message may hold."""


def draw_chart(chart: Chart, richness: Richness, room: int, nth: int = 0) -> CardBlocks:
    """Draw a Chart card, the nth of its message."""
    title = clean(chart.title).strip()
    if not chart.labels or not chart.series:
        return CardBlocks((small(f"A chart was here: {fitted(title, 200)}" if title else "A chart was here."),))
    if richness == Richness.FULL and nth < CHARTS_MAX and is_native(chart):
        return CardBlocks((native(chart),))
    if richness == Richness.FULL and (picture := png_of(chart)):
        return CardBlocks(
            (section(f"{fitted(title, 200) or 'Chart'}: see the picture."),), (Attached("chart.png", picture),)
        )
    if room < PARAGRAPH_MIN_CHARS:
        return CardBlocks(cut=True)
    parts = split(
        clean(text_of_card(chart)).strip("\n"), min(room - PARAGRAPH_MIN_CHARS // 2, SECTION_MAX_CHARS), escaped
    )
    return CardBlocks(tuple(preformatted(parts[0].strip("\n"), richness)), cut=len(parts) > 1)


def is_native(chart: Chart) -> bool:
    """Tell whether Slack can draw the chart: few points, and a number at each."""
    return is_small(chart, CHART_SERIES_MAX, CHART_POINTS_MAX)


def native(chart: Chart) -> Block:
    """Return the block that Slack draws as a chart."""
    labels = distinct(chart.labels, CHART_LABEL_MAX_CHARS)
    names = distinct((series.name for series in chart.series), CHART_LABEL_MAX_CHARS)
    series = [
        {
            "name": name,
            "data": [{"label": label, "value": value} for label, value in zip(labels, each.values, strict=True)],
        }
        for name, each in zip(names, chart.series, strict=True)
    ]
    return {
        "type": "data_visualization",
        "title": truncate(" ".join(clean(chart.title).split()), CHART_TITLE_MAX_CHARS) or "Chart",
        "chart": {"type": chart.kind, "series": series, "axis_config": {"categories": labels}},
    }


# Slack's limits: 20 columns; data_table: 100 rows below the head, 20,000 characters; table: 100 rows with the head,
# 10,000 characters. Some room is left, for Slack does not say what it counts.
SLACK_TABLE_COLUMNS = 20
SLACK_TABLE_ROWS = {Richness.FULL: 100, Richness.TABLE: 99}
SLACK_TABLE_MAX_CHARS = {Richness.FULL: 19_000, Richness.TABLE: 9_500}
CELL_WIDTHS = (CELL_MAX_CHARS, 200, 120, 80, 60, 40, 30, 20, 12)
"""The widths that cells may be cut at; the largest is taken that fits."""

TABLE_PAGE_ROWS = 10
"""Rows that a data_table shows at once; people page through the others in place."""

TEXT_WIDTHS = (32, 20, 12)
TEXT_ROWS, TEXT_COLUMNS = 30, 5
TEXT_TABLE_LINE_MAX_CHARS = 45
"""The longest line of a table of letters: on a phone, longer lines wrap."""

EXACT_NUMBER_MAX = 2**53
_PLAIN_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,15})?")


def draw_table(table: Table, richness: Richness, room: int, first: bool = True) -> CardBlocks:
    """Draw a Table card; Slack takes one table a message, so that all but the first are drawn in letters."""
    if not table.columns or not table.rows:
        return CardBlocks((small(escaped(gone(table))),))
    if richness < Richness.TABLE or not first:
        return _in_letters(table, richness, room)
    page = replace(table, rows=table.rows[: SLACK_TABLE_ROWS[richness]])
    width, columns = _fit(page, SLACK_TABLE_MAX_CHARS[richness])
    draw = _data_table if richness == Richness.FULL else _table
    return CardBlocks((draw(page, width, columns), small(escaped(legend_of(table, len(page.rows), columns, width)))))


def letters(table: Table, most: int = SECTION_MAX_CHARS) -> tuple[str, str]:
    """Return as much of a table as `most` characters of fixed width hold, and the line below it."""
    columns, width = min(TEXT_COLUMNS, len(table.columns)), TEXT_WIDTHS[0]
    page = replace(table, rows=table.rows[:TEXT_ROWS])
    while True:
        drawn = _tabulated(page, width, columns)
        wide = max(map(len, drawn.splitlines())) > TEXT_TABLE_LINE_MAX_CHARS
        if not wide and len(drawn) <= most:
            break
        if wide and width > TEXT_WIDTHS[-1]:
            width = next(each for each in TEXT_WIDTHS if each < width)
        elif not wide and len(page.rows) > 1:
            page = replace(table, rows=table.rows[: len(page.rows) * 3 // 4])
        elif columns > 1:
            columns -= 1
        else:
            break
    return drawn, escaped(legend_of(table, len(page.rows), columns, width))


def _in_letters(table: Table, richness: Richness, room: int) -> CardBlocks:
    if room < 2 * PARAGRAPH_MIN_CHARS:
        return CardBlocks(cut=True)
    drawn, legend = letters(table, min(SECTION_MAX_CHARS, room) // 2)
    return CardBlocks((*preformatted(drawn, richness), small(legend)))


def _fit(table: Table, most: int) -> tuple[int, int]:
    """Return the width of cells and the number of columns with which the rows have at most `most` characters."""
    cells = cells_of(table, CELL_WIDTHS[0], min(SLACK_TABLE_COLUMNS, len(table.columns)))
    lengths = [[len(cell) for cell in column] for column in zip(*cells, strict=True)]
    for columns in range(len(lengths), 0, -1):
        for width in CELL_WIDTHS:
            if sum(min(length, width) for column in lengths[:columns] for length in column) <= most:
                return width, columns
    return CELL_WIDTHS[-1], 1


def _data_table(table: Table, width: int, columns: int) -> Block:
    head, *rows = _rows(table, width, columns, number=True)
    return {
        "type": "data_table",
        "caption": count_of(table),
        "page_size": min(TABLE_PAGE_ROWS, len(rows)),
        "rows": [head, *rows],
    }


def _table(table: Table, width: int, columns: int) -> Block:
    return {
        "type": "table",
        "rows": _rows(table, width, columns, number=False),
        "column_settings": [{"align": _align(head)} for head in table.columns[:columns]],
    }


def _rows(table: Table, width: int, columns: int, *, number: bool) -> list[list[Block]]:
    """Return the cells, those of the head first; with `number`, what is one is sorted as one."""
    names, *_ = cells_of(table, width, columns)
    rows = [
        [_raw(cell, head, width, number=number) for cell, head in zip(row, table.columns[:columns], strict=False)]
        for row in table.rows
    ]
    return [[{"type": "raw_text", "text": name} for name in names], *rows]


def _raw(cell: str | None, head: Head, width: int, number: bool) -> Block:
    """Return a cell: NULL slanted, so that it is not taken for the text; a number only where none of it is lost."""
    if cell is None:
        text = {"type": "text", "text": NULL, "style": {"italic": True}}
        return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [text]}]}
    if number and head.kind == "number" and len(cell) <= width and (value := exact(cell)) is not None:
        return {"type": "raw_number", "value": value, "text": cell}
    return {"type": "raw_text", "text": cell_of(cell, width)}


def exact(text: str) -> int | float | None:
    """Return the number that the text is, where a float holds it without loss; else None."""
    if not _PLAIN_NUMBER.fullmatch(text):
        return None
    value = float(text) if "." in text else int(text)
    return value if abs(value) < EXACT_NUMBER_MAX and Decimal(str(value)) == Decimal(text) else None


def _align(head: Head) -> str:
    return "right" if head.kind == "number" else "left"


def _tabulated(table: Table, width: int, columns: int) -> str:
    from tabulate import tabulate  # heavy where no rows are shown as text

    head, *rows = cells_of(table, width, columns)
    align: Callable[[Head], str] = _align
    return tabulate(
        rows,
        head,
        tablefmt="simple",
        colalign=[align(each) for each in table.columns[:columns]],
        disable_numparse=True,
    ).rstrip("\n")
