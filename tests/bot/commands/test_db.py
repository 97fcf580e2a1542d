"""`icc-bot db`: a home moves to a server whole, once, and may be begun again if it was ended."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, Column, LargeBinary, insert, select

from adapters.slack.access import cipher, new_key
from adapters.slack.installations import Installations
from bot.__main__ import main
from bot.wiring.state import THREADS_FILE
from router.jobs.results.shared import SharedResults
from router.jobs.results.store import Results
from router.memory.draft import Draft
from router.memory.thread import Answer, Memory, ThreadKey
from router.sql.databases.session import Described
from router.storage import tables
from router.storage.clock import UtcDateTime, now
from router.storage.database import DATABASE_FILE, REVISION, Database, home_database, open_engine
from router.storage.move import NOT_MOVED
from router.storage.tables import METADATA
from router.storage.threads import SqliteStore, TableStore
from tests.adapters.slack.test_installations import installation
from tests.support.postgres import PostgresDatabase

Out = pytest.CaptureFixture[str]
KEPT = [table for table in METADATA.sorted_tables if table.name not in NOT_MOVED]
KEY = ThreadKey("slack", "T1", "C1", "1")
SEAL = new_key()


@pytest.fixture
def server(postgres: PostgresDatabase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> PostgresDatabase:
    """The server that the settings name, with the home that is to move there."""
    monkeypatch.setenv("ICC_BOT_DATABASE_URL", postgres.owner_url.replace("+psycopg", ""))
    monkeypatch.setenv("ICC_BOT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ICC_BOT_RESULT_DAYS", "10000")
    return postgres


def run(*words: str) -> int:
    """Return the exit status of a command."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0)


def rows(database: Database) -> dict[str, list[Any]]:
    """Return what each table holds."""
    with database.reading() as connection:
        return {table.name: sorted(map(repr, connection.execute(select(table)).all())) for table in KEPT}


def value(column: Column[Any], number: int) -> Any:
    """Return a value that a column takes."""
    if isinstance(column.type, UtcDateTime):
        return now()
    if isinstance(column.type, LargeBinary):
        return b"\0%d" % number
    if isinstance(column.type, JSON):
        return {"ä": [number]}
    kind = column.type.python_type
    return kind(number) if kind in (int, bool) else f"{column.name} {number}"


def full_home(home: Path) -> Path:
    """Make a home with two rows in each table, a talk with its rows, and a workspace that installed the app."""
    with closing(home_database(home)) as database:
        with database.transaction() as connection:
            for table in (each for each in KEPT if each is not tables.threads):
                made = [{column.name: value(column, number) for column in table.columns} for number in (7, 8)]
                connection.execute(insert(table), made)
        results = Results(home / "results", now() - now().replace(year=2000), now)
        ref = results.store([Described("name", "text")], [[("Ada Lovelace",)]], 10, lambda rows: None, lambda: 0.1)
    with closing(SqliteStore(home / THREADS_FILE)) as threads:
        threads.save(KEY, Memory(answer=Answer(Draft("Who?"), "shop", ref)))
    with closing(Installations(f"sqlite:///{home / DATABASE_FILE}", "111.222", cipher(SEAL), {"T1"})) as store:
        asyncio.run(store.async_save(installation()))
    return home


def test_a_home_moves_whole(tmp_path: Path, server: PostgresDatabase, capsys: Out) -> None:
    """Every row of every table, talks, results, and the workspaces that installed the app; then new rows find room."""
    home = full_home(tmp_path / "home")
    assert 0 == run("db", "move")
    said = capsys.readouterr().out
    assert [] == [
        line for line in ("jobs: 2 rows", "threads: 1 row", "results: 1,", "slack_bots: ") if line not in said
    ]
    with closing(Database(server.owner_url)) as there, closing(home_database(home)) as here:
        assert rows(here) == rows(there)
        assert all(rows(there).values())
        memory = TableStore(there).load(KEY)
        assert memory
        assert memory.answer
        kept = SharedResults(there, tmp_path / "elsewhere", now() - now().replace(year=2000), now)
        assert "Ada Lovelace" == kept.page(memory.answer.result).rows[0][0]
        installed = [Installations(each, "111.222", cipher(SEAL), ["T1"]) for each in (here, there)]
        assert installed[0].count == installed[1].count > 0
        with there.transaction() as connection:  # the server's numbers go on after those that were moved
            connection.execute(tables.ratings.insert().values(result="new", who="ana", good=True, comment="", at=now()))
            assert [7, 8, 9] == sorted(connection.execute(select(tables.ratings.c.number)).scalars())


