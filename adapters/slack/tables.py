"""A page of a result as a table that fits into a message; what is left out is named."""

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from tabulate import tabulate

from adapters.cells import WIDEST, cell_of, cells_of, gone, legend_of
from adapters.plain import NULL, count_of
from adapters.slack.drawn import Block, Part, Richness
from adapters.slack.mrkdwn import escaped
from adapters.slack.texts import LEAST_ROOM, LONGEST_SECTION, preformatted, small
from router.cards import Head, Table

# Slack's limits: 20 columns; data_table: 100 rows below the head, 20,000 characters; table: 100 rows with the head,
# 10,000 characters. Some room is left, for Slack does not say what it counts.
MOST_COLUMNS = 20
MOST_ROWS = {Richness.FULL: 100, Richness.TABLE: 99}
MOST_CHARACTERS = {Richness.FULL: 19_000, Richness.TABLE: 9_500}
WIDTHS = (WIDEST, 200, 120, 80, 60, 40, 30, 20, 12)
"""The widths that cells may be cut at; the largest is taken that fits."""

PAGE = 10
"""Rows that a data_table shows at once; people page through the others in place."""

TEXT_WIDTHS = (32, 20, 12)
TEXT_ROWS, TEXT_COLUMNS = 30, 5
LONGEST_LINE = 45
"""What a table of letters holds at most: on a phone, longer lines wrap."""

LONGEST_EXACT = 2**53
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,15})?")


def draw_table(table: Table, richness: Richness, room: int, first: bool = True) -> Part:
    """Draw a Table card; Slack takes one table a message, so that all but the first are drawn in letters."""
    if not table.columns or not table.rows:
        return Part((small(escaped(gone(table))),))
    if richness < Richness.TABLE or not first:
        return _in_letters(table, richness, room)
    page = replace(table, rows=table.rows[: MOST_ROWS[richness]])
    width, columns = _fit(page, MOST_CHARACTERS[richness])
    draw = _data_table if richness == Richness.FULL else _table
    return Part((draw(page, width, columns), small(escaped(legend_of(table, len(page.rows), columns, width)))))


def letters(table: Table, most: int = LONGEST_SECTION) -> tuple[str, str]:
    """Return as much of a table as `most` characters of fixed width hold, and the line below it."""
    columns, width = min(TEXT_COLUMNS, len(table.columns)), TEXT_WIDTHS[0]
    page = replace(table, rows=table.rows[:TEXT_ROWS])
    while True:
        drawn = _tabulated(page, width, columns)
        wide = max(map(len, drawn.splitlines())) > LONGEST_LINE
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


def _in_letters(table: Table, richness: Richness, room: int) -> Part:
    if room < 2 * LEAST_ROOM:
        return Part(cut=True)
    drawn, legend = letters(table, min(LONGEST_SECTION, room) // 2)
    return Part((*preformatted(drawn, richness), small(legend)))


def _fit(table: Table, most: int) -> tuple[int, int]:
    """Return the width of cells and the number of columns with which the rows have at most `most` characters."""
    cells = cells_of(table, WIDTHS[0], min(MOST_COLUMNS, len(table.columns)))
    lengths = [[len(cell) for cell in column] for column in zip(*cells, strict=True)]
    for columns in range(len(lengths), 0, -1):
        for width in WIDTHS:
            if sum(min(length, width) for column in lengths[:columns] for length in column) <= most:
                return width, columns
    return WIDTHS[-1], 1


def _data_table(table: Table, width: int, columns: int) -> Block:
    head, *rows = _rows(table, width, columns, number=True)
    return {
        "type": "data_table",
        "caption": count_of(table),
        "page_size": min(PAGE, len(rows)),
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
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text) if "." in text else int(text)
    return value if abs(value) < LONGEST_EXACT and Decimal(str(value)) == Decimal(text) else None


def _align(head: Head) -> str:
    return "right" if head.kind == "number" else "left"


def _tabulated(table: Table, width: int, columns: int) -> str:
    head, *rows = cells_of(table, width, columns)
    align: Callable[[Head], str] = _align
    return tabulate(
        rows,
        head,
        tablefmt="simple",
        colalign=[align(each) for each in table.columns[:columns]],
        disable_numparse=True,
    ).rstrip("\n")
