"""Moves what lies in a home's files into the database of a server, and goes on where it was ended.

Rows go over in the order they came, some at a time; with each lot the database notes how far that is, in the same
transaction. Nobody else may use the home meanwhile, nor between two attempts: then what had gone over is old.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Boolean, Column, DateTime, MetaData, Table, create_engine, select, text
from sqlalchemy.engine import Connection

from router.errors import JobFailed
from router.memory.thread import key_from
from router.storage import tables
from router.storage.clock import UtcDateTime, now
from router.storage.database import DATABASE_FILE, REVISION, Database, home_database, insert_new, upsert
from router.storage.packed_text import PackedText, unpacked
from router.storage.takeover import left_files, opened_alone

ROWS_AT_ONCE = 500

SERVER_ONLY = (tables.threads, tables.results, tables.result_parts, tables.moved, tables.slack_modals)
"""Tables that a home leaves empty."""

NOT_MOVED = {
    "alembic_version",
    tables.old_files.name,
    tables.oldest_beside.name,
    *(table.name for table in SERVER_ONLY),
}
NUMBERED = ("number", "id")
"""Names of columns whose numbers the database gives itself; nothing refers to those of rows that moved."""

REFERRED = tables.approval_requests
"""The one table whose numbers another one has: they stay, so the server must have none of its own."""

Tell = Callable[[str], None]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MovedRows:
    """The rows of one table that have gone over, in this attempt or before; `there`: the server had them already.

    `before`: an earlier attempt had moved all of them.
    """

    name: str
    rows: int
    there: int
    before: bool


@dataclass(frozen=True, slots=True)
class ClosedHome:
    """A file that nobody else has open: what tells whether it was used since, and how its rows are read."""

    home: Path
    file: sqlite3.Connection
    sign: str


def move_tables(home: Path, database: Database) -> Iterator[MovedRows]:
    """Move the home's database, and give what has gone over of each table; raises JobFailed."""
    path = home / DATABASE_FILE
    _brought_up(home)
    foreign = _foreign_tables(path)
    with _source(home, path) as source:
        _demand_room(source, database)
        for table in (*tables.METADATA.sorted_tables, *foreign):
            if table.name not in NOT_MOVED:
                if table in foreign:
                    table.metadata.create_all(database.engine, [table])
                yield _moved(source, table.name, table, partial(_values, table), database)
        _number_after(source, database)


def _number_after(source: ClosedHome, database: Database) -> None:
    """Have the page's entries numbered after all that the home ever had: events of the page are named after these."""
    name = tables.page_entries.name
    last = source.file.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", [name]).fetchone()
    sequence = f"pg_get_serial_sequence('{name}', 'number')"
    with database.transaction() as connection:
        connection.execute(
            text(f"SELECT setval({sequence}, greatest(:last, nextval({sequence})))"), {"last": last[0] if last else 0}
        )


def move_threads(home: Path, path: Path, database: Database) -> Iterator[MovedRows]:
    """Move a file of talks, and give what has gone over; raises JobFailed."""
    if path.exists():
        with _source(home, path) as source:
            yield _moved(source, "threads", tables.threads, _thread, database)


@contextmanager
def once(home: Path, name: str, database: Database) -> Iterator[bool]:
    """Give whether this was never moved; at the end of the block it was, and is not again."""
    key = {"home": str(home), "name": name}
    with database.reading() as connection:
        known = connection.execute(select(tables.moved).filter_by(**key)).first()
    yield known is None
    if known is None:
        with database.transaction(durable=True) as connection:
            _note(connection, {**key, "sign": "", "last": 0, "rows": 0, "done": True})


def _brought_up(home: Path) -> None:
    """Bring a home of an earlier version up to this one; it is not touched where it is of this one."""
    path = home / DATABASE_FILE
    if path.exists() and not left_files(home):
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            try:
                if file.execute("SELECT version_num FROM alembic_version").fetchone() == (REVISION,):
                    return
            except sqlite3.Error:
                pass  # opening it says what is wrong
    home_database(home).close()


