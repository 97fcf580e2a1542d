"""`icc-bot db backup` and `restore`: a bot at work is copied, and another home goes on where it was."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import pytest

from bot.commands.backup import MARK
from router.jobs.audit_check import verify
from router.storage.backup import copy_databases
from router.storage.database import home_database
from router.storage.tables import jobs
from router.storage.threads import SqliteStore
from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message
from tests.support.in_process import run_here
from tests.support.postgres import PostgresDatabase, fresh_database, installed_programs
from tests.support.slack_bot import running
from tests.support.slack_talk import CHANNELS, RUN, SQL, whole_talk

ROOT = Path(__file__).parents[3]
KEY = "k" * 40
PEOPLE = 3


@contextmanager
def company() -> Iterator[tuple[Slack, Ollama]]:
    """Give a Slack with channels, and a model that nobody asks."""
    with Slack() as slack, Ollama() as model:
        for channel in CHANNELS:
            slack.channel(channel)
        yield slack, model


def asked(slack: Slack) -> tuple[Message, Message]:
    """Ask something; return the question, and the card that waits for Run."""
    root = slack.say(CHANNELS[-1], SQL.format(number=7), user="U9", mention=True)
    return root, slack.wait_message(CHANNELS[-1], RUN, thread=root)


def go_on(slack: Slack, root: Message, card: Message) -> None:
    """Run what was asked before the backup, and ask for more of the same."""
    slack.press(card, RUN, user="U9")
    rows = slack.wait_message(CHANNELS[-1], "2 rows", thread=root)
    slack.press(rows, "CSV", user="U9")
    slack.wait(lambda: slack.files)


def command(folder: Path, environment: dict[str, str], *words: str) -> str:
    """Run `icc-bot` as another process beside the bot, and return what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.thorough
def test_a_bot_at_work_is_backed_up(tmp_path: Path) -> None:
    """While people talk to it; each copied talk has its rows and its job, and one that waited goes on elsewhere."""
    home, later, copy = tmp_path / "home", tmp_path / "later", tmp_path / "backups" / "monday"
    with company() as (slack, model):
        over = Event()

        def talk(person: int) -> None:
            for number in range(person, 10_000, PEOPLE):
                if over.is_set():
                    return
                whole_talk(slack, number)

        with running(tmp_path, slack, model), ThreadPoolExecutor(PEOPLE) as pool:
            root, card = asked(slack)
            talks = [pool.submit(talk, person) for person in range(PEOPLE)]
            try:
                slack.wait(lambda: len(slack.calls) > 40)
                said = command(tmp_path, {"ICC_BOT_HOME": str(home)}, "db", "backup", str(copy))
            finally:
                over.set()
            for each in talks:
                each.result()
        assert "icc-bot.sqlite, threads.sqlite, " in said
        restored = run_here(tmp_path, {"ICC_BOT_HOME": str(later)}, "db", "restore", str(copy))
        assert (0, "") == (restored.returncode, restored.stderr)
        assert [0o700, 0o600] == [path.stat().st_mode & 0o777 for path in (later, later / "audit.key")]
        assert 0 < require_whole(later)
        with running(tmp_path, slack, model, ICC_BOT_HOME=str(later)):
            go_on(slack, root, card)
        assert () == verify(later / "audit.jsonl").alarms


def require_whole(home: Path) -> int:
    """Check that all that the talks of a home know is there; return how many have rows."""
    with closing(SqliteStore(home / "threads.sqlite")) as store, closing(home_database(home)) as database:
        memories = [memory for key in store.every() if (memory := store.load(key))]
        with database.reading() as connection:
            done = {row.result for row in connection.execute(jobs.select().where(jobs.c.state == "DONE"))}
    known = {past.answer.result.id for memory in memories for past in memory.results}
    assert known <= done
    assert known <= {path.stem for path in (home / "results").glob("*.sqlite")}
    assert () == verify(home / "audit.jsonl").alarms
    return len(known)


