"""What a program gets to read."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from router.jobs.send_email import Form
from router.memory import Mode

Json = dict[str, Any]
Kind = Literal["read", "write", "email", "match", "compare"]
StateName = Literal["queued", "running", "sending", "done", "failed", "cancelled", "unsure"]


class Answer(BaseModel):
    """JSON for a program."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)


class Health(Answer):
    """That the API answers."""

    status: Literal["ok"] = "ok"


class Job(Answer):
    """A job as the ledger has it; `error` is a sentence where it is not done."""

    id: str
    kind: Kind
    state: StateName = Field(
        description="unsure: the e-mail may have gone out, or not; it is not sent again by itself."
    )
    name: str
    asker: str
    approver: str
    connection: int | None = Field(description="The number of the connection; null where there is none any more.")
    schema_name: str | None = Field(None, alias="schema")
    sql: str | None = Field(None, description="The text that runs: the checked form of what was asked for.")
    table: str | None = None
    mode: Mode | None = None
    recipients: list[str] | None = None
    subject: str | None = None
    format: Form | None = None
    attempt: int
    rows: int
    created: datetime
    started: datetime | None
    ended: datetime | None
    error: str
    ending: str = Field(description="Why it was to end, where somebody wanted that; it may be done all the same.")
    doing: str = Field(description="What is being done for it now, in words.")
    outcome: dict[str, Any] = Field(
        description="What else came of it, once it is done; of a comparison whose rows you may not see, without values."
    )
    notes: list[str] = Field([], description="What is worth knowing beforehand; only in the answer to a request.")


class Jobs(Answer):
    """The latest first."""

    jobs: list[Job]


class Column(Answer):
    """A column of a result."""

    name: str
    kind: Literal["text", "number", "date", "bool", "blob"]


class Rows(Answer):
    """A page of a result: what JSON has no exact form for is a text, and blobs are Base64.

    Texts are decimals, times, UUIDs, integers beyond 2^53, NaN and the infinities.
    """

    job: str
    columns: list[Column]
    rows: list[list[Any]]
    offset: int
    total: int
    capped: bool = Field(description="Whether the query found more rows than were kept.")
    full: int = Field(description="The bytes that a result may take, where these ended the reading; else 0.")
    shortened: int = Field(description="Cells that were too long to be kept whole, and end in a sign that says so.")
    next: int | None = Field(description="The offset of the next page; null where this was the last.")


class Connection(Answer):
    """A database, and what the token's person may do there."""

    id: int
    name: str
    label: str
    dialect: str = Field(description="Empty where the connection is away and nobody knows it.")
    away: bool = Field(description="Whether its database cannot be used now, as far as that is known unasked.")
    read: bool
    write: bool
    private: bool
    sensitivity: str


class Connections(Answer):
    """Those that the token's person may read or write to."""

    connections: list[Connection]


class Schemas(Answer):
    """The first is the one that is taken where none is named."""

    schemas: list[str]


class TableColumn(Answer):
    """A column of a table, with the database's own name of its type."""

    name: str
    type: str
    nullable: bool
    comment: str


class Table(Answer):
    """A table or view; `rows` is an estimate, null where the database has none."""

    name: str
    columns: list[TableColumn]
    primary_key: list[str]
    comment: str
    rows: int | None
    view: bool


class Tables(Answer):
    """In alphabetical order."""

    tables: list[Table]


class Gone(Answer):
    """There is nothing left of it."""


class Known(Answer):
    """All that is known of a schema, for a bot of the same version."""

    tables: Json


class There(Answer):
    """What lies in a table, for a bot of the same version; null where there is none."""

    there: Json | None


class Expected(Answer):
    """What the database's planner expects, where it says."""

    rows: int | None
    cost: float | None
    note: str


class Kept(Answer):
    """What is known of a result, for a bot of the same version."""

    result: Json
    read_at: datetime


class KeptRows(Answer):
    """Rows of a result, exactly, for a bot of the same version."""

    result: Json
    rows: list[list[Any]]
    next: int | None = Field(description="The offset of the next page; null where this was the last.")


class Fields(Answer):
    """The columns of a result as a table can keep them, for a bot of the same version."""

    fields: list[Json]
