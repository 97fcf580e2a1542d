"""The real program is killed with SIGKILL while something that is repeated runs; the next one goes on with it."""

import fcntl
from contextlib import closing
from datetime import UTC, datetime, timedelta
from getpass import getuser
from pathlib import Path

import pytest
from sqlalchemy import update

from adapters.web.log import TalkLog
from router.cards import Table, Text
from router.jobs.job_entry import JobEntry, JobState
from router.jobs.ledger import Ledger
from router.memory.draft import User
from router.memory.recurrence import Timing
from router.memory.thread import ThreadKey
from router.schedules.schedule import Schedule, SchedulePlan
from router.schedules.store import Schedules
from router.storage import tables
from router.storage.clock import now
from router.storage.database import home_database
from tests.adapters.web.browsing import served, until
from tests.platforms.ollama import Ollama
from tests.support.shop import write_connections

COMMAND = ("-m", "bot", "web", "--no-browser", "--port", "0")
ME = User(f"web:{getuser()}", getuser())
KEY = ThreadKey("web", "", "", "thread")


def repeated(home: Path, hours: int) -> None:
    """Have something be repeated since hours, while no bot was at work."""
    with closing(home_database(home)) as database:
        log = TalkLog(database)
        log.begin(KEY.thread, ME.id, "regions")
    began = datetime.now(UTC) - timedelta(hours=hours)
    plan = SchedulePlan(
        key="once",
        owner=ME,
        approver=ME,
        thread=str(KEY),
        shared=False,
        connection="shop",
        schema="",
        sql="SELECT id, name FROM regions ORDER BY id",
        question="regions",
        timing=Timing("hour", "00:00"),
        to="thread",
        condition="always",
    )
    with closing(home_database(home)) as database:
        Schedules(database, lambda: began).add(plan)


def schedule(home: Path) -> Schedule:
    """Return the only one."""
    with closing(home_database(home)) as database:
        (found,) = Schedules(database, now).every()
        return found


def jobs(home: Path) -> tuple[JobEntry, ...]:
    """Return all jobs."""
    with closing(home_database(home)) as database:
        return Ledger(database, now).latest()


def due_at(home: Path, due: datetime) -> None:
    """Have the only schedule be due then."""
    with closing(home_database(home)) as database, database.transaction() as connection:
        connection.execute(update(tables.schedules).values(due=due))


def told_at(home: Path, due: datetime, result: str) -> None:
    """Have the only schedule look as it does while its rows are being shown."""
    with closing(home_database(home)) as database, database.transaction() as connection:
        connection.execute(update(tables.schedules).values(due=due, result=result, phase="telling"))


def texts(home: Path) -> list[str]:
    """Return the first line of everything that the thread shows rows below."""
    with closing(home_database(home)) as database:
        entries = TalkLog(database).latest(KEY.thread, 100)
    shown = [entry.reply.cards for entry in entries if any(isinstance(card, Table) for card in entry.reply.cards)]
    return [" ".join(card.body for card in cards if isinstance(card, Text)) for cards in shown]


def environment_of(home: Path, connections: Path, model: Ollama) -> dict[str, str]:
    """Return what the program is told."""
    return {
        "ICC_BOT_HOME": str(home),
        "ICC_BOT_CONNECTIONS": str(connections),
        "OLLAMA_BASE_URL": model.url,
        "SQL_MODEL_NAME": "qwen2.5-coder:7b",
    }


@pytest.mark.thorough
def test_killed_while_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was begun is read once more, and shown once; a third start adds nothing."""
    home = tmp_path / "home"
    connections = write_connections(tmp_path, ["shop"])
    monkeypatch.chdir(tmp_path)
    home.mkdir()
    repeated(home, hours=0)
    with Ollama() as model:
        environment = environment_of(home, connections, model)
        with served(*COMMAND, **environment) as (_, process), (home / "audit.jsonl").open("rb") as trail:
            fcntl.flock(trail, fcntl.LOCK_EX)  # the reader notes it there first
            due_at(home, now())
            until(lambda: [JobState.RUNNING] == [job.state for job in jobs(home)])
            process.kill()
        assert [] == texts(home)
        with served(*COMMAND, **environment):
            until(lambda: schedule(home).due > now())
            assert "Shown, with 2 rows." == schedule(home).outcome
        (text,) = texts(home)
        assert text.startswith("regions · every hour")
        with served(*COMMAND, **environment) as (_, process):
            process.kill()
    assert [text] == texts(home)
    assert [(JobState.DONE, 2)] == [(job.state, job.attempt) for job in jobs(home)]


@pytest.mark.thorough
def test_killed_while_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are in the thread are known there; the next start shows them no second time."""
    home = tmp_path / "home"
    connections = write_connections(tmp_path, ["shop"])
    monkeypatch.chdir(tmp_path)
    home.mkdir()
    repeated(home, hours=2)
    with Ollama() as model:
        environment = environment_of(home, connections, model)
        with served(*COMMAND, **environment) as (_, process):
            until(lambda: len(texts(home)) == 1)
            process.kill()
        # As if it had died before it noted that the rows are there.
        (job,) = jobs(home)
        told_at(home, datetime.fromisoformat(job.request.key.partition(" ")[2]), job.outcome["result"]["id"])
        with served(*COMMAND, **environment):
            until(lambda: schedule(home).due > now())
    assert 1 == len(texts(home))
