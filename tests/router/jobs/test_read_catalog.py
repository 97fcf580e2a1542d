"""Tables as a process knows them that opens no database: two runners over one ledger, as two processes have them."""

from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from router.catalog.catalog import Catalog
from router.catalog.connections_file import connections_in
from router.catalog.targets import target_opener
from router.errors import DatabaseAway
from router.jobs.audit import Audit
from router.jobs.ledger import Ledger
from router.jobs.read_catalog import CatalogElsewhere
from router.jobs.results.store import Results
from router.jobs.runner import Runner
from router.jobs.workers import workers
from router.memory.draft import User
from router.policy import require_query
from router.storage.database import Database
from tests.support.shop import build_shop

FILE = '[connections.shop]\nid = 1\nlabel = "Shop"\nurl = "sqlite:///shop.sqlite"\ndialect = "sqlite"\n'


def process(folder: Path, database: Database, stack: ExitStack, *, works: bool) -> Catalog:
    """Return the catalog of a process that opens the database and does jobs, or neither."""
    connections = connections_in(folder / "connections.toml", FILE, {}, works)
    catalog = stack.enter_context(closing(Catalog(connections)))
    audit = Audit(folder / "audit.jsonl", lambda: datetime.now(UTC))
    results = Results(folder / "results", timedelta(days=1), lambda: datetime.now(UTC))
    does = workers(catalog, target_opener(connections), results, audit, require_query)
    jobs = stack.enter_context(
        closing(Runner(Ledger(database, lambda: datetime.now(UTC)), does, beat=0.1, idle=not works))
    )
    catalog.elsewhere = None if works else CatalogElsewhere(jobs)
    return catalog


def test_tables_are_known_as_they_are_where_they_are_opened(tmp_path: Path, database: Database) -> None:
    """Names, and tables with their values; nothing of it stays in the ledger, and nobody is shown the look."""
    build_shop(tmp_path / "shop.sqlite")
    with ExitStack() as stack:
        asks = process(tmp_path, database, stack, works=False)
        opens = process(tmp_path, database, stack, works=True)
        assert opens.schemas("shop") == asks.schemas("shop")
        there, here = opens.schema("shop"), asks.schema("shop")
        assert [table for table in there.tables if any(column.values for column in table.columns)]
        assert (there.tables, there.scope) == (here.tables, here.scope)
        ledger = Ledger(database, lambda: datetime.now(UTC))
        assert () == ledger.due()
        assert () == ledger.latest(10, asker=User("").id)


def test_nobody_who_works(tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said so after a while, and the look is not done later."""
    monkeypatch.setattr("router.jobs.read_catalog.LOOK_MAX_SECONDS", 0.5)
    with ExitStack() as stack:
        asks = process(tmp_path, database, stack, works=False)
        with pytest.raises(DatabaseAway, match="Shop is away: no process"):
            asks.schemas("shop")
        assert () == Ledger(database, lambda: datetime.now(UTC)).due()
