"""The faults of the sample warehouse, as its table of copies names them."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bot.demo.company.warehouse import COPIES, COPY_AGE, Copy, build_warehouse


@dataclass(frozen=True, slots=True)
class ChangedColumn:
    """A column whose value in the copy is another one in the rows with these ids."""

    column: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableDifferences:
    """Differences between the company's `table` and its `copy`: rows by id, columns by the company's names.

    Values of a column in `retyped` are equal in meaning, but written in another form; `renamed` pairs names.
    """

    table: str
    copy: str
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    repeated: tuple[int, ...]
    changed: tuple[ChangedColumn, ...]
    renamed: tuple[tuple[str, str], ...]
    retyped: tuple[str, ...]
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Differences:
    """All that differs between the company and the copy of the evening of `taken`; other tables are equal."""

    taken: date
    tables: tuple[TableDifferences, ...]


def built_with_differences(warehouse: Path, company: Path) -> Differences:
    """Build the copy, and return what is wrong with it."""
    build_warehouse(warehouse, company)
    with closing(sqlite3.connect(company)) as db:
        newest = date.fromisoformat(db.execute("SELECT max(order_date) FROM orders").fetchone()[0])
        taken = newest - COPY_AGE
        # Conditions name the company's tables as they stand beside the copy.
        db.execute("ATTACH ? AS company", (str(company),))
        return Differences(taken, tuple(_differences(db, table, copy, taken) for table, copy in COPIES.items()))


def _differences(db: sqlite3.Connection, table: str, copy: Copy, taken: date) -> TableDifferences:
    def ids(condition: str) -> tuple[int, ...]:
        rows = db.execute(
            f'SELECT id FROM company."{table}" WHERE {condition} ORDER BY id', {"taken": taken.isoformat()}
        )
        return tuple(row[0] for row in rows)

    return TableDifferences(
        table=table,
        copy=copy.name or table,
        missing=ids(copy.missing),
        extra=tuple(int(row.partition(",")[0]) for row in copy.extra),
        repeated=ids(copy.repeated),
        changed=tuple(
            ChangedColumn(name, ids(f'NOT ({copy.missing}) AND ({rows}) AND ({value}) IS NOT "{name}"'))
            for name, (rows, value) in copy.old.items()
        ),
        renamed=tuple(copy.renamed.items()),
        retyped=tuple(copy.written),
        dropped=copy.dropped,
    )
