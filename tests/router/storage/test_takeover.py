"""A home of version 0.1.0, as that version wrote it, opened by this one: nothing is lost, and nothing is doubled."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.chat.inbox import Inbox
from adapters.chat.shown_messages import ShownMessages
from adapters.chat.surface import Posted
from adapters.slack.access import cipher
from adapters.slack.installations import Installations
from adapters.teams.conversations import Reference, References
from adapters.teams.file_offers import Consents
from adapters.teams.private_cards import PrivateCards
from adapters.web.log import TalkLog
from router.errors import JobFailed
from router.jobs.feedback import Feedback
from router.jobs.job_entry import JobState
from router.jobs.ledger import Ledger
from router.jobs.results.store import Results
from router.knowledge.example_store import ExampleStore
from router.knowledge.glossary_changes import Proposals, ProposalState
from router.knowledge.knowledge import Term
from router.memory.thread import ThreadKey, key_from
from router.schedules.store import Schedules
from router.storage.database import DATABASE_FILE, Database, home_database
from router.storage.threads import SqliteStore
from router.understanding.categories import Category
from router.understanding.choice_log import ChoiceLog

OLD = Path(__file__).parent / "home-0.1.0"
NOW = datetime(2026, 3, 15, 9, tzinfo=UTC)
KEY = "kVq1n4T3i0tZ8w4y0wqQx1rJH0f3o2m0v0Jb9i4Jv5s="
"""With which the tokens of that home are encrypted; it opens nothing else."""


def clock() -> datetime:
    """Return the time at which the home was left."""
    return NOW


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home as version 0.1.0 left it."""
    return old_home(tmp_path / "old")


def old_home(home: Path) -> Path:
    """Make that home and return it."""
    for text in OLD.rglob("*.sql"):
        path = (home / text.relative_to(OLD)).with_suffix(".sqlite")
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            file.execute("PRAGMA journal_mode=WAL")
            file.executescript(text.read_text().replace("HOME", str(home)))
    for result in (home / "results").iterdir():
        os.utime(result, (NOW.timestamp(), NOW.timestamp()))
    return home


@pytest.fixture
def opened(home: Path) -> Iterator[Database]:
    """Open that home with this version."""
    with closing(home_database(home)) as database:
        yield database


def test_two_files_are_left(home: Path, opened: Database) -> None:
    """Threads, everything else, and the results; only the owner may read them."""
    names = {path.name for path in home.rglob("*") if path.is_file() and path.parent == home}
    assert {"threads.sqlite"} == {name for name in names if not name.startswith(DATABASE_FILE)}
    assert 2 == len(list((home / "results").iterdir()))
    assert 0o600 == (home / DATABASE_FILE).stat().st_mode & 0o777


def test_threads_and_rows(home: Path, opened: Database) -> None:
    """They stay where they are, and what belongs to them is found."""
    with closing(SqliteStore(home / "threads.sqlite")) as store:
        memory = store.load(key_from("test///1"))
    assert memory
    assert "SHOW_RESULTS" == memory.stage
    results = Results(home / "results", timedelta(days=7), clock)
    (rated, *_), (who, good) = Feedback(opened, clock).ratings()[0][:1], Feedback(opened, clock).ratings()[0][1:]
    assert ("test:ana", True, "6 rows") == (who, good, rated.outcome)
    assert "Ada Lovelace" == results.page(rated.result).rows[0][0]
    job = Ledger(opened, clock).reading(rated.result)
    assert job
    assert ("R-1", JobState.DONE, 6, NOW) == (job.id, job.state, job.rows, job.ended)


def test_jobs(opened: Database) -> None:
    """All in their order; what a dead process held is anybody's in time."""
    ledger = Ledger(opened, lambda: NOW + timedelta(seconds=61))
    assert {"R-1", "S-2", "R-3"} == {job.id for job in ledger.latest()}
    (left,) = ledger.due()
    assert ("S-2", JobState.RUNNING, {"recipients": ["a@example.com"], "subject": "Hi"}) == (
        left.id,
        left.state,
        left.request.payload,
    )
    assert left == ledger.add(left.request)
    taken = ledger.claim("S-2", "another")
    assert taken
    assert 2 == taken.attempt


