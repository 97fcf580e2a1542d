"""The schedules' table, and its rows as values."""

from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import TypeAdapter
from sqlalchemy import JSON, Column, Float, Index, Integer, MetaData, Row, Table, Text

from router.errors import JobFailed
from router.jobs.database import time_of
from router.jobs.schedule import Plan, Schedule, Standing

schedules = Table(
    "schedules",
    MetaData(),
    Column("id", Text, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("owner", Text, nullable=False),
    Column("platform", Text, nullable=False),
    Column("thread", Text, nullable=False),
    Column("plan", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("standing", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("due", Float, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("digest", Text, nullable=False),
    Column("shown", Float),
    Column("ran", Float),
    Column("outcome", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("result", Text, nullable=False),
    Column("holder", Text, nullable=False),
    Column("seen", Float, nullable=False),
    Index("schedules_by_due", "platform", "standing", "due"),
    Index("schedules_by_owner", "owner"),
    Index("schedules_by_thread", "thread"),
)

VERSION = 1
"""Of a plan as it is stored."""

_PLAN = TypeAdapter(Plan)


def row_of(plan: Plan) -> dict[str, Any]:
    """Return the columns that a plan fills."""
    return {
        "key": plan.key,
        "owner": plan.owner.id,
        "platform": plan.talk.platform,
        "thread": plan.thread,
        "plan": _PLAN.dump_python(plan, mode="json"),
        "version": VERSION,
        "digest": plan.digest,
    }


def schedule_of(row: Row[Any]) -> Schedule:
    """Return a row as a schedule; raises JobFailed where it is of a later version, or none."""
    if row.version > VERSION:
        raise JobFailed("A later version of the bot made this schedule; this one cannot run it.")
    try:
        return _schedule_of(row)
    except (ValueError, TypeError, ZoneInfoNotFoundError) as error:
        raise JobFailed("This schedule cannot be read.") from error


def _schedule_of(row: Row[Any]) -> Schedule:
    values = row._mapping
    plan = _PLAN.validate_python(values["plan"] | {"digest": values["digest"]})
    # Where the words, the zone or the thread mean nothing, it can neither be shown nor run.
    _ = plan.timing, plan.talk, ZoneInfo(plan.zone)
    created, due = time_of(values["created"]), time_of(values["due"])
    assert created
    assert due
    shown, ran = time_of(values["shown"]), time_of(values["ran"])
    said = values["outcome"], values["phase"], values["result"], values["holder"]
    return Schedule(
        values["id"], plan, Standing(values["standing"]), created, due, values["failures"], shown, ran, *said
    )
