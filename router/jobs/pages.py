"""A page of a result as a table of text."""

from collections.abc import Iterable
from dataclasses import replace

from router.cards import Table
from router.jobs.cells import cell
from router.jobs.decimals import lined_up
from router.jobs.sheet import Row, Sort
from router.memory import ResultRef


def page_of(ref: ResultRef, rows: Iterable[Row], offset: int, sort: Sort | None) -> Table:
    """Return the rows after the first `offset` in this order as a table."""
    shown = lined_up([tuple(map(cell, row)) for row in rows], ref.columns)
    table = Table(ref.columns, shown, ref.total, offset, ref.capped, ref.seconds, ref.id, sort)
    return replace(table, full=ref.full, shortened=ref.shortened)