def _foreign_tables(path: Path) -> list[Table]:
    """Return the tables that libraries keep there, with types that every server knows."""
    engine, found = create_engine(f"sqlite:///{path}"), MetaData()
    ours = {table.name for table in tables.METADATA.sorted_tables} | NOT_MOVED
    try:
        found.reflect(engine, only=lambda name, _: name not in ours)
    finally:
        engine.dispose()
    for table in found.sorted_tables:
        for column in table.columns:
            column.type = column.type.as_generic()
    return found.sorted_tables


@contextmanager
def _source(home: Path, path: Path) -> Iterator[ClosedHome]:
    # Closing any handle of a file gives SQLite's locks on it back: this one is closed last.
    handle = os.open(path, os.O_RDONLY)
    try:
        try:
            file = opened_alone(path)
        except sqlite3.OperationalError as error:
            raise JobFailed(
                f"{path} is in use, or cannot be read ({error}). Nothing was moved. Stop every process of the bot, "
                "then try again."
            ) from error
        with closing(file):
            # SQLite's counter of changes, which also counts that a bot opened the file.
            yield ClosedHome(home, file, os.pread(handle, 4, 24).hex())
    finally:
        os.close(handle)


def _moved(source: ClosedHome, name: str, to: Table, values: Callable[[Row], Row], database: Database) -> MovedRows:
    """Move what is left of a table."""
    key = {"home": str(source.home), "name": name}
    with database.reading() as connection:
        known = connection.execute(select(tables.moved).filter_by(**key)).mappings().first()
    if known and known["sign"] != source.sign:
        raise JobFailed(
            f"{source.home} was used after its move had begun, so that some of what is on the server is old. Nothing "
            "more was moved. Empty the server's database, or name another one, and move the home again."
        )
    last, rows, before = (known["last"], known["rows"], known["done"]) if known else (0, 0, False)
    done = before
    total = source.file.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] if _has(source, name) else 0
    while not done:
        query = f'SELECT rowid AS "rowid!", * FROM "{name}" WHERE rowid > ? ORDER BY rowid LIMIT ?'
        some = [dict(row) for row in source.file.execute(query, (last, ROWS_AT_ONCE))] if total else []
        last, done = (some[-1]["rowid!"] if some else last), len(some) < ROWS_AT_ONCE
        with database.transaction(durable=True) as connection:
            rows += sum(insert_new(connection, to, values(row)) for row in some)
            if to is REFERRED and some:
                connection.execute(text(_NUMBER_ON))
            _note(connection, {**key, "sign": source.sign, "last": last, "rows": rows, "done": done})
    return MovedRows(name, rows, total - rows, before)


def _demand_room(source: ClosedHome, database: Database) -> None:
    """Raise JobFailed where numbers that have to stay may be taken."""
    begun = select(tables.moved).filter_by(home=str(source.home), name=REFERRED.name)
    with database.reading() as connection:
        taken = connection.execute(select(REFERRED.c.number).limit(1)).first()
        if taken is None or connection.execute(begun).first():
            return
    if source.file.execute(f"SELECT count(*) FROM {REFERRED.name}").fetchone()[0]:
        raise JobFailed(
            "The server's database has approvals of its own already, and so has the home. Nothing was moved. Move the "
            "home before a bot first works with that database, or name an empty one."
        )


def _has(source: ClosedHome, name: str) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return source.file.execute(query, (name,)).fetchone() is not None


_NUMBER_ON = (
    f"SELECT setval(pg_get_serial_sequence('{REFERRED.name}', 'number'), (SELECT max(number) FROM {REFERRED.name}))"
)
"""Has the server's own numbers begin after those that were moved."""


def _note(connection: Connection, row: Row) -> None:
    upsert(connection, tables.moved, row)


def _values(table: Table, row: Row) -> Row:
    """Return a row as the server's table takes it, which numbers it anew."""
    keys = [] if table is REFERRED else list(table.primary_key)
    numbered = [column.name for column in keys if column.name in NUMBERED and _numbers(column)]
    return {column.name: _value(column, row[column.name]) for column in table.columns if column.name not in numbered}


def _numbers(column: Column[Any]) -> bool:
    return column.type.python_type is int


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


def _thread(row: Row) -> Row:
    key = key_from(row["key"])
    talk = {"thread": row["key"], "platform": key.platform, "team": key.team}
    return {**talk, "memory": unpacked(row["value"]), "saved": now()}
