"""The sample company is sound, reproducible, up to date, and has answers to the usual questions."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bot.demo.company import build_company
from tests.support.samples import SAMPLE_DAY


@pytest.fixture
def company(samples: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(samples / "company.db")) as db:
        yield db


def one(db: sqlite3.Connection, sql: str) -> Any:
    """Return the first value of the first row."""
    return db.execute(sql).fetchone()[0]


def tables_of(db: sqlite3.Connection) -> list[str]:
    names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    return [name for (name,) in names]


def test_keys_hold(company: sqlite3.Connection) -> None:
    """Every table has a primary key, every *_id column is a foreign key, and every one has a row to point to."""
    for table in tables_of(company):
        columns = company.execute(f'PRAGMA table_info("{table}")').fetchall()
        assert [column[1] for column in columns if column[5]] == ["id"]
        declared = {row[3] for row in company.execute(f'PRAGMA foreign_key_list("{table}")')}
        assert {column[1] for column in columns if column[1].endswith("_id")} <= declared
    assert company.execute("PRAGMA foreign_key_check").fetchall() == []
    assert one(company, "PRAGMA integrity_check") == "ok"


@pytest.mark.thorough
def test_same_day_same_bytes(samples: Path, tmp_path: Path) -> None:
    """Two builds for one day are the same, byte for byte."""
    build_company(tmp_path / "again.db", SAMPLE_DAY)
    assert (samples / "company.db").read_bytes() == (tmp_path / "again.db").read_bytes()


@pytest.mark.thorough
def test_every_day_has_orders(tmp_path: Path) -> None:
    """The books end today, also on a leap day; nothing lies ahead, and five customers lead."""
    today = date(2028, 2, 29)
    build_company(tmp_path / "company.db", today)
    with closing(sqlite3.connect(tmp_path / "company.db")) as db:
        assert today.isoformat() == one(db, "SELECT max(order_date) FROM orders")
        for table, column in (("payments", "paid_at"), ("returns", "return_date"), ("shipments", "delivered_date")):
            assert one(db, f"SELECT date(max({column})) FROM {table}") <= today.isoformat()
        days = (today - date(today.year - 3, 1, 1)).days + 1
        assert days == one(db, "SELECT count(DISTINCT order_date) FROM orders")
        best = db.execute(
            "SELECT sum(o.total_amount) AS revenue FROM orders AS o JOIN customers AS c ON c.id = o.customer_id"
            f" WHERE o.order_date >= '{today.year}-01-01' GROUP BY c.id ORDER BY revenue DESC LIMIT 5"
        ).fetchall()
        assert len(set(best)) == 5
        assert best[4][0] > 0
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_totals_agree(company: sqlite3.Connection) -> None:
    """Revenue is one number to the cent: from orders, from lines, from their factors; cancelled orders have none."""
    wrong = """SELECT count(*) FROM orders AS o WHERE total_amount IS NOT
               (SELECT round(sum(line_total), 2) FROM order_items AS i WHERE i.order_id = o.id)"""
    assert one(company, wrong) == 0
    factors = (
        "SELECT count(*) FROM order_items WHERE abs(quantity * unit_price * (1 - discount) - line_total) > 0.000001"
    )
    assert one(company, factors) == 0
    assert one(company, "SELECT count(*) FROM orders WHERE (status = 'cancelled') <> (total_amount IS NULL)") == 0
    paid = """SELECT count(*) FROM orders AS o WHERE total_amount IS NOT
              (SELECT sum(amount) FROM payments AS p WHERE p.order_id = o.id AND p.status <> 'failed')"""
    assert one(company, paid) == 0


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM support_tickets WHERE status = 'open'",
        "SELECT count(*) FROM inventory WHERE quantity < reorder_level",
        "SELECT count(*) FROM customers WHERE id NOT IN"
        " (SELECT customer_id FROM orders WHERE order_date >= '2026-07-17')",
        "SELECT count(*) FROM orders WHERE status IN ('pending', 'processing')",
        "SELECT count(*) FROM payments WHERE status = 'open'",
        "SELECT count(DISTINCT c.region) FROM orders AS o JOIN customers AS k ON k.id = o.customer_id"
        " JOIN countries AS c ON c.id = k.country_id WHERE o.order_date BETWEEN '2026-07-01' AND '2026-09-30'",
    ],
)
def test_usual_questions_have_answers(company: sqlite3.Connection, sql: str) -> None:
    """The first questions of business people have answers that are neither nothing nor everything."""
    assert 5 < one(company, sql) < 3000
