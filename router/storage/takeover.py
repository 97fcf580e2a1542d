"""Moves what earlier versions kept in files of its own into the one database, at the first start.

All rows move in one transaction, which names the files; only then are they deleted, since what people have us forget
must not live on beside us. Whoever is killed on the way finds either every old file, or every row here.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Boolean, Column, Table, delete, insert, inspect, select
from sqlalchemy.engine import Connection

from router.errors import JobFailed
from router.storage import tables
from router.storage.clock import NEVER, UtcDateTime, now
from router.storage.database import Database, insert_new

ROWS_AT_ONCE = 1000

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Move:
    """A table of an old file, and where its rows go: `names` are new columns by old ones, `more` columns it lacked.

    Without a table it is a library's, which is copied as it is.
    """

    old: str
    table: Table | None
    names: dict[str, str] = field(default_factory=dict)
    more: Callable[[Row], Row] = lambda row: {}


def _of_store(name: str) -> Callable[[Row], Row]:
    return lambda row: {"store": name}


def _result(row: Row) -> Row:
    result = json.loads(row["outcome"]).get("result")
    return {"result": result.get("id") if isinstance(result, dict) else None}


def _channel(row: Row) -> Row:
    return {"channel": json.loads(row["heard"])["heard"]["key"]["channel"] if row["heard"] else ""}


def _team(row: Row) -> Row:
    return {"team": json.loads(row["reference"]).get("team", "")}


PLATFORMS = ("slack", "teams")

SHOWN = (
    Move("shown", tables.messages),
    Move("decided", tables.decisions),
    Move("progress", tables.progress_messages),
    Move("welcomed", tables.welcomes),
)

MOVES = {
    "jobs.sqlite": (Move("jobs", tables.jobs, more=_result), Move("schedules", tables.schedules)),
    "feedback.sqlite": (Move("answers", tables.answers), Move("ratings", tables.ratings)),
    "examples.sqlite": (
        Move("examples", tables.examples),
        Move("drafts", tables.example_drafts),
        Move("vectors", tables.vectors, {"question": "text"}, _of_store("examples")),
    ),
    "proposals.sqlite": (Move("proposals", tables.proposals),),
    "intents.sqlite": (
        Move("choices", tables.intent_choices),
        Move("vectors", tables.vectors, {"question": "text"}, _of_store("intents")),
    ),
    **{f"{platform}-inbox.sqlite": (Move("events", tables.inbox, more=_channel),) for platform in PLATFORMS},
    **{f"{platform}-shown.sqlite": SHOWN for platform in PLATFORMS},
    "teams-conversations.sqlite": (
        Move("conversations", tables.conversations, more=_team),
        Move("dead", tables.dead_conversations),
        Move("people", tables.conversation_people),
    ),
    "teams-consents.sqlite": (Move("consents", tables.file_consents),),
    "teams-handed.sqlite": (Move("handed", tables.private_drawings, {"shown": "shown_message"}),),
    "page.sqlite": (
        Move("threads", tables.page_threads),
        # Their numbers are of no further use, and others may have them by now.
        Move("entries", tables.page_entries, {"number": ""}),
    ),
    "slack-installations.sqlite": (Move("slack_bots", None), Move("slack_installations", None)),
}
"""What moves out of each file."""


def left_files(home: Path) -> list[Path]:
    """Return the files of earlier versions that are there."""
    return [path for name in sorted(MOVES) if (path := home / name).exists()]


def take_over(home: Path, database: Database) -> None:
    """Move the rows of all old files in, and delete the files; raises JobFailed, and nothing has changed then."""
    with ExitStack() as stack, database.transaction(durable=True) as connection:
        done = set(connection.execute(select(tables.old_files.c.name)).scalars())
        for path in left_files(home):
            if path.name not in done:
                with _sentence(path):
                    _move(path, stack.enter_context(closing(opened_alone(path))), connection)
                connection.execute(insert(tables.old_files), {"name": path.name, "at": now()})
    for path in left_files(home):
        for suffix in ("-wal", "-shm", "-journal", ""):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
    with database.transaction() as connection:
        connection.execute(delete(tables.old_files))


def opened_alone(path: Path) -> sqlite3.Connection:
    """Return an old file that nobody else has open, nor can open from now on."""
    file = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=1)
    try:
        # This ends the write-ahead log, which is refused where another process uses it.
        file.execute("PRAGMA journal_mode=DELETE")
        file.execute("BEGIN EXCLUSIVE")
    except BaseException:
        file.close()
        raise
    file.row_factory = sqlite3.Row
    return file


@contextmanager
def _sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise _unreadable(path, error) from error
        raise JobFailed(
            f"{path} is in use by an earlier version of the bot. Nothing was changed. Stop that one, then start this "
            "one again."
        ) from error
    except (sqlite3.Error, ValueError, KeyError, TypeError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> JobFailed:
    return JobFailed(
        f"{path}, which an earlier version of the bot wrote, cannot be read ({type(error).__name__}). Nothing was "
        "changed. Put it in order from a backup, or move it elsewhere to start without what is in it."
    )


def _move(path: Path, file: sqlite3.Connection, connection: Connection) -> None:
    known = {row["name"] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    moves = [move for move in MOVES[path.name] if move.old in known]
    if known and not moves:
        raise ValueError("it has other tables")  # then it is somebody else's, and must not be deleted
    for move in moves:
        if move.table is None:
            _copy(move.old, file, connection)
            continue
        rows = file.execute(f"SELECT * FROM {move.old} ORDER BY rowid")
        while some := rows.fetchmany(ROWS_AT_ONCE):
            for row in some:
                insert_new(connection, move.table, _moved(move, move.table, dict(row), path.name.partition("-")[0]))


def _moved(move: Move, table: Table, row: Row, platform: str) -> Row:
    """Return a row as its new table has it; what an old version did not know yet is an empty text."""
    known = {"platform": platform, **{move.names.get(name, name): value for name, value in row.items()}}
    texts = {column.name: "" for column in table.columns if not column.nullable and not column.primary_key}
    found = {**texts, **known, **move.more(row)}
    return {column.name: _value(column, found[column.name]) for column in table.columns if column.name in found}


def _value(column: Column[Any], value: Any) -> Any:
    if isinstance(column.type, UtcDateTime):
        return _time(value) or (None if column.nullable else NEVER)
    if isinstance(column.type, JSON):
        return json.loads(value)
    return bool(value) if isinstance(column.type, Boolean) else value


def _time(value: float | str | None) -> datetime | None:
    """Return a time that was kept as seconds since 1970, or as ISO 8601; None where there was none."""
    if value is None or value == "":
        return None
    return datetime.fromtimestamp(value, UTC) if isinstance(value, int | float) else datetime.fromisoformat(value)


def _copy(table: str, file: sqlite3.Connection, connection: Connection) -> None:
    """Copy a table with its indexes as it is."""
    if not inspect(connection).has_table(table):
        # The table comes before its indexes.
        query = "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC"
        for (statement,) in file.execute(query, (table,)).fetchall():
            connection.exec_driver_sql(statement)
    for row in file.execute(f"SELECT * FROM {table}"):
        marks = ", ".join("?" * len(row))
        connection.exec_driver_sql(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", tuple(row))
