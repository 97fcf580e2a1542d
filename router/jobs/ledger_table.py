"""The ledger's table, and its rows as entries."""

from typing import Any

from sqlalchemy import JSON, Column, Float, Index, Integer, MetaData, Row, Table, Text, func, literal_column

from router.jobs.database import time_of
from router.jobs.entries import Entry, Request, State

REQUEST = ("key", "kind", "payload", "version", "lane", "name", "asker", "approver", "connection", "thread")
"""The columns that hold what was asked for."""

jobs = Table(
    "jobs",
    MetaData(),
    Column("id", Text, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("payload", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    *(Column(name, Text, nullable=False) for name in REQUEST[4:]),
    Column("state", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("started", Float),
    Column("ended", Float),
    Column("error", Text, nullable=False),
    Column("outcome", JSON, nullable=False),
    Column("ending", Text, nullable=False),
    Column("holder", Text, nullable=False),
    Column("seen", Float, nullable=False),
    Index("jobs_by_state", "state"),
    Index("jobs_by_asker", "asker", "created"),
    Index("jobs_by_thread", "thread"),
    Index("jobs_by_end", "ended"),
)

RESULT = func.json_extract(jobs.c.outcome, literal_column("'$.result.id'"), type_=Text)
"""The id of the rows of a reading, written as the index has it."""
Index("jobs_by_result", RESULT)


def entry_of(row: Row[Any]) -> Entry:
    values = row._mapping
    request = Request(**{name: values[name] for name in REQUEST})
    created, started, ended = (time_of(values[name]) for name in ("created", "started", "ended"))
    assert created is not None
    state, counts = State(values["state"]), (values["attempt"], values["rows"])
    said = values["error"], values["outcome"], values["ending"]
    return Entry(values["id"], request, state, *counts, created, started, ended, *said)
