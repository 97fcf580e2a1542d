"""Results of jobs: pages of their rows as JSON, files, and what is known of their columns."""

import re
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from pydantic import Field

from adapters.api.jobs import entry_of, require_visible_rows
from adapters.api.problems import RowsGone
from adapters.api.request import (
    JOB_NUMBER_PATTERN,
    PLATFORM,
    ApiAnswer,
    ApiCall,
    ApiParameters,
)
from adapters.wire import RESULT_PAGE_ROWS_MAX, ResultFacts, to_wire
from router.errors import NotAllowed, Unclear
from router.jobs.job_entry import JobEntry, JobState
from router.jobs.ledger import FINDING
from router.jobs.payloads import ref_of
from router.jobs.results.reader import Row, Sort
from router.jobs.runner import JobBackend
from router.memory.thread import ResultRef
from router.sql.cell_text import plain
from router.sql.databases.row_weight import row_weight

PAGE_BYTES_MAX: Final = 4_000_000
"""Bytes of a page, about, after which it ends before its limit."""

_EXACT_INTEGER_MAX: Final = 2**53
"""Beyond it, readers of JSON that know floats only would read another number."""


class RowsAnswer(ApiAnswer):
    """A page of a result: what JSON has no exact form for (decimals, times, blobs, NaN) is a text, as in a CSV file.

    With `exact`, a value that is neither a text nor a number is an object that names its form.
    """

    result: ResultRef
    rows: list[list[Any]]
    offset: int
    next: int | None = Field(description="The offset of the next page; null where this was the last.")


class PageParameters(ApiParameters):
    """The rows that are given."""

    offset: int = Field(0, ge=0, le=10**15, description="Rows before the first that is given.")
    limit: int = Field(100, ge=1, le=RESULT_PAGE_ROWS_MAX, description="Rows at most; fewer where they are large.")


class OrderParameters(ApiParameters):
    """The order of the rows that are given."""

    sort: str = Field("", pattern=r"^([0-9]{1,4}:(up|down))?$", description="The number of a column from 0, and how.")

    def order_of(self, ref: ResultRef) -> Sort | None:
        """Return the order as results have it; raises Unclear if the result has no such column."""
        if not self.sort:
            return None
        column, _, direction = self.sort.partition(":")
        if int(column) >= len(ref.columns):
            raise Unclear(f"There is no column {column} to sort by: columns are 0 to {len(ref.columns) - 1}.")
        return int(column), "down" if direction == "down" else "up"


class RowsParameters(PageParameters, OrderParameters):
    """The rows that are given, their order and their form."""

    exact: bool = Field(False, description="Give values in a form that loses nothing.")


def show_result(site: JobBackend, call: ApiCall, job: str) -> ResultFacts:
    """Answer with what is known of the result of a reading or a comparison that is done."""
    _, ref = result_of(site, call, job)
    results = site.results
    return ResultFacts(result=ref, read_at=results.read_at(ref), fields=results.fields(ref))


def show_rows(site: JobBackend, call: ApiCall, job: str, query: RowsParameters) -> RowsAnswer:
    """Answer with a page of rows, in the order that is asked for."""
    _, ref = result_of(site, call, job)
    with site.results.open(ref) as sheet:
        found = list(_page_rows(sheet.page(query.offset, query.limit, query.order_of(ref))))
    end = query.offset + len(found)
    form = to_wire if query.exact else json_of
    return RowsAnswer(
        result=ref,
        rows=[[form(value) for value in row] for row in found],
        offset=query.offset,
        next=end if found and end < ref.total else None,
    )


def result_file(site: JobBackend, call: ApiCall, job: str, form: str, query: OrderParameters) -> Path:
    """Answer with the rows as a file, in the order that is asked for."""
    _, ref = result_of(site, call, job)
    return site.results.file(ref, form, sort=query.order_of(ref))


def delete_result(site: JobBackend, call: ApiCall, job: str) -> None:
    """Delete the rows of a job of a talk, by the id of the result."""
    entry = site.access.reading(job)
    if entry and not entry.request.thread.startswith(f"{PLATFORM}/"):
        site.results.delete(job)


def result_of(site: JobBackend, call: ApiCall, named: str) -> tuple[JobEntry, ResultRef]:
    """Return a reading or a comparison that is done and where its rows lie, by its number or the id of its result.

    By its number, a job is the person's own; somebody who is acted for may see the rows of others in a talk, if they
    may read what these are from. Raises HTTPConflict or RowsGone if there are no rows (yet, or any more), NotAllowed
    or NotFound if the person may not see them (any more).
    """
    entry = _entry_named(site, call, named)
    if entry.request.kind not in FINDING:
        raise web.HTTPConflict(text=f"{entry.id} is neither a reading nor a comparison, so it has no rows of its own.")
    try:
        require_visible_rows(site, call, entry)
    except NotAllowed:
        if entry.request.asker == call.user.id or named == entry.id:
            raise
        raise RowsGone(site.results.gone) from None  # as if they had expired
    if entry.state != JobState.DONE:
        raise web.HTTPConflict(
            text=f"{entry.id} is {entry.state.lower()}, so there are no rows. {entry.error}".rstrip()
        )
    ref = ref_of(entry)
    if not site.results.exists(ref):
        raise RowsGone(site.results.gone)
    return entry, ref


def _entry_named(site: JobBackend, call: ApiCall, named: str) -> JobEntry:
    if re.fullmatch(JOB_NUMBER_PATTERN, named):
        return entry_of(site, call, named)
    entry = site.access.reading(named)
    if entry is None or not (call.acting or entry.request.asker == call.user.id):
        raise RowsGone(site.results.gone)
    return entry


def json_of(value: Any) -> Any:
    """Return a value as JSON has it exactly, or else its text as a CSV file has it."""
    match value:
        case None | bool():
            return value
        case str():
            return value.encode("utf-8", "replace").decode()
        case int() if abs(value) <= _EXACT_INTEGER_MAX:
            return value
        case float() if isfinite(value):
            return value
    return plain(value)


def _page_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """Give rows until they have become large; one at least, however large it is."""
    size = 0
    for row in rows:
        yield row
        size += row_weight(row)
        if size >= PAGE_BYTES_MAX:
            return
