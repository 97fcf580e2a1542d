"""The jobs that can be asked for, each kind with what it needs; what the API knows itself is not asked for."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, RootModel

from adapters.api.connections import ConnectionName, QueryBody
from adapters.api.request import ApiBody
from router.jobs.results.reader import Sort
from router.jobs.send_email import Form
from router.memory.draft import User
from router.memory.thread import Mode
from router.sql.comparing.plan import ComparePlan

RESULT_PATTERN = r"^([CR]-[2-9A-HJKMNP-TV-Z]{8}|[A-Za-z0-9_-]{16,64})$"
"""The form of the numbers of jobs that have rows, and of the ids of results."""

ResultName = Annotated[
    str, Field(pattern=RESULT_PATTERN, description="The number of the read or compare job that has the rows.")
]


class AnyJobBody(ApiBody):
    """The fields that every job may have."""

    name: str = Field("", max_length=400, description="The name that people know the job by.")
    thread: str = Field(
        "", max_length=1000, description="The talk that it belongs to; from a program that acts for others."
    )


class ReadBody(AnyJobBody, QueryBody):
    """A query that is run once the guard has allowed it; what runs is the checked form of it."""

    kind: Literal["read"]


class ComparedQueryBody(QueryBody):
    """One side of a comparison: a query, and what people call it."""

    label: str = Field("", max_length=1000, description="Such as: orders in Production.")
    question: str = Field("", max_length=100_000, description="The question that it answers.")
    approver: User | None = Field(
        None, description="Who approved this side, if not who approved the job; from a program that acts for others."
    )


class MatchBody(AnyJobBody):
    """Two queries whose first rows are looked at; the outcome has a `plan` to compare them by."""

    kind: Literal["match"]
    left: ComparedQueryBody
    right: ComparedQueryBody


class CompareBody(AnyJobBody):
    """Two queries that are compared row by row, wherever they run."""

    kind: Literal["compare"]
    left: ComparedQueryBody
    right: ComparedQueryBody
    plan: ComparePlan = Field(description="Which columns belong together; a look at the queries proposes one.")


class ColumnTargetBody(ApiBody):
    """A column of the result, by its name or its place from 0, and the column of the table that takes it."""

    source: Annotated[int, Field(ge=0)] | Annotated[str, Field(min_length=1, max_length=1000)]
    target: str = Field(min_length=1, max_length=1000)


class WriteBody(AnyJobBody):
    """Rows of a reading that is done, on their way into a table: all of them or none, and never twice."""

    kind: Literal["write"]
    result: ResultName
    connection: ConnectionName = Field(description="The connection that is written to: its number or its name.")
    schema_name: str = Field(
        "", alias="schema", max_length=128, description="The schema; without one, the connection's first."
    )
    table: str = Field(min_length=1, max_length=128)
    mode: Mode = Field(
        description="create: a new table. append: rows are added. truncate: the rows that are there are deleted first. "
        "drop: the table is made again."
    )
    confirm: str = Field(
        "", max_length=128, description="The table's name once more, where the mode deletes rows: truncate and drop."
    )
    seen: int = Field(-1, ge=-1, description="The rows that may be deleted: if there are others, nothing is. -1: any.")
    columns: list[ColumnTargetBody] | None = Field(
        None, min_length=1, max_length=2000, description="Which column goes where; without, columns of one name."
    )


class EmailBody(AnyJobBody):
    """Rows of a reading that is done, on their way to people."""

    kind: Literal["email"]
    result: ResultName | None = Field(None, description="The read or compare job whose rows are sent.")
    recipients: list[Annotated[str, Field(min_length=1, max_length=320)]] = Field(
        min_length=1, max_length=200, description="Addresses; `me` is that of the person who asks."
    )
    subject: str = Field(min_length=1, max_length=400)
    body: str = Field("", max_length=20_000, description="What stands above the rows, in plain text.")
    format: Form | Literal["none"] = Field(
        "xlsx",
        description="table: the rows stand in the e-mail. csv, xlsx: they go along as a file. none: no rows go along, "
        "and `connection` says what it is about; from a program that acts for others.",
    )
    connection: ConnectionName | None = None
    sort: Sort | None = Field(None, description="The place of a column from 0, and up or down.")
    question: str = Field("", max_length=100_000, description="The question that the rows answer.")
    sql: str = Field("", max_length=200_000, description="The query as people know it; without, that of the result.")
    told: str = Field("", max_length=100_000, description="Further words on the rows.")


OneJobBody = ReadBody | MatchBody | CompareBody | WriteBody | EmailBody


class JobBody(RootModel[Annotated[OneJobBody, Field(discriminator="kind")]]):
    """A job of one kind: read, match, compare, write or email."""

    model_config = ConfigDict(strict=True, frozen=True)
