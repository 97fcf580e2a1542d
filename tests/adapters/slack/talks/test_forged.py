"""What does not come from Slack, and what was copied from elsewhere."""

import json
import time

import pytest

from adapters.slack.app import UNKNOWN_BUTTON
from tests.adapters.slack.talks.site import SlackSite
from tests.platforms.slack.signing import signed

HTTP = pytest.mark.parametrize("shared_site", ["http"], indirect=True)


def pressed(site: SlackSite, team: str = "T1") -> str:
    """Return the body of a mention that nobody wrote."""
    event = {"type": "app_mention", "user": "UANA", "channel": "C1", "ts": "1.000001", "text": "<@UBOT> revenue?"}
    body = {"type": "event_callback", "team_id": team, "event": event, "event_id": "Ev1", "api_app_id": "A1"}
    return json.dumps(body)


@HTTP
@pytest.mark.parametrize("secret", ["", "another secret"])
def test_a_forged_signature(site: SlackSite, caplog: pytest.LogCaptureFixture, secret: str) -> None:
    """A request that Slack did not sign is answered with 401, logged, and does nothing."""
    calls = len(site.slack.calls)
    assert site.slack.post_raw(pressed(site), secret=secret)[0] == 401
    assert "was refused: it is not signed" in caplog.text or "it has no signature" in caplog.text
    assert len(site.slack.calls) == calls


@HTTP
def test_an_old_timestamp(site: SlackSite, caplog: pytest.LogCaptureFixture) -> None:
    """A request that was signed ten minutes ago is a copy: 401, logged, and nothing done."""
    assert site.slack.post_raw(pressed(site), timestamp=time.time() - 600)[0] == 401
    assert "or not as Slack would just now" in caplog.text


@HTTP
def test_the_signature_of_another_body(site: SlackSite, caplog: pytest.LogCaptureFixture) -> None:
    """The signature of one request does not do for another."""
    other = signed(b"payload=other", site.slack.signing_secret, time.time())
    assert site.slack.post_raw(pressed(site), headers=other)[0] == 401
    assert "it is not signed" in caplog.text


@pytest.mark.parametrize("button", ["Run", "Edit"])
def test_a_press_that_names_a_thread_of_another_team(
    site: SlackSite, caplog: pytest.LogCaptureFixture, button: str
) -> None:
    """A button whose block_id names a thread of another workspace does nothing but be told and logged."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on")
    runs = site.runs()
    blocks = json.loads(json.dumps(asked.blocks).replace("slack/T1/", "slack/T2/"))
    site.slack.press(asked, button, user="UANA", blocks=blocks)
    site.told("UANA", UNKNOWN_BUTTON, after=asked)
    assert "it names a thread of T2" in caplog.text
    assert site.runs() == runs
    site.shown(root, "Run on")


def test_a_stop_that_names_a_thread_of_another_team(site: SlackSite, caplog: pytest.LogCaptureFixture) -> None:
    """Stop, copied from another workspace, ends nothing and says so."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on")
    stop = {"type": "button", "action_id": "stop", "value": "stop", "text": {"type": "plain_text", "text": "Stop"}}
    blocks = [{"type": "actions", "block_id": f"1:0:slack/T2/C1/{root.ts}", "elements": [stop]}]
    site.slack.press(asked, "Stop", user="UANA", blocks=blocks)
    site.told("UANA", UNKNOWN_BUTTON, after=asked)
    assert "it names a thread of T2" in caplog.text


def test_a_press_that_names_nothing(site: SlackSite) -> None:
    """A button whose block_id was made up is answered to its presser alone."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on")
    told = asked
    run = {"type": "button", "action_id": "press:0:0", "value": "yes", "text": {"type": "plain_text", "text": "Run"}}
    for block_id in ("", "nonsense", "1:2", "x:y:slack/T1/C1/1", "1:0:a/b"):
        blocks = [{"type": "actions", "block_id": block_id, "elements": [run]}]
        site.slack.press(asked, "Run", user="UANA", blocks=blocks)
        told = site.told("UANA", UNKNOWN_BUTTON, after=told)
