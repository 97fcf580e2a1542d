"""The log of messages: which question stands in a thread, and what it looked like."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.chat.shown_messages import ShownMessage, ShownMessages
from adapters.chat.surface import QuestionOutcome
from router.cards import Buttons, Head, Option, Reply, Table, Text
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.storage.database import DATABASE_FILE, Database

KEY = ThreadKey("slack", "T1", "C1", "1.0")
ASK = Reply((Text("Run this?"), Buttons("", (Option("yes", "Run"),))), turn=3)


@pytest.fixture(name="shown")
def _shown(database: Database) -> ShownMessages:
    return ShownMessages(database, "slack")


def asked(shown: ShownMessages, reply: Reply = ASK, id: str = "1.2") -> ShownMessage:
    """Return the question that stands once this was posted."""
    shown.add("C1", id, KEY, reply)
    question = shown.question(KEY)
    assert question is not None
    return question


def test_the_last_question_stands(shown: ShownMessages) -> None:
    """The question that stands is the last that was posted and not answered."""
    shown.add("C1", "1.1", KEY, Reply((Text("first"),), turn=2))
    shown.add("C1", "1.2", KEY, ASK)
    question = shown.question(KEY)

    assert question is not None
    assert ("1.2", ASK, 3) == (question.id, question.reply, shown.last_turn(KEY))


def test_an_answered_question_stands_no_more(shown: ShownMessages) -> None:
    """A question that is drawn as answered is not the one that stands, and can still be looked up."""
    question = asked(shown)
    shown.answer(question)

    assert shown.question(KEY) is None
    assert shown.message("C1", "1.2") == question


def test_a_card_that_made_room_shows_progress(shown: ShownMessages) -> None:
    """A process that is killed after that finds which message the answer takes the place of."""
    question = asked(shown)
    shown.make_room(question)

    assert shown.question(KEY) is None
    assert shown.begun(KEY) == [("C1", "1.2")]
    shown.begin("C1", "1.2", KEY)
    shown.end("C1", "1.2")
    assert shown.begun(KEY) == []
    assert shown.message("C1", "1.2") == question


def test_a_message_that_showed_progress_alone_is_forgotten(shown: ShownMessages) -> None:
    """It is none that could be drawn again, nor is it offered anything."""
    shown.begin("C1", "1.1", KEY)
    assert ([("C1", "1.1")], None) == (shown.begun(KEY), shown.message("C1", "1.1"))
    assert ([], 0) == (shown.offering(KEY, "yes"), shown.last_turn(KEY))
    shown.end("C1", "1.1")
    assert [] == shown.begun(KEY)


def test_the_last_question_that_was_decided(shown: ShownMessages) -> None:
    """It is the newest of those whose answer is kept, not of those that are answered."""
    decision = QuestionOutcome("Run", User("slack:U1", "Ana"), datetime(2026, 11, 1, 9, 30, tzinfo=UTC))
    before = shown.decided(KEY)
    for turn in (3, 4, 5):
        question = asked(shown, Reply(ASK.cards, turn=turn), f"1.{turn}")
        shown.answer(question, decision if turn < 5 else None)
    last = shown.decided(KEY)

    assert before is None
    assert last is not None
    assert (last.id, last.decision) == ("1.4", decision)


def test_how_a_question_was_answered_is_kept(shown: ShownMessages) -> None:
    """Who decided what, and when, is kept with the message, until another one takes its place."""
    question = asked(shown)
    decision = QuestionOutcome("Run", User("slack:U1", "Ana"), datetime(2026, 11, 1, 9, 30, tzinfo=UTC))
    shown.answer(question, decision)
    decided = shown.message("C1", "1.2")
    shown.add("C1", "1.2", KEY, ASK)
    again = shown.message("C1", "1.2")

    assert decided is not None
    assert again is not None
    assert (decision, None) == (decided.decision, again.decision)


def test_what_takes_the_place_of_an_answered_question_stands_again(shown: ShownMessages) -> None:
    """A message that is drawn as a new question stands."""
    question = asked(shown)
    shown.answer(question)
    shown.add("C1", "1.2", KEY, Reply(ASK.cards, turn=4))

    assert shown.last_turn(KEY) == 4
    assert shown.question(KEY) is not None


def test_rows_are_not_kept(shown: ShownMessages, database: Database, tmp_path: Path) -> None:
    """The rows of a table stay where they expire: in the store of results."""
    table = Table((Head("name"),), (("a secret",),), 1, result="r1")
    shown.add("C1", "1.2", KEY, Reply((table,), turn=1))
    message = shown.message("C1", "1.2")

    assert message is not None
    assert message.reply.cards == (Table((Head("name"),), (), 1, result="r1"),)
    database.close()
    assert b"a secret" not in (tmp_path / DATABASE_FILE).read_bytes()


def test_a_table_of_the_bots_own_words_is_kept(shown: ShownMessages) -> None:
    """What is about to be done, such as which column goes where, is no result, and is read after the decision too."""
    plan = Table((Head("Column of the result"), Head("Column of the table")), (("id", "number"),), 1)
    shown.add("C1", "1", KEY, Reply((plan,), turn=1))

    found = shown.message("C1", "1")
    assert found is not None
    assert (plan,) == found.reply.cards


def test_a_person_is_welcomed_once(shown: ShownMessages) -> None:
    """A person who comes again was welcomed already, each team on its own."""
    assert [True, False, True] == [shown.welcome("T1", "U1"), shown.welcome("T1", "U1"), shown.welcome("T2", "U1")]


def test_a_team_is_forgotten(shown: ShownMessages) -> None:
    """Nothing of a team is left."""
    shown.add("C1", "1.2", KEY, ASK)
    shown.welcome("T1", "U1")
    shown.forget(ThreadKey("slack", "T1", "", ""))

    assert (shown.question(KEY), shown.welcome("T1", "U1")) == (None, True)


def test_a_channel_is_forgotten(shown: ShownMessages) -> None:
    """What was shown to a channel's talks goes, wherever it stands, and the channel is greeted again; nothing else."""
    near = ThreadKey("slack", "T1", "C10", "1.0")
    shown.add("C1", "1.2", KEY, ASK)
    shown.add("D9", "1.3", KEY, ASK)  # a private result of the same talk
    shown.add("C10", "1.4", near, ASK)
    shown.begin("C1", "1.5", KEY)
    assert [True, True] == [shown.welcome("T1", "C1"), shown.welcome("T1", "C10")]
    shown.forget(ThreadKey("slack", "T1", "C1", ""))

    assert [None, None] == [shown.message("C1", "1.2"), shown.message("D9", "1.3")]
    assert [] == shown.begun(KEY)
    assert shown.message("C10", "1.4") is not None
    assert [True, False] == [shown.welcome("T1", "C1"), shown.welcome("T1", "C10")]


def test_a_label_stays(shown: ShownMessages) -> None:
    """A message that is drawn again carries the label that it had."""
    shown.add("C1", "1.2", KEY, Reply(ASK.cards, turn=3, sensitivity="Confidential"))
    message = shown.message("C1", "1.2")

    assert message is not None
    assert message.reply.sensitivity == "Confidential"
