"""What a talk's text cannot show: repeats, rights, expiry, races, Stop, and our own bugs."""

import json
import logging
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Thread

import pytest

from adapters.rendering.plain_text import text_of
from router.cards import Reply
from router.engine import Router
from router.errors import NotAllowed, PutOff
from router.flow import FLOW
from router.jobs.cancellation import Stopping
from router.jobs.read_sql import digest
from router.llm.client import Llm
from router.machine import Work
from router.memory.draft import Approval, User
from router.memory.stage import Stage
from router.memory.thread import Memory, ThreadKey
from router.stages.results import ExecuteSql
from router.storage.threads import SqliteStore
from router.turn import Incoming, Pressed, Said, Turn
from tests.platforms.ollama import Ollama
from tests.support.golden_talk import check_words
from tests.support.talk import ANA, BOB, KEY, Talk, llm_at

CID = User("test:cid", "Cid", "cid@example.com")
QUERY = "SELECT name FROM regions"
# Works for minutes unless it is stopped.
ENDLESS = "SELECT COUNT(*) AS n FROM numbers a, numbers b, numbers c, numbers d, numbers e, numbers f, numbers g"


def events(talk: Talk, name: str) -> list[dict[str, str]]:
    lines = (talk.folder / "audit.jsonl").read_text().splitlines()
    return [entry for entry in map(json.loads, lines) if entry["event"] == name]


def test_an_event_is_worked_on_once(talk: Talk) -> None:
    """The same event delivered again, also to another process, shows nothing and runs nothing."""
    talk.say(QUERY)
    first = talk.send(Said("run"), event="e1")
    again = talk.send(Said("run"), event="e1")
    talk.router = Router(talk.store, talk.services)
    after_restart = talk.send(Said("run"), event="e1")

    assert (len(first), again, after_restart) == (2, [], [])
    assert len(events(talk, "started")) == 1


def test_a_bug_shows_an_id_and_loses_nothing(talk: Talk, caplog: pytest.LogCaptureFixture) -> None:
    """An error nobody foresaw is logged with its trace under the id that is shown; the question is kept."""

    def broken() -> Llm:
        raise ZeroDivisionError("a bug")

    talk.router = Router(talk.store, replace(talk.services, sql_model=broken))
    with caplog.at_level(logging.ERROR):
        shown = talk.say("how many customers are there?")

    number = re.search(r"error ([0-9a-f]{8})", shown)
    assert number is not None
    assert f"error {number[1]} while" in caplog.text
    assert "ZeroDivisionError: a bug" in caplog.text
    assert "a bug" not in shown
    assert talk.memory.draft.question == "how many customers are there?"


def test_an_approval_is_for_one_run(talk: Talk) -> None:
    """Going back to the SQL after it ran asks for a new Yes; nothing runs by itself."""
    talk.say(QUERY)
    talk.say("run")
    talk.say("back")

    assert talk.stage == Stage.CONFIRM_USER_SQL
    assert talk.memory.draft.approval is None
    assert len(events(talk, "started")) == 1


def test_a_question_that_waited_too_long_is_shown_again(talk: Talk) -> None:
    """After the approval time the SQL must be looked at again; then it runs."""
    talk.say(QUERY)
    talk.clock.now += timedelta(days=8)
    told = talk.say("run")
    talk.say("run")

    assert told.startswith("This waited too long for an approval.")
    assert talk.stage == Stage.SHOW_RESULTS


def test_an_approver_may_press_in_somebody_elses_thread(tmp_path: Path, server: Ollama) -> None:
    """Where approvers are named, the asker is refused, an approver's click counts, and both are on the trail."""
    talk = Talk(tmp_path, partial(llm_at, server.url))
    talk.change("shop", approvers=frozenset({"bob@example.com"}))
    talk.say(QUERY)
    number = talk.memory.turn
    refused = talk.say("run")
    assert number == talk.memory.turn  # what was refused decided nothing: the card that Bob sees is still good
    talk.user = BOB
    talk.press("yes")

    assert refused.startswith("You can't approve SQL for Shop.")
    assert talk.stage == Stage.SHOW_RESULTS
    assert [(e["who"], e["approver"]) for e in events(talk, "started")] == [(ANA.id, BOB.id)]
    talk.close()


