"""The sample company "Tarn & Trail": three to four years of a retailer's books, up to today, in one SQLite file.

Each topic has a file; `build_company` puts them together. Days are decided one by one, so a company that is built again
tomorrow has the same past and one day more (until a new year drops the oldest one).
"""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import date
from operator import attrgetter
from pathlib import Path
from typing import Any

from bot.demo.company.books import keep_books
from bot.demo.company.goods import CATEGORIES, design_products, list_suppliers
from bot.demo.company.people import hire_employees, meet_customers
from bot.demo.company.places import COUNTRIES, open_stores
from bot.demo.company.sales import Market, place_orders, plan_campaigns
from bot.demo.company.schema import INDEXES, SCHEMA
from bot.demo.company.warehouse import build_warehouse
from router.errors import SettingsError

SAMPLE_VERSION = 2
"""Raised when the generator changes what it writes; older files are then built again."""


KEPT_DAYS = 7
"""A company that ends at most so many days ago still answers questions about this week."""


def ensure_samples(folder: Path, today: date, progress: Callable[[str], None] | None = None) -> tuple[Path, Path]:
    """Return the company's and the warehouse's files in `folder`, built again unless they are whole and young enough.

    Both end read-only. Processes that start at once build the same rows under names of their own, and each puts its
    files in place in one step; readers of the old ones keep them. Raises SettingsError if the folder
    cannot be written.
    """
    company, warehouse = folder / "company.db", folder / "warehouse.db"
    if are_fresh(folder, today):
        return company, warehouse
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".building-") as room:
            new_company, new_warehouse = Path(room, company.name), Path(room, warehouse.name)
            build_company(new_company, today, progress)
            if progress:
                progress("Building the sample warehouse")
            build_warehouse(new_warehouse, new_company)
            _put(new_company, company)
            _put(new_warehouse, warehouse)
    except (OSError, sqlite3.Error) as error:
        raise SettingsError(
            [
                f"The sample databases could not be built in {folder} ({error}). Nothing else was touched. "
                "Make room there, or choose another folder, and start again."
            ]
        ) from error
    return company, warehouse


def are_fresh(folder: Path, today: date) -> bool:
    """Return whether both sample files were built together, by this generator, within the last days."""
    mark = _read_stamp(folder / "company.db")
    return (
        mark is not None and mark == _read_stamp(folder / "warehouse.db") and 0 <= count_days(today) - mark <= KEPT_DAYS
    )


def _read_stamp(path: Path) -> int | None:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            return int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return None


def _put(new: Path, place: Path) -> None:
    new.chmod(0o444)
    if os.name == "nt" and place.exists():
        place.chmod(0o644)  # Windows replaces no read-only file
    new.replace(place)


def count_days(today: date) -> int:
    """Return the `user_version` of a file that this generator built on `today`."""
    return SAMPLE_VERSION * 1_000_000 + today.toordinal()


def build_company(path: Path, today: date, progress: Callable[[str], None] | None = None) -> None:
    """Write the company's database to `path`, in place of what was there; the same `today` gives the same rows."""
    say = progress or (lambda _: None)
    path.unlink(missing_ok=True)
    first = date(today.year - 3, 1, 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        # The file is new and is only used when it is whole: nothing is lost by a crash half-way.
        db.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; {SCHEMA}")
        say("Building the sample company: people and products")
        stores = open_stores(today)
        market = Market(
            customers=meet_customers(first, today),
            products=design_products(today),
            stores=stores,
            employees=hire_employees(stores, today),
            campaigns=plan_campaigns(first, today),
        )
        for table, rows in (
            ("countries", COUNTRIES),
            ("stores", market.stores),
            ("employees", market.employees),
            ("categories", CATEGORIES),
            ("suppliers", list_suppliers()),
            ("products", market.products),
            ("customers", market.customers),
            ("campaigns", market.campaigns),
        ):
            _write_rows(db, table, rows)
        say("Building the sample company: orders")
        orders = list(place_orders(market, first, today))
        _write_rows(db, "orders", orders)
        _write_rows(db, "order_items", (line for order in orders for line in order.lines))
        db.executescript(INDEXES)
        say("Building the sample company: books")
        keep_books(db, today)
        # The stamp comes last: a file without it is not whole.
        db.executescript(f"ANALYZE; PRAGMA user_version = {count_days(today)};")


def _write_rows(db: sqlite3.Connection, table: str, rows: Iterable[Any]) -> None:
    """Write tuples, or things that have the table's columns among their attributes."""
    columns = [column[0] for column in db.execute(f'SELECT * FROM "{table}" LIMIT 0').description]
    values_of = attrgetter(*columns)
    given = (row if isinstance(row, tuple) else values_of(row) for row in rows)
    written = ([str(value) if isinstance(value, date) else value for value in row] for row in given)
    db.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(columns))})', written)
