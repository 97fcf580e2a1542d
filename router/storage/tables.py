"""Every table of the bot's database, declared once for SQLite and PostgreSQL.

A change here needs a new file in `migrations/versions`, and its revision at the end of `database.REVISIONS`.
"""

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


def _texts(*names: str) -> list[Column[str]]:
    return [Column(name, Text, nullable=False) for name in names]


def _key(*names: str) -> list[Column[str]]:
    return [Column(name, Text, primary_key=True) for name in names]


def _time(name: str, *, nullable: bool = False) -> Column[object]:
    return Column(name, UtcDateTime, nullable=nullable)


def _order() -> Column[int]:
    """Return the column that keeps the order in which rows came."""
    return Column("number", Integer, primary_key=True)


jobs = Table(
    "jobs",
    METADATA,
    *_key("id"),
    Column("key", Text, nullable=False, unique=True),
    *_texts("kind"),
    Column("payload", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    *_texts("lane", "name", "asker", "approver", "connection", "thread", "state"),
    Column("attempt", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    _time("created"),
    _time("started", nullable=True),
    _time("ended", nullable=True),
    *_texts("error"),
    Column("outcome", JSON, nullable=False),
    *_texts("ending", "holder"),
    _time("seen"),
    # The id of the rows that the job stored.
    Column("result", Text),
    Index("jobs_by_state", "state"),
    Index("jobs_by_asker", "asker", "created"),
    Index("jobs_by_thread", "thread"),
    Index("jobs_by_end", "ended"),
    Index("jobs_by_result", "result"),
)

schedules = Table(
    "schedules",
    METADATA,
    *_key("id"),
    Column("key", Text, nullable=False, unique=True),
    *_texts("owner", "platform", "thread"),
    Column("plan", JSON, nullable=False),
    *_texts("standing"),
    _time("created"),
    _time("due"),
    Column("failures", Integer, nullable=False),
    *_texts("digest"),
    _time("shown", nullable=True),
    _time("ran", nullable=True),
    *_texts("outcome", "phase", "result", "holder"),
    _time("seen"),
    Index("schedules_by_due", "platform", "standing", "due"),
    Index("schedules_by_owner", "owner"),
    Index("schedules_by_thread", "thread"),
)

answers = Table(
    "answers",
    METADATA,
    _order(),
    Column("result", Text, nullable=False, unique=True),
    *_texts("thread", "asker"),
    _time("at"),
    *_texts("connection", "question", "sql", "outcome", "schema"),
    Index("answers_by_thread", "thread"),
    Index("answers_by_asker", "asker", "at"),
)

ratings = Table(
    "ratings",
    METADATA,
    _order(),
    *_texts("result", "who"),
    Column("good", Boolean, nullable=False),
    _time("at"),
    Column("comment", Text, nullable=False, server_default=""),
    UniqueConstraint("result", "who"),
)

examples = Table(
    "examples",
    METADATA,
    *_key("id"),
    *_texts("connection", "schema", "question", "sql", "by"),
    _time("at"),
    _time("checked", nullable=True),
    *_texts("problem"),
)

example_drafts = Table(
    "example_drafts",
    METADATA,
    _order(),
    Column("id", Text, nullable=False, unique=True),
    *_texts("connection", "schema", "question", "sql"),
    _time("at"),
    *_texts("replaces"),
)

vectors = Table("vectors", METADATA, *_key("store", "model", "text"), Column("vector", LargeBinary, nullable=False))

proposals = Table(
    "proposals",
    METADATA,
    _order(),
    Column("id", Text, nullable=False, unique=True),
    *_texts("connection", "name", "before", "after", "by_id", "by_name", "by_email"),
    _time("at"),
    *_texts("state", "decider"),
    Index("proposals_by_state", "state", "connection", "at"),
)

intent_choices = Table(
    "intent_choices",
    METADATA,
    _order(),
    Column("id", Text, nullable=False, unique=True),
    *_texts("text"),
    Column("offered", JSON, nullable=False),
    *_texts("chosen"),
    _time("at"),
    *_texts("state"),
)

inbox = Table(
    "inbox",
    METADATA,
    _order(),
    *_texts("platform", "event", "team", "channel"),
    Column("heard", Text),
    _time("at"),
    UniqueConstraint("platform", "event"),
    Index(
        "inbox_left",
        "platform",
        "at",
        sqlite_where=text("heard IS NOT NULL"),
    ),
    Index("inbox_by_age", "at"),
)

messages = Table(
    "messages",
    METADATA,
    *_key("platform", "channel", "message"),
    *_texts("team", "thread"),
    Column("turn", Integer, nullable=False),
    Column("reply", PackedText, nullable=False),
    Column("answered", Boolean, nullable=False),
    _time("at"),
    Index("messages_by_thread", "thread", "turn"),
    Index("messages_by_age", "platform", "at"),
)

decisions = Table("decisions", METADATA, *_key("platform", "channel", "message"), *_texts("team", "decision"))

progress_messages = Table(
    "progress_messages",
    METADATA,
    *_key("platform", "channel", "message"),
    *_texts("team", "thread"),
    Index("progress_messages_by_thread", "thread"),
)

welcomes = Table("welcomes", METADATA, *_key("platform", "team", "person"))

conversations = Table(
    "conversations",
    METADATA,
    *_key("id"),
    *_texts("tenant", "team", "reference"),
    Index("conversations_by_team", "team"),
)

dead_conversations = Table("dead_conversations", METADATA, *_key("id"))

conversation_people = Table(
    "conversation_people",
    METADATA,
    *_key("tenant", "id"),
    Column("personal", Boolean, primary_key=True),
    *_texts("conversation"),
    Index("conversation_people_by_conversation", "conversation"),
)

file_consents = Table(
    "file_consents",
    METADATA,
    *_key("token"),
    *_texts("path", "name", "person", "conversation", "connection", "message", "about"),
    _time("at"),
    *_texts("state", "upload"),
    UniqueConstraint("about", "path"),
)

private_drawings = Table(
    "private_drawings", METADATA, *_key("channel", "message"), *_texts("shown_channel", "shown_message")
)

approval_requests = Table(
    "approval_requests",
    METADATA,
    _order(),
    *_texts("platform", "team", "thread", "digest", "asker", "asker_name", "connection", "kind", "about"),
    Column("people", JSON, nullable=False),
    _time("at"),
    *_texts("state", "decider", "decider_name"),
    # True once whoever can be told of it was told.
    Column("told", Boolean, nullable=False),
    Index("approval_requests_by_thread", "thread", "state"),
    Index("approval_requests_by_team", "platform", "team", "state"),
    Index("approval_requests_by_age", "at"),
)

approval_notices = Table(
    "approval_notices",
    METADATA,
    Column("request", Integer, primary_key=True, autoincrement=False),
    *_key("person"),
    *_texts("channel", "message"),
    Column("settled", Boolean, nullable=False),
)

page_threads = Table(
    "page_threads",
    METADATA,
    *_key("id"),
    *_texts("owner", "title"),
    _time("used"),
    Index("page_threads_by_owner", "owner", "used"),
)

page_entries = Table(
    "page_entries",
    METADATA,
    _order(),
    *_texts("thread"),
    Column("said", Text),
    Column("reply", PackedText),
    Column("turn", Integer, nullable=False),
    Column("answer", Text),
    Index("page_entries_by_thread", "thread", "number"),
    sqlite_autoincrement=True,
)

threads = Table(
    "threads",
    METADATA,
    *_key("thread"),
    *_texts("platform", "team"),
    Column("memory", PackedText, nullable=False),
    _time("saved"),
    Index("threads_by_team", "platform", "team"),
)

# Rows, where the database is on a server: in a home each result lies in a file of its own.

results = Table(
    "results",
    METADATA,
    *_key("id"),
    Column("bytes", BigInteger, nullable=False),
    _time("at"),
    Index("results_by_age", "at"),
)

result_parts = Table(
    "result_parts",
    METADATA,
    *_key("result"),
    Column("place", Integer, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""A result's file in order, each part compressed by itself."""

oldest_beside = Table(
    "oldest_beside",
    METADATA,
    # One row: the migration of the oldest version whose processes may use these tables.
    *_key("revision"),
)

slack_modals = Table(
    "slack_modals",
    METADATA,
    *_key("id"),
    *_texts("form"),
    Column("turn", Integer, nullable=False),
    _time("at"),
)
"""Modals that people have open, of a bot that is several processes."""
