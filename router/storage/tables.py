"""Every table of the bot's database, declared once for SQLite and PostgreSQL.

A change here needs a new file in `migrations/versions`, and its revision at the end of `database.REVISIONS`.
"""

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

Columns = list[Column[Any]]


def _table(name: str, *columns: Columns, unique: tuple[str, ...] = (), **indexes: tuple[str, ...]) -> Table:
    """Declare a table; `unique` columns are so together, and `by_state=("state",)` is the index NAME_by_state."""
    found = Table(name, METADATA, *(column for some in columns for column in some))
    if unique:
        found.append_constraint(UniqueConstraint(*unique))
    for index, of in indexes.items():
        Index(f"{name}_{index}", *(found.c[each] for each in of))
    return found


def _columns(kind: Any, *names: str, **options: Any) -> Columns:
    return [Column(name, kind, **{"nullable": False, **options}) for name in names]


def _texts(*names: str, **options: Any) -> Columns:
    return _columns(Text, *names, **options)


def _times(*names: str, nullable: bool = False) -> Columns:
    return _columns(UtcDateTime, *names, nullable=nullable)


def _key(*names: str) -> Columns:
    return _texts(*names, primary_key=True)


def _order() -> Columns:
    """Return the column that keeps the order in which rows came."""
    return [Column("number", Integer, primary_key=True)]


jobs = _table(
    "jobs",
    _key("id"),
    _texts("key", unique=True),
    _texts("kind", "lane", "name", "asker", "approver", "connection", "thread", "state"),
    _texts("error", "ending", "holder"),
    _columns(JSON, "payload", "outcome"),
    _columns(Integer, "version", "attempt", "rows"),
    _times("created", "seen"),
    _times("started", "ended", nullable=True),
    _texts("result", nullable=True),  # the id of the rows that the job stored
    by_state=("state",),
    by_asker=("asker", "created"),
    by_thread=("thread",),
    by_end=("ended",),
    by_result=("result",),
)

schedules = _table(
    "schedules",
    _key("id"),
    _texts("key", unique=True),
    _texts("owner", "platform", "thread", "standing", "digest", "outcome", "phase", "result", "holder"),
    _columns(JSON, "plan"),
    _columns(Integer, "failures"),
    _times("created", "due", "seen"),
    _times("shown", "ran", nullable=True),
    by_due=("platform", "standing", "due"),
    by_owner=("owner",),
    by_thread=("thread",),
)

answers = _table(
    "answers",
    _order(),
    _texts("result", unique=True),
    _texts("thread", "asker", "connection", "question", "sql", "outcome", "schema"),
    _times("at"),
    by_thread=("thread",),
    by_asker=("asker", "at"),
)

ratings = _table(
    "ratings",
    _order(),
    _texts("result", "who"),
    _columns(Boolean, "good"),
    _times("at"),
    _texts("comment", server_default=""),
    unique=("result", "who"),
)

examples = _table(
    "examples",
    _key("id"),
    _texts("connection", "schema", "question", "sql", "by", "problem"),
    _times("at"),
    _times("checked", nullable=True),
)

example_drafts = _table(
    "example_drafts",
    _order(),
    _texts("id", unique=True),
    _texts("connection", "schema", "question", "sql", "replaces"),
    _times("at"),
)

vectors = _table("vectors", _key("store", "model", "text"), _columns(LargeBinary, "vector"))

proposals = _table(
    "proposals",
    _order(),
    _texts("id", unique=True),
    _texts("connection", "name", "before", "after", "by_id", "by_name", "by_email", "state", "decider"),
    _times("at"),
    by_state=("state", "connection", "at"),
)

intent_choices = _table(
    "intent_choices",
    _order(),
    _texts("id", unique=True),
    _texts("text", "chosen", "state"),
    _columns(JSON, "offered"),
    _times("at"),
)

inbox = _table(
    "inbox",
    _order(),
    _texts("platform", "event", "team", "channel"),
    _texts("heard", nullable=True),
    _times("at"),
    unique=("platform", "event"),
    by_age=("at",),
)
Index("inbox_left", inbox.c.platform, inbox.c.at, sqlite_where=text("heard IS NOT NULL"))

messages = _table(
    "messages",
    _key("platform", "channel", "message"),
    _texts("team", "thread"),
    _columns(Integer, "turn"),
    _columns(PackedText, "reply"),
    _columns(Boolean, "answered"),
    _times("at"),
    by_thread=("thread", "turn"),
    by_age=("platform", "at"),
)

decisions = _table("decisions", _key("platform", "channel", "message"), _texts("team", "decision"))

progress_messages = _table(
    "progress_messages",
    _key("platform", "channel", "message"),
    _texts("team", "thread"),
    by_thread=("thread",),
)

welcomes = _table("welcomes", _key("platform", "team", "person"))

conversations = _table("conversations", _key("id"), _texts("tenant", "team", "reference"), by_team=("team",))

dead_conversations = _table("dead_conversations", _key("id"))

conversation_people = _table(
    "conversation_people",
    _key("tenant", "id"),
    _columns(Boolean, "personal", primary_key=True),
    _texts("conversation"),
    by_conversation=("conversation",),
)

file_consents = _table(
    "file_consents",
    _key("token"),
    _texts("path", "name", "person", "conversation", "connection", "message", "about", "state", "upload"),
    _times("at"),
    unique=("about", "path"),
)

private_drawings = _table("private_drawings", _key("channel", "message"), _texts("shown_channel", "shown_message"))

approval_requests = _table(
    "approval_requests",
    _order(),
    _texts("platform", "team", "thread", "digest", "asker", "asker_name", "connection", "kind", "about"),
    _texts("state", "decider", "decider_name"),
    _columns(JSON, "people"),
    _times("at"),
    _columns(Boolean, "told"),  # true once all who can be told of it were told
    by_thread=("thread", "state"),
    by_team=("platform", "team", "state"),
    by_age=("at",),
)

approval_notices = _table(
    "approval_notices",
    _columns(Integer, "request", primary_key=True, autoincrement=False),
    _key("person"),
    _texts("channel", "message"),
    _columns(Boolean, "settled"),
)

page_threads = _table("page_threads", _key("id"), _texts("owner", "title"), _times("used"), by_owner=("owner", "used"))

page_entries = _table(
    "page_entries",
    _order(),
    _texts("thread"),
    _texts("said", "answer", nullable=True),
    _columns(PackedText, "reply", nullable=True),
    _columns(Integer, "turn"),
    by_thread=("thread", "number"),
)
page_entries.dialect_options["sqlite"]["autoincrement"] = True  # what is said later has a greater number, always

threads = _table(
    "threads",
    _key("thread"),
    _texts("platform", "team"),
    _columns(PackedText, "memory"),
    _times("saved"),
    by_team=("platform", "team"),
)

# Rows, where the database is on a server: in a home each result lies in a file of its own.

results = _table("results", _key("id"), _columns(BigInteger, "bytes"), _times("at"), by_age=("at",))

result_parts = _table(
    "result_parts", _key("result"), _columns(Integer, "place", primary_key=True), _columns(LargeBinary, "data")
)
"""A result's file in order, each part compressed by itself."""

# One row: the migration of the oldest version whose processes may use these tables.
oldest_beside = _table("oldest_beside", _key("revision"))

slack_modals = _table("slack_modals", _key("id"), _texts("form"), _columns(Integer, "turn"), _times("at"))
"""Modals that people have open, of a bot that is several processes."""
