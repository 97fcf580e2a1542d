"""A page of a result as a table that fits into a message; what is left out is named."""

import re
from dataclasses import replace
from decimal import Decimal

from adapters.rendering.cells import CELL_MAX_CHARS, cell_of, cells_of, legend_of, missing_rows_text
from adapters.rendering.plain_text import NULL, count_of
from adapters.rendering.text import remove_unseen
from adapters.slack.drawing import Block, CardBlocks
from adapters.slack.mrkdwn import escaped, fit
from adapters.slack.text_blocks import PARAGRAPH_MIN_CHARS, draw_small, preformatted, section
from router.cards import Head, Table
from router.language.wording import truncate

# Slack takes 20 columns, 100 rows below the head and 20,000 characters; it does not say what it counts.
SLACK_TABLE_COLUMNS = 20
SLACK_TABLE_ROWS = 100
SLACK_TABLE_MAX_CHARS = 19_000
CELL_WIDTHS = (CELL_MAX_CHARS, 200, 120, 80, 60, 40, 30, 20, 12)
"""The widths that cells may be cut at; the largest is taken that fits."""

TABLE_PAGE_ROWS = 10
"""Rows that a table shows at once; people page through the others in place."""

TABLE_TITLE_MAX_CHARS, TABLE_CAPTION_MAX_CHARS = 300, 700

LETTERS_ROWS, LETTERS_COLUMNS, LETTERS_WIDTH = 30, 5, 20
"""Rows, columns and characters of a cell of a table that is drawn in letters."""

EXACT_NUMBER_MAX = 2**53
_PLAIN_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,15})?")


def draw_table(table: Table, room: int, first: bool = True) -> CardBlocks:
    """Draw a Table card; Slack takes one table a message, so that all but the first are drawn in letters."""
    if not table.columns or not table.rows:
        return CardBlocks((draw_small(escaped(missing_rows_text(table))),))
    if not first:
        return _in_letters(table, room)
    page = replace(table, rows=table.rows[:SLACK_TABLE_ROWS])
    width, columns = _fit(page)
    legend = draw_small(escaped(legend_of(table, len(page.rows), columns, width)))
    return CardBlocks((*_title_of(table), _data_table(page, width, columns), legend))


def _title_of(table: Table) -> list[Block]:
    """Return the line above a table: what the rows are, and the database that they came from."""
    title = f"*{fit(table.title, TABLE_TITLE_MAX_CHARS)}*" if table.title else ""
    line = " · ".join(filter(None, (title, fit(table.source, TABLE_TITLE_MAX_CHARS))))
    return [section(line)] if line else []


def _in_letters(table: Table, room: int) -> CardBlocks:
    from tabulate import tabulate  # heavy if no rows are shown as text

    head, *rows = cells_of(replace(table, rows=table.rows[:LETTERS_ROWS]), LETTERS_WIDTH, LETTERS_COLUMNS)
    while rows:
        drawn = tabulate(rows, head, tablefmt="simple", disable_numparse=True)
        if len(drawn) <= room - 2 * PARAGRAPH_MIN_CHARS:
            legend = draw_small(escaped(legend_of(table, len(rows), len(head), LETTERS_WIDTH)))
            return CardBlocks((*_title_of(table), preformatted(drawn), legend))
        rows = rows[: len(rows) // 2]
    return CardBlocks(cut=True)


def _fit(table: Table) -> tuple[int, int]:
    """Return the width of cells and the number of columns with which the rows fit into Slack's table."""
    cells = cells_of(table, CELL_WIDTHS[0], min(SLACK_TABLE_COLUMNS, len(table.columns)))
    lengths = [[len(cell) for cell in column] for column in zip(*cells, strict=True)]
    for columns in range(len(lengths), 0, -1):
        for width in CELL_WIDTHS:
            if sum(min(length, width) for column in lengths[:columns] for length in column) <= SLACK_TABLE_MAX_CHARS:
                return width, columns
    return CELL_WIDTHS[-1], 1


def _data_table(table: Table, width: int, columns: int) -> Block:
    names, *_ = cells_of(table, width, columns)
    rows = [
        [_cell(cell, head, width) for cell, head in zip(row, table.columns[:columns], strict=False)]
        for row in table.rows
    ]
    return {
        "type": "data_table",
        "caption": _caption(table),
        "page_size": min(TABLE_PAGE_ROWS, len(rows)),
        "rows": [[{"type": "raw_text", "text": name} for name in names], *rows],
    }


def _caption(table: Table) -> str:
    """Return what a screen reader says of a table: what is in it, from where, and how many rows."""
    named = " · ".join(filter(None, (remove_unseen(table.title), remove_unseen(table.source), count_of(table))))
    return truncate(named, TABLE_CAPTION_MAX_CHARS)


def _cell(cell: str | None, head: Head, width: int) -> Block:
    """Return a cell: NULL slanted, so that it is not taken for the text; a number only if none of it is lost."""
    if cell is None:
        text = {"type": "text", "text": NULL, "style": {"italic": True}}
        return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [text]}]}
    if head.kind == "number" and len(cell) <= width and (value := exact_number(cell)) is not None:
        return {"type": "raw_number", "value": value, "text": cell}
    return {"type": "raw_text", "text": cell_of(cell, width)}


def exact_number(text: str) -> int | float | None:
    """Return the number that the text is, if a float holds it without loss; else None."""
    if not _PLAIN_NUMBER.fullmatch(text):
        return None
    value = float(text) if "." in text else int(text)
    return value if abs(value) < EXACT_NUMBER_MAX and Decimal(str(value)) == Decimal(text) else None
