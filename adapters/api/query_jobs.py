"""Jobs that run queries: each is judged and tried out first, and what runs is its checked form."""

from typing import Annotated, Final

from pydantic import Field, TypeAdapter

from adapters.api.connections import connection_of, schema_of
from adapters.api.jobs import PreparedJob, SubmittedJob, submit_once
from adapters.api.problems import unprocessable
from adapters.api.request import CONNECTION_NUMBER_MAX, ApiBody, ApiCall, Site
from router.catalog.connection import Connection
from router.errors import JobFailed, NotAllowed, Stopped
from router.jobs.compare_sql import CompareSql
from router.jobs.compared_queries import Queried
from router.jobs.match_sql import MatchSql
from router.jobs.payloads import COMPARE_SQL, MATCH_SQL, READ_SQL
from router.jobs.read_sql import ReadSql, digest
from router.jobs.results.cells import line
from router.memory.comparing import Blanks, Form, Precision, Reporting
from router.policy import demand_read, may_approve, may_approve_write
from router.sql.comparing.plan import ComparePlan
from router.sql.guard import check

SQL_CHANGED_NOTE: Final = "What runs is the checked form of your SQL, in `sql`: it is spelled anew, without comments."

_PLAN: Final = TypeAdapter(ComparePlan)


class ReadBody(ApiBody):
    """A query on one schema of a connection; it is checked, and what runs is the checked form of it."""

    connection: int = Field(ge=1, le=CONNECTION_NUMBER_MAX, description="The number of the connection.", examples=[1])
    schema_name: str = Field(
        "", alias="schema", max_length=128, description="The schema; without one, the connection's first."
    )
    sql: str = Field(
        min_length=1,
        max_length=100_000,
        description="One SELECT, in the dialect of the connection.",
        examples=["SELECT 1 AS one"],
    )


class ComparedQueryBody(ReadBody):
    """One side of a comparison: a query, and what people call it."""

    label: str = Field("", max_length=200, description="Such as: orders in Production.")


class ComparedColumnsBody(ApiBody):
    """Two columns that are compared: their places in the queries, counted from 0; texts are read as `form`."""

    left: int = Field(ge=0, le=1999)
    right: int = Field(ge=0, le=1999)
    form: Form = "auto"
    why: str = Field("", max_length=200, description="The reason of a proposal; it changes nothing.")


class TolerancesBody(ApiBody):
    """Deviations that do not count as a difference."""

    absolute: float = Field(0.0, ge=0, le=1e300, description="Numbers apart by at most so much.")
    relative: float = Field(0.0, ge=0, le=1, description="Numbers apart by at most this share of the larger one.")
    blanks: Blanks = Field("end", description="Whether blanks count, do not at the end of a text, or at neither end.")
    fold: bool = Field(False, description="Whether upper and lower case are the same.")
    precision: Precision = Field("microsecond", description="Down to what times count.")
    empty: bool = Field(False, description="Whether an empty text is no value.")


class PlanBody(ApiBody):
    """The way two queries are compared; the outcome of a look at them has one to begin with."""

    left: list[Annotated[str, Field(max_length=1000)]] = Field(
        max_length=2000, description="The names of all columns of the left query."
    )
    right: list[Annotated[str, Field(max_length=1000)]] = Field(max_length=2000)
    pairs: list[ComparedColumnsBody] = Field(min_length=1, max_length=2000)
    keys: list[Annotated[int, Field(ge=0, le=1999)]] = Field(
        [], max_length=100, description="Places in `pairs` that tell the rows apart; without, whole rows are compared."
    )
    tolerances: TolerancesBody = Field(default_factory=lambda: TolerancesBody.model_validate({}))
    reporting: Reporting = Field(
        "summary", description="Which rows the job has: of counts, of columns, of differences, of all rows, of totals."
    )
    first: int = Field(20, ge=0, le=100, description="So many differences are kept in the report.")


class MatchBody(ApiBody):
    """Two queries whose first rows are looked at, to see which columns belong together."""

    left: ComparedQueryBody
    right: ComparedQueryBody


class CompareBody(MatchBody):
    """Two queries that are compared row by row, wherever they run."""

    plan: PlanBody
    name: str = Field("", max_length=200, description="What people shall know the job as.")


