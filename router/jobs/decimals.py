"""The numbers of a column, one below the other: 7.5 between 7.25 and 8 reads 7.50."""

import re
from collections.abc import Sequence

from router.cards import Head

Cells = tuple[str | None, ...]

_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_FEW = 3
"""With more decimals than these, zeros would only be noise."""


def lined_up(rows: Sequence[Cells], columns: Sequence[Head]) -> tuple[Cells, ...]:
    """Return a page's rows in which the numbers of a column have equally many decimals, where they have few."""
    turned = (
        [
            _evened(cells) if head.kind == "number" else cells
            for head, cells in zip(columns, zip(*rows, strict=True), strict=True)
        ]
        if rows
        else []
    )
    return tuple(zip(*turned, strict=True))


def _evened(cells: Cells) -> Cells:
    numbers = [cell for cell in cells if cell and _NUMBER.fullmatch(cell)]
    places = max((len(cell.partition(".")[2]) for cell in numbers), default=0)
    if len(numbers) < len([cell for cell in cells if cell is not None]) or not 0 < places <= _FEW:
        return cells
    return tuple(None if cell is None else _with_places(cell, places) for cell in cells)


def _with_places(cell: str, places: int) -> str:
    whole, _, decimals = cell.partition(".")
    return f"{whole}.{decimals:0<{places}}"
