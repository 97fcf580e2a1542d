"""Rows that were kept, for a bot that shows them to somebody: pages in any order, files, fields."""

from http import HTTPStatus

from adapters.api import answers
from adapters.api.bodies import Sorting
from adapters.api.call import Call, Done, Site
from adapters.api.problems import Refused
from adapters.api.rows import json_adapter, page, rows_of
from adapters.wire.values import to_wire
from router.catalog.connection import Connection
from router.errors import JobFailed, NotAllowed
from router.jobs.entries import Entry
from router.jobs.export import FORMATS
from router.jobs.sheet import Sort
from router.memory import ResultRef


def show_result(site: Site, call: Call) -> Done:
    """Answer with what is known of a result."""
    _, ref, _ = judged(site, call, call.path["result"])
    return Done(answers.Kept(result=_json(ref), read_at=site.tools.results.read_at(ref)))


def result_rows(site: Site, call: Call) -> Done:
    """Answer with some rows of a result, in the order that is asked for."""
    _, ref, _ = judged(site, call, call.path["result"])
    asked: Sorting = call.query
    with site.tools.results.open(ref) as sheet:
        rows = [[to_wire(value) for value in row] for row in page(sheet, asked.offset, asked.limit, _sort(asked))]
    end = asked.offset + len(rows)
    return Done(answers.KeptRows(result=_json(ref), rows=rows, next=end if rows and end < ref.total else None))


def result_fields(site: Site, call: Call) -> Done:
    """Answer with the columns of a result as a table can keep them."""
    _, ref, _ = judged(site, call, call.path["result"])
    return Done(answers.Fields(fields=json_adapter.dump_python(site.tools.results.fields(ref), mode="json")))


def result_file(site: Site, call: Call) -> Done:
    """Answer with the result as a file."""
    _, ref, _ = judged(site, call, call.path["result"])
    form = call.path["form"]
    return Done(answers.Gone(), headers={"Content-Type": FORMATS[form]}, file=site.tools.results.file(ref, form))


def delete_result(site: Site, call: Call) -> Done:
    """Delete the rows of a result that was read for a bot."""
    result = call.path["result"]
    entry = site.tools.access.reading(result)
    if entry and not entry.request.thread.startswith("api/"):
        site.tools.results.delete(result)
    return Done(answers.Gone())


def judged(site: Site, call: Call, result: str) -> tuple[Entry, ResultRef, Connection]:
    """Return the reading of a result that the person may see; raises Refused, or NotThere.

    Only whoever asked for the rows is told why they may not see them; to others they are gone, as if they expired.
    """
    entry = site.tools.access.reading(result)
    if entry is None or not site.tools.results.exists(result):
        raise _gone(site)
    try:
        return entry, *rows_of(site, call, entry)
    except NotAllowed:
        if entry.request.asker == call.user.id:
            raise
        raise _gone(site) from None


def _gone(site: Site) -> Refused:
    return Refused(HTTPStatus.NOT_FOUND, site.tools.results.gone, kind=JobFailed.__name__)


def _sort(asked: Sorting) -> Sort | None:
    if not asked.sort:
        return None
    place, _, way = asked.sort.partition(":")
    return int(place), "down" if way == "down" else "up"


def _json(ref: ResultRef) -> answers.Json:
    found: answers.Json = json_adapter.dump_python(ref, mode="json")
    return found
