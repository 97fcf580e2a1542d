"""Rows that joins leave out of counts and sums: said with the result on each engine, and kept by LEFT JOINs."""

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from router.catalog.catalog import Catalog
from router.jobs.lossy_joins import lossy_joins
from router.jobs.unmatched_rows import unmatched_rows
from router.sql.guard import check
from tests.router.catalog.conftest import Build, Connect, build, connect
from tests.support.postgres import PostgresDatabase, postgres, postgres_server
from tests.support.rows import check_rows

__all__ = ["build", "connect", "postgres", "postgres_server"]

SCRIPT = """
CREATE TABLE regions (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL);
CREATE TABLE stores (id INTEGER PRIMARY KEY, region VARCHAR(20), size_class INTEGER, region_id INTEGER,
    FOREIGN KEY (region_id) REFERENCES regions (id));
CREATE TABLE customers (id INTEGER PRIMARY KEY, country VARCHAR(20) NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, store_id INTEGER, agent_id INTEGER NOT NULL,
    status VARCHAR(20) NOT NULL, total INTEGER NOT NULL, FOREIGN KEY (customer_id) REFERENCES customers (id),
    FOREIGN KEY (store_id) REFERENCES stores (id));
CREATE TABLE agents (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, chief_id INTEGER);
CREATE TABLE doctors (doctor_id INTEGER, name VARCHAR(20));
CREATE TABLE visits (visit_id INTEGER, doctor_id INTEGER, cost INTEGER);
CREATE TABLE order_items (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, quantity INTEGER NOT NULL,
    FOREIGN KEY (order_id) REFERENCES orders (id));
CREATE TABLE depots (country VARCHAR(20) NOT NULL, number INTEGER NOT NULL, city VARCHAR(20),
    PRIMARY KEY (country, number));
CREATE TABLE parcels (id INTEGER PRIMARY KEY, country VARCHAR(20), number INTEGER, weight INTEGER NOT NULL,
    FOREIGN KEY (country, number) REFERENCES depots (country, number));
INSERT INTO regions VALUES (1, 'North'), (2, 'South');
INSERT INTO stores VALUES (1, 'EMEA', 1, 1), (2, 'APAC', 2, NULL);
INSERT INTO customers VALUES (1, 'AT'), (2, 'FR'), (3, 'FR');
INSERT INTO agents VALUES (1, 'Ada', NULL), (2, 'Bo', 1);
INSERT INTO doctors VALUES (1, 'Cy'), (2, 'Di');
INSERT INTO visits VALUES (1, 1, 10), (2, NULL, 20);
INSERT INTO orders VALUES (1, 1, 1, 1, 'paid', 10), (2, 1, NULL, 1, 'paid', 100), (3, 2, NULL, 9, 'open', 1000),
    (4, 2, 2, 2, 'paid', 10000), (5, 2, NULL, 2, 'paid', 100000);
INSERT INTO order_items VALUES (1, 1, 1), (2, 1, 2), (3, 2, 3), (4, 4, 4);
INSERT INTO depots VALUES ('AT', 1, 'Wien'), ('AT', 2, 'Linz');
INSERT INTO parcels VALUES (1, 'AT', 1, 5), (2, 'AT', NULL, 7), (3, NULL, NULL, 9)
"""
ON_TWO = pytest.mark.parametrize("build", ["sqlite", "mysql"], indirect=True)
NO_STORE = "are not counted here: their `orders.store_id` is empty, or not in `stores`."

