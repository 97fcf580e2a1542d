"""The one database: opened by many at once, of this version or another, on SQLite or PostgreSQL."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Event

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, select

from adapters.chat.shown_messages import ShownMessages
from router.errors import JobFailed
from router.storage.database import (
    DATABASE_FILE,
    REVISION,
    Database,
    home_database,
    insert_new,
    migrate,
    open_engine,
)
from router.storage.tables import METADATA, welcomes
from tests.support.postgres import PostgresDatabase


@pytest.fixture(params=["sqlite", "postgres"])
def everywhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Open the database on each kind of server."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / DATABASE_FILE}"
    else:
        server: PostgresDatabase = request.getfixturevalue("postgres")
        url = server.owner_url
    with closing(Database(url)) as database:
        yield database


def test_many_open_a_new_home_at_once(tmp_path: Path) -> None:
    """One of them makes the tables, and none of them fails."""

    def open(number: int) -> None:
        home_database(tmp_path / f"{number % 5}").close()

    with ThreadPoolExecutor(8) as pool:
        assert 40 == len(list(pool.map(open, (n for number in range(5) for n in [number] * 8))))


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    """Nor may others list the folder."""
    home_database(tmp_path / "home").close()
    assert [0o700, 0o600] == [
        path.stat().st_mode & 0o777 for path in (tmp_path / "home", tmp_path / "home" / DATABASE_FILE)
    ]


def test_one_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    """Its address, which may hold a password, is not in it."""
    (tmp_path / DATABASE_FILE).write_text("this is no database" * 100)
    with pytest.raises(JobFailed, match="nothing was begun") as failed:
        home_database(tmp_path)
    assert str(tmp_path) not in str(failed.value)


def test_one_of_a_later_version(tmp_path: Path) -> None:
    """It is left as it is."""
    with closing(home_database(tmp_path)) as database, database.transaction() as connection:
        _of_later_version(connection, "9999")
    with pytest.raises(JobFailed, match="later version of the bot"):
        home_database(tmp_path)


def _of_later_version(connection: Connection, oldest: str) -> None:
    """Make a database one of a later version, which lets processes of this one and later ones work beside it."""
    connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    connection.exec_driver_sql(f"UPDATE oldest_beside SET revision = '{oldest}'")


def test_migrations_make_what_is_declared(tmp_path: Path) -> None:
    """From nothing to the newest: the tables are as they are made at once."""
    engine = open_engine(f"sqlite:///{tmp_path / 'migrated.sqlite'}")
    with engine.begin() as connection:
        migrate(connection)
        assert [] == compare_metadata(MigrationContext.configure(connection), METADATA)
    engine.dispose()
    with closing(Database(f"sqlite:///{tmp_path / 'made.sqlite'}")):
        assert _schema(tmp_path / "made.sqlite") == _schema(tmp_path / "migrated.sqlite")


def test_migrations_make_what_is_declared_on_a_server(postgres: PostgresDatabase) -> None:
    """From nothing to the newest, as in a file."""
    engine = open_engine(postgres.owner_url)
    with engine.begin() as connection:
        migrate(connection)
        context = MigrationContext.configure(connection, opts={"include_name": _is_ours})
        assert [] == compare_metadata(context, METADATA)
    engine.dispose()


def _is_ours(name: str | None, kind: str, parents: object) -> bool:
    """Return whether a table is ours, and not one of the queue of tasks, which are Procrastinate's."""
    return kind != "table" or not (name or "").startswith("procrastinate_")


def test_a_server_of_an_earlier_version(postgres: PostgresDatabase) -> None:
    """A start changes nothing, since others may still work with it; a start that asks for an upgrade gets one."""
    engine = open_engine(postgres.owner_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
    engine.dispose()
    with pytest.raises(JobFailed, match="run `icc-bot db upgrade`"):
        Database(postgres.owner_url)
    for upgrade in (True, False):
        with closing(Database(postgres.owner_url, upgrade=upgrade)) as database, database.reading() as connection:
            assert REVISION == connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def test_a_server_of_a_later_version(postgres: PostgresDatabase) -> None:
    """It is left as it is, whatever is asked for."""
    with closing(Database(postgres.owner_url)) as database, database.transaction() as connection:
        _of_later_version(connection, "9999")
    for upgrade in (True, False):
        with pytest.raises(JobFailed, match="later version of the bot"):
            Database(postgres.owner_url, upgrade=upgrade)


def test_a_server_that_is_away_is_a_sentence(postgres: PostgresDatabase) -> None:
    """It names the setting, and nothing of the address, which holds a password."""
    with pytest.raises(JobFailed, match="ICC_BOT_DATABASE_URL") as failed:
        Database(postgres.owner_url.replace("s3cret", "wr0ng"))
    assert not [part for part in ("wr0ng", "icc_owner", "127.0.0.1") if part in str(failed.value)]


def test_what_is_read_to_write_by_it_does_not_change(everywhere: Database) -> None:
    """Of many who count, and then add, each sees what the ones before added."""

    def add(number: int) -> None:
        with everywhere.transaction() as connection:
            count = len(connection.execute(select(welcomes)).all())
            insert_new(connection, welcomes, {"platform": "slack", "team": "T1", "person": f"{count}"})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(100)))
    with everywhere.reading() as connection:
        assert 100 == len(connection.execute(select(welcomes)).all())


