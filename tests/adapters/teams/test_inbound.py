"""What is read out of an activity, whatever is in it."""

import json

import pytest

from adapters.chat.inbox import Inbox
from adapters.chat.shown_messages import ShownMessages
from adapters.teams.controls import asked_in
from adapters.teams.inbound import heard_message, menu_in
from adapters.teams.server import activity_of
from router.storage.database import Database
from router.turn import Said
from tests.adapters.teams.fake_microsoft import activity


def words_of(text: str, **changes: object) -> str:
    """Return what the bot reads in a message."""
    given = heard_message(activity_of(json.dumps(activity(text=text) | changes).encode())).input
    assert isinstance(given, Said)
    return given.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('tell <at>Alex Wilber</at> &amp; <at id="1">Kim</at>', "tell @Alex Wilber & @Kim"),
        ("a &lt;at&gt;b&lt;/at&gt;", "a <at>b</at>"),
        ("<at>a <at>b</at>", "<at>a @b"),
        ("a < b", "a < b"),
    ],
)
def test_mentions_of_people(text: str, words: str) -> None:
    """Whom a message names is read as @ and the name; what was typed stays."""
    assert words == words_of(text)


@pytest.mark.parametrize(("told", "zone"), [("Europe/Vienna", "Europe/Vienna"), ("Mars/Olympus", "")])
def test_the_time_zone_of_whoever_writes(told: str, zone: str) -> None:
    """It comes along with what they write; what is none is not believed."""
    given = activity_of(json.dumps(activity(text="hello") | {"localTimezone": told}).encode())
    assert zone == heard_message(given).user.zone


@pytest.mark.parametrize("unit", ["<at>", "<at", "<at ", "</at>", "<at>a"])
def test_a_message_made_of_marks(unit: str) -> None:
    """However many marks there are without their end, each is looked at once."""
    text = unit * (900_000 // len(unit))
    assert text.startswith(words_of(text))


def test_a_message_made_of_mentions() -> None:
    """However many names of the bot are told, a few are looked for."""
    given = activity(text="&" * 100_000)
    bot = given["recipient"]
    mentions = [{"type": "mention", "mentioned": bot, "text": f"<at>{n}</at>"} for n in range(9_000)]
    assert "&" * 100_000 == words_of(given["text"], entities=mentions)


def test_half_characters(database: Database) -> None:
    """Half a character, which JSON can hold, is a question mark wherever it stands, and can be kept."""
    given = activity(
        text="how many \ud83d?", value={"a\udc00": ["\ud83d"], "v": "press", "k": "a/b/c/\ud83d", "t": 1, "c": 0}
    )
    read = activity_of(json.dumps(given).encode())
    assert ("how many ??", ["?"]) == (read["text"], read["value"]["a?"])
    inbox, shown = Inbox(database, "teams"), ShownMessages(database, "teams")
    assert inbox.take(heard_message(read))
    assert shown.question(asked_in(read["value"])[1].key) is None
    assert menu_in("1:0:a/b/c/?", read, shown) is None


def test_whole_characters_stay() -> None:
    """A character that JSON writes as two halves is one, and is left as it is."""
    assert "how many 😀?" == words_of("how many 😀?")