def test_schedules(opened: Database) -> None:
    """They run when they would have run."""
    schedules = Schedules(opened, clock)
    (schedule,) = schedules.every()
    due = datetime(2026, 3, 16, 8, tzinfo=UTC)
    assert ("T-1", "0 8 * * 1", NOW, due) == (schedule.id, schedule.plan.cron, schedule.created, schedule.due)
    assert due == schedules.next_due("test")


def test_what_people_taught(opened: Database) -> None:
    """Examples with their vectors, previews, proposals in their order, and choices."""
    store = ExampleStore(opened, clock)
    kept = store.every()
    assert ["How many customers are there?", "Which customers are there?"] == [each.question for each in kept]
    looked = datetime(2026, 3, 14, 8, tzinfo=UTC)
    assert (looked, looked + timedelta(seconds=1), None) == (kept[0].at, kept[0].checked, kept[1].checked)
    assert {"How many customers are there?"} == set(store.vectors("nomic"))
    assert store.drafted("e6b2e47dcae4de9a")
    proposals = Proposals(opened, clock)
    (waiting,) = proposals.waiting("shop")
    assert ("G-1", ProposalState.WAITING) == (waiting.id, waiting.standing)
    assert Term("regular", "a customer with five orders", ("loyal",), "") == waiting.after
    assert Term("late", "after the day") == proposals.get("G-2").before
    choices = ChoiceLog(opened, clock)
    (choice,) = choices.waiting()
    assert ("put it over there", Category.ASK_DATA, NOW) == (choice.text, choice.chosen, choice.at)
    assert {"put it there"} == set(choices.vectors("nomic"))


@pytest.mark.parametrize(("platform", "team"), [("slack", "T1"), ("teams", "t1")])
def test_chats(opened: Database, platform: str, team: str) -> None:
    """What was heard and is not answered, what is known again, and what was shown."""
    inbox, shown = Inbox(opened, platform, clock), ShownMessages(opened, platform, clock)
    (left,) = inbox.left()
    assert ("e2", ThreadKey(platform, team, "C1", "1.0")) == (left.event, left.key)
    assert not inbox.take(left)
    question = shown.question(left.key)
    assert question
    assert ("m2", 4) == (question.id, question.turn)
    answered = shown.message("C1", "m1")
    assert answered
    assert answered.decision
    assert ("Run", f"{platform}:U1") == (answered.decision.label, answered.decision.by.id)
    assert [("C1", "m3")] == shown.begun(left.key)
    assert not shown.welcome(team, f"{platform}:U1")


def test_teams(home: Path, opened: Database) -> None:
    """Where it writes to, what it offered, and what it has to draw anew."""
    references = References(opened)
    assert {"19:general@thread.tacv2"} == references.channels("19:team")
    assert (Reference("https://smba.example.com/", "a:ana", "t1"), True) == references.with_person("t1", "teams:U1")
    assert references.of("19:general@thread.tacv2;messageid=1")
    assert references.of("19:general@thread.tacv2;messageid=9") is None
    found = Consents(opened, home / "teams-offered", clock).find("DnOCTtMyZdNCwyZMT4SZuiIzurO1MUcqVPXFjPE3qN0")
    assert found
    assert ("query.sql", "18", home / "teams-offered") == (found.name, found.message, found.path.parent)
    assert [(Posted("a:ana", "5"), Posted("a:ana", "6"))] == PrivateCards(opened).noted()


def test_the_page(opened: Database) -> None:
    """Its threads, and what was said and shown in them."""
    log = TalkLog(opened)
    (thread,) = log.threads("web:me", 5)
    assert ("abc", "How many customers?", NOW) == (thread.id, thread.title, thread.used)
    assert [("How many customers?", None), ("", "Run"), ("", None)] == [
        (entry.said, entry.answer) for entry in log.latest("abc", 5)
    ]