def test_who_may_not_read_learns_nothing(tmp_path: Path, server: Ollama) -> None:
    """A database is neither offered nor asked where the person is not among its readers."""
    talk = Talk(tmp_path, partial(llm_at, server.url))
    talk.change("shop", readers=frozenset({"bob@example.com"}))
    told = talk.say(QUERY)

    assert told == "There's no database here that you can read. Your administrator can add you to its readers."
    talk.close()


@contextmanager
def running(talk: Talk, first: Incoming, begun: Callable[[], bool], seconds: float = 20.0) -> Iterator[Stopping]:
    """Have a turn run in another thread until the end of the block, which has to stop it; it is at work by then."""
    stopping = Stopping()

    def turn() -> None:
        with suppress(PutOff):
            talk.router.turn(first, talk.replies.append, stopping)

    thread = Thread(target=turn)
    thread.start()
    while not begun():
        thread.join(0.01)
        assert thread.is_alive()
    yield stopping
    thread.join(seconds)
    assert not thread.is_alive()


def test_stop_cancels_in_the_database(talk: Talk) -> None:
    """Stop ends a running query; the SQL is kept and offered again."""
    talk.say(ENDLESS)
    with running(talk, Incoming(KEY, ANA, Said("run")), lambda: bool(events(talk, "started"))) as stopping:
        stopping.stop()

    assert talk.stage == Stage.CONFIRM_USER_SQL
    assert [e["outcome"] for e in events(talk, "finished")] == ["stopped"]


