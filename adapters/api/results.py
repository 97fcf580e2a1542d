"""Results of jobs: pages of their rows as JSON, files, and what is known of their columns."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from adapters.api.jobs import demand_visible_rows, entry_of
from adapters.api.problems import RequestRefused, conflict
from adapters.api.request import (
    JOB_NUMBER_PATTERN,
    PLATFORM,
    ApiAnswer,
    ApiCall,
    ApiParameters,
    EmptyAnswer,
    Site,
    WholeNumber,
)
from adapters.wire import RESULT_PAGE_ROWS_MAX, ResultFacts, to_wire
from router.errors import JobFailed, NotAllowed
from router.jobs.job_entry import JobEntry, JobState
from router.jobs.ledger import FINDING
from router.jobs.payloads import ref_of
from router.jobs.results.reader import ResultReader, Row, Sort
from router.memory.thread import ResultRef
from router.sql.cell_text import plain
from router.sql.databases.row_weight import row_weight
from router.sql.value_kinds import JsonText

PAGE_BYTES_MAX: Final = 4_000_000
"""Bytes of a page, about, after which it ends before its limit."""

_ROWS_AT_ONCE: Final = 50
_EXACT_INTEGER_MAX: Final = 2**53
"""Beyond it, readers of JSON that know floats only would read another number."""


class RowsAnswer(ApiAnswer):
    """A page of a result: what JSON has no exact form for is a text, and blobs are Base64.

    Texts are decimals, times, UUIDs, integers beyond 2^53, NaN and the infinities. With `exact`, a value that is
    neither a text nor a number is an object that names its form.
    """

    result: ResultRef
    rows: list[list[Any]]
    offset: int
    next: int | None = Field(description="The offset of the next page; null where this was the last.")


class PageParameters(ApiParameters):
    """The rows that are given."""

    offset: WholeNumber = Field(0, ge=0, le=10**15, description="Rows before the first that is given.")
    limit: WholeNumber = Field(
        100, ge=1, le=RESULT_PAGE_ROWS_MAX, description="Rows at most; fewer where they are large."
    )


class OrderParameters(ApiParameters):
    """The order of the rows that are given."""

    sort: str = Field("", pattern=r"^([0-9]{1,4}:(up|down))?$", description="The number of a column from 0, and how.")

    @property
    def order(self) -> Sort | None:
        """The order as results have it."""
        column, _, direction = self.sort.partition(":")
        return (int(column), "down" if direction == "down" else "up") if self.sort else None


class RowsParameters(PageParameters, OrderParameters):
    """The rows that are given, their order and their form."""

    exact: Literal["true", "false"] = Field("false", description="Give values in a form that loses nothing.")


def show_result(site: Site, call: ApiCall, job: str) -> ResultFacts:
    """Answer with what is known of the result of a reading or a comparison that is done."""
    _, ref = result_of(site, call, job)
    results = site.backend.results
    return ResultFacts(result=ref, read_at=results.read_at(ref), fields=results.fields(ref))


def show_rows(site: Site, call: ApiCall, job: str, query: RowsParameters) -> RowsAnswer:
    """Answer with a page of rows, in the order that is asked for."""
    _, ref = result_of(site, call, job)
    with site.backend.results.open(ref) as sheet:
        found = list(_page_rows(sheet, query.offset, query.limit, query.order))
    end = query.offset + len(found)
    form = to_wire if query.exact == "true" else json_of
    return RowsAnswer(
        result=ref,
        rows=[[form(value) for value in row] for row in found],
        offset=query.offset,
        next=end if found and end < ref.total else None,
    )


def result_file(site: Site, call: ApiCall, job: str, form: str, query: OrderParameters) -> Path:
    """Answer with the rows as a file, in the order that is asked for."""
    _, ref = result_of(site, call, job)
    return site.backend.results.file(ref, form, sort=query.order)


def delete_result(site: Site, call: ApiCall, job: str) -> EmptyAnswer:
    """Delete the rows of a job of a talk, by the id of the result."""
    entry = site.backend.access.reading(job)
    if entry and not entry.request.thread.startswith(f"{PLATFORM}/"):
        site.backend.results.delete(job)
    return EmptyAnswer()


def result_of(site: Site, call: ApiCall, named: str) -> tuple[JobEntry, ResultRef]:
    """Return a reading or a comparison that is done and where its rows lie, by its number or the id of its result.

    By its number, a job is the person's own; somebody who is acted for may see the rows of others in a talk, if they
    may read what these are from. Raises RequestRefused where there are no rows (yet, or any more), NotAllowed or
    NotThere where the person may not see them (any more).
    """
    entry = _entry_named(site, call, named)
    if entry.request.kind not in FINDING:
        raise conflict(f"{entry.id} is neither a reading nor a comparison, so it has no rows of its own.")
    try:
        demand_visible_rows(site, call, entry)
    except NotAllowed:
        if entry.request.asker == call.user.id or named == entry.id:
            raise
        raise _gone(site) from None  # as if they had expired
    if entry.state != JobState.DONE:
        raise conflict(f"{entry.id} is {entry.state.lower()}, so there are no rows. {entry.error}".rstrip())
    ref = ref_of(entry)
    if not site.backend.results.exists(ref):
        raise _gone(site)
    return entry, ref


def _entry_named(site: Site, call: ApiCall, named: str) -> JobEntry:
    if re.fullmatch(JOB_NUMBER_PATTERN, named):
        return entry_of(site, call, named)
    entry = site.backend.access.reading(named)
    if entry is None or not (call.acting or call.admin or entry.request.asker == call.user.id):
        raise _gone(site)
    return entry


def json_of(value: Any) -> Any:
    """Return a value as JSON has it, exactly: what JSON has no exact form for becomes a text."""
    match value:
        case None | bool():
            return value
        case str():
            return value.encode("utf-8", "replace").decode()
        case int():
            return value if abs(value) <= _EXACT_INTEGER_MAX else str(value)
        case float():
            return value if abs(value) < float("inf") else plain(value)
        case bytes():
            return b64encode(value).decode()
        case datetime():
            return value.isoformat()
        case JsonText():
            return json_of(json.loads(value.text, parse_float=_float_of))
        case list() | tuple():
            return [json_of(each) for each in value]
        case dict():
            return {str(json_of(name)): json_of(each) for name, each in value.items()}
    return plain(value)


def _float_of(text: str) -> float | str:
    """Return a number of JSON as a float, or its text where a float would lose digits."""
    number = float(text)
    return number if Decimal(repr(number)) == Decimal(text) else text


def _gone(site: Site) -> RequestRefused:
    return RequestRefused(HTTPStatus.NOT_FOUND, site.backend.results.gone, kind=JobFailed.__name__)


def _page_rows(sheet: ResultReader, offset: int, limit: int, sort: Sort | None) -> Iterator[Row]:
    """Give rows until there are enough, or they have become large; one at least, however large it is."""
    length, end = 0, offset + limit
    step = limit if sort else _ROWS_AT_ONCE  # each step sorts all rows
    while offset < end and length < PAGE_BYTES_MAX:
        count = 0
        for row in sheet.page(offset, min(step, end - offset), sort):
            yield row
            count += 1
            length += row_weight(row)
            if length >= PAGE_BYTES_MAX:
                return
        if count < step:
            return
        offset += count