async def test_workspaces(opened: Database) -> None:
    """With their tokens, and the keys that open them; another installation is kept beside it."""
    installations = Installations(opened, "111.222", cipher(KEY), {"T1"})
    assert "xoxb-1-made-up" == await installations.token("T1")
    found = await installations.async_find_installation(enterprise_id=None, team_id="T1")
    assert found
    await installations.async_save(found)
    assert 1 == installations.count


@pytest.mark.parametrize("writes", [1, 9, 40])
def test_a_kill_on_the_way(home: Path, writes: int) -> None:
    """Whatever was done by then, the next start finds everything once."""
    ended = subprocess.run([sys.executable, "-c", _KILLED, str(home), str(writes)], check=False)
    assert -9 == ended.returncode
    with closing(home_database(home)) as database:
        counts = _counts(database)
    assert {"jobs": 3, "inbox": 4, "page_entries": 3, "slack_bots": 1, "old_files": 0} == counts
    assert ["threads.sqlite"] == [path.name for path in home.glob("*.sqlite") if path.name != DATABASE_FILE]


def test_a_kill_before_the_files_are_gone(home: Path) -> None:
    """Their rows are not taken a second time."""
    (home / "jobs.sqlite").with_suffix(".copy").write_bytes((home / "jobs.sqlite").read_bytes())
    with closing(home_database(home)) as database, database.transaction() as connection:
        (home / "jobs.copy").rename(home / "jobs.sqlite")
        connection.exec_driver_sql("INSERT INTO old_files VALUES ('jobs.sqlite', '2026-03-15 09:00:00')")
        connection.exec_driver_sql("DELETE FROM jobs WHERE id = 'R-1'")
    with closing(home_database(home)) as database:
        assert 2 == _counts(database)["jobs"]
    assert not (home / "jobs.sqlite").exists()


def test_an_earlier_version_at_work(home: Path) -> None:
    """Nothing is taken from under it: a sentence says what to do."""
    with closing(sqlite3.connect(home / "teams-inbox.sqlite")) as theirs:
        theirs.execute("SELECT count(*) FROM events").fetchall()
        with pytest.raises(JobFailed, match="in use by an earlier version"):
            home_database(home)
        assert (home / "jobs.sqlite").exists()
    with closing(home_database(home)) as database:
        assert 3 == _counts(database)["jobs"]


def test_a_file_that_is_damaged(home: Path) -> None:
    """Nothing is moved and nothing deleted."""
    (home / "page.sqlite").write_bytes(b"this is no database" * 1000)
    with pytest.raises(JobFailed, match="cannot be read"):
        home_database(home)
    assert (home / "jobs.sqlite").exists()
    assert (home / "page.sqlite").exists()


def test_somebody_elses_file_stays(tmp_path: Path) -> None:
    """A database of another program that has the name of one of ours is not deleted."""
    with closing(sqlite3.connect(tmp_path / "jobs.sqlite")) as file:
        file.execute("CREATE TABLE vacancies (title)")
    with pytest.raises(JobFailed, match="cannot be read"):
        home_database(tmp_path)
    assert (tmp_path / "jobs.sqlite").exists()


def test_answers_of_a_version_before(home: Path) -> None:
    """Answers had no schema once."""
    with closing(sqlite3.connect(home / "feedback.sqlite", isolation_level=None)) as file:
        file.execute("ALTER TABLE answers DROP COLUMN schema")
    with closing(home_database(home)) as database:
        answer = Feedback(database, clock).asked("test:ana", 1)[0]
    assert ("How many orders are there?", "") == (answer.question, answer.schema)


def _counts(database: Database) -> dict[str, int]:
    with database.reading() as connection:
        return {
            table: connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()
            for table in ("jobs", "inbox", "page_entries", "slack_bots", "old_files")
        }


_KILLED = """
import os, sys
from pathlib import Path
from sqlalchemy import event
from router.storage.database import Database, DATABASE_FILE
from router.storage.takeover import take_over

home, left = Path(sys.argv[1]), int(sys.argv[2])
database = Database(f"sqlite:///{home / DATABASE_FILE}")

def die(connection, cursor, statement, *rest):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), 9)

event.listen(database.engine, "after_cursor_execute", die)
take_over(home, database)
os.kill(os.getpid(), 9)
"""
