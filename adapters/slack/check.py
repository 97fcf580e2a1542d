"""Looks at tokens, scopes and the manifest before the bot starts, and says in a sentence what is missing."""

import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientError
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.check_finding import Finding
from adapters.slack.access import SlackAccess, Workspaces, cipher
from adapters.slack.errors import OF_THIS_TOKEN
from adapters.slack.scopes import COMMAND, EVENTS, GLOBAL_SHORTCUT, OPTIONAL_SCOPES, SCOPES, SHORTCUT
from router.errors import SettingsError

# The app's manifest, held against what the code uses.


MANIFESTS: Final = {"socket": Path("manifests/slack.json"), "http": Path("manifests/slack-http.json")}
"""The manifests by the way in which Slack reaches the bot."""

SHORTCUTS: Final = (SHORTCUT, GLOBAL_SHORTCUT)

MANIFEST_CHECK: Final = "Slack manifest"


def check_manifest(path: Path) -> Iterator[Finding]:
    """Yield what the manifest of this folder asks Slack for and the code does not use, or the other way round."""
    if not path.exists():
        return
    try:
        differences = list(differing(json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, AttributeError, TypeError) as error:
        yield Finding("warning", MANIFEST_CHECK, f"{path} cannot be read as a manifest ({type(error).__name__}).")
        return
    for difference in differences:
        yield Finding("warning", MANIFEST_CHECK, f"{path}: {difference}.")
    if not differences:
        yield Finding("ok", MANIFEST_CHECK, f"{path} asks for what the bot uses; Slack's own copy may differ.")


def differing(manifest: dict[str, Any]) -> Iterator[str]:
    """Yield each difference between a manifest and what the code uses."""
    features, oauth, config = (manifest.get(part, {}) for part in ("features", "oauth_config", "settings"))
    scopes = oauth.get("scopes", {})
    parts = (
        # Slack wants an optional scope to stand in both lists.
        ("bot scopes", scopes.get("bot", ()), [*SCOPES, *OPTIONAL_SCOPES]),
        ("optional bot scopes", scopes.get("bot_optional", ()), [*OPTIONAL_SCOPES]),
        ("bot events", config.get("event_subscriptions", {}).get("bot_events", ()), [*EVENTS]),
        ("slash commands", [command["command"] for command in features.get("slash_commands", ())], [COMMAND]),
        ("shortcuts", [shortcut["callback_id"] for shortcut in features.get("shortcuts", ())], SHORTCUTS),
    )
    for what, asked, used in parts:
        if missing := sorted(set(used) - set(asked)):
            yield f"{what} lack {', '.join(missing)}"
        if unused := sorted(set(asked) - set(used)):
            yield f"{what} hold {', '.join(unused)}, which nothing uses"
    if not config.get("interactivity", {}).get("is_enabled"):
        yield "interactivity is off, so that no button works"


CHECK_SECONDS: Final = 10
"""The time that Slack may take for an answer to the check."""

PASSING_TROUBLE: Final = "The bot starts all the same, and goes on asking."
"""The advice for trouble that passes by itself."""

BOT, APP, SCOPE, SIGNING, MANY = (
    "Slack bot token",
    "Slack app token",
    "Slack scopes",
    "Slack signing secret",
    "Slack workspaces",
)


async def check(access: SlackAccess, *, by_email: bool, manifest: Path | None = None) -> AsyncIterator[Finding]:
    """Yield every finding; `by_email` tells whether rights are given to e-mail addresses."""
    missing = list(settings(access))
    for finding in missing:
        yield finding
    wrong = {finding.about for finding in missing if finding.grade == "FAILED"}
    client = AsyncWebClient(base_url=access.api_url, timeout=CHECK_SECONDS)
    if access.workspaces is None and BOT not in wrong:
        async for finding in _bot(client, access.bot_token.get_secret_value(), by_email):
            yield finding
    if access.mode == "socket" and APP not in wrong:
        yield await _socket(client, access.app_token.get_secret_value())
    for finding in check_manifest(manifest or MANIFESTS[access.mode]):
        yield finding


def settings(access: SlackAccess) -> Iterator[Finding]:
    """Yield a finding for each setting that is missing or cannot be what it should be."""
    if access.mode == "socket" and not access.given:
        yield Finding(
            "FAILED",
            "Slack",
            "neither SLACK_BOT_TOKEN nor SLACK_APP_TOKEN is set; the five steps in docs/slack.md bring both.",
        )
    if access.workspaces is not None:
        yield from _workspaces(access.workspaces)
        if access.bot_token:
            yield Finding("warning", BOT, "SLACK_BOT_TOKEN is not used: each workspace that installs has its own.")
    else:
        yield from _begins(
            BOT,
            "SLACK_BOT_TOKEN",
            access.bot_token.get_secret_value(),
            "xoxb-",
            "stands under OAuth & Permissions once the app is installed",
        )
    if access.mode == "socket":
        yield from _begins(
            APP,
            "SLACK_APP_TOKEN",
            access.app_token.get_secret_value(),
            "xapp-",
            "is made under Basic Information > App-Level Tokens with the scope connections:write; or set "
            "SLACK_MODE=http",
        )
    elif access.signing_secret.get_secret_value().strip():
        yield Finding(
            "ok",
            SIGNING,
            "set; only what Slack sends can show whether it is the right one: /health says “signatures fail” where it "
            "is not.",
        )
    else:
        yield Finding(
            "FAILED",
            SIGNING,
            "SLACK_SIGNING_SECRET is not set; it stands under Basic Information > App Credentials. For a bot that no "
            "one needs to reach from outside, set SLACK_APP_TOKEN instead.",
        )


def _begins(about: str, name: str, token: str, beginning: str, where: str) -> Iterator[Finding]:
    if not token:
        yield Finding("FAILED", about, f"{name} is not set; it begins with {beginning} and {where}.")
    elif not token.startswith(beginning) or not token.isascii() or any(map(str.isspace, token)):
        yield Finding(
            "FAILED", about, f"{name} is another thing: it begins with {beginning}, has no spaces, and {where}."
        )


def _workspaces(given: Workspaces) -> Iterator[Finding]:
    where = "it stands under Basic Information > App Credentials"
    if not given.client_id:
        yield Finding("FAILED", MANY, f"SLACK_CLIENT_ID is not set; {where}.")
    if not given.client_secret:
        yield Finding("FAILED", MANY, f"SLACK_CLIENT_SECRET is not set; {where}.")
    yield from _teams(given.teams)
    if not given.token_key:
        yield Finding("FAILED", MANY, "SLACK_TOKEN_KEY is not set; icc-bot slack --new-key prints one. Keep it safe.")
        return
    try:
        cipher(given.token_key.get_secret_value())
    except SettingsError as error:
        for problem in error.problems:
            yield Finding("FAILED", MANY, problem)


def _teams(teams: frozenset[str]) -> Iterator[Finding]:
    """Yield what is wrong with the list of workspaces: without one, whoever installs the app could ask everything."""
    where = "begins with T and stands in a workspace's address in a browser, app.slack.com/client/T…"
    if not teams:
        yield Finding(
            "FAILED",
            MANY,
            "SLACK_TEAMS is not set: any workspace that installs the app could ask your databases. Set the ids of "
            f"those that may, with commas between; an id {where}.",
        )
    for team in sorted(team for team in teams if not re.fullmatch("T[A-Z0-9]+", team)):
        yield Finding("FAILED", MANY, f"SLACK_TEAMS: {team} is no workspace's id, which {where}.")


async def _bot(client: AsyncWebClient, token: str, by_email: bool) -> AsyncIterator[Finding]:
    try:
        answer = await client.auth_test(token=token)
    except (SlackClientError, ClientError, OSError, TimeoutError, ValueError) as error:
        yield _refused(BOT, client, error, "copy it anew from OAuth & Permissions, or install the app there again")
        return
    yield Finding("ok", BOT, f"{answer.get('user')} answers in the workspace {answer.get('team')}.")
    for finding in _scopes(_granted(answer), by_email):
        yield finding


def _granted(answer: AsyncSlackResponse) -> frozenset[str] | None:
    """Return the scopes that Slack names in a header, or None where something in between took it away."""
    for name, value in answer.headers.items():
        if name.lower() == "x-oauth-scopes":
            text = ",".join(value) if isinstance(value, list | tuple) else str(value)
            return frozenset(filter(None, (scope.strip() for scope in text.split(","))))
    return None


def _scopes(granted: frozenset[str] | None, by_email: bool) -> Iterator[Finding]:
    remedy = "add under OAuth & Permissions and reinstall the app"
    if granted is None:
        yield Finding("warning", SCOPE, "Slack did not say which scopes the bot has; what is missing will be refused.")
        return
    missing = _named(SCOPES, granted)
    if missing:
        yield Finding("FAILED", SCOPE, f"missing are {missing}: {remedy}.")
    else:
        yield Finding("ok", SCOPE, "all that the bot needs are granted.")
    emails = "users:read.email"
    if by_email and emails not in granted:
        yield Finding(
            "FAILED",
            SCOPE,
            f"connections.toml gives rights to e-mail addresses, which the bot cannot see without {emails}: "
            f"{remedy}, or name people by their ids (slack:U0123ABCD).",
        )
    elif optional := _named(OPTIONAL_SCOPES, granted):
        yield Finding("warning", SCOPE, f"missing, and not needed, are {optional}: {remedy} if you want it.")


def _named(wanted: dict[str, str], granted: Iterable[str]) -> str:
    missing = wanted.keys() - set(granted)
    return ", ".join(f"{scope} ({reason})" for scope, reason in wanted.items() if scope in missing)


async def _socket(client: AsyncWebClient, token: str) -> Finding:
    try:
        await client.apps_connections_open(app_token=token)
    except (SlackClientError, ClientError, OSError, TimeoutError, ValueError) as error:
        where = "Basic Information > App-Level Tokens"
        return _refused(APP, client, error, f"make one under {where} with the scope connections:write")
    return Finding("ok", APP, "Slack offers a socket.")


def _refused(about: str, client: AsyncWebClient, error: Exception, remedy: str) -> Finding:
    """Say what went wrong without the token, which some errors carry along."""
    if not isinstance(error, SlackApiError):
        where = f"Slack cannot be reached at {client.base_url} ({type(error).__name__})"
        return Finding("warning", about, f"{where}; look at the network, and at SLACK_API_URL. {PASSING_TROUBLE}")
    code = _code(error)
    if code == "missing_scope" and about == APP:
        return Finding("FAILED", about, f"it lacks the scope connections:write; {remedy}.")
    if code == "not_allowed_token_type":
        return Finding("FAILED", about, f"Slack takes another kind of token here ({code}); {remedy}.")
    if code in OF_THIS_TOKEN:
        return Finding("FAILED", about, f"Slack does not take it ({code}); {remedy}.")
    return Finding("warning", about, f"Slack answered {code}, so that it could not be looked at. {PASSING_TROUBLE}")


def _code(error: SlackApiError) -> str:
    answer: Any = error.response
    try:
        return str(answer.get("error") or f"status {answer.status_code}")
    except (AttributeError, ValueError):
        return "nothing that can be read"


# Channels of schedules: the check looks whether the bot is in them, and writes nothing.


CHANNEL_REMEDIES = {
    "not_in_channel": "the bot is not in it: type /invite @icc-bot there",
    "channel_not_found": "there is no such channel, or it is private and the bot is not in it: type /invite @icc-bot "
    "there, or copy its id from “View channel details”",
    "is_archived": "it is archived",
}


async def check_channel(access: SlackAccess, about: str, channel: str) -> Finding:
    """Return whether the bot is in a channel; Slack tells that to whoever may read it."""
    client = AsyncWebClient(base_url=access.api_url, timeout=CHECK_SECONDS)
    try:
        await client.conversations_history(token=access.bot_token.get_secret_value().strip(), channel=channel, limit=1)
    except SlackApiError as error:
        word = str(error.response.get("error"))
        if word in CHANNEL_REMEDIES:
            return Finding("FAILED", about, f"slack:{channel}: {CHANNEL_REMEDIES[word]}.")
        return Finding("warning", about, f"slack:{channel}: Slack answered {word}, so that it could not be looked at.")
    except (SlackClientError, ClientError, OSError, TimeoutError, ValueError) as error:
        return Finding("warning", about, f"slack:{channel}: Slack cannot be reached ({type(error).__name__}).")
    return Finding("ok", about, f"slack:{channel}: the bot is in it.")
