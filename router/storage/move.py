"""Moves the database of a home into that of a server: all of its rows in one transaction, or none."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Boolean, Column, DateTime, MetaData, Table, create_engine, func, insert, select
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DatabaseError

from router.errors import JobFailed
from router.storage.clock import UtcDateTime
from router.storage.database import DATABASE_FILE, REVISION, Database
from router.storage.packed_text import PackedText, unpacked
from router.storage.tables import METADATA, oldest_beside, result_parts, results, slack_modals

ROWS_AT_ONCE = 500

NOT_MOVED = {"alembic_version", *(table.name for table in (results, result_parts, oldest_beside, slack_modals))}
"""What a home leaves empty, or the server's database has by itself."""


@dataclass(frozen=True, slots=True)
class ClosedHome:
    """The database of a home, which nobody else has open; `foreign` are tables that libraries keep there."""

    file: sqlite3.Connection
    foreign: list[Table]


@contextmanager
def closed_home(home: Path) -> Iterator[ClosedHome]:
    """Lend the database of a home, which nobody else can open meanwhile; raises JobFailed."""
    path = home / DATABASE_FILE
    try:
        foreign = _foreign_tables(path)
        file = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=1)
        with closing(file):
            # This ends the write-ahead log, which is refused where another process uses it.
            file.execute("PRAGMA journal_mode=DELETE")
            file.execute("BEGIN EXCLUSIVE")
            file.row_factory = sqlite3.Row
            if file.execute("SELECT version_num FROM alembic_version").fetchone()[0] != REVISION:
                raise JobFailed(f"{path} is of another version of the bot. Nothing was moved.")
            yield ClosedHome(file, foreign)
    except (sqlite3.Error, DatabaseError) as error:
        raise JobFailed(
            f"{path} is in use, or cannot be read ({error}). Nothing was moved. Stop every process of the bot, then "
            "try again."
        ) from error


def demand_empty(database: Database) -> None:
    """Do nothing where a server's database has no rows yet; raises JobFailed."""
    with database.reading() as connection:
        for table in METADATA.sorted_tables:
            if table.name not in NOT_MOVED and connection.execute(select(table).limit(1)).first():
                raise JobFailed(
                    "The server's database has rows already: a home was moved there, or a bot has worked with it. "
                    "Nothing was moved. Name an empty database."
                )


def move_tables(home: ClosedHome, database: Database) -> dict[str, int]:
    """Move every row, with the numbers that a file gave, and return how many each table had."""
    ours = (table for table in METADATA.sorted_tables if table.name not in NOT_MOVED)
    with database.transaction(durable=True) as connection:
        for table in home.foreign:
            table.metadata.create_all(connection, [table])
        return {table.name: _moved(home.file, table, connection) for table in (*ours, *home.foreign)}


def _foreign_tables(path: Path) -> list[Table]:
    """Return the tables that libraries keep there, with types that every server knows."""
    engine, found = create_engine(f"sqlite:///{path}"), MetaData()
    try:
        found.reflect(engine, only=lambda name, _: name not in METADATA.tables and name not in NOT_MOVED)
    finally:
        engine.dispose()
    for table in found.sorted_tables:
        for column in table.columns:
            column.type = column.type.as_generic()
    return found.sorted_tables


def _moved(file: sqlite3.Connection, table: Table, connection: Connection) -> int:
    rows, count = file.execute(f'SELECT * FROM "{table.name}" ORDER BY rowid'), 0
    while some := rows.fetchmany(ROWS_AT_ONCE):
        values = [{column.name: _value(column, row[column.name]) for column in table.columns} for row in some]
        connection.execute(insert(table), values)
        count += len(some)
    if (numbers := table.autoincrement_column) is not None:
        # After all that the file ever gave: what was said on the page is known by its number.
        known = file.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", [table.name]).fetchone()
        last = max(known[0] if known else 0, connection.execute(select(func.max(numbers))).scalar() or 0)
        if last:
            sequence = func.pg_get_serial_sequence(table.name, numbers.name)
            connection.execute(select(func.setval(sequence, last)))
    return count


def _value(column: Column[Any], value: Any) -> Any:
    if value is None:
        return None
    if isinstance(column.type, UtcDateTime):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    if isinstance(column.type, DateTime):
        return datetime.fromisoformat(value)
    if isinstance(column.type, JSON):
        return json.loads(value)
    if isinstance(column.type, PackedText):
        return unpacked(value)
    return bool(value) if isinstance(column.type, Boolean) else value
