"""The check before the start, against the stand-in for Slack."""

import pytest
from pydantic import SecretStr

from adapters.check_finding import Finding
from adapters.slack.access import SlackAccess, Workspaces, new_key
from adapters.slack.check import check
from adapters.slack.scopes import OPTIONAL_SCOPES, SCOPES
from tests.platforms.slack.stand_in import Slack

TOKEN = "xoxb-T9-very-s3cret"


def access(slack: Slack, **changes: object) -> SlackAccess:
    given: dict[str, object] = {
        "mode": "socket",
        "api_url": slack.url,
        "bot_token": SecretStr(slack.bot_token),
        "app_token": SecretStr(slack.app_token),
    }
    return SlackAccess(**(given | changes))  # type: ignore[arg-type]


async def found(given: SlackAccess, *, by_email: bool = False) -> list[Finding]:
    findings = [finding async for finding in check(given, by_email=by_email)]
    assert "s3cret" not in repr(given)
    assert [finding for finding in findings if "s3cret" in str(finding)] == []
    return findings


def failures(findings: list[Finding]) -> list[str]:
    return [f"{finding.about}: {finding.sentence}" for finding in findings if finding.grade == "FAILED"]


@pytest.fixture
def slack() -> "Slack":
    return Slack()


async def test_all_is_well(slack: Slack) -> None:
    """With right tokens and all scopes every finding is ok, and the socket that was asked for is not opened."""
    with slack:
        slack.scopes |= {*SCOPES, *OPTIONAL_SCOPES}
        findings = await found(access(slack))

    assert ["ok"] * 3 == [finding.grade for finding in findings]
    assert findings[0].sentence == "askdata answers in the workspace Acme."
    assert slack.sockets.opened == 0


async def test_a_wrong_bot_token(slack: Slack) -> None:
    """A token that Slack does not know is a sentence without the token."""
    with slack:
        findings = await found(access(slack, bot_token=SecretStr(TOKEN)))

    (failure,) = failures(findings)
    assert failure.startswith("Slack bot token: Slack does not take it (invalid_auth); copy it anew from OAuth")


async def test_a_missing_scope(slack: Slack) -> None:
    """A missing scope is named with what it is for, and what to do; an optional one is a warning."""
    with slack:
        slack.scopes.clear()
        slack.scopes |= SCOPES.keys() - {"files:write"}
        findings = await found(access(slack))

    assert failures(findings) == [
        "Slack scopes: missing are files:write (to hand over CSV and Excel files): add under OAuth & Permissions and "
        "reinstall the app."
    ]
    (warning,) = [finding.sentence for finding in findings if finding.grade == "warning"]
    wanted = "users:read.email (for rights by e-mail address in connections.toml, and to tell approvers named there)"
    assert wanted in warning


async def test_strangers_cannot_be_told_without_their_scope(slack: Slack) -> None:
    """Without users:read nobody could be told from a stranger, so that the bot does not start."""
    with slack:
        slack.scopes |= SCOPES.keys() | OPTIONAL_SCOPES.keys()
        slack.scopes -= {"users:read"}
        findings = await found(access(slack))

    (failure,) = failures(findings)
    assert "users:read (to answer people of the workspace alone" in failure


async def test_rights_by_email_need_their_scope(slack: Slack) -> None:
    """Where rights are given to e-mail addresses, the scope that shows them is needed."""
    with slack:
        slack.scopes |= {*SCOPES, "users:read"}
        findings = await found(access(slack), by_email=True)

    (failure,) = failures(findings)
    assert "users:read.email" in failure


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"bot_token": SecretStr("")}, "SLACK_BOT_TOKEN is not set; it begins with xoxb- and stands under OAuth"),
        ({"bot_token": SecretStr("xapp-s3cret")}, "SLACK_BOT_TOKEN is another thing: it begins with xoxb-"),
        ({"app_token": SecretStr("")}, "SLACK_APP_TOKEN is not set; it begins with xapp- and is made under Basic"),
        ({"app_token": SecretStr("xoxb-s3cret")}, "SLACK_APP_TOKEN is another thing: it begins with xapp-"),
        ({"mode": "http"}, "SLACK_SIGNING_SECRET is not set; it stands under Basic Information > App Credentials"),
        ({"workspaces": Workspaces()}, "SLACK_CLIENT_ID is not set"),
        ({"workspaces": Workspaces("1", SecretStr(""))}, "SLACK_CLIENT_SECRET is not set"),
        ({"workspaces": Workspaces("1", SecretStr("s3cret"))}, "SLACK_TOKEN_KEY is not set; icc-bot slack --new-key"),
        (
            {"workspaces": Workspaces("1", SecretStr("s3cret"), SecretStr(f"{new_key()},s3cret"))},
            "SLACK_TOKEN_KEY: key 2 is none",
        ),
        ({"workspaces": Workspaces("1", SecretStr("s3cret"))}, "SLACK_TEAMS is not set: any workspace that installs"),
        ({"workspaces": Workspaces("1", teams=frozenset({"acme"}))}, "SLACK_TEAMS: acme is no workspace's id"),
    ],
)
async def test_what_is_missing_is_said(slack: Slack, changes: dict[str, object], words: str) -> None:
    """Each missing or mistaken setting is a sentence that says where the right one is found."""
    with slack:
        slack.scopes |= {*SCOPES}
        findings = await found(access(slack, **changes))

    assert [failure for failure in failures(findings) if words in failure] != []


async def test_a_signing_secret(slack: Slack) -> None:
    """Over HTTP the check says that the signing secret cannot be tested, and where it shows."""
    with slack:
        slack.scopes |= {*SCOPES, *OPTIONAL_SCOPES}
        findings = await found(access(slack, mode="http", signing_secret=SecretStr("8f742231-s3cret")))

    (finding,) = [finding for finding in findings if finding.about == "Slack signing secret"]
    assert "ok" == finding.grade
    assert finding.sentence.startswith("set; only what Slack sends can show whether it is right")


async def test_slack_is_away() -> None:
    """Where Slack cannot be reached, the address is named, and the bot may start: that passes."""
    with Slack() as slack:
        given = access(slack)
    findings = await found(given)

    away = [finding.sentence for finding in findings if finding.grade == "warning"]
    assert ([], 2) == (failures(findings), len(away))
    assert all(sentence.startswith(f"Slack cannot be reached at {given.api_url}") for sentence in away)