SAID = {
    # One join, however it is written.
    "SELECT s.region, SUM(o.total) FROM orders o JOIN stores s ON o.store_id = s.id GROUP BY s.region": (
        f"3 of 5 rows of `orders` {NO_STORE}"
    ),
    "SELECT s.region, COUNT(*) FROM stores s INNER JOIN orders o ON s.id = o.store_id GROUP BY s.region": (
        f"3 of 5 rows of `orders` {NO_STORE}"
    ),
    "SELECT COUNT(DISTINCT o.customer_id) FROM orders o JOIN stores s ON o.store_id = s.id": (
        f"3 of 5 rows of `orders` {NO_STORE}"
    ),
    "SELECT s.region, SUM(o.total) OVER (PARTITION BY s.region) FROM orders o JOIN stores s ON o.store_id = s.id": (
        f"3 of 5 rows of `orders` {NO_STORE}"
    ),
    # With a comma, with names that only one table has, with conditions of other queries, and of a WITH.
    "SELECT region, AVG(total) FROM orders, stores WHERE store_id = stores.id GROUP BY region": (
        f"3 of 5 rows of `orders` {NO_STORE}"
    ),
    "SELECT s.region, SUM(o.total) FROM orders o JOIN stores s ON o.store_id = s.id AND o.status = 'paid' GROUP BY"
    " s.region": f"2 of the 4 rows of `orders` that meet the conditions {NO_STORE}",
    "SELECT region, SUM(total) FROM orders o JOIN stores s ON store_id = s.id WHERE EXISTS (SELECT 1 FROM order_items i"
    " WHERE i.order_id = o.id) GROUP BY region": (
        "1 of the 3 rows of `orders` that meet the conditions is not counted here: its `orders.store_id` is empty, or"
        " not in `stores`."
    ),
    "WITH paid AS (SELECT store_id, total FROM orders WHERE status = 'paid') SELECT s.region, SUM(p.total) FROM paid p"
    " JOIN stores s ON s.id = p.store_id GROUP BY s.region": (
        "2 of 4 rows of `paid` are not counted here: their `paid.store_id` is empty, or not in `stores`."
    ),
    # A key that is not declared on either side.
    "SELECT d.name, SUM(v.cost) FROM visits v JOIN doctors d ON d.doctor_id = v.doctor_id GROUP BY d.name": (
        "1 of 2 rows of `visits` is not counted here: its `visits.doctor_id` is empty, or not in `doctors`."
    ),
    "SELECT m.name, COUNT(*) FROM agents a JOIN agents m ON a.chief_id = m.id GROUP BY m.name": (
        "1 of 2 rows of `agents` is not counted here: its `agents.chief_id` is empty, or not in `agents`."
    ),
    # Conditions on the rows themselves count, wherever they stand.
    "SELECT s.region, SUM(o.total) FROM orders o JOIN stores s ON o.store_id = s.id WHERE o.status = 'paid'"
    " GROUP BY s.region": f"2 of the 4 rows of `orders` that meet the conditions {NO_STORE}",
    "SELECT s.region, SUM(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id"
    " JOIN stores s ON o.store_id = s.id WHERE c.country = 'FR' GROUP BY s.region": (
        f"2 of the 3 rows of `orders` that meet the conditions {NO_STORE}"
    ),
    # Chains: each join says its own.
    "SELECT r.name, SUM(o.total) FROM orders o JOIN stores s ON o.store_id = s.id JOIN regions r ON r.id = s.region_id"
    " GROUP BY r.name": (
        f"3 of 5 rows of `orders` {NO_STORE} 1 of 5 rows of `orders` is not counted here: its `stores.region_id` "
        "is empty, or not in `regions`."
    ),
    "SELECT s.region, SUM(i.quantity) FROM order_items i JOIN orders o ON o.id = i.order_id"
    " JOIN stores s ON s.id = o.store_id GROUP BY s.region": (
        "1 of 4 rows of `order_items` is not counted here: its `orders.store_id` is empty, or not in `stores`."
    ),
    # A key that nobody declared, and that leads nowhere.
    "SELECT a.name, COUNT(*) FROM orders o JOIN agents a ON a.id = o.agent_id GROUP BY a.name": (
        "1 of 5 rows of `orders` is not counted here: its `orders.agent_id` is empty, or not in `agents`."
    ),
    # From the table without a partner to the one that is counted.
    "SELECT r.name, COUNT(*) FROM regions r JOIN stores s ON s.region_id = r.id JOIN orders o ON o.store_id = s.id"
    " GROUP BY r.name": (
        "1 of 5 rows of `orders` is not counted here: its `stores.region_id` is empty, or not in `regions`. "
        f"3 of 5 rows of `orders` {NO_STORE}"
    ),
}

