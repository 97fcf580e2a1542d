"""What does not come from Slack, and what was copied from elsewhere."""

import json
import time

import pytest

from tests.adapters.slack.talks.house import House
from tests.platforms.slack import signed

HTTP = pytest.mark.parametrize("shared_house", ["http"], indirect=True)


def pressed(house: House, team: str = "T1") -> str:
    """Return the body of a mention that nobody wrote."""
    event = {"type": "app_mention", "user": "UANA", "channel": "C1", "ts": "1.000001", "text": "<@UBOT> revenue?"}
    body = {"type": "event_callback", "team_id": team, "event": event, "event_id": "Ev1", "api_app_id": "A1"}
    return json.dumps(body)


@HTTP
@pytest.mark.parametrize("secret", ["", "another secret"])
def test_a_forged_signature(house: House, caplog: pytest.LogCaptureFixture, secret: str) -> None:
    """A request that Slack did not sign is answered with 401, logged, and does nothing."""
    calls = len(house.slack.calls)
    assert house.slack.post_raw(pressed(house), secret=secret)[0] == 401
    assert "was refused: its signature is wrong" in caplog.text or "it has no signature" in caplog.text
    assert len(house.slack.calls) == calls


@HTTP
def test_an_old_timestamp(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """A request that was signed ten minutes ago is a copy: 401, logged, and nothing done."""
    assert house.slack.post_raw(pressed(house), timestamp=time.time() - 600)[0] == 401
    assert "its timestamp is too old" in caplog.text


@HTTP
def test_the_signature_of_another_body(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """The signature of one request does not do for another."""
    other = signed(b"payload=other", house.slack.signing_secret, time.time())
    assert house.slack.post_raw(pressed(house), headers=other)[0] == 401
    assert "its signature is wrong" in caplog.text


@pytest.mark.parametrize("button", ["Run", "Edit"])
def test_a_press_that_names_a_thread_of_another_team(
    house: House, caplog: pytest.LogCaptureFixture, button: str
) -> None:
    """A button whose block_id names a thread of another workspace does nothing but be told and logged."""
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run this on")
    runs = house.runs()
    blocks = json.loads(json.dumps(asked.blocks).replace("slack/T1/", "slack/T2/"))
    house.slack.press(asked, button, user="UANA", blocks=blocks)
    house.told("UANA", "a message that I do not know", after=asked)
    assert "it names a thread of T2" in caplog.text
    assert house.runs() == runs
    house.shown(root, "Run this on")


def test_a_stop_that_names_a_thread_of_another_team(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """Stop, copied from another workspace, ends nothing and says so."""
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run this on")
    stop = {"type": "button", "action_id": "stop", "value": "stop", "text": {"type": "plain_text", "text": "Stop"}}
    blocks = [{"type": "actions", "block_id": f"1:0:slack/T2/C1/{root.ts}", "elements": [stop]}]
    house.slack.press(asked, "Stop", user="UANA", blocks=blocks)
    house.told("UANA", "a message that I do not know", after=asked)
    assert "it names a thread of T2" in caplog.text


def test_a_press_that_names_nothing(house: House) -> None:
    """A button whose block_id was made up is answered to whoever pressed it, alone."""
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run this on")
    told = asked
    run = {"type": "button", "action_id": "press:0:0", "value": "yes", "text": {"type": "plain_text", "text": "Run"}}
    for block_id in ("", "nonsense", "1:2", "x:y:slack/T1/C1/1", "1:0:a/b"):
        blocks = [{"type": "actions", "block_id": block_id, "elements": [run]}]
        house.slack.press(asked, "Run", user="UANA", blocks=blocks)
        told = house.told("UANA", "a message that I do not know", after=told)
