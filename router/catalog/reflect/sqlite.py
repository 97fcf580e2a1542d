"""What an SQLite file says about its tables, read in a child: nothing of the file's is run in the bot itself."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from router.catalog.reflect.types import compact_type
from router.catalog.schema import Column, ForeignKey, Table
from router.sql.databases.sqlite import SqliteDatabase


def read_tables(database: SqliteDatabase, schema: str, wanted: Callable[[str], bool]) -> tuple[Table, ...]:
    """Return the wanted tables and views of the file; virtual tables, their shadows and SQLite's own are left out."""
    found = [table for table in database.tables() if wanted(table[0])]
    tables = []
    for (name, view, _), (columns, keys, rows) in zip(found, database.described(found), strict=True):
        if columns is None:
            continue  # a view on a table that is gone: no query could use it
        keyed = sorted((row[3], row[0]) for row in columns if row[3])
        table = Table(
            name=name,
            schema=schema,
            columns=tuple(Column(column, compact_type(type), not needed) for column, type, needed, _ in columns),
            primary_key=tuple(column for _, column in keyed),
            foreign_keys=tuple(_foreign_keys(keys)),
            rows=rows,
            view=bool(view),
        )
        tables.append(table)
    by_name = {table.name.lower(): table for table in tables}
    return tuple(_with_targets(table, by_name) for table in tables)


def _foreign_keys(rows: Iterable[tuple[int, str, str, str | None]]) -> Iterator[ForeignKey]:
    """Yield the keys in the order of the table's text; no target columns where it means the target's primary key."""
    keys: dict[int, list[tuple[str, str, str | None]]] = defaultdict(list)
    for id, target, column, target_column in rows:
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