def read(site: Site, call: ApiCall, body: ReadBody) -> SubmittedJob:
    """Have a query run, with the token's person as the one who asks and approves."""

    def prepared(key: str) -> PreparedJob:
        job, notes = _approved(site, call, body)
        return READ_SQL.request(job, key), notes

    return submit_once(site, call, prepared)


def match(site: Site, call: ApiCall, body: MatchBody) -> SubmittedJob:
    """Have the first rows of two queries looked at; the outcome has a `plan` to compare them by."""

    def prepared(key: str) -> PreparedJob:
        left, right, notes = _both_approved(site, call, body)
        return MATCH_SQL.request(MatchSql.of(left, right, call.user, thread=call.thread), key), notes

    return submit_once(site, call, prepared)


def compare(site: Site, call: ApiCall, body: CompareBody) -> SubmittedJob:
    """Have two queries compared by a plan, with the token's person as the one who asks and approves."""

    def prepared(key: str) -> PreparedJob:
        plan = _PLAN.validate_python(body.plan.model_dump())
        if problem := plan.problem():
            raise unprocessable(problem)
        left, right, notes = _both_approved(site, call, body)
        job = CompareSql.of(left, right, call.user, plan=plan, name=line(body.name), thread=call.thread)
        return COMPARE_SQL.request(job, key), notes

    return submit_once(site, call, prepared)


def demand_own_approval(site: Site, call: ApiCall, connection: Connection, writes: bool = False, **noted: str) -> None:
    """Do nothing if the person may approve what they ask of this connection; raises NotAllowed, and notes that."""
    may = may_approve_write if writes else may_approve
    if may(call.user, connection, call.user):
        return
    site.record("refused", call, connection.name, error="no right to approve", **noted)
    doing, done = ("write to", "written") if writes else ("ask of", "begun")
    raise NotAllowed(
        f"You may not approve what you {doing} {connection.label} yourself, and through the API nobody else can. "
        f"Nothing was {done}. Ask in a talk with the bot, where those who approve see it."
    )


def _approved(site: Site, call: ApiCall, asked: ReadBody) -> tuple[ReadSql, list[str]]:
    """Return a query in its checked form as the token's person approves it, and what is worth knowing of it.

    Raises RequestRefused where the guard or the database refuses it, NotAllowed where the person may not approve it.
    """
    connection = connection_of(site, call, asked.connection)
    demand_read(call.user, connection)
    schema = schema_of(site, connection, asked.schema_name)
    site.record("asked", call, connection.name, sql=asked.sql)
    demand_own_approval(site, call, connection, sql=asked.sql)
    verdict = check(asked.sql, schema.dialect, schema.scope)
    if not verdict.allowed:
        site.record("refused", call, connection.name, sql=asked.sql, error=verdict.reason)
        raise unprocessable(verdict.reason)
    try:
        estimate = site.dry_run(connection.name, schema.scope, verdict.sql)
    except Stopped:
        raise
    except JobFailed as error:
        raise unprocessable(str(error)) from error
    approval = digest(verdict.sql, connection.name, schema.name, call.user.id)
    site.record("approved", call, connection.name, approver=call.user.id, sql=verdict.sql, digest=approval)
    job = ReadSql(
        connection.name,
        schema.name,
        schema.dialect,
        verdict.sql,
        asker=call.user.id,
        approver=call.user.id,
        approval=approval,
        thread=call.thread,
    )
    changed = verdict.sql != asked.sql.strip().rstrip(";").rstrip()
    return job, [*([SQL_CHANGED_NOTE] if changed else []), *estimate.sentences]


def _both_approved(site: Site, call: ApiCall, asked: MatchBody) -> tuple[Queried, Queried, list[str]]:
    """Return both sides of a comparison as `_approved` returns one, and the notes on both."""
    sides, notes = [], []
    for side, query in (("left", asked.left), ("right", asked.right)):
        job, said = _approved(site, call, query)
        label = line(query.label) or f"the {side} query"
        sides.append(Queried(job.connection, job.schema, job.sql, label, call.user, job.approval))
        notes += [f"{side}: {note}" for note in said]
    left, right = sides
    return left, right, notes