def test_a_server_that_is_used(tmp_path: Path, server: PostgresDatabase, capsys: Out) -> None:
    """A home moves once: what was deleted on the server since does not come back, and nothing is mixed."""
    full_home(tmp_path / "home")
    assert 0 == run("db", "move")
    server.run("DELETE FROM jobs; DELETE FROM threads")
    assert "jobs: " in capsys.readouterr().out
    assert 1 == run("db", "move")
    assert "has rows already" in capsys.readouterr().err
    with server.connect() as connection:
        assert (0,) == connection.execute("SELECT count(*) FROM jobs").fetchone()


@pytest.mark.thorough
def test_a_move_that_was_killed(tmp_path: Path, server: PostgresDatabase) -> None:
    """After kill -9 nothing has gone over, and all of it does the next time."""
    with closing(home_database(tmp_path / "home")) as database, database.transaction() as connection:
        entry = {"thread": "t", "reply": None, "answer": None}
        connection.execute(tables.page_entries.insert(), [{**entry, "said": f"{n}"} for n in range(30_000)])
    Database(server.owner_url).close()
    process = subprocess.Popen([sys.executable, "-m", "bot", "db", "move"], env=dict(os.environ))
    with server.connect() as connection:
        writing = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'INSERT INTO page_entries%'"
        until = time.monotonic() + 60
        while connection.execute(writing).fetchone() == (0,):
            assert time.monotonic() < until
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert (0,) == connection.execute("SELECT count(*) FROM page_entries").fetchone()
        assert 0 == run("db", "move")
        found = connection.execute("SELECT said FROM page_entries ORDER BY number").fetchall()
    assert [(f"{n}",) for n in range(30_000)] == found


def test_a_server_that_failed(tmp_path: Path, server: PostgresDatabase, capsys: Out) -> None:
    """Nothing is left half; the next attempt moves all of it, rows that had gone over too."""
    home = full_home(tmp_path / "home")
    Database(server.owner_url).close()
    server.run("ALTER TABLE schedules RENAME TO away")
    assert 1 == run("db", "move")
    assert "The move was ended" in capsys.readouterr().err
    server.run("ALTER TABLE away RENAME TO schedules")
    assert 0 == run("db", "move")
    assert "results: 1, " in capsys.readouterr().out
    with closing(Database(server.owner_url)) as there, closing(home_database(home)) as here:
        assert rows(here) == rows(there)


def test_a_home_that_is_in_use(tmp_path: Path, server: PostgresDatabase, capsys: Out) -> None:
    """Nothing is moved under a bot that works."""
    with closing(home_database(tmp_path / "home")) as database, database.reading():
        assert 1 == run("db", "move")
    assert "Stop every process of the bot" in capsys.readouterr().err


def test_upgrade(server: PostgresDatabase, capsys: Out) -> None:
    """A start refuses the earlier version, and says which command brings it up."""
    engine = open_engine(server.owner_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
    engine.dispose()
    assert 1 == run("jobs")
    assert "icc-bot db upgrade" in capsys.readouterr().err
    assert 0 == run("db", "upgrade")
    assert REVISION in capsys.readouterr().out
    assert 0 == run("jobs")


@pytest.mark.parametrize(
    "address", ["mysql://u:p@h/d", "postgresql://host", "host/db", "postgresql:///", "sqlite:///f"]
)
def test_addresses_that_are_none(address: str, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    """They are refused in a sentence that does not repeat them."""
    monkeypatch.setenv("ICC_BOT_DATABASE_URL", address)
    assert 2 == run("jobs")
    said = capsys.readouterr().err
    assert "ICC_BOT_DATABASE_URL must be postgresql://user:password@host:5432/database." in said
    assert address not in said
