"""Rows of results: pages of JSON for programs; pages in any order, files and fields for bots that show them."""

import json
from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from adapters.api.connections import TO_JSON
from adapters.api.jobs import demand_visible_rows, entry_of
from adapters.api.problems import RequestRefused, conflict
from adapters.api.request import ApiAnswer, ApiCall, ApiParameters, EmptyAnswer, Site, WholeNumber
from adapters.wire import RESULT_PAGE_ROWS_MAX, to_wire
from router.catalog.connection import Connection
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


class ResultColumnAnswer(ApiAnswer):
    """A column of a result."""

    name: str
    kind: Literal["text", "number", "date", "bool", "blob"]


class RowsAnswer(ApiAnswer):
    """A page of a result: what JSON has no exact form for is a text, and blobs are Base64.

    Texts are decimals, times, UUIDs, integers beyond 2^53, NaN and the infinities.
    """

    job: str
    columns: list[ResultColumnAnswer]
    rows: list[list[Any]]
    offset: int
    total: int
    capped: bool = Field(description="Whether the query found more rows than were kept.")
    full: int = Field(description="The bytes that a result may take, where these ended the reading; else 0.")
    shortened: int = Field(description="Cells that were too long to be kept whole, and end in a sign that says so.")
    unmatched: str = Field(description="What joins left out of counts and sums, in sentences; else empty.")
    next: int | None = Field(description="The offset of the next page; null where this was the last.")


class ResultAnswer(ApiAnswer):
    """A result's reference, for a bot of the same version."""

    result: dict[str, Any]
    read_at: datetime


class ExactRowsAnswer(ApiAnswer):
    """Rows of a result, exactly, for a bot of the same version."""

    result: dict[str, Any]
    rows: list[list[Any]]
    next: int | None = Field(description="The offset of the next page; null where this was the last.")


class ResultFieldsAnswer(ApiAnswer):
    """The columns of a result as a table can keep them, for a bot of the same version."""

    fields: list[dict[str, Any]]


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


class SortedPageParameters(PageParameters, OrderParameters):
    """The rows that are given, and their order."""


def show_rows(site: Site, call: ApiCall, job: str, query: PageParameters) -> RowsAnswer:
    """Answer with a page of rows."""
    entry, ref, _ = result_of(site, call, job)
    rows, following = _page(site, ref, query)
    return RowsAnswer(
        job=entry.id,
        columns=[ResultColumnAnswer.model_validate(head, from_attributes=True) for head in ref.columns],
        rows=[[json_of(value) for value in row] for row in rows],
        offset=query.offset,
        total=ref.total,
        capped=ref.capped,
        full=ref.full,
        shortened=ref.shortened,
        unmatched=ref.unmatched,
        next=following,
    )


def show_result(site: Site, call: ApiCall, result: str) -> ResultAnswer:
    """Answer with what is known of a result."""
    _, ref, _ = visible_result(site, call, result)
    return ResultAnswer(result=TO_JSON.dump_python(ref, mode="json"), read_at=site.backend.results.read_at(ref))


def result_rows(site: Site, call: ApiCall, result: str, query: SortedPageParameters) -> ExactRowsAnswer:
    """Answer with some rows of a result, in the order that is asked for."""
    _, ref, _ = visible_result(site, call, result)
    rows, following = _page(site, ref, query, query.order)
    exact = [[to_wire(value) for value in row] for row in rows]
    return ExactRowsAnswer(result=TO_JSON.dump_python(ref, mode="json"), rows=exact, next=following)


def result_fields(site: Site, call: ApiCall, result: str) -> ResultFieldsAnswer:
    """Answer with the columns of a result as a table can keep them."""
    _, ref, _ = visible_result(site, call, result)
    return ResultFieldsAnswer(fields=TO_JSON.dump_python(site.backend.results.fields(ref), mode="json"))


def result_file(site: Site, call: ApiCall, result: str, form: str, query: OrderParameters) -> Path:
    """Answer with the result as a file, in the order that is asked for."""
    _, ref, _ = visible_result(site, call, result)
    return site.backend.results.file(ref, form, sort=query.order)


def delete_result(site: Site, call: ApiCall, result: str) -> EmptyAnswer:
    """Delete the rows of a result that was read for a bot."""
    entry = site.backend.access.reading(result)
    if entry and not entry.request.thread.startswith("api/"):
        site.backend.results.delete(result)
    return EmptyAnswer()


def result_of(site: Site, call: ApiCall, job: str) -> tuple[JobEntry, ResultRef, Connection]:
    """Return a reading or a comparison that is done, where its rows lie, and where (the left of) them are from.

    Raises RequestRefused where there are no rows (yet, or any more), NotAllowed where the person may not see them (any
    more).
    """
    entry = entry_of(site, call, job)
    if entry.request.kind not in FINDING:
        raise conflict(f"{entry.id} is neither a reading nor a comparison, so it has no rows of its own.")
    return entry, *_rows_of(site, call, entry)


def visible_result(site: Site, call: ApiCall, result: str) -> tuple[JobEntry, ResultRef, Connection]:
    """Return the reading of a result that the person may see; raises RequestRefused, or NotThere.

    Only whoever asked for the rows is told why they may not see them; to others they are gone, as if they expired.
    """
    entry = site.backend.access.reading(result)
    if entry is None or not site.backend.results.exists(result):
        raise _gone(site)
    try:
        return entry, *_rows_of(site, call, entry)
    except NotAllowed:
        if entry.request.asker == call.user.id:
            raise
        raise _gone(site) from None


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


def _rows_of(site: Site, call: ApiCall, entry: JobEntry) -> tuple[ResultRef, Connection]:
    """Return where the rows of a reading or a comparison lie, and where they are from, as `result_of` does."""
    sources = demand_visible_rows(site, call, entry)
    if entry.state != JobState.DONE:
        raise conflict(f"{entry.id} is {entry.state.lower()}, so there are no rows. {entry.error}".rstrip())
    ref = ref_of(entry)
    if not site.backend.results.exists(ref):
        raise conflict(f"The rows of {entry.id} were deleted after their time. Ask for them anew.")
    return ref, sources[0]


def _page(site: Site, ref: ResultRef, query: PageParameters, sort: Sort | None = None) -> tuple[list[Row], int | None]:
    """Return the rows of a page, and the offset of the next one; None where this is the last."""
    with site.backend.results.open(ref) as sheet:
        rows = list(_page_rows(sheet, query.offset, query.limit, sort))
    end = query.offset + len(rows)
    return rows, end if rows and end < ref.total else None


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
