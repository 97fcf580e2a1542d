"""A page of a result as a table of few columns and rows, for a card is small; what is left out is named."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from adapters.cells import cell_of, gone, legend_of
from adapters.teams.drawn import Element, Part, size_of
from adapters.teams.texts import LEAST_ROOM, block, run, small
from router.cards import Head, Table

MOST_COLUMNS, MOST_ROWS = 6, 20
MOST_LARGE = 3
"""Columns above which letters are small, for a phone is narrow."""

LINE = 60
"""Characters of a line of a chat: a column of words gets its share of it at most, for words go on in the next line."""

LEAST, MOST = 4, 18
"""Characters that a column is made for at least; and at most, where it holds what should not be broken."""

WIDTHS = (120, 80, 60, 40, 30, 20, 12)
"""The widths that cells may be cut at; the largest is taken that fits."""


def draw_table(table: Table, room: int) -> Part:
    """Draw a Table card in at most `room` bytes."""
    if not table.columns or not table.rows:
        line = small(gone(table))
        return Part((line,)) if size_of(line) <= room else Part(cut=True)
    columns, rows = min(MOST_COLUMNS, len(table.columns)), min(MOST_ROWS, len(table.rows))
    while rows and room > LEAST_ROOM:
        for width in WIDTHS:
            page = replace(table, columns=table.columns[:columns], rows=table.rows[:rows])
            drawn = (grid(page.columns, page.rows, width), small(legend_of(table, rows, columns, width)))
            if size_of(drawn) <= room:
                return Part(drawn)
        rows //= 2
    return Part(cut=True)


def grid(columns: Sequence[Head], rows: Sequence[Sequence[str | None]], width: int) -> Element:
    """Return the cells, each column as wide as what it holds; old clients draw all of them alike."""
    if len(columns) == 1:  # at the far end of a line of its own, a number would be looked for
        columns = [replace(columns[0], kind="text")]
    small = {"size": "Small"} if len(columns) > MOST_LARGE else {}
    head = [_cell(cell_of(each.name, width), each, weight="Bolder", **small) for each in columns]
    body = [
        [
            _cell(cell_of(cell, width), each, **small, **({"italic": True, "isSubtle": True} if cell is None else {}))
            for cell, each in zip(row, columns, strict=False)
        ]
        for row in rows
    ]
    share = LINE // len(columns)
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
    texts = [cell_of(cell, LINE) for cell in (head.name, *cells)]
    longest = max(map(len, texts))
    whole = head.kind != "text" or (longest <= MOST and not any(" " in text for text in texts))
    return max(LEAST, min(longest, MOST if whole else most)) + (4 if whole else 3)


def _cell(text: str, head: Head, **look: object) -> Element:
    item = block(run(text, **look))
    if head.kind == "number":
        item["horizontalAlignment"] = "Right"
    return {"type": "TableCell", "items": [item]}
