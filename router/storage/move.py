"""Moves the database and the threads of a home into the database of a server: in one transaction, or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import MetaData, Table, create_engine, func, insert, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DatabaseError

from router.errors import JobFailed
from router.storage.clock import now
from router.storage.database import DATABASE_FILE, REVISION, Database
from router.storage.tables import METADATA, oldest_beside, result_parts, results, slack_modals, threads
from router.storage.threads import KeptThreads, thread_row

ROWS_AT_ONCE = 500

NOT_MOVED = {"alembic_version", *(each.name for each in (threads, results, result_parts, oldest_beside, slack_modals))}
"""Tables that a home leaves empty, or that the server's database has by itself."""


@contextmanager
def closed_home(home: Path) -> Iterator[Connection]:
    """Lend the database of a home, which nobody else has open, nor can open meanwhile; raises JobFailed."""
    path = home / DATABASE_FILE
    engine = create_engine(f"sqlite:///{path}", connect_args={"isolation_level": None, "timeout": 1})
    try:
        with engine.connect() as file:
            # This ends the write-ahead log, which is refused if another process uses it.
            file.exec_driver_sql("PRAGMA journal_mode=DELETE")
            file.exec_driver_sql("BEGIN EXCLUSIVE")
            if file.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() != REVISION:
                raise JobFailed(f"{path} is of another version of the bot. Nothing was moved.")
            yield file
    except DatabaseError as error:
        raise JobFailed(
            f"{path} is in use, or cannot be read ({error.orig}). Nothing was moved. Stop every process of the bot, "
            "then try again."
        ) from error
    finally:
        engine.dispose()


def require_empty(database: Database) -> None:
    """Raise JobFailed unless a server's database has no rows yet."""
    with database.reading() as connection:
        for table in METADATA.sorted_tables:
            if (table is threads or table.name not in NOT_MOVED) and connection.execute(select(table).limit(1)).first():
                raise JobFailed(
                    "The server's database has rows already: a home was moved there, or a bot has worked with it. "
                    "Nothing was moved. Name an empty database."
                )


def move_tables(file: Connection, kept: KeptThreads, database: Database) -> dict[str, int]:
    """Move every row, with the numbers that a file gave, and every thread; return how many each table had."""
    ours = (table for table in METADATA.sorted_tables if table.name not in NOT_MOVED)
    foreign = _foreign_tables(file)
    with database.transaction(durable=True) as connection:
        for table in foreign:
            table.metadata.create_all(connection, [table])
        moved = {table.name: _moved(file, table, connection) for table in (*ours, *foreign)}
        return {**moved, threads.name: _moved_threads(kept, connection)}


def _moved_threads(kept: KeptThreads, connection: Connection) -> int:
    keys = kept.every()
    for key in keys:
        if memory := kept.load(key):
            connection.execute(insert(threads), thread_row(key, memory, now()))
    return len(keys)


def _foreign_tables(file: Connection) -> list[Table]:
    """Return the tables that libraries keep there, with types that every server knows."""
    found = MetaData()
    found.reflect(file, only=lambda name, _: name not in METADATA.tables and name not in NOT_MOVED)
    for table in found.sorted_tables:
        for column in table.columns:
            column.type = column.type.as_generic()
    return found.sorted_tables


def _moved(file: Connection, table: Table, connection: Connection) -> int:
    count = 0
    for some in file.execute(select(table).order_by(text("rowid"))).mappings().partitions(ROWS_AT_ONCE):
        connection.execute(insert(table), [dict(row) for row in some])
        count += len(some)
    if (numbers := table.autoincrement_column) is not None:
        # After all that the file ever gave: what was said on the page is known by its number.
        given = file.execute(text("SELECT seq FROM sqlite_sequence WHERE name = :name"), {"name": table.name}).scalar()
        last = max(given or 0, connection.execute(select(func.max(numbers))).scalar() or 0)
        if last:
            sequence = func.pg_get_serial_sequence(table.name, numbers.name)
            connection.execute(select(func.setval(sequence, last)))
    return count
