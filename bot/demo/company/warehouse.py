"""The warehouse: the company's tables as a nightly copy left them some days ago, with the faults such copies have."""

import sqlite3
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from string import Template

from pydantic import TypeAdapter

COPIES_FILE = Path(__file__).with_name("warehouse.toml")


@dataclass(frozen=True, slots=True)
class Copy:
    """Changes of a copied table, as `warehouse.toml` describes them."""

    name: str = ""
    missing: str = "0"
    repeated: str = "0"
    old: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    written: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()


def _read_copies() -> dict[str, Copy]:
    text = COPIES_FILE.read_text(encoding="utf-8")
    spelled_out = Template(text).substitute(tomllib.loads(text)["conditions"])
    return TypeAdapter(dict[str, Copy]).validate_python(tomllib.loads(spelled_out)["copies"])


COPIES = _read_copies()
"""The tables that are not plain copies."""

COPY_AGE = timedelta(days=3)
"""Days that the copy lags behind."""

_TABLES = "SELECT name FROM company.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"


def build_warehouse(path: Path, company: Path) -> None:
    """Write the copy of `company` to `path`, in place of what was there."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path.absolute().as_uri(), uri=True, isolation_level=None)) as db:
        db.execute("ATTACH ? AS company", (f"{company.absolute().as_uri()}?mode=ro",))
        db.executescript("PRAGMA main.journal_mode = OFF; PRAGMA main.synchronous = OFF")
        newest = date.fromisoformat(db.execute("SELECT max(order_date) FROM company.orders").fetchone()[0])
        taken = newest - COPY_AGE
        (stamp,) = db.execute("PRAGMA company.user_version").fetchone()
        db.execute("BEGIN")
        for (table,) in db.execute(_TABLES).fetchall():
            _copy(db, table, COPIES.get(table, Copy()), {"taken": taken.isoformat()})
        db.execute("COMMIT")
        db.execute("DETACH company")
        # The stamp comes last: a file without it is not whole.
        db.executescript(f"ANALYZE; PRAGMA user_version = {stamp}")


def _copy(db: sqlite3.Connection, table: str, copy: Copy, day: dict[str, str]) -> None:
    about = db.execute(f'PRAGMA company.table_info("{table}")').fetchall()
    columns = [(name, kind, required, key) for _, name, kind, required, _, key in about if name not in copy.dropped]
    target = copy.name or table
    db.execute(f'CREATE TABLE main."{target}" ({", ".join(_define(db, table, copy, columns))})')
    values = ", ".join(_value(copy, name) for name, *_ in columns)
    for chosen in (f"NOT ({copy.missing})", copy.repeated):
        db.execute(f'INSERT INTO main."{target}" SELECT {values} FROM company."{table}" WHERE {chosen}', day)
    for row in copy.extra:
        db.execute(f'INSERT INTO main."{target}" VALUES ({row})')


def _value(copy: Copy, name: str) -> str:
    value = f'"{name}"'
    if name in copy.old:
        rows, old = copy.old[name]
        value = f"CASE WHEN {rows} THEN {old} ELSE {value} END"
    return copy.written[name][1].format(f"({value})") if name in copy.written else value


def _define(db: sqlite3.Connection, table: str, copy: Copy, columns: list[tuple[str, str, int, int]]) -> Iterator[str]:
    """Yield the copy's columns and foreign keys; a table with repeated rows can have no primary key."""
    for name, declared, required, key in columns:
        kind = copy.written.get(name, (declared,))[0]
        primary = " PRIMARY KEY" if key and copy.repeated == "0" else ""
        yield f'"{copy.renamed.get(name, name)}" {kind}{primary}{" NOT NULL" if required else ""}'
    for _, _, parent, own, theirs, *_ in db.execute(f'PRAGMA company.foreign_key_list("{table}")'):
        there = COPIES.get(parent, Copy())
        yield f'FOREIGN KEY ("{own}") REFERENCES "{there.name or parent}" ("{there.renamed.get(theirs, theirs)}")'
