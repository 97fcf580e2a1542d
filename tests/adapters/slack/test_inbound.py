"""What is said to the bot, and what is not."""

from typing import Any

import pytest
from slack_bolt.request.internals import extract_team_id

from adapters.chat.shown_messages import ShownMessages
from adapters.slack.inbound import heard_form, heard_message, heard_press, team_of
from router.cards import Reply, Text
from router.memory.thread import ThreadKey
from router.storage.database import Database
from router.turn import Filled, Pressed, Said

KEY = ThreadKey("slack", "T1", "C1", "1.000001")


@pytest.fixture
def shown(database: Database) -> ShownMessages:
    """What the bot has posted."""
    return ShownMessages(database, "slack")


def message(text: str, **more: Any) -> dict[str, Any]:
    """Return the payload of a message."""
    event = {"type": "message", "user": "U1", "channel": "C1", "ts": "2.000002", "text": text, **more}
    return {"team_id": "T1", "event": event}


@pytest.mark.parametrize(
    ("body", "text", "thread", "addressed"),
    [
        (message("<@UBOT> a &lt; b"), "a < b", "2.000002", True),
        (message("and <@UBOT|askdata> now?", thread_ts="1.000001"), "and   now?", "1.000001", True),
        (message("hello", channel="D1"), "hello", "2.000002", True),
        (message("go on", thread_ts="1.000001"), "go on", "1.000001", False),
        (message("<@UBOT> see", subtype="file_share"), "see", "2.000002", True),
    ],
)
def test_what_is_said_to_the_bot(shown: ShownMessages, body: Any, text: str, thread: str, addressed: bool) -> None:
    """A mention, a direct message, and a word in a thread, which may be for somebody else."""
    heard = heard_message(body, "UBOT", shown)

    assert heard is not None
    assert (Said(text), thread, addressed) == (heard.input, heard.key.thread, heard.addressed)


@pytest.mark.parametrize(
    "body",
    [
        message("no thread, no mention"),
        message("<@U2> what do you think?", thread_ts="1.000001"),
        message("<@UBOT> hello", bot_id="B7"),
        message("<@UBOT> hello", user=None),
        message("<@UBOT> hello", subtype="message_changed"),
        message("<@UBOT> hello", subtype="channel_join"),
    ],
)
def test_what_is_not_said_to_the_bot(shown: ShownMessages, body: Any) -> None:
    """Talk of others, what other bots say, edits, and what Slack itself writes."""
    assert heard_message(body, "UBOT", shown) is None


def test_a_mention_and_its_message_are_one_event(shown: ShownMessages) -> None:
    """Slack tells of a mention twice, with two ids; what is the same is its place."""
    mention = message("<@UBOT> hello", type="app_mention") | {"event_id": "Ev1"}
    plain = message("<@UBOT> hello", channel_type="channel") | {"event_id": "Ev2"}

    assert heard_message(mention, "UBOT", shown) == heard_message(plain, "UBOT", shown)


def test_a_word_below_a_private_result_belongs_to_its_thread(shown: ShownMessages) -> None:
    """What is written under a message that went home goes on where the question was asked, in the same team alone."""
    shown.add("D1", "1.5", KEY, Reply((Text("rows"),), turn=3))
    here = heard_message(message("next", channel="D1", thread_ts="1.5"), "UBOT", shown)
    other = heard_message(message("next", channel="D1", thread_ts="1.5") | {"team_id": "T2"}, "UBOT", shown)

    assert here is not None
    assert here.key == KEY
    assert other is not None
    assert other.key == ThreadKey("slack", "T2", "D1", "1.5")


@pytest.mark.parametrize(
    ("body", "team"),
    [
        ({"team_id": "T1"}, "T1"),
        ({"team": {"id": "T1"}, "user": {"team_id": "T2"}}, "T1"),
        ({"team": None, "user": {"id": "U1", "team_id": "T1"}}, "T1"),
        ({"team_id": "T2", "authorizations": [{"team_id": "T1"}]}, "T1"),
        ({"team": {"id": "T2"}, "view": {"app_installed_team_id": "T1"}}, "T1"),
        ({"type": "url_verification", "authorizations": []}, ""),
    ],
)
def test_the_workspace_through_which_it_comes(body: dict[str, Any], team: str) -> None:
    """What comes through a shared channel belongs to the workspace that installed the app, not to the author's."""
    assert team == team_of(body)
    assert team == (extract_team_id(body) or "")


def pressed(block_id: str, **more: Any) -> dict[str, Any]:
    """Return the payload of a press."""
    action = {"type": "button", "action_id": "press:0", "block_id": block_id, "value": "yes", "action_ts": "9.1"}
    return {"team": {"id": "T1"}, "user": {"id": "U1", "name": "ana"}, "actions": [action], "trigger_id": "tr", **more}


def test_a_press_names_its_question(shown: ShownMessages) -> None:
    """The block says which thread and which question it belongs to."""
    heard = heard_press(pressed(f"3:1:{KEY}"), shown)

    assert heard is not None
    assert (KEY, Pressed("yes", 3)) == (heard.key, heard.input)


@pytest.mark.parametrize(
    "block", ["", "abc", "3:1:slack/T2/C1/1.000001", "3:1:web/T1/C1/1.000001", "x:1:slack/T1/C1/1"]
)
def test_a_press_that_is_none_of_ours_is_none(shown: ShownMessages, block: str) -> None:
    """Blocks of others, of another team, and of another platform lead nowhere."""
    assert heard_press(pressed(block), shown) is None


def test_a_form_answers_the_question_that_stands_now() -> None:
    """The number that its modal was opened for is replaced by that of the question that took its place."""
    state = {"values": {"sql": {"sql": {"type": "plain_text_input", "value": "SELECT 1"}}}}
    view = {"id": "V1", "private_metadata": f"3:0:{KEY}", "state": state, "blocks": []}
    body = {"team": {"id": "T1"}, "user": {"id": "U1"}, "view": view, "trigger_id": "tr"}
    values = {"sql": "SELECT 1"}
    first, moved = heard_form(body, values), heard_form(body, values, 5)

    assert first is not None
    assert moved is not None
    assert isinstance(first.input, Filled)
    assert isinstance(moved.input, Filled)
    assert (3, 5) == (first.input.turn, moved.input.turn)
