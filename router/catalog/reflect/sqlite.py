"""What an SQLite file says about its tables, through its own pragmas: exact types, and one query for all columns."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sqlalchemy.engine import make_url

from router.catalog.reflect.types import compact_type
from router.catalog.schema import Column, ForeignKey, Table

TABLES = """SELECT name, type = 'view', wr FROM pragma_table_list
    WHERE schema = 'main' AND type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"""
COLUMNS = 'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid'
KEYS = 'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq'


def read_tables(url: str, schema: str, wanted: Callable[[str], bool]) -> tuple[Table, ...]:
    """Return the wanted tables and views of the file; virtual tables, their shadows and SQLite's own are left out."""
    with closing(_open(Path(make_url(url).database or ""))) as file:
        rows = [row for row in file.execute(TABLES).fetchall() if wanted(row[0])]
        estimates = _statistics(file)
        tables = []
        for name, view, without_rowid in rows:
            columns = _columns(file, name)
            if columns is None:
                continue  # a view on a table that is gone: no query could use it
            keyed = sorted((row[3], row[0]) for row in columns if row[3])
            table = Table(
                name=name,
                schema=schema,
                columns=tuple(Column(column, compact_type(type), not needed) for column, type, needed, _ in columns),
                primary_key=tuple(column for _, column in keyed),
                foreign_keys=tuple(_foreign_keys(file, name)),
                rows=None if view else estimates.get(name, None if without_rowid else _highest_rowid(file, name)),
                view=bool(view),
            )
            tables.append(table)
    by_name = {table.name.lower(): table for table in tables}
    return tuple(_with_targets(table, by_name) for table in tables)


def _open(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        file.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        file.close()
        if path.with_name(path.name + "-wal").exists():
            raise
        # A file in WAL mode in a folder that may not be written; nobody else is writing either, as there is no log.
        file = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
    return file


def _columns(file: sqlite3.Connection, table: str) -> list[tuple[str, str, int, int]] | None:
    try:
        return file.execute(COLUMNS, (table,)).fetchall()
    except sqlite3.OperationalError:
        return None


def _foreign_keys(file: sqlite3.Connection, table: str) -> Iterator[ForeignKey]:
    """Yield the keys in the order of the table's text; no target columns where it means the target's primary key."""
    keys: dict[int, list[tuple[str, str, str | None]]] = defaultdict(list)
    for id, target, column, target_column in file.execute(KEYS, (table,)):
        keys[id].append((target, column, target_column))
    for parts in keys.values():
        targets = tuple(target_column for _, _, target_column in parts if target_column)
        yield ForeignKey(tuple(column for _, column, _ in parts), parts[0][0], targets)


def _with_targets(table: Table, tables: dict[str, Table]) -> Table:
    """Return the table with its keys' targets spelled as the tables are, and complete."""
    keys = []
    for key in table.foreign_keys:
        target = tables.get(key.target.lower())
        if target is not None:
            columns = key.target_columns or target.primary_key
            keys.append(ForeignKey(key.columns, target.name, columns, table.schema))
    complete = tuple(key for key in keys if len(key.columns) == len(key.target_columns))
    return replace(table, foreign_keys=complete)


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
    try:
        highest = file.execute(f'SELECT max(_rowid_) FROM "{name}"').fetchone()[0]
    except sqlite3.OperationalError:
        return None
    return max(0, highest) if isinstance(highest, int) else 0
