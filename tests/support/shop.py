"""Small databases for talks: a shop, an archive with two schemas, and one that is too wide for any prompt."""

import sqlite3
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

Build = Callable[[Path], Path]

SHOP = """
CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, region_id INTEGER REFERENCES regions(id), note TEXT
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id),
    ordered_on DATE NOT NULL, status TEXT NOT NULL, total NUMERIC NOT NULL
);
INSERT INTO regions VALUES (1, 'North'), (2, 'South');
INSERT INTO customers VALUES
    (1, 'Ada Lovelace', 1, NULL), (2, 'Grace Hopper', 2, 'prefers mail'), (3, 'Alan Turing', 1, NULL),
    (4, 'Edsger Dijkstra', 2, NULL), (5, 'Barbara Liskov', 1, NULL), (6, 'Conan O''Brien', 2, NULL);
INSERT INTO orders VALUES
    (1, 1, '2026-01-10', 'paid', 120.5), (2, 2, '2026-02-11', 'paid', 300), (3, 1, '2026-02-12', 'open', 80),
    (4, 3, '2026-03-01', 'paid', 45), (5, 4, '2026-03-02', 'cancelled', 10), (6, 5, '2026-03-03', 'paid', 990.25),
    (7, 6, '2026-03-04', 'paid', 33), (8, 2, '2026-03-05', 'open', 12.75);
CREATE TABLE numbers (n INTEGER PRIMARY KEY);
WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 50) INSERT INTO numbers SELECT n FROM up;
"""


def built_once(build: Build) -> Build:
    """Build the file once in a process, and write its bytes from then on: hundreds of tests want the same one."""

    @cache
    def content() -> bytes:
        with TemporaryDirectory() as folder:
            return build(Path(folder, "built")).read_bytes()

    @wraps(build)
    def written(path: Path) -> Path:
        path.write_bytes(content())
        return path

    return written


@built_once
def build_shop(path: Path) -> Path:
    """Build the shop as an SQLite file."""
    with sqlite3.connect(path) as connection:
        connection.executescript(SHOP)
    connection.close()
    return path


@built_once
def build_archive(path: Path) -> Path:
    """Build a DuckDB file with the schemas main and archive."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE stock (product VARCHAR, pieces INTEGER)")
        connection.execute("INSERT INTO stock VALUES ('lamp', 3), ('chair', 11)")
        connection.execute("CREATE SCHEMA archive")
        connection.execute("CREATE TABLE archive.stock (product VARCHAR, pieces INTEGER)")
        connection.execute("INSERT INTO archive.stock VALUES ('stool', 1)")
    return path


@built_once
def build_backup(path: Path) -> Path:
    """Build an SQLite file that may be written to, with a table and a view."""
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE places (name TEXT NOT NULL UNIQUE, country TEXT);"
            "INSERT INTO places VALUES ('Hall', 'Austria');"
            "CREATE VIEW towns AS SELECT name FROM places;"
        )
    connection.close()
    return path


@built_once
def build_mill(path: Path) -> Path:
    """Build an SQLite file with buyers whose names share words, and towns with accents."""
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE buyers (id INTEGER PRIMARY KEY, firm TEXT NOT NULL, town TEXT NOT NULL, phone TEXT);"
            "CREATE TABLE deliveries (id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers(id), sacks INTEGER);"
            "INSERT INTO buyers VALUES (1, 'Miller GmbH', 'Köln', '22 1'), (2, 'Miller & Sons', 'Saint-Denis', '33 2'),"
            " (3, 'Aldo Rossi SpA', 'Torino', '39 3'), (4, 'Rossi Bakery', 'Köln', '22 4');"
            "INSERT INTO deliveries VALUES (1, 1, 10), (2, 2, 20), (3, 3, 5), (4, 1, 7);"
        )
    connection.close()
    return path


@built_once
def build_outlet(path: Path) -> Path:
    """Build an SQLite file in which customers and stores both have a city, a size, a tier, and a region."""
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, firm TEXT NOT NULL, city TEXT NOT NULL, size TEXT,"
            " tier TEXT, region_id INTEGER NOT NULL REFERENCES regions(id));"
            "CREATE TABLE stores (id INTEGER PRIMARY KEY, city TEXT NOT NULL, size TEXT, tier TEXT,"
            " region_id INTEGER NOT NULL REFERENCES regions(id));"
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id),"
            " store_id INTEGER REFERENCES stores(id), status TEXT NOT NULL, total NUMERIC NOT NULL);"
            "INSERT INTO regions VALUES (1, 'North'), (2, 'South');"
            "INSERT INTO customers VALUES (1, 'Kaya', 'Ghent', 'small', 'gold', 1),"
            " (2, 'Okoro', 'Porto', 'large', 'tin', 2);"
            "INSERT INTO stores VALUES (1, 'Ghent', 'small', 'gold', 1), (2, 'Turin', 'large', 'tin', 2);"
            "INSERT INTO orders VALUES (1, 1, 2, 'paid', 30), (2, 2, 2, 'open', 20), (3, 1, NULL, 'paid', 5);"
        )
    connection.close()
    return path


@built_once
def build_warehouse(path: Path) -> Path:
    """Build a DuckDB file with what the shop has, in other types, but for four orders; and the same by other names."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE orders "
            "(id BIGINT PRIMARY KEY, customer_id BIGINT, ordered_on TIMESTAMP, status VARCHAR, total DOUBLE)"
        )
        connection.execute(
            "INSERT INTO orders VALUES (1, 1, '2026-01-10', 'paid', 120.5), (2, 2, '2026-02-11', 'paid', 300),"
            " (3, 1, '2026-02-12', 'open', 81), (4, 3, '2026-03-01', 'paid', 45),"
            " (5, 4, '2026-03-02', 'cancelled', 10),"
            " (6, 5, '2026-03-03', 'paid', 990.25), (7, 6, '2026-03-04', 'open', 33), (9, 2, '2026-03-06', 'paid', 5)"
        )
        connection.execute(
            "CREATE TABLE sales AS SELECT total AS amount, id AS order_no, status AS state, 'web' AS way FROM orders"
        )
        connection.execute("CREATE TABLE empty AS SELECT * FROM orders LIMIT 0")
    return path