PER_STORE = "COUNT(*) FROM orders o JOIN stores s ON o.store_id = s.id GROUP BY"
KEPT = {
    # However the group is named, the word stands for it.
    f"SELECT s.region, {PER_STORE} s.region": "(none) 3, APAC 1, EMEA 1",
    f"SELECT s.region, {PER_STORE} 1": "(none) 3, APAC 1, EMEA 1",
    f"SELECT s.region AS r, {PER_STORE} 1": "(none) 3, APAC 1, EMEA 1",
    # Numbers stay numbers, and a word of the query's own stays.
    f"SELECT s.id AS store, {PER_STORE} s.id": "1 1, 2 1, None 3",
    f"SELECT COALESCE(s.region, 'x'), {PER_STORE} 1": "APAC 1, EMEA 1, x 3",
}
"""Queries, with the rows of what keeps all rows."""

SILENT = (
    # Nothing is lost: the key always leads somewhere, or all rows are kept already.
    "SELECT c.country, SUM(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.country",
    "SELECT s.region, SUM(o.total) FROM orders o LEFT JOIN stores s ON o.store_id = s.id GROUP BY s.region",
    "SELECT o.status, COUNT(*) FROM orders o GROUP BY o.status",
    # A condition on the joined table leaves rows out on purpose.
    "SELECT SUM(o.total) FROM orders o JOIN stores s ON o.store_id = s.id WHERE s.region = 'EMEA'",
    "SELECT SUM(o.total) FROM orders o JOIN stores s ON o.store_id = s.id AND s.size_class > 1",
    "SELECT s.region, SUM(o.total) FROM orders o JOIN stores s ON o.store_id = s.id WHERE s.region LIKE 'A%'"
    " GROUP BY s.region",
    "SELECT SUM(o.total) FROM orders o JOIN stores s ON o.store_id = s.id JOIN regions r ON r.id = s.region_id"
    " WHERE r.name = 'North'",
    "SELECT s.region, SUM(o.total) FROM orders o JOIN stores s ON o.store_id = s.id GROUP BY s.region"
    " HAVING s.region <> 'EMEA'",
    "SELECT SUM(CASE WHEN s.region = 'EMEA' THEN o.total ELSE 0 END) FROM orders o JOIN stores s ON o.store_id = s.id",
    "SELECT s.id FROM orders o JOIN stores s ON o.store_id = s.id GROUP BY s.id HAVING COUNT(*) > 0 ORDER BY s.id",
    # Only the joined table is counted, or nothing is.
    "SELECT COUNT(DISTINCT s.id) FROM orders o JOIN stores s ON o.store_id = s.id",
    "SELECT o.id, s.region FROM orders o JOIN stores s ON o.store_id = s.id ORDER BY o.id",
    # The conditions on the rows leave none without a partner.
    "SELECT s.region, SUM(o.total) FROM orders o JOIN stores s ON o.store_id = s.id WHERE o.id IN (1, 4)"
    " GROUP BY s.region",
    # Sources that are not joined by one equal column each.
    "SELECT COUNT(*) FROM orders o JOIN stores s ON o.store_id + 0 = s.id",
    "SELECT city, SUM(weight) FROM depots JOIN parcels USING (country, number) GROUP BY city",
    "SELECT COUNT(*) FROM parcels p JOIN depots d ON p.country = d.country AND p.number = d.number",
    "SELECT (SELECT COUNT(*) FROM orders o JOIN stores s ON o.store_id = s.id) AS n",
    "WITH stores AS (SELECT 1 AS id) SELECT COUNT(*) FROM orders o JOIN stores s ON o.store_id = s.id",
)


@pytest.fixture(name="catalog")
def _catalog(build: Build) -> Catalog:
    return build(SCRIPT)


