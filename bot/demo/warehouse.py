"""The warehouse: the company's tables as a nightly copy left them some days ago, with the faults such copies have."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from bot.demo.copies import COPIES, Copy

AGE = timedelta(days=3)
"""How far the copy lags behind."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A column whose value in the copy is another one in the rows with these ids."""

    column: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableDifferences:
    """What differs between the company's `table` and its `copy`: rows by id, columns by the company's names.

    Values of a column in `retyped` are equal in meaning, but written in another form; `renamed` pairs names.
    """

    table: str
    copy: str
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    repeated: tuple[int, ...]
    changed: tuple[Changed, ...]
    renamed: tuple[tuple[str, str], ...]
    retyped: tuple[str, ...]
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Differences:
    """All that differs between the company and the copy of the evening of `taken`; other tables are equal."""

    taken: date
    tables: tuple[TableDifferences, ...]


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    type: str
    required: bool
    key: bool


def build_warehouse(path: Path, company: Path) -> Differences:
    """Write the copy of `company` to `path`, in place of what was there, and return what is wrong with it."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path.absolute().as_uri(), uri=True, isolation_level=None)) as db:
        db.execute("ATTACH ? AS company", (f"{company.absolute().as_uri()}?mode=ro",))
        db.executescript("PRAGMA main.journal_mode = OFF; PRAGMA main.synchronous = OFF")
        newest = date.fromisoformat(db.execute("SELECT max(order_date) FROM company.orders").fetchone()[0])
        taken = newest - AGE
        (stamp,) = db.execute("PRAGMA company.user_version").fetchone()
        db.execute("BEGIN")
        found = [_copy(db, table, COPIES.get(table, Copy()), taken) for table in _tables(db)]
        db.execute("COMMIT")
        db.execute("DETACH company")
        # The stamp comes last: a file without it is not whole.
        db.executescript(f"ANALYZE; PRAGMA user_version = {stamp}")
    return Differences(taken, tuple(d for d in found if d.table in COPIES))


def _tables(db: sqlite3.Connection) -> list[str]:
    found = db.execute("SELECT name FROM company.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    return [name for (name,) in found]


def _copy(db: sqlite3.Connection, table: str, copy: Copy, taken: date) -> TableDifferences:
    columns = [
        _Column(name, kind, bool(required), bool(key))
        for _, name, kind, required, _, key in db.execute(f'PRAGMA company.table_info("{table}")')
        if name not in copy.dropped
    ]
    day = {"taken": taken.isoformat()}
    target, source = copy.name or table, f'company."{table}"'
    db.execute(f'CREATE TABLE main."{target}" ({", ".join(_define(db, table, copy, columns))})')
    values = ", ".join(_value(copy, column.name) for column in columns)
    for chosen in (f"NOT ({copy.missing})", copy.repeated):
        db.execute(f'INSERT INTO main."{target}" SELECT {values} FROM {source} WHERE {chosen}', day)
    marks = ", ".join("?" * len(columns))
    db.executemany(f'INSERT INTO main."{target}" VALUES ({marks})', copy.extra)

    def ids(condition: str) -> tuple[int, ...]:
        return tuple(row[0] for row in db.execute(f"SELECT id FROM {source} WHERE {condition} ORDER BY id", day))

    return TableDifferences(
        table=table,
        copy=target,
        missing=ids(copy.missing),
        extra=tuple(row[0] for row in copy.extra),
        repeated=ids(copy.repeated),
        changed=tuple(
            Changed(name, ids(f'NOT ({copy.missing}) AND ({rows}) AND ({value}) IS NOT "{name}"'))
            for name, (rows, value) in copy.old.items()
        ),
        renamed=tuple(copy.renamed.items()),
        retyped=tuple(copy.written),
        dropped=copy.dropped,
    )


def _value(copy: Copy, name: str) -> str:
    value = f'"{name}"'
    if name in copy.old:
        rows, old = copy.old[name]
        value = f"CASE WHEN {rows} THEN {old} ELSE {value} END"
    return copy.written[name][1].format(f"({value})") if name in copy.written else value


def _define(db: sqlite3.Connection, table: str, copy: Copy, columns: list[_Column]) -> Iterator[str]:
    """Yield the copy's columns and foreign keys; a table with repeated rows can have no primary key."""
    for column in columns:
        name, kind = copy.renamed.get(column.name, column.name), copy.written.get(column.name, (column.type,))[0]
        key = " PRIMARY KEY" if column.key and copy.repeated == "0" else ""
        yield f'"{name}" {kind}{key}{" NOT NULL" if column.required else ""}'
    for _, _, parent, own, theirs, *_ in db.execute(f'PRAGMA company.foreign_key_list("{table}")'):
        there = COPIES.get(parent, Copy())
        yield f'FOREIGN KEY ("{own}") REFERENCES "{there.name or parent}" ("{there.renamed.get(theirs, theirs)}")'
