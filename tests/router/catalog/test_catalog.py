"""The catalog is read once, shared, and read again in time."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import pytest

from router.catalog.caches import SingleFlight
from router.catalog.catalog import Catalog, open_connection
from router.catalog.connection import Connection, Connections
from router.errors import JobFailed
from router.sql.databases.session import PooledDatabase
from router.sql.dialect import DIALECTS


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "a.db"


@pytest.fixture(name="catalog")
def _catalog(path: Path, clock: Clock) -> Iterator[Catalog]:
    run(path, "CREATE TABLE one (id INTEGER)")
    sales = Connection("Sales", 1, "Sales", DIALECTS["sqlite"], f"sqlite:///{path}")
    catalog = Catalog(Connections([sales]), lifetime=timedelta(hours=1), clock=clock)
    yield catalog
    catalog.close()


def run(path: Path, sql: str) -> None:
    file = sqlite3.connect(path)
    file.executescript(sql)
    file.close()


def tables(catalog: Catalog, fresh: bool = False) -> list[str]:
    return [table.name for table in catalog.schema("SALES", fresh=fresh).tables]


def test_fresh_schema(catalog: Catalog, path: Path) -> None:
    """Who asks for a fresh schema gets one, and so do all others from then on."""
    catalog.schema("Sales")
    run(path, "CREATE TABLE two (id INTEGER)")

    assert tables(catalog, fresh=True) == ["one", "two"]
    assert tables(catalog) == ["one", "two"]


def test_unreadable_database(catalog: Catalog, path: Path) -> None:
    """A database that does not answer is told in a sentence with its names and no more; the next try may work."""
    good = path.read_bytes()
    path.write_bytes(b"no database at all" * 100)

    with pytest.raises(JobFailed) as raised:
        catalog.schema("Sales")
    path.write_bytes(good)

    expected = (
        "The database of Sales (Sales) does not answer as it should, so its tables could not be read. "
        "Nothing was changed. Try again, or tell your administrator."
    )
    assert expected == str(raised.value)
    assert tables(catalog) == ["one"]


def test_database_is_opened_once(path: Path) -> None:
    """All threads share one database, opened when it is first needed; after a close it is opened again."""
    opened: list[PooledDatabase] = []

    def open(connection: Connection) -> PooledDatabase:
        opened.append(open_connection(connection))
        return opened[-1]

    run(path, "CREATE TABLE one (id INTEGER)")
    sales = Connection("Sales", 1, "Sales", DIALECTS["sqlite"], f"sqlite:///{path}")
    catalog = Catalog(Connections([sales]), open)
    assert opened == []

    threads = [Thread(target=catalog.database, args=("sales",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [catalog.database("SALES")] == opened

    catalog.close()
    assert catalog.database("sales") is opened[1]
    catalog.close()


def test_others_wait_for_the_one_who_makes() -> None:
    """While one thread makes a value, the others wait and get the very same."""
    shared = SingleFlight[str, object](timedelta(hours=1), Clock())
    started, go = Event(), Event()
    made: list[object] = []
    got: list[object] = []

    def make() -> object:
        started.set()
        go.wait()
        made.append(object())
        return made[-1]

    threads = [Thread(target=lambda: got.append(shared.get("key", make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    started.wait()
    go.set()
    for thread in threads:
        thread.join()

    assert made * 8 == got


def test_failure_reaches_all_and_is_not_kept() -> None:
    """A failure is raised to all who wait; the next one tries again."""
    shared = SingleFlight[str, int](timedelta(hours=1), Clock())

    def fail() -> int:
        raise JobFailed("no")

    with pytest.raises(JobFailed):
        shared.get("key", fail)
    assert shared.get("key", lambda: 5) == 5


def test_value_dropped_while_it_is_made() -> None:
    """What was dropped while it was being made reaches its asker, but is not kept."""
    shared = SingleFlight[str, int](timedelta(hours=1), Clock())

    def make() -> int:
        shared.drop()
        return 1

    assert shared.get("key", make) == 1
    assert shared.get("key", lambda: 2) == 2
