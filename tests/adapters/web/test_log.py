"""What was said and shown is kept, word for word."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.rendering.card_json import reply_from_json, reply_json
from adapters.web.log import TalkLog
from router.cards import Buttons, Chart, Choice, Code, Field, File, Form, Head, Option, Progress, Reply, Table, Text
from router.errors import JobFailed
from router.storage.database import Database
from tests.support.databases import FILE_ALONE, KINDS, database_of

EVERY = (
    Text("a", "problem"),
    Code("SELECT 1", "Sales"),
    Table((Head("n", "number"),), (), total=2, sort=(0, "down"), result="r", connection="sales"),
    Chart("Sales", "line", (), (), "r", "sales"),
    Buttons("Go?", (Option("yes", "Run", "primary"),)),
    Choice("Which?", (Option("a", "A"),), many=True, chosen=("a",)),
    Choice("Which?", ()),
    Form("SQL", (Field("sql", "SQL", "code", "SELECT"),)),
    File("a.csv", Path("/tmp/a.csv"), "text/csv", "sales"),
)


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """The database, in a file and on a server."""
    with database_of(request, tmp_path) as opened:
        yield opened


@pytest.fixture
def log(database: Database) -> TalkLog:
    return TalkLog(database)


def test_every_card_comes_back_as_it_was() -> None:
    """Cards that share their fields' names are not taken for one another. (Rows are another matter.)"""
    assert reply_from_json(reply_json(Reply(EVERY, turn=3))) == Reply(EVERY, turn=3)


@given(st.text())
def test_any_text_comes_back_as_it_was(text: str) -> None:
    """No character is lost or changed, lone surrogates aside: they are not text."""
    text = text.encode("utf-8", "ignore").decode()
    assert reply_from_json(reply_json(Reply((Text(text),)))) == Reply((Text(text),))


def test_progress_is_not_kept_nor_are_cards_of_another_version() -> None:
    """What a later version wrote is left out, not stumbled over."""
    assert reply_from_json(reply_json(Reply((Progress("…"), Text("a"))))) == Reply((Text("a"),))
    assert reply_from_json('{"turn": 1, "cards": [["Hologram", {}], ["Text", {"body": "a"}]]}') == Reply(
        (Text("a"),), turn=1
    )


@FILE_ALONE
def test_rows_are_shown_and_not_kept(log: TalkLog, database: Database, tmp_path: Path) -> None:
    """The file has no rows, nor has what is read from it."""
    table = Table((Head("name"),), (("Ada Lovelace",),), total=1, result="r")
    bare = replace(table, rows=())
    log.begin("t", "me", "Title")
    number, _ = log.show("t", Reply((table,), turn=1))
    log.redraw(number, Reply((Progress("…"), table), turn=2, replace=True))

    assert [entry.reply for entry in log.latest("t", 10)] == [Reply((bare,), turn=2)]
    database.close()
    assert b"Lovelace" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_rows_that_an_older_version_kept_are_not_shown() -> None:
    """They may have outlived the result and the right to read it."""
    old = [["Table", {"columns": [{"name": "n", "kind": "text"}], "rows": [["a"], ["b"]], "total": 2, "result": "r"}]]

    assert reply_from_json(json.dumps({"turn": 1, "cards": old})) == Reply(
        (Table((Head("n"),), (), total=2, result="r"),), turn=1
    )


def test_entries_survive_a_reopening_in_their_order(database: Database) -> None:
    """What was committed is there for the next process."""
    log = TalkLog(database)
    log.begin("t", "me", "Title")
    numbers = [log.say("t", "hello"), log.show("t", Reply((Text("hi"),), turn=1))[0]]
    assert [entry.number for entry in TalkLog(database).latest("t", 10)] == numbers


def test_a_message_is_there_once(log: TalkLog) -> None:
    """Shown under the same id, it takes its own place; another id that it is given later finds it as well."""
    log.begin("t", "me", "Title")
    number, _ = log.show("t", Reply((Text("page 1"),), turn=1), "first")
    log.show("t", Reply((Text("a file"),)))
    assert (number, "") == log.show("t", Reply((Text("page 2"),), turn=2), "first")
    assert log.redraw(number, Reply((Text("page 3"),), turn=3), message="second")
    assert [entry.reply.cards for entry in log.latest("t", 10)] == [(Text("page 3"),), (Text("a file"),)]
    assert (None, number) == (log.find("first"), log.find("second"))
    assert log.entry("other", number) is None
    log.remove(number)
    assert not log.redraw(number, Reply((Text("page 4"),), turn=4))


def test_a_question_stands_until_it_is_answered(log: TalkLog) -> None:
    """In words, or by a label; drawn again, it stands again."""
    log.begin("t", "me", "Title")
    number, _ = log.show("t", Reply((Text("a"),), turn=1))

    def answer() -> tuple[str | None, bool]:
        found = log.entry("t", number)
        assert found
        return found.answer, found.stands

    assert (None, True) == answer()
    assert (True, False) == (log.answer(number), log.answer(number))
    assert ("", False) == answer()
    log.redraw(number, Reply((Text("a"),), turn=1), "Run")
    assert ("Run", False) == answer()
    log.redraw(number, Reply((Text("b"),), turn=2))
    assert (None, True) == answer()


def test_a_deleted_thread_takes_nothing(log: TalkLog) -> None:
    """Neither words nor answers; nothing of what was shown is left."""
    log.begin("t", "me", "Title")
    log.show("t", Reply((Text("a"),), turn=1), "first")
    log.delete("t")
    for call in (lambda: log.say("t", "b"), lambda: log.show("t", Reply())):
        with pytest.raises(JobFailed, match="deleted"):
            call()
    assert (None, ()) == (log.find("first"), log.latest("t", 9))


def test_threads_are_listed_for_their_owner_only_last_used_first(log: TalkLog) -> None:
    """Saying something moves a thread to the top; the list is never longer than asked for."""
    for thread in ("a", "b", "c"):
        log.begin(thread, "me", thread.upper())
    log.begin("d", "you", "D")
    log.say("a", "again")
    assert [thread.title for thread in log.threads("me", 2)] == ["A", "C"]
    assert [log.show(thread, Reply())[1] for thread in ("a", "b", "b")] == ["", "me", ""]
    assert log.thread("d", "me") is None
    assert log.thread("d", "you") is not None