def test_texts_with_a_zero_are_kept(everywhere: Database) -> None:
    """What somebody pasted is no reason to fail; a server cannot hold this one letter."""
    assert ShownMessages(everywhere, "slack").welcome("T\0", "ana")
    assert not ShownMessages(everywhere, "slack").welcome("T\0", "ana")


def test_whoever_writes_is_waited_for(database: Database) -> None:
    """Those who only read wait for nobody, and see what was there before."""
    begun, end = Event(), Event()

    def write() -> None:
        with database.transaction() as connection:
            insert_new(connection, welcomes, {"platform": "slack", "team": "T1", "person": "ana"})
            begun.set()
            end.wait(30)

    def count() -> int:
        with database.reading() as connection:
            return len(connection.execute(select(welcomes)).all())

    with ThreadPoolExecutor(2) as pool:
        writing = pool.submit(write)
        assert begun.wait(30)
        assert 0 == count()
        second = pool.submit(ShownMessages(database, "slack").welcome, "T1", "bob")
        assert not second.done()
        end.set()
        writing.result()
        assert second.result()
    assert 2 == count()


def test_what_fails_leaves_nothing(database: Database) -> None:
    """A transaction is done, or not."""
    row = {"platform": "slack", "team": "T1", "person": "ana"}

    def fail() -> None:
        with database.transaction() as connection:
            insert_new(connection, welcomes, row)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert ShownMessages(database, "slack").welcome("T1", "ana")


@pytest.mark.parametrize("durable", [True, False])
def test_a_kill_keeps_what_was_committed(tmp_path: Path, durable: bool) -> None:
    """And nothing of what was not."""
    said = subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path), str(durable)], check=False)
    assert -9 == said.returncode
    shown = [False, True]
    with closing(home_database(tmp_path)) as database:
        assert shown == [ShownMessages(database, "slack").welcome("T1", person) for person in ("before", "after")]


@pytest.mark.parametrize(("durable", "synchronous"), [(True, 2), (False, 1)])
def test_durable_writes_wait_for_the_disk(database: Database, durable: bool, synchronous: int) -> None:
    """SQLite flushes its log with such a commit (FULL), and leaves others to the system (NORMAL)."""
    for _ in range(2):
        with database.transaction(durable=durable) as connection:
            assert synchronous == connection.exec_driver_sql("PRAGMA synchronous").scalar()
        with database.transaction(durable=not durable):
            pass


def test_many_threads_write_and_fail_at_once(database: Database) -> None:
    """Nobody's rows are lost, and nothing of those that failed is kept."""

    def write(number: int) -> None:
        with suppress(ZeroDivisionError), database.transaction(durable=number % 3 == 0) as connection:
            insert_new(connection, welcomes, {"platform": "slack", "team": "T1", "person": f"{number}"})
            if number % 5 == 0:
                raise ZeroDivisionError

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(300)))
    with database.reading() as connection:
        found = set(connection.execute(select(welcomes.c.person)).scalars())
    assert {f"{number}" for number in range(300) if number % 5} == found


def _schema(path: Path) -> list[tuple[str, list[str]]]:
    """Return the columns and the indexes of a file's tables."""
    with closing(sqlite3.connect(path)) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        columns = [(name, [str(row) for row in file.execute(f"PRAGMA table_info({name})")]) for name in names]
        return columns + [
            (name, sorted(str(row[1:]) for row in file.execute(f"PRAGMA index_list({name})"))) for name in names
        ]


_KILLED = """
import os, sys
from pathlib import Path
from router.storage.database import home_database, insert_new
from router.storage.tables import welcomes

database = home_database(Path(sys.argv[1]))
for person in ("before", "after"):
    with database.transaction(durable=sys.argv[2] == "True") as connection:
        insert_new(connection, welcomes, {"platform": "slack", "team": "T1", "person": person})
        if person == "after":
            os.kill(os.getpid(), 9)
"""
