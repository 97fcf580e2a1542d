"""A page of a result as a table of text."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from router.cards import Head, Table, Text
from router.jobs.results.cells import cell
from router.jobs.results.reader import PersonalResults, Row, Sort
from router.language.wording import counted, size_words, verb
from router.memory.thread import ResultRef

# Rows and cells that there was no room for, in words for people.

CUT_CELLS = "Some cells were too long to be kept whole: they are written as they were cut."


def not_kept(result: ResultRef | Table) -> str:
    """Return sentences about rows that joins left out, and rows and cells that there was no room for; "" for none."""
    said = [result.unmatched] if result.unmatched else []
    if result.full:
        rows = f"The first {result.total:,} rows are" if result.total != 1 else "The first row is"
        said.append(
            f"{rows} all that was read: one result takes at most {size_words(result.full).replace('.0 ', ' ')} here. "
            "Ask for fewer columns or rows to see the others."
        )
    if result.shortened:
        cells = f"{counted(result.shortened, 'cell')} {verb(result.shortened, 'was', 'were')}"
        said.append(f"{cells} too long to be kept whole; “… (cut: …)” at the end says how long.")
    return " ".join(said)


def told_beside(table: Table) -> tuple[Text, ...]:
    """Return what is shown beside a page of a result that is not all there; what numbers lack stands out."""
    lacking = (Text(table.unmatched, connection=table.connection),) if table.unmatched else ()
    words = not_kept(replace(table, unmatched=""))
    return (*lacking, *((Text(words, "quiet", table.connection),) if words else ()))


# The digest of a result, which the order of its rows does not change.

_DIGEST_MODULUS = 2**256


def digest_of(results: PersonalResults, ref: ResultRef) -> str:
    """Return what stands for a result's columns and rows, however a database ordered them; raises JobFailed."""
    total = 0
    for rows in results.rows(ref):
        for row in rows:
            total += int.from_bytes(hashlib.sha256(repr(row).encode("utf-8", "surrogatepass")).digest())
    names = repr([head.name for head in ref.columns])
    return hashlib.sha256(f"{names} {ref.total} {ref.capped} {total % _DIGEST_MODULUS}".encode()).hexdigest()


# Numbers of a column, one below the other: 7.5 between 7.25 and 8 reads 7.50.

Cells = tuple[str | None, ...]

_DECIMAL = re.compile(r"-?\d+(\.\d+)?")
_ALIGNED_DECIMALS_MAX = 3
"""With more decimals than these, zeros would only be noise."""


def aligned(rows: Sequence[Cells], columns: Sequence[Head]) -> tuple[Cells, ...]:
    """Return a page's rows in which the numbers of a column have equally many decimals, if they have few."""
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
    numbers = [cell for cell in cells if cell and _DECIMAL.fullmatch(cell)]
    places = max((len(cell.partition(".")[2]) for cell in numbers), default=0)
    if len(numbers) < len([cell for cell in cells if cell is not None]) or not 0 < places <= _ALIGNED_DECIMALS_MAX:
        return cells
    return tuple(None if cell is None else _with_places(cell, places) for cell in cells)


def _with_places(cell: str, places: int) -> str:
    whole, _, decimals = cell.partition(".")
    return f"{whole}.{decimals:0<{places}}"


# The rows of a page, if a platform takes so many characters and no more.

COUNTED_COLUMNS_MAX = 20
"""Columns that a platform which limits characters shows at most."""

CELL_COUNTED_MIN_CHARS, CELL_COUNTED_MAX_CHARS = 5, 60
"""Characters that a cell counts for: blank ones are quoted, and long ones are cut there where there is no more room."""


def fitting(rows: Sequence[Cells], columns: Sequence[Head], room: int) -> int:
    """Return how many of these rows fit into so many characters, with the heads of the columns: at least one."""
    left = room - sum(_counted(head.name) for head in columns[:COUNTED_COLUMNS_MAX])
    for number, row in enumerate(rows):
        left -= sum(_counted(cell) for cell in row[:COUNTED_COLUMNS_MAX])
        if left < 0:
            return max(1, number)
    return len(rows)


def _counted(cell: str | None) -> int:
    # A line break is drawn as a sign between blanks.
    length = len(cell or "") + 2 * (cell or "").count("\n", 0, CELL_COUNTED_MAX_CHARS)
    return min(max(length, CELL_COUNTED_MIN_CHARS), CELL_COUNTED_MAX_CHARS)


def page_of(ref: ResultRef, rows: Iterable[Row], offset: int, sort: Sort | None) -> Table:
    """Return the rows after the first `offset` in this order as a table."""
    shown = aligned([tuple(map(cell, row)) for row in rows], ref.columns)
    table = Table(ref.columns, shown, ref.total, offset, ref.capped, ref.seconds, ref.id, sort)
    return replace(table, full=ref.full, shortened=ref.shortened, unmatched=ref.unmatched)
