"""Jobs on the wire: each kind's builder turns its value into the ledger's row and back, in this process or another.

What a row has columns for is excluded from the payload, so that nothing is said twice. A payload carries its version.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, Generic

from pydantic import TypeAdapter, ValidationError

from router.errors import JobFailed
from router.jobs.approval import J, adapter_of
from router.jobs.compare_sql import CompareSql
from router.jobs.compared_queries import PairJob, Queried
from router.jobs.job_entry import JobEntry, Kind, Request
from router.jobs.match_sql import MatchSql, QueryLikeness
from router.jobs.queue import file_lane, lane_of
from router.jobs.read_sql import ReadSql
from router.jobs.send_email import SendEmail
from router.jobs.write_data import WriteData
from router.memory.thread import ResultRef
from router.sql.comparing.report import Report
from router.sql.dialect import DIALECTS

UNREADABLE = "What is stored of this job cannot be read, so it was not begun. Ask for it again."

EXCLUDED = frozenset({"connection", "asker", "approver", "thread", "name"})
"""Fields of jobs that the row itself holds."""


_REF = TypeAdapter(ResultRef)
_REPORT = TypeAdapter(Report)
_LIKENESS = TypeAdapter(QueryLikeness)


@dataclass(frozen=True, slots=True)
class ReadCatalog:
    """One look at a schema's tables, or, without a schema, at the names of all."""

    connection: str
    schema: str = ""


@dataclass(frozen=True, slots=True)
class Builder(Generic[J]):
    """One kind of job on its way to the ledger and back; `lane` names what few of them may use at once."""

    kind: Kind
    type: type[J]
    lane: Callable[[J], str]
    version: int = 1

    def request(self, job: J, key: str) -> Request:
        """Return what the ledger keeps of a job."""
        whole = adapter_of(self.type).dump_python(job, mode="json")
        row = {name: whole[name] for name in EXCLUDED & whole.keys()}
        payload = {name: value for name, value in whole.items() if name not in EXCLUDED}
        return Request(key, self.kind, payload, self.version, self.lane(job), **row)

    def job(self, request: Request) -> J:
        """Return the job; raises JobFailed if the payload is of a later version, or none of this kind."""
        if request.version > self.version:
            raise JobFailed("A later version of the bot made this job; this one cannot do it. Nothing was begun.")
        named = self.type.__dataclass_fields__.keys()
        row = {name: getattr(request, name) for name in EXCLUDED & named}
        if not isinstance(request.payload, dict):
            raise JobFailed(UNREADABLE)
        try:
            found: J = adapter_of(self.type).validate_python(request.payload | row)
        except ValidationError as error:
            raise JobFailed(UNREADABLE) from error
        return found


def _reading_lane(job: ReadSql) -> str:
    return file_lane(job.connection, job.asker) if DIALECTS[job.dialect].is_file else job.connection


READ_SQL = Builder("read_sql", ReadSql, lane=_reading_lane)
WRITE_DATA = Builder("write_data", WriteData, lane=lambda job: f"{job.connection} (write)")
SEND_EMAIL = Builder("send_email", SendEmail, lane=lambda job: "e-mail")
MATCH_SQL = Builder("match_sql", MatchSql, lane=lambda job: lane_of(job.left.connection, job.right.connection))
COMPARE_SQL = Builder("compare_sql", CompareSql, lane=lambda job: lane_of(job.left.connection, job.right.connection))

READ_CATALOG = Builder("read_catalog", ReadCatalog, lane=lambda job: f"{job.connection} (catalog)")

BUILDERS: Mapping[Kind, Builder[Any]] = {
    builder.kind: builder for builder in (READ_SQL, WRITE_DATA, SEND_EMAIL, MATCH_SQL, COMPARE_SQL, READ_CATALOG)
}


def queries_of(request: Request) -> tuple[ReadSql | Queried, ...]:
    """Return the queries that a job runs, one or two; raises JobFailed."""
    match request.kind:
        case "read_sql":
            return (READ_SQL.job(request),)
        case "match_sql" | "compare_sql":
            both: PairJob = BUILDERS[request.kind].job(request)
            return both.left, both.right
    return ()


def texts_of(request: Request) -> str:
    """Return the SQL that a job runs, "" if it runs none; raises JobFailed."""
    return ";\n\n".join(query.sql for query in queries_of(request))


def ref_of(entry: JobEntry) -> ResultRef:
    """Return where the rows of a reading or a comparison that is done lie."""
    return _REF.validate_python(entry.outcome["result"])


def said_of(ref: ResultRef) -> dict[str, Any]:
    """Return what the ledger keeps of a reading that is done."""
    return {"result": _REF.dump_python(ref, mode="json")}


def report_of(entry: JobEntry) -> Report:
    """Return what came of a comparison that is done."""
    return _REPORT.validate_python(entry.outcome["report"])


def reported(report: Report, ref: ResultRef) -> dict[str, Any]:
    """Return what the ledger keeps of a comparison that is done."""
    return {"report": _in_json(asdict(report)), **said_of(ref)}


def likeness_of(entry: JobEntry) -> QueryLikeness:
    """Return what a look at two queries found, once it is done."""
    return _LIKENESS.validate_python(entry.outcome["likeness"])


def looked_at(likeness: QueryLikeness) -> dict[str, Any]:
    """Return what the ledger keeps of a look at two queries that is done, and the plan that it proposes."""
    return {"likeness": _in_json(asdict(likeness)), "plan": _in_json(asdict(likeness.plan()))}


def _in_json(value: Any) -> Any:
    """Return what any reader of JSON takes: an infinite amount is none there, nor is half a character."""
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case float():
            return value if isfinite(value) else None
        case list() | tuple():
            return [_in_json(each) for each in value]
        case dict():
            return {name: _in_json(each) for name, each in value.items()}
    return value
