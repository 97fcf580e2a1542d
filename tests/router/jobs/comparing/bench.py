"""An SQLite file and a PostgreSQL database with the same orders in other types, and a job backend over both."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from router.catalog.catalog import Catalog
from router.catalog.connection import Connection, Connections
from router.catalog.targets import target_opener
from router.jobs.audit import Audit
from router.jobs.compare_sql import CompareSql
from router.jobs.compared_queries import Queried
from router.jobs.job_entry import JobEntry
from router.jobs.ledger import Ledger
from router.jobs.match_sql import MatchSql
from router.jobs.payloads import MATCH_SQL, likeness_of
from router.jobs.read_sql import digest
from router.jobs.results.store import Results
from router.jobs.runner import Runner
from router.jobs.workers import workers
from router.memory.comparing import Reporting
from router.memory.draft import User
from router.policy import require_query
from router.sql.dialect import DIALECTS, Name
from router.sql.guard import check
from router.storage.database import home_database

ANA = User("test:ana", "Ana", "ana@example.com")
BOB = User("test:bob", "Bob", "bob@example.com")

SQLITE = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, amount REAL, ordered_on TEXT, paid INTEGER, code TEXT);
INSERT INTO orders VALUES
    (1, 'Ada', 120.5, '2026-01-10', 1, 'A1'), (2, 'Grace', 300, '2026-02-11', 0, 'B'), (3, 'Alan', 80, NULL, 1, 'C'),
    (4, 'Edsger', 45, '2026-03-01', 1, NULL);
CREATE TABLE many (n INTEGER PRIMARY KEY);
WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 50) INSERT INTO many SELECT n FROM up;
"""
POSTGRES = """
CREATE TABLE orders (
    order_id bigint PRIMARY KEY, customer text, amount numeric(10, 2), ordered_on date, is_paid boolean, code char(4)
);
INSERT INTO orders VALUES
    (1, 'Ada', 120.50, '2026-01-10', true, 'A1'), (2, 'Grace', 310, '2026-02-11', true, 'B'),
    (3, 'Alan', 80, NULL, true, 'C'), (5, 'Barbara', 7, '2026-03-02', false, NULL);
"""


@dataclass(frozen=True, slots=True)
class Bench:
    """Two databases, and what compares them."""

    folder: Path
    url: str
    """That of the PostgreSQL database."""

    @property
    def results(self) -> Results:
        """The results of this folder."""
        return Results(self.folder / "results", timedelta(days=1), lambda: datetime.now(UTC))

    def trail(self, event: str) -> list[dict[str, Any]]:
        """Return what the audit trail has of an event, in the order of connections."""
        lines = (self.folder / "audit.jsonl").read_text(encoding="utf-8").splitlines()
        return sorted((e for e in map(json.loads, lines) if e["event"] == event), key=lambda e: str(e["connection"]))

    def connections(self, shut: str = "", kept: int = 1_000_000) -> Connections:
        """Return both, `kept` rows of a comparison; the one that is `shut` only Bob may read."""
        places: list[tuple[str, str, Name, str]] = [
            ("Shop", "shop", "sqlite", f"sqlite:///{self.folder / 'shop.sqlite'}"),
            ("Warehouse", "warehouse", "postgres", self.url),
        ]
        return Connections(
            Connection(
                name,
                number,
                label,
                DIALECTS[dialect],
                url,
                readers=frozenset({BOB.email}) if name == shut else None,
                max_rows=1,
                max_compared_rows=kept,
                timeout=20,
            )
            for number, (label, name, dialect, url) in enumerate(places, 1)
        )

    @contextmanager
    def ledger(self) -> Iterator[Ledger]:
        """Open the ledger."""
        with closing(home_database(self.folder)) as database:
            yield Ledger(database, lambda: datetime.now(UTC))

    @contextmanager
    def runner(self, shut: str = "", kept: int = 1_000_000) -> Iterator[Runner]:
        """Do jobs until the end of the block."""
        with ExitStack() as stack:
            found = self.connections(shut, kept)
            audit = Audit(self.folder / "audit.jsonl", lambda: datetime.now(UTC))
            catalog = stack.enter_context(closing(Catalog(found)))
            ledger = stack.enter_context(self.ledger())
            work = workers(catalog, target_opener(found), self.results, audit, require_query)
            yield stack.enter_context(closing(Runner(ledger, work, beat=0.05)))


def shop(sql: str = "SELECT * FROM orders", label: str = "orders in Shop") -> Queried:
    """Return the left side."""
    text = check(sql, "sqlite").sql
    return Queried("shop", "main", text, label, ANA, digest(text, "shop", "main", ANA.id))


def warehouse(sql: str = "SELECT * FROM orders", label: str = "orders in Warehouse") -> Queried:
    """Return the right side."""
    text = check(sql, "postgres").sql
    return Queried("warehouse", "public", text, label, ANA, digest(text, "warehouse", "public", ANA.id))


def silent(entry: JobEntry, doing: str) -> None:
    """Hear of progress, and do nothing."""


def build(folder: Path, url: str) -> Bench:
    """Build the SQLite file beside a PostgreSQL database that was built before."""
    with sqlite3.connect(folder / "shop.sqlite") as connection:
        connection.executescript(SQLITE)
    connection.close()
    return Bench(folder, url)


def planned(runner: Runner, left: Queried, right: Queried, reporting: Reporting = "differences") -> CompareSql:
    """Return the comparison that a look at both queries proposes."""
    looked = runner.run(MATCH_SQL.request(MatchSql.of(left, right, ANA), f"look {left} {right}"), silent)
    assert not looked.error
    return CompareSql.of(left, right, ANA, plan=likeness_of(looked).plan(reporting), name="orders", thread="test///1")