@built_once
def build_wide(path: Path) -> Path:
    """Build an SQLite file with 400 tables of 12 columns, one of them about invoices."""
    with sqlite3.connect(path) as connection:
        columns = ", ".join(f"attribute_number_{n} TEXT" for n in range(11))
        things = "".join(f"CREATE TABLE thing_{n:03} (id INTEGER PRIMARY KEY, {columns});" for n in range(399))
        invoices = "CREATE TABLE invoices (id INTEGER PRIMARY KEY, amount NUMERIC); INSERT INTO invoices VALUES (1, 5);"
        # One transaction: 400 would take seconds on a busy disk.
        connection.executescript(f"BEGIN; {things} {invoices} COMMIT;")
    connection.close()
    return path


FIRMS = {"mill": build_mill, "outlet": build_outlet}

BLOCKS = {
    "shop": '[connections.shop]\nid = 1\nlabel = "Shop"\nurl = "sqlite:///shop.sqlite"\n',
    "archive": '[connections.archive]\nid = 2\nlabel = "Archive"\nurl = "duckdb:///cellar.duckdb"\n'
    'schemas = ["main", "archive"]\nteachers = ["ana@example.com"]\n',
    "backup": '[connections.backup]\nid = 4\nlabel = "Backup"\nurl = "sqlite:///backup.sqlite"\n'
    'write_url = "sqlite:///backup.sqlite"\nwriters = ["ana@example.com"]\n',
    "depot": '[connections.depot]\nid = 5\nlabel = "Depot"\nurl = "duckdb:///depot.duckdb"\n'
    'write_url = "duckdb:///depot.duckdb"\nschemas = ["main", "archive"]\nwriters = ["ana@example.com"]\n',
    "store": '[connections.store]\nid = 6\nlabel = "Store"\nurl = "duckdb:///store.duckdb"\n'
    'write_url = "duckdb:///store.duckdb"\nschemas = ["main", "archive"]\nwriters = ["ana@example.com"]\n'
    'write_schemas = ["arch*"]\n',
    "shelf": '[connections.shelf]\nid = 7\nlabel = "Shelf"\nurl = "sqlite:///shelf.sqlite"\n'
    'write_url = "sqlite:///shelf.sqlite"\nwriters = ["ana@example.com"]\nwrite_schemas = ["attic"]\n',
    "school": '[connections.school]\nid = 8\nlabel = "School"\nurl = "sqlite:///school.sqlite"\n'
    'teachers = ["ana@example.com"]\n',
    "mill": '[connections.mill]\nid = 9\nlabel = "Mill"\nurl = "sqlite:///mill.sqlite"\n',
    "outlet": '[connections.outlet]\nid = 12\nlabel = "Outlet"\nurl = "sqlite:///outlet.sqlite"\n',
    "vault": '[connections.vault]\nid = 11\nlabel = "Vault"\nurl = "sqlite:///vault.sqlite"\n'
    'approvers = ["bob@example.com"]\n',
    "warehouse": '[connections.warehouse]\nid = 10\nlabel = "Warehouse"\nurl = "duckdb:///warehouse.duckdb"\n',
    "wide": '[connections.wide]\nid = 3\nlabel = "Wide"\nurl = "sqlite:///wide.sqlite"\n',
}


def write_connections(folder: Path, names: list[str], extra: str = "") -> Path:
    """Build the databases named, and a connections.toml over them; `extra` goes on top of the file."""
    path = folder / "connections.toml"
    if path.exists():
        return path
    for name in names:
        match name:
            case "shop" | "school" | "vault":
                build_shop(folder / f"{name}.sqlite")
            case "archive":
                build_archive(folder / "cellar.duckdb")
            case "backup" | "shelf":
                build_backup(folder / f"{name}.sqlite")
            case "depot" | "store":
                build_archive(folder / f"{name}.duckdb")
            case "warehouse":
                build_warehouse(folder / "warehouse.duckdb")
            case "mill" | "outlet":
                FIRMS[name](folder / f"{name}.sqlite")
            case "wide":
                build_wide(folder / "wide.sqlite")
    path.write_text(extra + "\n".join(BLOCKS[name] for name in names))
    return path