@pytest.mark.thorough
def test_a_bot_on_a_server_is_backed_up(tmp_path: Path, postgres: PostgresDatabase) -> None:
    """By pg_dump while it is at work, and its home after that; both go on in another database."""
    home, later, copy, dump = (tmp_path / name for name in ("home", "later", "copy", "bot.dump"))
    with company() as (slack, model), fresh_database(postgres.server) as elsewhere:
        with running(tmp_path, slack, model, ICC_BOT_DATABASE_URL=plain(postgres), ICC_BOT_AUDIT_KEY=KEY):
            root, card = asked(slack)
            whole_talk(slack, 1)
            program("pg_dump", "--format=custom", "--no-owner", f"--file={dump}", plain(postgres))
            here = {"ICC_BOT_HOME": str(home), "ICC_BOT_DATABASE_URL": plain(postgres), "ICC_BOT_AUDIT_KEY": KEY}
            said = command(tmp_path, here, "db", "backup", str(copy))
        assert "by pg_dump" in said
        assert "keep what ICC_BOT_AUDIT_KEY is" in said
        program("pg_restore", "--no-owner", "--exit-on-error", f"--dbname={plain(elsewhere)}", str(dump))
        there = {"ICC_BOT_HOME": str(later), "ICC_BOT_DATABASE_URL": plain(elsewhere), "ICC_BOT_AUDIT_KEY": KEY}
        assert 0 == run_here(tmp_path, there, "db", "restore", str(copy)).returncode
        with running(tmp_path, slack, model, **there):
            go_on(slack, root, card)
        assert () == verify(later / "audit.jsonl", KEY).alarms


def plain(database: PostgresDatabase) -> str:
    """Return an address as people write it."""
    return database.owner_url.replace("+psycopg", "")


def program(name: str, *words: str) -> None:
    """Run a program of PostgreSQL."""
    subprocess.run([installed_programs() / name, *words], check=True, capture_output=True)


def test_databases_are_copied_as_of_one_moment(tmp_path: Path) -> None:
    """What is written into one and then into the other is never in the second alone, and nobody waits for long."""
    paths, over = [tmp_path / "one.sqlite", tmp_path / "two.sqlite"], Event()
    for path in paths:
        with closing(sqlite3.connect(path)) as file:
            file.executescript("PRAGMA journal_mode=WAL; CREATE TABLE n (n); INSERT INTO n VALUES (0)")

    def write() -> int:
        with closing(connected(paths[0])) as one, closing(connected(paths[1])) as two:
            for number in range(1, 1_000_000):
                for file in (one, two):
                    file.execute("UPDATE n SET n = ?", (number,))
                if over.is_set():
                    return number
        return 0

    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(write)
        try:
            for number in range(20):
                folder = tmp_path / f"{number}"
                folder.mkdir()
                copy_databases(paths, folder)
        finally:
            over.set()
        assert written.result() > 20
    for number in range(20):
        first, second = (read(tmp_path / f"{number}" / path.name) for path in paths)
        assert first - second in (0, 1)


def read(path: Path) -> int:
    with closing(connected(path)) as file:
        return int(file.execute("SELECT n FROM n").fetchone()[0])


def connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def test_what_is_refused(tmp_path: Path) -> None:
    """A folder or a home that is not empty, half a backup, a home that is none: nothing is changed then."""
    home, copy, empty = tmp_path / "home", tmp_path / "copy", tmp_path / "empty"

    def says(where: Path, *words: str) -> str:
        done = run_here(tmp_path, {"ICC_BOT_HOME": str(where)}, "db", *words)
        assert done.returncode != 0
        return done.stderr + done.stdout

    assert "No bot has kept anything" in says(home, "backup", str(copy))
    home_database(home).close()
    (home / "page.secret").write_text("secret")
    assert "lies in the home" in says(home, "backup", str(home / "copy"))
    assert 0 == run_here(tmp_path, {"ICC_BOT_HOME": str(home)}, "db", "backup", str(copy)).returncode
    assert "is not empty. Nothing was copied" in says(home, "backup", str(copy))
    assert "is not empty. Nothing was restored" in says(home, "restore", str(copy))
    assert 0 == run_here(tmp_path, {"ICC_BOT_HOME": str(empty)}, "db", "restore", str(copy)).returncode
    assert "secret" == (empty / "page.secret").read_text()
    assert not (empty / MARK).exists()
    (copy / MARK).unlink()
    assert "is no whole backup" in says(tmp_path / "another", "restore", str(copy))
    assert not (tmp_path / "another").exists()
