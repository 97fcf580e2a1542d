"""Tables, of few columns and rows, for a card is small; what is left out is named."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from adapters.rendering.cells import cell_of, legend_of, missing_rows_text
from adapters.rendering.text import remove_unseen
from adapters.teams.drawing import CardElements, Detail, Element
from adapters.teams.text_elements import block, draw_small, run
from router.cards import Head, Table
from router.language.wording import truncate

TABLE_COLUMNS_MAX = 6
LARGE_COLUMNS_MAX = 3
"""Columns above which letters are small, for a phone is narrow."""

TABLE_TITLE_MAX_CHARS = 150

LINE_MAX_CHARS = 60
"""Characters of a line of a chat: a column of words gets its share of it at most, for words go on in the next line."""

PHONE_LINE_CHARS = 52
"""Small letters, and gaps beside columns, that a phone has side by side: its cards have 358 pixels, which clients count
as a standard width, not as a narrow one. More columns than fit there stand side by side in a wide chat only."""

COLUMN_MIN_CHARS, COLUMN_MAX_CHARS = 4, 18
"""Characters that a column is made for at least; and at most, if it holds what should not be broken."""

_NULL_LOOK = {"italic": True, "isSubtle": True}

Rows = Sequence[Sequence[str | None]]


def draw_table(table: Table, detail: Detail) -> CardElements:
    """Draw a Table card: more columns than fit on a phone stand there one below the other."""
    title = _title(table)
    if not table.columns or not table.rows:
        return CardElements((*title, draw_small(missing_rows_text(table))))
    heads, rows, width = table.columns[:TABLE_COLUMNS_MAX], table.rows[: detail.rows], detail.cell
    cells, legend = grid(heads, rows, width), draw_small(legend_of(table, len(rows), len(heads), width))
    if len(heads) <= LARGE_COLUMNS_MAX:
        return CardElements((*title, cells, legend))
    crowded = sum(each["width"] for each in cells["columns"]) > PHONE_LINE_CHARS
    beside, below = ("atLeast:wide", "atMost:standard") if crowded else ("atLeast:standard", "atMost:narrow")
    phone = _listed(heads, rows, width) | {"targetWidth": below}
    return CardElements((*title, cells | {"targetWidth": beside}, phone, legend))


def _title(table: Table) -> list[Element]:
    """Return what the rows are, and the database that they come from."""
    title, source = (
        truncate(" ".join(remove_unseen(each).split()), TABLE_TITLE_MAX_CHARS) for each in (table.title, table.source)
    )
    if not title:
        return [draw_small(source)] if source else []
    more = [run(f"  ·  {source}", size="Small", isSubtle=True)] if source else []
    return [block(run(title, weight="Bolder", size="Medium"), *more)]


def _listed(heads: Sequence[Head], rows: Rows, width: int) -> Element:
    """Return the rows one below the other: their columns do not fit side by side."""
    items: list[Element] = []
    for n, row in enumerate(rows):
        first, *others = (cell_of(cell, width) for cell in row[: len(heads)])
        said = (f"{cell_of(head.name, width)}: {cell}" for head, cell in zip(heads[1:], others, strict=False))
        items += [
            block(run(first, weight="Bolder")) | ({"separator": True} if n else {}),
            block(run("  ·  ".join(said), size="Small")) | {"spacing": "None"},
        ]
    return {"type": "Container", "items": items}


def grid(heads: Sequence[Head], rows: Rows, width: int) -> Element:
    """Return the cells, each column as wide as what it holds; old clients draw all of them alike."""
    if len(heads) == 1:  # at the far end of a line of its own, a number would be looked for
        heads = [replace(heads[0], kind="text")]
    size: dict[str, Any] = {"size": "Small"} if len(heads) > LARGE_COLUMNS_MAX else {}
    names = [_cell(each.name, each, width, weight="Bolder", **size) for each in heads]
    drawn: list[Element] = [{"type": "TableRow", "style": "emphasis", "cells": names}]
    for row in rows:
        looks = [size | _NULL_LOOK if cell is None else size for cell in row]
        cells = [_cell(cell, each, width, **look) for cell, each, look in zip(row, heads, looks, strict=False)]
        drawn.append({"type": "TableRow", "cells": cells})
    share = LINE_MAX_CHARS // len(heads)
    widths = [{"width": _width(each, (row[n] for row in rows), share)} for n, each in enumerate(heads)]
    return {"type": "Table", "firstRowAsHeaders": True, "columns": widths, "rows": drawn}


def _cell(cell: str | None, head: Head, width: int, **look: object) -> Element:
    item = block(run(cell_of(cell, width), **look))
    if head.kind == "number":
        item["horizontalAlignment"] = "Right"
    return {"type": "TableCell", "items": [item]}


def _width(head: Head, cells: Iterable[str | None], most: int) -> int:
    texts = [cell_of(cell, LINE_MAX_CHARS) for cell in (head.name, *cells)]
    longest = max(map(len, texts))
    whole = head.kind != "text" or (longest <= COLUMN_MAX_CHARS and not any(" " in text for text in texts))
    return max(COLUMN_MIN_CHARS, min(longest, COLUMN_MAX_CHARS if whole else most)) + (4 if whole else 3)
