"""`icc-bot db`: a home moves to a server whole, once, and goes on where it was ended."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from adapters.chat.shown_messages import ShownMessages
from adapters.slack.access import cipher
from adapters.slack.installations import Installations
from adapters.web.log import TalkLog
from bot.__main__ import main
from router.cards import Reply, Text
from router.jobs.results.shared import SharedResults
from router.memory.draft import Draft
from router.memory.thread import Memory, ThreadKey, key_from
from router.storage import tables
from router.storage.clock import now
from router.storage.database import DATABASE_FILE, REVISION, REVISIONS, Database, home_database, migrate, open_engine
from router.storage.tables import METADATA, welcomes
from router.storage.threads import SqliteStore, TableStore
from tests.router.storage.test_takeover import KEY, old_home
from tests.support.postgres import PostgresDatabase

Out = pytest.CaptureFixture[str]
KEPT = [table for table in METADATA.sorted_tables if table.name not in ("threads", "results", "result_parts", "moved")]


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
    """Return what each table holds, but for the numbers that a database gives."""
    found = {}
    with database.reading() as connection:
        for table in KEPT:
            columns = [column for column in table.columns if column.name != "number"]
            found[table.name] = sorted(map(repr, connection.execute(select(*columns)).all()))
    return found


def test_a_home_moves_whole(tmp_path: Path, server: PostgresDatabase, capsys: Out) -> None:
    """Every row of every table, talks, results, and the workspaces that installed the app; then new rows find room."""
    home = old_home(tmp_path / "home")
    assert 0 == run("db", "move")
    said = capsys.readouterr().out
    assert [] == [line for line in ("jobs: 3 rows", "threads: ", "results: 2,", "slack_bots: ") if line not in said]
    with closing(Database(server.owner_url)) as there, closing(home_database(home)) as here:
        before, after = rows(here), rows(there)
        assert before == after
        assert sum(map(bool, after.values())) > 15
        with closing(SqliteStore(home / "threads.sqlite")) as old:
            assert old.every()
            assert {str(key): old.load(key) for key in old.every()} == {
                str(key): TableStore(there).load(key) for key in TableStore(there).every()
            }
            answer = old.load(key_from("test///1"))
        assert answer
        assert answer.answer
        kept = SharedResults(there, tmp_path / "elsewhere", now() - now().replace(year=2000), now)
        assert "Ada Lovelace" == kept.page(answer.answer.result).rows[0][0]
        installed = [Installations(each, "111.222", cipher(KEY), ["T1"]) for each in (here, there)]
        assert installed[0].count == installed[1].count > 0
        with there.transaction() as connection:  # the server's numbers go on after those that were moved
            connection.execute(tables.ratings.insert().values(result="new", who="ana", good=True, at=now()))


def test_compressed_texts_are_texts_there(tmp_path: Path, server: PostgresDatabase) -> None:
    """What a home compresses, such as a long reply and the memory of a talk, SQL can read on the server."""
    home, key, long = tmp_path / "home", ThreadKey("slack", "T1", "C1", "1"), "So long. " * 100
    reply, memory = Reply((Text(long),), turn=1), Memory(draft=Draft(question=long))
    with closing(home_database(home)) as database, closing(SqliteStore(home / "threads.sqlite")) as store:
        ShownMessages(database, "slack").add("C1", "1.1", key, reply)
        store.save(key, memory)
    assert 0 == run("db", "move")
    with server.connect() as connection:
        for column in ("reply FROM messages", "memory FROM threads"):
            found = connection.execute(
                f"SELECT {column} WHERE {column.partition(' ')[0]} LIKE %s".encode(), (f"%{long}%",)
            )
            assert 1 == len(found.fetchall())
    with closing(Database(server.owner_url)) as database:
        shown = ShownMessages(database, "slack").message("C1", "1.1")
        assert shown
        assert (reply, memory) == (shown.reply, TableStore(database).load(key))


def test_what_is_said_on_the_page_is_numbered_on(tmp_path: Path, server: PostgresDatabase) -> None:
    """No entry gets a number that one had in the home: what was said then is known by it."""
    with closing(home_database(tmp_path / "home")) as database:
        log = TalkLog(database)
        for thread in ("gone", "kept", "gone too"):
            log.begin(thread, "web:ana", thread)
            last = [log.say(thread, f"{n}").number for n in range(3)][-1]
        for thread in ("gone", "gone too"):
            log.delete(thread)
    for _ in range(2):
        assert 0 == run("db", "move")
    with closing(Database(server.owner_url)) as database:
        assert TalkLog(database).say("kept", "more").number > last


def test_a_second_move_changes_nothing(tmp_path: Path, server: PostgresDatabase, capsys: Out) -> None:
    """What was deleted on the server since does not come back, and it is said that nothing was moved."""
    old_home(tmp_path / "home")
    assert 0 == run("db", "move")
    server.run("DELETE FROM jobs; DELETE FROM result_parts; DELETE FROM results; DELETE FROM threads")
    assert "jobs: " in capsys.readouterr().out
    assert 0 == run("db", "move")
    again = capsys.readouterr().out
    assert again.startswith("Nothing was left to move: an earlier attempt had moved all of it.")
    assert not re.search(r"\d rows?\b", again)
    with server.connect() as connection:
        for table in ("jobs", "results", "threads"):
            assert (0,) == connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()


@pytest.mark.thorough
def test_a_move_that_was_killed_goes_on(tmp_path: Path, server: PostgresDatabase) -> None:
    """After kill -9 nothing is lost and nothing is there twice, also where rows have no key of their own."""
    home = tmp_path / "home"
    with closing(home_database(home)) as database, database.transaction() as connection:
        entry = {"thread": "t", "turn": 1, "reply": None, "answer": None}
        connection.execute(tables.page_entries.insert(), [{**entry, "said": f"{n}"} for n in range(12_000)])
    command = [sys.executable, "-m", "bot", "db", "move"]
    process = subprocess.Popen(command, env=dict(os.environ), stdout=subprocess.DEVNULL)
    with server.connect() as connection:
        until = time.monotonic() + 60
        moved = 0
        while not 0 < moved < 12_000:
            assert time.monotonic() < until
            assert process.poll() is None
            if connection.execute("SELECT to_regclass('moved')").fetchone() != (None,):
                query = "SELECT coalesce(max(rows), 0) FROM moved WHERE name = 'page_entries'"
                (moved,) = connection.execute(query).fetchone() or (0,)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert 0 == run("db", "move")
        found = connection.execute("SELECT said FROM page_entries ORDER BY number").fetchall()
    assert [(f"{n}",) for n in range(12_000)] == found


@pytest.fixture
def half(tmp_path: Path, server: PostgresDatabase, capsys: Out) -> Path:
    """A home whose move had begun when the server failed."""
    home = old_home(tmp_path / "home")
    home_database(home).close()
    Database(server.owner_url).close()
    server.run("ALTER TABLE schedules RENAME TO away")
    assert 1 == run("db", "move")
    assert "The move was ended" in capsys.readouterr().err
    server.run("ALTER TABLE away RENAME TO schedules")
    return home


def test_a_server_that_failed_gets_the_rest(half: Path, server: PostgresDatabase, capsys: Out) -> None:
    """The next attempt moves what is left, and tells of all of it."""
    assert 0 == run("db", "move")
    assert "schedules: " in capsys.readouterr().out
    with closing(Database(server.owner_url)) as there, closing(home_database(half)) as here:
        assert rows(here) == rows(there)


def test_a_home_that_was_used_meanwhile(half: Path, server: PostgresDatabase, capsys: Out) -> None:
    """What had gone over is old: nobody mixes it with what is new."""
    with closing(home_database(half)) as database, database.transaction() as connection:
        connection.execute(welcomes.insert().values(platform="slack", team="T9", person="ana"))
    assert 1 == run("db", "move")
    assert "was used after its move had begun" in capsys.readouterr().err


def test_approvals_keep_their_numbers(tmp_path: Path, server: PostgresDatabase, capsys: Out) -> None:
    """Who was told of one is told apart by it; the server's own begin after them, and are not mixed with others."""
    texts = ("platform", "team", "thread", "digest", "asker", "asker_name", "connection", "kind", "about", "state")
    asked = dict.fromkeys((*texts, "decider", "decider_name"), "x") | {"people": [], "at": now(), "told": True}
    told = {"request": 7, "person": "slack:U1", "channel": "D1", "message": "1.0", "settled": False}
    for folder in ("home", "other"):
        with closing(home_database(tmp_path / folder)) as database, database.transaction() as connection:
            connection.execute(tables.approval_requests.insert().values(number=7, **asked))
            connection.execute(tables.approval_notices.insert().values(told))
    assert 0 == run("db", "move")
    with closing(Database(server.owner_url)) as there, there.transaction() as connection:
        assert [7] == connection.execute(select(tables.approval_notices.c.request)).scalars().all()
        connection.execute(tables.approval_requests.insert().values(asked))
        assert [7, 8] == sorted(connection.execute(select(tables.approval_requests.c.number)).scalars())
    assert 0 == run("db", "move")
    assert 1 == run("db", "move", "--home", str(tmp_path / "other"))
    assert "has approvals of its own already" in capsys.readouterr().err


