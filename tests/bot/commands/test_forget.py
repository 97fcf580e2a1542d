"""`icc-bot forget`: what is kept of a person, of a talk, or of old talks is gone, wherever the state lies."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from adapters.chat.inbox import Inbox
from adapters.chat.shown_messages import ShownMessages
from adapters.chat.surface import Heard
from bot.__main__ import main
from bot.settings.environment import read_settings
from bot.wiring.state import database_of, threads_of
from router.cards import Buttons, Option, Reply, Text
from router.jobs.feedback import AnsweredQuestion, Feedback
from router.jobs.job_entry import Request
from router.jobs.ledger import Ledger
from router.knowledge.example_store import ExampleStore, KeptExample
from router.memory.draft import User
from router.memory.thread import Memory, ThreadKey
from router.storage.clock import now
from router.storage.tables import METADATA
from router.turn import Said
from tests.support.kept_bytes import unpacked

Out = pytest.CaptureFixture[str]
ANA, BOB = User("slack:U1", "Ana"), User("slack:U2", "Bob")
HERS, HIS = ThreadKey("slack", "T1", "C1", "1.0"), ThreadKey("slack", "T1", "C1", "2.0")


@pytest.fixture(params=["home", "server"])
def state(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """State of each kind, with a talk of Ana's, and one of Bob's in which she asked something."""
    monkeypatch.setenv("ICC_BOT_HOME", str(tmp_path / "home"))
    if request.param == "server":
        monkeypatch.setenv("ICC_BOT_DATABASE_URL", request.getfixturevalue("postgres").owner_url)
    settings = read_settings()
    with closing(database_of(settings)) as database, closing(threads_of(settings, database)) as threads:
        ledger, feedback, shown = Ledger(database, now), Feedback(database, now), ShownMessages(database, "slack")
        for key, owner, person in ((HERS, ANA, ANA), (HIS, BOB, BOB), (HIS, BOB, ANA)):
            threads.save(key, Memory(owner=owner, asked=now()))
            name = f"{key.thread}{person.name}"
            ledger.add(Request(name, "read_sql", {"sql": name}, asker=person.id, thread=str(key)))
            feedback.note(AnsweredQuestion(name, str(key), person.id, "shop", f"asked by {name}", "SELECT 1", "1 row"))
            inbox = Inbox(database, "slack")
            inbox.take(Heard(key, person, Said(f"said by {name}"), name))
            # What is done is known by the person who pressed, if it comes again.
            press = f"{key.thread[0]}{person.name[0]}.0c4312ac"
            inbox.note(Heard(key, person, Said(""), f"T1:{person.id.removeprefix('slack:')}:{press}"))
            inbox.note(Heard(key, person, Said(""), f"example {person.id} {press}"))
            shown.add("C1", f"m{name}", key, Reply((Text(name), Buttons("Run?", (Option("yes", "Run"),))), turn=1))
        feedback.rate(ANA.id, "2.0Bob", True)
        feedback.rate(BOB.id, "1.0Ana", True)
        shown.welcome("T1", "U1")
        ExampleStore(database, now).keep([KeptExample("shop", "main", "How many?", "SELECT 1", ANA.id)])


def run(*words: str) -> int:
    """Return the exit status of a command."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0)


def kept() -> tuple[str, list[str]]:
    """Return all rows of all tables as one text, and the talks."""
    settings = read_settings()
    with closing(database_of(settings)) as database, closing(threads_of(settings, database)) as threads:
        with database.reading() as connection:
            rows: list[Any] = [row for table in METADATA.sorted_tables for row in connection.execute(select(table))]
        return repr(rows), [str(key) for key in threads.every()]


@pytest.mark.usefixtures("state")
def test_a_person(capsys: Out) -> None:
    """Her talk, what she asked in his, and what she thought of answers; an example that others use stays, nameless."""
    assert 0 == run("forget", "slack:U1")
    rows, talks = kept()
    assert [str(HIS)] == talks
    assert [] == [
        words for words in ("slack:U1", "'U1'", ":U1:", "1.0Ana", "asked by 2.0Ana", "said by 2.0Ana") if words in rows
    ]
    assert [] == [words for words in ("asked by 2.0Bob", "said by 2.0Bob", ":U2:", "How many?") if words not in rows]
    said = capsys.readouterr().out
    assert "Deleted: 1 talk, 2 results, 2 of answers" in said
    assert f'icc-bot forget --thread "{HIS}"' in said
    assert "Not deleted: the audit trail" in said
    assert 0 == run("forget", "slack:U1")
    assert "Nothing of it is kept." in capsys.readouterr().out


@pytest.mark.usefixtures("state")
def test_a_talk(capsys: Out) -> None:
    """All of it, of every speaker, and nothing of another one."""
    assert 0 == run("forget", "--thread", str(HIS))
    rows, talks = kept()
    assert [str(HERS)] == talks
    assert [] == [words for words in ("2.0Bob", "2.0Ana") if words in rows]
    assert "asked by 1.0Ana" in rows
    assert "1 talk, 2 results" in capsys.readouterr().out


@pytest.mark.usefixtures("state")
def test_old_talks() -> None:
    """Those whose last question is older; the others stay."""
    assert 0 == run("forget", "--older-than", "1")
    assert [str(HERS), str(HIS)] == sorted(kept()[1])
    assert 0 == run("forget", "--older-than", "0")
    rows, talks = kept()
    assert [] == talks
    assert "asked by" not in rows
    assert "said by" not in rows
    assert "How many?" in rows


@pytest.mark.usefixtures("state")
def test_nobody_lives_on_in_a_file(tmp_path: Path) -> None:
    """After both people are forgotten, no table and no talk of a home has their ids; the audit trail would."""
    trail = tmp_path / "home" / "audit.jsonl"
    trail.parent.mkdir(exist_ok=True)
    trail.write_text("slack:U1\n")
    people = ("slack:U1", "slack:U2")
    for person in people:
        assert 0 == run("forget", person)
    for path in (tmp_path / "home").glob("*.sqlite"):
        with closing(sqlite3.connect(path)) as file:
            assert [] == [line for line in file.iterdump() for person in people if person in line]
        assert [] == [text for text in unpacked(path) for person in people if person.encode() in text]
    assert "slack:U1\n" == trail.read_text()


@pytest.mark.parametrize(
    "words", [["--thread", "nowhere"], ["--older-than", "-1"], ["slack:U1", "--thread", "a/b/c/d"], []]
)
def test_what_is_refused(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is deleted by a wrong or half command."""
    monkeypatch.setenv("ICC_BOT_HOME", str(tmp_path))
    assert 0 != run("forget", *words)
