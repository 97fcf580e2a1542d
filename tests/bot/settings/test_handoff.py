"""The part of the environment about people who help, and the doctor's word on it."""

from collections.abc import Iterator

import pytest

from adapters.slack.scopes import SCOPES
from bot.checks.doctor import check_handoff
from router.catalog.connection import Channels, Connections
from router.errors import SettingsError
from router.notifier import Channel, Responders
from tests.platforms.slack.stand_in import Slack
from tests.support.bot_settings import settings_of

TEAMS = "19:ab_C1@thread.tacv2"
MAIL = {"SMTP_URL": "smtp://localhost:2525?starttls=no", "EMAIL_FROM": "bot@example.com"}


@pytest.fixture(scope="module", name="slack")
def _slack() -> Iterator[Slack]:
    with Slack() as slack:
        slack.scopes |= set(SCOPES)
        slack.channel("COUTSIDE", bot=False)
        yield slack


def said(allowed: frozenset[str] | None = None, private: frozenset[str] = frozenset(), **given: str) -> list[str]:
    """Return what the doctor says."""
    connections = Connections([], channels=Channels(allowed, private))
    return [str(finding) for finding in check_handoff(settings_of(given), connections)]


def test_what_is_set() -> None:
    """A channel of each platform, with its name or without, and an address."""
    given = {"HANDOFF_CHANNEL": f"slack:C01AB  #data-help , teams:{TEAMS}", "HANDOFF_EMAIL": " help@Example.com "}
    channels = (Channel("slack", "C01AB", "#data-help"), Channel("teams", TEAMS))
    assert Responders(channels, "help@example.com") == settings_of(given).reach
    assert [each.where for each in channels] == ["in #data-help", "in their channel"]


def test_all_that_is_wrong_is_said() -> None:
    """Each with how it is written."""
    with pytest.raises(SettingsError) as caught:
        _ = settings_of({"HANDOFF_CHANNEL": "#help, slack:C1A, slack:C2B, web:1", "HANDOFF_EMAIL": "help"}).reach
    assert [problem.split(".")[0] for problem in caught.value.problems] == [
        "HANDOFF_CHANNEL: #help is no channel",
        "HANDOFF_CHANNEL names two channels of Slack; one of them is asked, not both",
        "HANDOFF_CHANNEL: web:1 is no channel",
        'HANDOFF_EMAIL: "help" is no e-mail address: an email address must have an @-sign',
    ]
    assert len(said(HANDOFF_CHANNEL="C1")) == 1


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        ("C1", "ok       people who help: slack:C1: the bot is in it."),
        ("COUTSIDE", "FAILED   people who help: slack:COUTSIDE: the bot is not in it: type /invite @icc-bot there."),
        ("C404", "FAILED   people who help: slack:C404: there is no such channel, or it is private"),
    ],
)
def test_whether_the_bot_is_in_a_channel_of_slack(slack: Slack, channel: str, expected: str) -> None:
    """Slack is asked, and nothing is written there."""
    given = {"SLACK_API_URL": slack.url, "SLACK_BOT_TOKEN": slack.bot_token, "SLACK_APP_TOKEN": slack.app_token}
    (found,) = said(HANDOFF_CHANNEL=f"slack:{channel}", **given)
    assert found.startswith(expected)
    assert slack.asked("chat.postMessage") == []


@pytest.mark.parametrize(
    "rules",
    [{"allowed": frozenset({"slack:C1"})}, {"private": frozenset({f"teams:{TEAMS}"})}],
    ids=["allowed", "private"],
)
def test_a_channel_that_may_not_be_told_questions(rules: dict[str, frozenset[str]]) -> None:
    """It is said what people read there."""
    _, found = said(HANDOFF_CHANNEL=f"teams:{TEAMS}", **rules)  # type: ignore[arg-type]
    assert "is told who asks for help, and neither question nor SQL" in found


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (MAIL, "ok       people who help: help@example.com gets questions by e-mail."),
        ({}, "FAILED   people who help: HANDOFF_EMAIL is help@example.com, and no mail server sends there"),
        (
            MAIL | {"EMAIL_FROM": "bot@other.example"},
            "FAILED   people who help: HANDOFF_EMAIL: I can only mail addresses at",
        ),
        (MAIL | {"EMAIL_FROM": ""}, "FAILED   people who help: help@example.com: no e-mail can be sent before"),
        ({"BASE_URL": "http://localhost:1"}, "ok       people who help: help@example.com: the jobs API sends"),
    ],
)
def test_an_address(given: dict[str, str], expected: str) -> None:
    """It needs a mail server that may write to it."""
    (found,) = said(HANDOFF_EMAIL="help@example.com", **given)
    assert found.startswith(expected)
