"""What an SQLite file says about its tables, through its own pragmas: exact types, and one query for all columns."""

import sqlite3
from collections.abc import Sequence
from typing import Any

TABLES = """SELECT name, type = 'view', wr FROM pragma_table_list
    WHERE schema = 'main' AND type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"""
COLUMNS = 'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid'
KEYS = 'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq'

VIEWS = "SELECT name, sql FROM sqlite_master WHERE type = 'view'"

Described = tuple[list[tuple[str, str, int, int]] | None, list[tuple[int, str, str, str | None]], int | None]
"""A table's columns (name, type, not null, place in the primary key), keys, and rows; None for what is not known."""


def tables(file: sqlite3.Connection) -> list[tuple[str, int, int]]:
    """Return the tables and views: name, whether it is a view, whether it has no row numbers."""
    return file.execute(TABLES).fetchall()


def views(file: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return each view with the text that made it."""
    return file.execute(VIEWS).fetchall()


def described(file: sqlite3.Connection, names: Sequence[tuple[str, int, int]]) -> list[Described]:
    """Return what is known of each table; no columns for a view on a table that is gone."""
    estimates = _statistics(file)
    found: list[Described] = []
    for name, view, without_rowid in names:
        try:
            columns = file.execute(COLUMNS, (name,)).fetchall()
        except sqlite3.OperationalError:
            found.append((None, [], None))
            continue
        rows = None if view else estimates.get(name, None if without_rowid else _highest_rowid(file, name))
        found.append((columns, file.execute(KEYS, (name,)).fetchall(), rows))
    return found


def _statistics(file: sqlite3.Connection) -> dict[str, int]:
    """Return the rows that ANALYZE counted, where it was run."""
    try:
        rows = file.execute("SELECT tbl, max(CAST(stat AS INTEGER)) FROM sqlite_stat1 GROUP BY tbl").fetchall()
    except sqlite3.OperationalError:
        return {}
    return {table: rows for table, rows in rows if rows is not None}


def _highest_rowid(file: sqlite3.Connection, table: str) -> int | None:
    """Return an upper bound that costs one step down a tree; a count would read the whole table."""
    name = table.replace('"', '""')
    highest: Any
    try:
        highest = file.execute(f'SELECT max(_rowid_) FROM "{name}"').fetchone()[0]
    except sqlite3.OperationalError:
        return None
    return max(0, highest) if isinstance(highest, int) else 0
