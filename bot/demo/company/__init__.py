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
from pathlib import Path
from typing import Any

from bot.demo.company.customers import meet_customers
from bot.demo.company.employees import Employee, hire_employees
from bot.demo.company.fulfilment import fulfil
from bot.demo.company.goods import (
    CATEGORIES,
    SUPPLIERS,
    Product,
    count_stock,
    describe,
    design_products,
    draw_thumbnail,
)
from bot.demo.company.places import COUNTRIES, open_stores
from bot.demo.company.sales import Market, place_orders, plan_campaigns, sell_gift_cards
from bot.demo.company.schema import INDEXES, SCHEMA
from bot.demo.company.tickets import open_tickets
from bot.demo.company.warehouse import build_warehouse
from router.errors import SettingsError

SAMPLE_VERSION = 1
"""Raised when the generator changes what it writes; older files are then built again."""


KEPT_DAYS = 7
"""A company that ends at most so many days ago still answers questions about this week."""


def ensure_samples(folder: Path, today: date, progress: Callable[[str], None] | None = None) -> tuple[Path, Path]:
    """Return the company's and the warehouse's files in `folder`, built anew unless they are whole and young enough.

    Both end read-only. Processes that start at once build the same rows under names of their own, and each puts its
    files in place in one step; whoever reads the old ones meanwhile keeps them. Raises SettingsError where the folder
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
    """Tells whether both were built together, by this generator, within the last days (and not in the future)."""
    mark = _read_stamp(folder / "company.db")
    return mark is not None and mark == _read_stamp(folder / "warehouse.db") and 0 <= stamp(today) - mark <= KEPT_DAYS


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


def stamp(today: date) -> int:
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
        market = _open_market(db, first, today)
        say("Building the sample company: orders")
        orders = list(place_orders(market, first, today))
        books = fulfil(orders, today)
        _insert(db, "orders", books.orders)
        _insert(db, "order_items", books.items)
        _insert(db, "payments", books.payments)
        _insert(db, "shipments", books.shipments)
        _insert(db, "returns", books.returns)
        say("Building the sample company: stock and support")
        agents = [e for e in market.employees if e.job_title == "Support Agent"]
        _insert(db, "inventory", count_stock(market.stores, market.products, today))
        _insert(db, "support_tickets", open_tickets(orders, agents, first, today))
        _insert(db, "gift cards", sell_gift_cards(orders, today))
        say("Building the sample company: indexes")
        db.execute("COMMIT")
        # The stamp comes last: a file without it is not whole.
        db.executescript(f"{INDEXES} ANALYZE; PRAGMA user_version = {stamp(today)};")


def _open_market(db: sqlite3.Connection, first: date, today: date) -> Market:
    """Write the tables that hold no orders, and return what they say."""
    stores = open_stores(today)
    market = Market(
        customers=meet_customers(first, today),
        products=design_products(today),
        stores=stores,
        employees=hire_employees(stores, today),
        campaigns=plan_campaigns(first, today),
    )
    codes = {country.code: country.id for country in COUNTRIES}
    _insert(db, "countries", ((c.id, c.code, c.name, c.region) for c in COUNTRIES))
    _insert(db, "stores", ((s.id, s.name, s.city, s.country_id, s.opened_on.isoformat(), s.area) for s in stores))
    _insert(db, "employees", map(_employee_row, market.employees))
    _insert(db, "categories", ((c.id, c.name, c.department) for c in CATEGORIES))
    _insert(
        db,
        "suppliers",
        (
            (number, name, codes[code], contact, f"orders@supplier{number}.example" if contact else None, days)
            for number, (name, code, contact, days) in enumerate(SUPPLIERS, start=1)
        ),
    )
    _insert(db, "products", (_product_row(product, today) for product in market.products))
    _insert(
        db,
        "customers",
        (
            (c.id, c.name, c.segment, c.email, c.phone, c.city, c.country.id, c.joined_on.isoformat(), c.newsletter)
            for c in market.customers
        ),
    )
    _insert(
        db,
        "campaigns",
        ((c.id, c.name, c.channel, c.start.isoformat(), c.end.isoformat(), c.budget) for c in market.campaigns),
    )
    return market


def _employee_row(e: Employee) -> tuple[Any, ...]:
    left = e.left_on and e.left_on.isoformat()
    return e.id, e.name, e.job_title, e.store_id, e.manager_id, e.email, e.hired_on.isoformat(), left, e.salary


def _product_row(p: Product, today: date) -> tuple[Any, ...]:
    active = p.ended_on is None
    price = p.prices[today.year]
    origin = (p.id, p.sku, p.name, p.category.id, p.supplier_id, price, p.cost, p.weight)
    return *origin, p.launched_on.isoformat(), active, describe(p), draw_thumbnail(p.id)


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    width = len(db.execute(f'SELECT * FROM "{table}" LIMIT 0').description)
    db.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * width)})', rows)
