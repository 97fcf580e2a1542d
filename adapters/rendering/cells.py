"""A page of a result as cells that fit, and the line below it that says what is left out."""

import re
from dataclasses import replace

from adapters.rendering.plain_text import NULL, count_of
from router.cards import Head, Table
from router.language.wording import counted, truncate

CELL_MAX_CHARS = 400
"""Characters that are looked at of a cell."""

BLANK_CELL = "“{}”"
"""A cell without anything to see, quoted: platforms refuse or hide an empty one, and a person is to see it."""


def cells_of(table: Table, width: int, columns: int) -> list[list[str]]:
    """Return the head and the rows as texts that are never empty."""
    head = [cell_of(head.name, width) for head in table.columns[:columns]]
    return [head, *([cell_of(cell, width) for cell in row[:columns]] for row in table.rows)]


def cell_of(cell: str | None, width: int) -> str:
    """Return one cell on one line; a blank one in quotes."""
    if cell is None:
        return NULL
    cell = cell[: 2 * CELL_MAX_CHARS]  # of a very long cell, no more than that can be shown
    line = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", " ", re.sub(r"\s*[\r\n]+\s*", " ↵ ", cell))
    seen = re.sub(r"[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]", "", line)
    return truncate(line, width) if seen else BLANK_CELL.format(" " * min(3, len(line)))


def names_of(heads: tuple[Head, ...]) -> str:
    """Return the columns' names in one line."""
    return ", ".join(cell_of(head.name, 40) for head in heads)


def legend_of(table: Table, rows: int, columns: int, width: int) -> str:
    """Return the lines that count the rows of a page, with what is left out of rows, columns and cells."""
    page = replace(table, rows=table.rows[:rows])
    lines = [count_of(page)]
    if rows < len(table.rows):
        lines.append(f"The first {rows} of these {len(table.rows)} rows are shown here.")
    if hidden := table.columns[columns:]:
        lines.append(
            f"{counted(len(hidden), 'more column')}: {truncate(names_of(hidden), 400)}. CSV and Excel have all of them."
        )
    if any(len(cell or "") > width for row in page.rows for cell in row[:columns]):
        lines.append(f"Long cells are cut at {width} characters; CSV and Excel have them whole.")
    return "\n".join(lines)


def missing_rows_text(table: Table) -> str:
    """Return what is said in place of a table without rows: none were found, or they are not kept with the message."""
    if table.total and table.columns and not table.rows:
        return f"A table of {counted(table.total, 'row')} was here."
    names = truncate(names_of(table.columns), 500)
    return f"Columns: {names}\n{count_of(table)}" if names else count_of(table)