def test_a_home_that_is_in_use(tmp_path: Path, server: PostgresDatabase, capsys: Out) -> None:
    """Nothing is moved under a bot that works."""
    with closing(home_database(tmp_path / "home")) as database, database.reading():
        assert 1 == run("db", "move")
    assert "Stop every process of the bot" in capsys.readouterr().err
    with server.connect() as connection:
        assert (0,) == connection.execute("SELECT count(*) FROM moved").fetchone()


def test_no_home_and_no_server(tmp_path: Path, server: PostgresDatabase, monkeypatch: Any, capsys: Out) -> None:
    """Each is said, and nothing is made."""
    assert 1 == run("db", "move")
    assert "no bot has kept anything there" in capsys.readouterr().err
    assert not (tmp_path / "home" / DATABASE_FILE).exists()
    monkeypatch.delenv("ICC_BOT_DATABASE_URL")
    assert 2 == run("db", "move")
    assert "names no server" in capsys.readouterr().err


def test_upgrade(server: PostgresDatabase, capsys: Out) -> None:
    """A start refuses the earlier version, and says which command brings it up."""
    engine = open_engine(server.owner_url)
    with engine.begin() as connection:
        migrate(connection, REVISIONS[0])
    engine.dispose()
    assert 1 == run("jobs")
    assert "icc-bot db upgrade" in capsys.readouterr().err
    assert 0 == run("db", "upgrade")
    assert REVISION in capsys.readouterr().out
    assert 0 == run("jobs")


def test_upgrade_of_a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    """It works there too, though a start does it by itself."""
    monkeypatch.setenv("ICC_BOT_HOME", str(tmp_path))
    assert 0 == run("db", "upgrade")
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as file:
        assert (REVISION,) == file.execute("SELECT version_num FROM alembic_version").fetchone()


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


def test_the_count_of_tables_is_known() -> None:
    """Whoever adds a table looks whether it moves as it is: by its rows, numbered anew where `number` is the key."""
    # What refers to a number moves with it: `approval_notices` does.
    numbered = {table.name for table in METADATA.sorted_tables if "number" in table.primary_key.columns}
    refers = [fk for table in METADATA.sorted_tables for fk in table.foreign_keys]
    assert refers == []
    assert numbered == {
        "answers",
        "approval_requests",
        "ratings",
        "example_drafts",
        "proposals",
        "intent_choices",
        "inbox",
        "page_entries",
    }
