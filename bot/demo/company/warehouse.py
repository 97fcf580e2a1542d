"""The warehouse: the company's tables as a nightly copy left them some days ago, with the faults such copies have."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

# Differences of the warehouse's tables from the company's: one row of `COPIES` a table that is not a plain copy.
#
# Conditions and values are SQL over the company's table; `:taken` is the day whose evening the copy shows.


Old = tuple[str, str]
"""The rows whose copy shows an older value, as a condition, and that value."""

Written = tuple[str, str]
"""The declared type of a column that the copy writes in another form, and that form, with {} for the value."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Changes of a copied table: `missing` rows stay behind, `repeated` ones come twice, `extra` ones are new."""

    name: str = ""
    missing: str = "0"
    repeated: str = "0"
    old: Mapping[str, Old] = field(default_factory=dict)
    written: Mapping[str, Written] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    extra: tuple[tuple[Any, ...], ...] = ()


_LATER_ORDERS = "order_id IN (SELECT id FROM company.orders WHERE order_date > :taken)"
_LATER_LINES = f"order_item_id IN (SELECT id FROM company.order_items WHERE {_LATER_ORDERS})"
_SENT_LATER = "id IN (SELECT order_id FROM company.shipments WHERE shipped_date > :taken)"
_RECEIVED_LATER = (
    "id IN (SELECT order_id FROM company.shipments WHERE shipped_date <= :taken AND delivered_date > :taken)"
)
_RETURNED_LATER = (
    "status = 'returned' AND id IN (SELECT i.order_id FROM company.order_items AS i"
    " JOIN company.returns AS r ON r.order_item_id = i.id WHERE r.return_date > :taken)"
)
_CLOSED_LATER = "date(closed_at) > :taken"

_YES_NO = ("CHAR(1)", "CASE WHEN {} THEN 'Y' ELSE 'N' END")
_PLAIN_DATE = ("CHAR(8)", "replace({}, '-', '')")
_TWO_DIGITS = ("VARCHAR(12)", "printf('%.2f', {})")

COPIES: dict[str, Copy] = {
    "customers": Copy(
        missing="joined_on > :taken",
        old={"email": ("email IS NOT NULL AND id % 211 = 17", "'old.' || email")},
        written={"newsletter": _YES_NO},
        renamed={"name": "cust_name"},
    ),
    "products": Copy(
        name="dim_products",
        old={"price": ("id % 37 = 5", "round(price - 10, 2)")},
        written={"active": _YES_NO},
        renamed={"name": "product_name"},
        dropped=("description", "thumbnail"),
    ),
    "campaigns": Copy(
        missing="start_date > :taken",
        # Somebody's trial, deleted at the source since.
        extra=((9001, "TEST do not use", "email", "2020-02-01", "2020-02-29", None),),
    ),
    "orders": Copy(
        missing="order_date > :taken",
        old={
            "status": (
                f"{_SENT_LATER} OR {_RECEIVED_LATER} OR {_RETURNED_LATER}",
                f"CASE WHEN {_SENT_LATER} THEN 'processing' WHEN {_RECEIVED_LATER} THEN 'shipped' ELSE 'completed' END",
            )
        },
        renamed={"total_amount": "total"},
    ),
    "order_items": Copy(missing=_LATER_ORDERS),
    "payments": Copy(
        # One batch in the middle was lost, another was loaded twice.
        missing=f"{_LATER_ORDERS} OR id BETWEEN 9120 AND 9131",
        repeated="id BETWEEN 15000 AND 15004",
        old={
            "status": ("status = 'paid' AND date(paid_at) > :taken", "'open'"),
            "paid_at": ("date(paid_at) > :taken", "NULL"),
        },
        written={"amount": _TWO_DIGITS},
    ),
    "shipments": Copy(
        missing="shipped_date > :taken",
        old={"delivered_date": ("delivered_date > :taken", "NULL")},
        written={"shipped_date": _PLAIN_DATE, "delivered_date": _PLAIN_DATE},
    ),
    "returns": Copy(missing=f"return_date > :taken OR {_LATER_LINES}"),
    "inventory": Copy(
        old={
            "quantity": ("counted_on > :taken", "quantity + 3"),
            "counted_on": ("counted_on > :taken", "date(:taken, '-30 days')"),
        },
    ),
    "support_tickets": Copy(
        missing="date(opened_at) > :taken",
        old={
            "status": (_CLOSED_LATER, "'open'"),
            "closed_at": (_CLOSED_LATER, "NULL"),
            "satisfaction": (_CLOSED_LATER, "NULL"),
        },
    ),
    "gift cards": Copy(missing='"issuedOn" > :taken'),
}


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
    marks = ", ".join("?" * len(columns))
    db.executemany(f'INSERT INTO main."{target}" VALUES ({marks})', copy.extra)


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
