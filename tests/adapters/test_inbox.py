"""The inbox: what was taken is kept until it is done, and known again afterwards."""

from pathlib import Path

import pytest

from adapters.chat.inbox import GIVEN_UP, Inbox
from adapters.chat.surface import Heard, Place
from router.memory import ThreadKey, User
from router.turn import Filled, Input, Opened, Pressed, Said

KEY = ThreadKey("slack", "T1", "C/1", "1.0")
ANA = User("slack:U1", "Ana", "ana@example.com")


def heard(given: Input, event: str = "e1") -> Heard:
    return Heard(KEY, ANA, given, event, addressed=False, place=Place("T1", "D1", "3.0"))


@pytest.mark.parametrize(
    "given", [Said("hello"), Pressed("yes", 3, ("a", "b")), Filled({"sql": "SELECT 1"}, 4), Opened()]
)
def test_what_was_taken_outlives_the_process(tmp_path: Path, given: Input) -> None:
    """Another process finds every kind of input as it was."""
    first = Inbox(tmp_path / "inbox.sqlite")
    first.take(heard(given))
    first.close()
    second = Inbox(tmp_path / "inbox.sqlite")

    assert [heard(given)] == second.left()
    second.close()


def test_an_event_is_taken_once(tmp_path: Path) -> None:
    """The same event again is not taken, before and after it was worked on."""
    inbox = Inbox(tmp_path / "inbox.sqlite")

    taken = [inbox.take(heard(Said("one"))), inbox.take(heard(Said("one")))]
    inbox.done("e1")
    taken.append(inbox.take(heard(Said("one"))))

    assert [True, False, False] == taken
    assert [] == inbox.left()
    inbox.close()


def test_what_is_done_leaves_no_words(tmp_path: Path) -> None:
    """Once an input is worked on, its text is gone from the file."""
    inbox = Inbox(tmp_path / "inbox.sqlite")
    inbox.take(heard(Said("a very private question")))
    inbox.done("e1")
    inbox._file.execute("VACUUM")
    inbox.close()

    assert b"private question" not in (tmp_path / "inbox.sqlite").read_bytes()


def test_a_moved_input_is_found_in_its_new_thread(tmp_path: Path) -> None:
    """An input whose thread was begun for it is left in that thread."""
    inbox = Inbox(tmp_path / "inbox.sqlite")
    inbox.take(heard(Said("one")))
    moved = Heard(ThreadKey("slack", "T1", "C2", "2.0"), ANA, Said("one"), "e1")
    inbox.move(moved)

    assert [moved] == inbox.left()
    inbox.close()


def test_a_team_is_forgotten(tmp_path: Path) -> None:
    """Nothing of a team is left, and another team's inputs are."""
    inbox = Inbox(tmp_path / "inbox.sqlite")
    other = Heard(ThreadKey("slack", "T2", "C", "1"), ANA, Said("two"), "e2")
    inbox.take(heard(Said("one")))
    inbox.take(other)
    inbox.forget("T1")

    assert [other] == inbox.left()
    inbox.close()


def test_a_channel_is_forgotten(tmp_path: Path) -> None:
    """Nothing is left to be done in a channel that the app was taken out of, and the team's others go on."""
    inbox = Inbox(tmp_path / "inbox.sqlite")
    stays, goes = (
        Heard(ThreadKey("teams", "T1", channel, channel), ANA, Said("one"), f"{channel}:1") for channel in ("c1", "c2")
    )
    inbox.take(stays)
    inbox.take(goes)
    inbox.forget("T1", "c2")

    assert [stays] == inbox.left()
    inbox.close()


def test_a_damaged_row_harms_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What cannot be read is given up with a line in the log, and the rest is taken up."""
    inbox = Inbox(tmp_path / "inbox.sqlite")
    inbox.take(heard(Said("one")))
    inbox.take(heard(Said("two"), "e2"))
    inbox._file.execute("UPDATE events SET heard = '{\"kind\": \"Sung\"}' WHERE event = 'e1'")

    assert [heard(Said("two"), "e2")] == inbox.left()
    assert [heard(Said("two"), "e2")] == inbox.left()
    assert [record.getMessage() for record in caplog.records] == ["the input e1 cannot be read, and is given up"]
    inbox.close()


def test_what_cannot_be_answered_is_given_up(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """An input that nobody could answer for a day is left, and the log says so."""
    inbox = Inbox(tmp_path / "inbox.sqlite")
    inbox.take(heard(Said("one")))
    inbox._file.execute("UPDATE events SET at = at - ?", (GIVEN_UP + 1,))

    assert [] == inbox.left()
    assert "could not be answered for a day" in caplog.text
    inbox.close()