def run(catalog: Catalog, sql: str) -> tuple[list[tuple[Any, ...]], str]:
    """Return the rows of a query that the guard lets through, and what is said of those that it leaves out."""
    schema = catalog.schema("A")
    verdict = check(sql, schema.dialect, schema.scope)
    assert verdict.allowed, verdict.reason
    with catalog.database("A").session(schema.scope) as session:
        _, batches = session.stream(verdict.sql)
        rows = [tuple(row) for batch in batches for row in batch]
        return rows, unmatched_rows(verdict.sql, schema, session, 100)


def test_what_joins_leave_out_is_said(catalog: Catalog) -> None:
    """Rows without a partner are counted and named; where none is lost, or that was asked for, nothing is said."""

    def said(sql: str) -> None:
        assert SAID.get(sql, "") == run(catalog, sql)[1]

    check_rows((*SAID, *SILENT), said)


@ON_TWO
def test_left_joins_keep_all_rows(catalog: Catalog) -> None:
    """The statement that is offered runs, says nothing more, and counts every row; texts of no partner are (none)."""

    def kept(sql: str) -> None:
        found = lossy_joins(sql, catalog.schema("A"))
        assert found
        rows, said = run(catalog, found.kept)
        assert said == ""
        if sql.startswith("SELECT s.region, SUM(o.total) FROM orders o JOIN stores s ON o.store_id = s.id GROUP"):
            assert {("EMEA", 10), ("APAC", 10000), ("(none)", 101100)} == {(name, int(total)) for name, total in rows}

    check_rows(SAID, kept)


@ON_TWO
def test_rows_without_a_partner_read_as_none(catalog: Catalog) -> None:
    """Texts do, however they are grouped by; numbers stay numbers."""

    def kept(sql: str) -> None:
        found = lossy_joins(sql, catalog.schema("A"))
        assert found
        assert KEPT[sql] == ", ".join(sorted(" ".join(map(str, row)) for row in run(catalog, found.kept)[0]))

    check_rows(KEPT, kept)


def test_a_key_that_was_not_checked_is_counted(postgres: PostgresDatabase, connect: Connect) -> None:
    """PostgreSQL takes a key over rows that were there before without a look at them: NOT NULL says little then."""
    postgres.run(
        "CREATE TABLE stores (id INTEGER PRIMARY KEY, region TEXT);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, store_id INTEGER NOT NULL);"
        "INSERT INTO orders VALUES (1, 7);"
        "ALTER TABLE orders ADD FOREIGN KEY (store_id) REFERENCES stores (id) NOT VALID;"
    )
    catalog = connect("postgres", postgres.reader_url)
    _, said = run(catalog, "SELECT COUNT(*) FROM orders o JOIN stores s ON s.id = o.store_id")
    assert said.startswith("1 of 1 rows of `orders` is not counted here: its `orders.store_id`")


def test_counting_never_takes_long(connect: Connect, tmp_path: Path) -> None:
    """What cannot be counted in a small share of the query's time is not waited for, and no number is said."""
    with sqlite3.connect(tmp_path / "large.db") as file:
        file.executescript(
            "CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT);"
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, region_id INTEGER REFERENCES regions (id));"
            "WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 3000)"
            " INSERT INTO orders SELECT n, NULL FROM up;"
            "CREATE VIEW sales AS SELECT o.region_id FROM orders o, orders p, orders q;"
        )
    file.close()
    large = connect("sqlite", f"sqlite:///{tmp_path / 'large.db'}")
    schema = large.schema("A")
    sql = "SELECT COUNT(*) FROM sales AS s JOIN regions AS r ON r.id = s.region_id"
    with large.database("A").session(schema.scope) as session:
        begun = time.monotonic()
        said = unmatched_rows(sql, schema, session, 0)
        took = time.monotonic() - begun
    assert took < 3
    assert said == (
        "Rows of `sales` whose `sales.region_id` is empty, or not in `regions`, are not counted here. I could not find "
        "out in time whether there are any."
    )