@contextmanager
def reading(talk: Talk, said: str) -> Iterator[Stopping]:
    """Have a first question wait for a database whose tables nobody can read, until the block has stopped it."""
    with closing(sqlite3.connect(talk.folder / "shop.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with running(talk, Incoming(KEY, ANA, Said(said)), _reads, 5.0) as stopping:
            yield stopping


def _reads() -> bool:
    return any(thread.name == "reading tables" for thread in threading.enumerate())


@pytest.mark.parametrize("said", ["How many orders are there?", "list all customers from germany"])
def test_stop_while_tables_are_read(talk: Talk, server: Ollama, said: str) -> None:
    """Nobody waits for a slow database whose tables are read the first time; the question is kept."""
    server.enqueue("SELECT COUNT(*) FROM orders")
    with reading(talk, said) as stopping:
        stopping.stop()

    assert text_of(talk.replies[-1]).startswith("Stopped, as you asked.\n\nWhat you asked is kept: choose the database")
    assert "SELECT COUNT(*)" in talk.press("menu:shop").replace("\n  ", " ")


def test_the_owner_and_the_approver_stop(talk: Talk) -> None:
    """The asker and the person who pressed Run may stop what runs; anybody else is told so."""
    talk.say(QUERY)
    press = Incoming(KEY, BOB, Pressed("yes", talk.memory.turn))
    for user in (ANA, BOB):
        talk.router.require_stop(Incoming(KEY, user, Said("stop")), press)

    with pytest.raises(NotAllowed, match="or whose answer I'm working on, can stop this"):
        talk.router.require_stop(Incoming(KEY, CID, Said("stop")), press)


def test_rights_are_asked_when_the_query_runs(talk: Talk) -> None:
    """An approval does not help whose right, or whose approver's right, was taken away before the query ran."""
    talk.say(QUERY)
    talk.say("run")
    approved = replace(talk.memory, stage=Stage.EXECUTE_SQL)
    draft, place = approved.draft, approved.place
    digested = digest(draft.sql, place.connection, place.schema, ANA.id)
    approved.draft = replace(draft, approval=Approval(digested, BOB, talk.clock.now))
    turn = Turn(Incoming(KEY, ANA, Said("run")), approved, talk.services, lambda reply: None)

    with pytest.raises(NotAllowed, match="Only Ana may approve this"):
        ExecuteSql().work(turn)
    approved.draft = replace(draft, approval=Approval(digested, ANA, talk.clock.now))
    talk.change("shop", readers=frozenset())
    with pytest.raises(NotAllowed, match='There is no connection "shop" that you may use'):
        ExecuteSql().work(turn)


def test_what_is_shown_was_saved_before(talk: Talk) -> None:
    """Each reply speaks of a state that is on disk already: work that begins, and questions with their number."""
    seen: list[tuple[bool, bool]] = []

    def post(reply: Reply) -> None:
        saved = talk.memory
        begun = not reply.working or isinstance(FLOW[saved.stage].handler, Work)
        seen.append((begun, not reply.turn or reply.turn == saved.turn))

    for text in ("hello", QUERY, "run", "csv", "done"):
        talk.router.turn(Incoming(KEY, ANA, Said(text)), post)

    assert len(seen) > 8
    assert set(seen) == {(True, True)}


def test_a_second_press_is_told_what_came_of_the_first(tmp_path: Path, server: Ollama) -> None:
    """Where a process was killed before it said so, a second press still hears that it was done."""
    with closing(Talk(tmp_path, partial(llm_at, server), ("shop", "backup"))) as talk:
        for text in (QUERY, "shop", "run", "write it into a new table w1 in Backup"):
            talk.say(text)
        card = talk.memory.turn
        talk.router.turn(Incoming(KEY, ANA, Pressed("yes", card)), lambda reply: None)
        for _ in range(2):
            assert "✓ Created `main.w1` in Backup with" in talk.press("yes", card)


def test_a_second_approver_is_told_who_decided(tmp_path: Path, server: Ollama) -> None:
    """Two approvers press one button: the first wins, the other hears who decided, and nothing changes."""
    talk = Talk(tmp_path, partial(llm_at, server.url))
    people = frozenset({"bob@example.com", "cid@example.com"})
    talk.change("shop", approvers=people)
    talk.say(QUERY)
    asked = talk.memory.turn
    talk.user = BOB
    talk.press("yes")
    talk.user = CID
    before = talk.memory
    told = talk.press("yes", asked)

    assert told == "Bob answered that already, at 09:00."
    assert talk.memory == before
    talk.close()


def test_an_interruption_lets_nobody_in(talk: Talk) -> None:
    """In a thread that was interrupted, somebody else is refused as always, and learns nothing."""
    talk.say(QUERY)
    talk.store.save(KEY, replace(talk.memory, stage=Stage.EXECUTE_SQL))
    talk.user = BOB

    assert talk.say("hello there").startswith("Ana started this conversation")
    assert talk.stage == Stage.EXECUTE_SQL


def test_an_event_that_was_cut_short_is_reported(talk: Talk) -> None:
    """The event whose work was killed comes again: the interruption is told, and nothing runs."""
    talk.say(QUERY)
    killed = replace(talk.memory, stage=Stage.EXECUTE_SQL, seen=["e1"])
    talk.store.save(KEY, killed)
    shown = talk.send(Said("run"), event="e1")

    assert text_of(shown[-1]).startswith("I was interrupted while I was at this step: Running the query.")
    assert events(talk, "started") == []


def test_a_reply_that_cannot_be_posted_loses_nothing(talk: Talk) -> None:
    """The work goes on when the platform refuses a reply; the talk is where it should be."""

    def post(reply: Reply) -> None:
        raise ConnectionError("gone")

    talk.router.turn(Incoming(KEY, ANA, Said(QUERY)), post)

    assert talk.stage == Stage.CONFIRM_USER_SQL


def test_a_thread_that_cannot_be_read_says_so(talk: Talk) -> None:
    """What another version stored, and this one cannot read, is a sentence with an error's number."""
    talk.say("hello")
    talk.store._threads[str(KEY)] = '{"stage": "FUTURE"}'
    talk.store._threads.commit(blocking=True)

    assert "Please begin a new conversation." in talk.say("hello")


class Full(SqliteStore):
    """A store whose disk is full."""

    def save(self, key: ThreadKey, memory: Memory) -> None:
        raise OSError("No space left on device")


def test_nothing_that_goes_wrong_is_silent(talk: Talk) -> None:
    """Where not even the question that stands can be saved again, a sentence with an error's number says so."""
    store = Full(talk.folder / "threads.sqlite")
    talk.router = Router(store, talk.services)
    told = talk.say("hello")
    store.close()

    assert re.fullmatch(r"Something went wrong on my side \(error [0-9a-f]{8}\)\. .*", told)


def test_what_an_interruption_cost_is_said(tmp_path: Path) -> None:
    """What was killed is not repeated by itself, what was kept is said, and a lost message is asked for."""
    check_words(
        tmp_path,
        """Killed.
@model SELECT name FROM regions
> which regions are there?
@killed EXECUTE_SQL
@opened
I was interrupted while I was at this step: Running the query. It wasn't repeated, and everything before it is kept.
> run
@model SELECT name FROM regions ORDER BY id
@killed WRITE_SQL
> anything
Please send that again: I was still working and didn't take your message.
@as Bob
> anything
Ana started this conversation and answers here. Start your own, and I'll answer you there.
""",
    )
