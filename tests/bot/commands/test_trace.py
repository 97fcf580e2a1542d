"""`icc-bot trace`: what happened in a talk, in its order, and nothing of another one."""

import re
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.settings.environment import read_settings
from bot.wiring.state import database_of, threads_of
from router.jobs.audit import Audit, AuditEntry
from router.jobs.job_entry import JobState, Request
from router.jobs.ledger import Ledger
from router.memory.draft import Draft, Place, User
from router.memory.stage import Stage
from router.memory.thread import Memory, Step, ThreadKey

NOW = datetime(2026, 3, 15, 9, tzinfo=UTC)
KEY, OTHER = ThreadKey("slack", "T1", "C1", "1.0"), ThreadKey("slack", "T1", "C2", "1.0")


class Ticking:
    """A clock that goes on by a second a look."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def run(*words: str) -> int:
    """Return the exit status of a command."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0)


@pytest.fixture(params=["home", "server"])
def talk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep a talk with a question, a job and a stage; and another one."""
    monkeypatch.setenv("ICC_BOT_HOME", str(tmp_path / "home"))
    if request.param == "server":
        monkeypatch.setenv("ICC_BOT_DATABASE_URL", request.getfixturevalue("postgres").owner_url)
    settings, clock = read_settings(), Ticking()
    with closing(database_of(settings)) as database, closing(threads_of(settings, database)) as threads:
        ledger = Ledger(database, clock, lambda kind: "R-1")
        audit = Audit(settings.audit_trail, clock)
        audit.add(AuditEntry("asked", str(OTHER), "slack:U2", question="Not this?"))
        audit.add(AuditEntry("asked", str(KEY), "slack:U1", question="Which regions?"))
        job = ledger.add(Request("k", "read_sql", {"sql": "SELECT 1"}, asker="slack:U1", thread=str(KEY)), "me")
        assert ledger.claim(job.id, "me")
        ledger.move(job.id, "me", JobState.DONE, rows=5)
        audit.add(AuditEntry("finished", str(KEY), rows=5, seconds=2.5, outcome="done", job=job.id))
        trail = [Step(Stage.CONFIRM_GENERATED_SQL, Place(), Draft(), None)]
        owner = User("slack:U1", "Ana")
        threads.save(KEY, Memory(stage=Stage.SHOW_RESULTS, turn=3, asked=NOW, owner=owner, trail=trail))
    with settings.audit_trail.open("a") as file:
        file.write('{"half of a line about 1.0')


@pytest.mark.usefixtures("talk")
def test_a_talk(capsys: pytest.CaptureFixture[str]) -> None:
    """Its events in order, with the seconds between, and where it stands."""
    assert 0 == run("trace", str(KEY))
    said = capsys.readouterr().out.splitlines()
    order = (
        "asked  slack:U1, Which regions?",
        "job R-1 asked for",
        "job R-1 begun",
        "job R-1 done",
        "finished (2.5 s)",
    )
    found = [next((at for at, line in enumerate(said) if words in line), -1) for words in order]
    assert [0, 1, 2, 3, 4] == found
    assert all(re.search(r"\+\d+\.\d", line) for line in said[1:5])
    assert "Now at SHOW_RESULTS, question 3, asked 2026-03-15 09:00:00 UTC, begun by slack:U1." == said[5]
    assert said[6].endswith("CONFIRM_GENERATED_SQL > SHOW_RESULTS")
    assert not [line for line in said if "Not this?" in line]


@pytest.mark.usefixtures("talk")
def test_a_talk_that_is_not_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """It is said; a key that is none is refused."""
    assert 1 == run("trace", "slack/T1/C1/9.9")
    assert "Nothing is kept of slack/T1/C1/9.9" in capsys.readouterr().out
    assert 1 == run("trace", "nowhere")
    assert "names no talk" in capsys.readouterr().err
