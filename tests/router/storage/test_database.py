"""The one database: opened by many at once, of this version or another, on SQLite or PostgreSQL."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from threading import Event

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, select
from sqlalchemy.exc import StatementError

from adapters.chat.inbox import Inbox
from adapters.chat.shown_messages import ShownMessages
from adapters.chat.surface import Heard
from adapters.web.log import TalkLog
from router.cards import Buttons, Option, Reply, Text
from router.errors import JobFailed
from router.jobs.job_entry import Request
from router.jobs.ledger import Ledger
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.storage.database import (
    DATABASE_FILE,
    REVISION,
    Database,
    home_database,
    insert_new,
    migrate,
    open_engine,
    upsert,
)
from router.storage.ids import new_id
from router.storage.tables import METADATA, jobs, vectors, welcomes
from router.turn import Said
from tests.support.postgres import PostgresDatabase

NOW = datetime(2026, 3, 15, 9, 0, 0, 123456, tzinfo=UTC)


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
    """Tell a table of ours from those of the queue of tasks, which are Procrastinate's."""
    return kind != "table" or not (name or "").startswith("procrastinate_")


def test_many_open_an_empty_server_at_once(postgres: PostgresDatabase) -> None:
    """One of them makes the tables, and none of them fails."""
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: Database(postgres.owner_url).close(), range(8)))
    with closing(Database(postgres.owner_url)) as database:
        assert ShownMessages(database, "slack").welcome("T1", "ana")


def test_a_server_of_an_earlier_version(postgres: PostgresDatabase) -> None:
    """A start changes nothing, since others may still work with it; whoever asks for an upgrade gets one."""
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


def test_a_server_of_a_later_version_that_only_added(postgres: PostgresDatabase) -> None:
    """A process of this version goes on with it, as while an upgrade is under way, and changes nothing of it."""
    with closing(Database(postgres.owner_url)) as database, database.transaction() as connection:
        _of_later_version(connection, REVISION)
    with closing(Database(postgres.owner_url)) as database:
        assert ShownMessages(database, "slack").welcome("T1", "ana")
        with database.reading() as connection:
            assert "9999" == connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


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


def test_no_start_imports_alembic(tmp_path: Path) -> None:
    """It takes long, and a database of this version, or a new one, needs none of it."""
    code = "import sys; from pathlib import Path; from router.storage.database import home_database\n"
    code += "for _ in range(2): home_database(Path(sys.argv[1])).close()\nprint('alembic' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert "False\n" == said.stdout


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


def test_chats_everywhere(everywhere: Database) -> None:
    """Two platforms share the tables, and nothing in them."""
    key = ThreadKey("slack", "T1", "C1", "1.0")
    heard = Heard(key, User("slack:U1"), Said("hello"), "e1")
    slack, teams = (Inbox(everywhere, platform, lambda: NOW) for platform in ("slack", "teams"))
    assert (True, False, True) == (slack.take(heard), slack.take(heard), teams.take(heard))
    slack.done("e1")
    assert ([], [heard]) == (slack.left(), teams.left())
    shown = ShownMessages(everywhere, "slack", lambda: NOW)
    shown.add("C1", "m1", key, Reply((Text("Run?"), Buttons("Run?", (Option("yes", "Run"),))), turn=1))
    shown.add("C1", "m1", key, Reply((Text("Run it?"), Buttons("Run?", (Option("yes", "Run"),))), turn=2))
    question = shown.question(key)
    assert question
    assert (2, None) == (question.turn, ShownMessages(everywhere, "teams").question(key))
    shown.forget(ThreadKey("slack", "T1", "", ""))
    assert shown.question(key) is None


def test_the_page_everywhere(everywhere: Database) -> None:
    """What is said later has a greater number."""
    log = TalkLog(everywhere, lambda: NOW)
    log.begin("t", "ana", "Talk")
    first, (second, _) = log.say("t", "one"), log.show("t", Reply((Text("two"),), turn=1))
    assert first < second
    assert [first] == [entry.number for entry in log.latest("t", 5, before=second)]


def test_a_row_takes_the_place_of_another(everywhere: Database) -> None:
    """By its key; where it has nothing else, it stays."""
    row = {"store": "s", "model": "m", "text": "t", "vector": b"1"}
    person = {"platform": "slack", "team": "T1", "person": "ana"}
    with everywhere.transaction() as connection:
        upsert(connection, vectors, row)
        upsert(connection, vectors, row | {"vector": b"2"})
        for _ in range(2):
            upsert(connection, welcomes, person)
        assert [b"2"] == connection.execute(select(vectors.c.vector)).scalars().all()
        assert [True, False] == [insert_new(connection, welcomes, person | {"person": name}) for name in ("bob", "ana")]


def test_times_have_a_zone(everywhere: Database) -> None:
    """They come back as the same moment, whatever zone they were said in; without a zone they are refused."""
    vienna = NOW.astimezone(timezone(timedelta(hours=2)))
    ledger = Ledger(everywhere, lambda: vienna)
    created = ledger.add(Request("key", "read_sql", {})).created
    assert (NOW, timedelta(0)) == (created, created.utcoffset())
    with pytest.raises(StatementError, match="has no zone"), everywhere.reading() as connection:
        connection.execute(select(jobs).where(jobs.c.created < NOW.replace(tzinfo=None)))


def test_ids_can_be_told_apart() -> None:
    """No letter of one is mistaken for another, and none is made twice."""
    made = {new_id("read_sql") for _ in range(1000)}
    assert 1000 == len(made)
    assert all(each.startswith("R-") and len(each) == 10 and not set("01ILOU") & set(each[2:]) for each in made)


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
