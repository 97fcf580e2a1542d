"""Every table of the bot's database, as `tables.toml` declares it once for SQLite and PostgreSQL.

A change there needs a new file in `migrations/versions`, and its revision at the end of `database.REVISIONS`.
"""

import tomllib
from importlib.resources import files
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from router.storage.clock import UtcDateTime
from router.storage.packed_text import PackedText

METADATA = MetaData()

_KINDS: dict[str, Any] = {
    "text": Text,
    "packed": PackedText,
    "json": JSON,
    "integer": Integer,
    "bigint": BigInteger,
    "boolean": Boolean,
    "time": UtcDateTime,
    "bytes": LargeBinary,
}
_DECLARED = tomllib.loads((files("router.storage") / "tables.toml").read_text(encoding="utf-8"))


def _table(name: str) -> Table:
    """Return a table as it is declared."""
    declared = _DECLARED[name]
    key = declared.get("key", ())
    found = Table(name, METADATA)
    if not key:
        found.append_column(Column("number", Integer, primary_key=True))
    for kind, columns in declared.items():
        if type := _KINDS.get(kind.rstrip("?")):
            for column in columns:
                # No number is given by itself but that of the order.
                given: dict[str, Any] = {"primary_key": True, "autoincrement": False} if column in key else {}
                found.append_column(Column(column, type, nullable=kind.endswith("?"), **given))
    for columns in declared.get("unique", ()):
        found.append_constraint(UniqueConstraint(*columns))
    for index, columns in declared.get("indexes", {}).items():
        Index(f"{name}_{index}", *(found.c[column] for column in columns))
    return found


jobs = _table("jobs")
schedules = _table("schedules")
answers = _table("answers")
ratings = _table("ratings")
examples = _table("examples")
example_drafts = _table("example_drafts")
vectors = _table("vectors")
proposals = _table("proposals")
intent_choices = _table("intent_choices")
inbox = _table("inbox")
messages = _table("messages")
welcomes = _table("welcomes")
conversations = _table("conversations")
conversation_people = _table("conversation_people")
approval_requests = _table("approval_requests")
approval_notices = _table("approval_notices")
page_threads = _table("page_threads")
page_entries = _table("page_entries")
threads = _table("threads")
results = _table("results")
result_parts = _table("result_parts")
oldest_beside = _table("oldest_beside")
slack_modals = _table("slack_modals")

Index("inbox_left", inbox.c.platform, inbox.c.at, sqlite_where=text("heard IS NOT NULL"))
# What is said later has a greater number, always.
page_entries.dialect_options["sqlite"]["autoincrement"] = True
