"""The rows of a reading that is done, page by page, as JSON."""

from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from adapters.api import answers
from adapters.api.bodies import Paging
from adapters.api.call import Call, Done, Site
from adapters.api.jobs import entry_of
from adapters.api.problems import conflicting
from adapters.api.seeing import demand_seen
from router.catalog.connection import Connection
from router.jobs.entries import Entry, State
from router.jobs.ledger import FINDING
from router.jobs.payloads import ref_of
from router.jobs.sheet import Row, Sheet, Sort
from router.memory import ResultRef
from router.sql.databases.weight import row_weight
from router.sql.plain_text import plain

json_adapter: TypeAdapter[Any] = TypeAdapter(Any)
"""Makes JSON of the router's values."""

_LARGEST = 4_000_000
"""Bytes of a page, about, after which it ends before its limit."""
_STEP = 50
_EXACT = 2**53
"""Beyond it, readers of JSON that know floats only would read another number."""


def show_rows(site: Site, call: Call) -> Done:
    """Answer with a page of rows."""
    entry, ref, _ = result_of(site, call, call.path["job"])
    paging: Paging = call.query
    with site.tools.results.open(ref) as sheet:
        rows = [_json(row) for row in page(sheet, paging.offset, paging.limit)]
    end = paging.offset + len(rows)
    found = answers.Rows(
        job=entry.id,
        columns=[answers.Column(name=head.name, kind=head.kind) for head in ref.columns],
        rows=rows,
        offset=paging.offset,
        total=ref.total,
        capped=ref.capped,
        full=ref.full,
        shortened=ref.shortened,
        next=end if rows and end < ref.total else None,
    )
    return Done(found)


def result_of(site: Site, call: Call, id: str) -> tuple[Entry, ResultRef, Connection]:
    """Return a reading or a comparison that is done, where its rows lie, and where (the left of) them are from.

    Raises Refused where there are no rows (yet, or any more), NotAllowed where the person may not see them (any more).
    """
    entry = entry_of(site, call, id)
    if entry.request.kind not in FINDING:
        raise conflicting(f"{entry.id} is neither a reading nor a comparison, so it has no rows of its own.")
    return entry, *rows_of(site, call, entry)


def rows_of(site: Site, call: Call, entry: Entry) -> tuple[ResultRef, Connection]:
    """Return where the rows of a reading or a comparison lie, and where they are from, as `result_of` does."""
    sources = demand_seen(site, call, entry)
    if entry.state != State.DONE:
        raise conflicting(f"{entry.id} is {entry.state.lower()}, so there are no rows. {entry.error}".rstrip())
    ref = ref_of(entry)
    if not site.tools.results.exists(ref):
        raise conflicting(f"The rows of {entry.id} were deleted after their time. Ask for them anew.")
    return ref, sources[0]


def json_of(value: Any) -> Any:
    """Return a value as JSON has it, exactly: what JSON has no exact form for becomes a text."""
    match value:
        case None | bool():
            return value
        case str():
            return value.encode("utf-8", "replace").decode()
        case int():
            return value if abs(value) <= _EXACT else str(value)
        case float():
            return value if abs(value) < float("inf") else plain(value)
        case bytes():
            return b64encode(value).decode()
        case datetime():
            return value.isoformat()
        case list() | tuple():
            return [json_of(each) for each in value]
        case dict():
            return {str(json_of(name)): json_of(each) for name, each in value.items()}
    return plain(value)


def page(sheet: Sheet, offset: int, limit: int, sort: Sort | None = None) -> Iterator[Row]:
    """Give rows until there are enough, or they have become large; one at least, however large it is."""
    length, end = 0, offset + limit
    step = limit if sort else _STEP  # each step sorts all rows
    while offset < end and length < _LARGEST:
        count = 0
        for row in sheet.page(offset, min(step, end - offset), sort):
            yield row
            count += 1
            length += row_weight(row)
            if length >= _LARGEST:
                return
        if count < step:
            return
        offset += count


def _json(row: Row) -> list[Any]:
    return [json_of(value) for value in row]
