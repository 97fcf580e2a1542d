"""Looks at tokens, scopes and the manifest before the bot starts, and says in a sentence what is missing."""

import re
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientError
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.finding import Finding
from adapters.slack.access import Access, Workspaces
from adapters.slack.cipher import cipher
from adapters.slack.manifest import MANIFEST, check_manifest
from adapters.slack.refusals import OF_THIS_TOKEN
from adapters.slack.uses import OPTIONAL_SCOPES, SCOPES
from router.errors import SettingsError

SECONDS: Final = 10
"""How long Slack may take for an answer to the check."""

LATER: Final = "The bot starts all the same, and goes on asking."
"""What is said of trouble that passes by itself."""

BOT, APP, SCOPE, SIGNING, MANY = (
    "Slack bot token",
    "Slack app token",
    "Slack scopes",
    "Slack signing secret",
    "Slack workspaces",
)


async def check(access: Access, *, by_email: bool, manifest: Path = MANIFEST) -> AsyncIterator[Finding]:
    """Yield every finding; `by_email` tells whether rights are given to e-mail addresses."""
    missing = list(settings(access))
    for finding in missing:
        yield finding
    wrong = {finding.about for finding in missing if finding.grade == "FAILED"}
    client = AsyncWebClient(base_url=access.api_url, timeout=SECONDS)
    if access.workspaces is None and BOT not in wrong:
        async for finding in _bot(client, access.bot_token.get_secret_value(), by_email):
            yield finding
    if access.mode == "socket" and APP not in wrong:
        yield await _socket(client, access.app_token.get_secret_value())
    for finding in check_manifest(manifest):
        yield finding


def settings(access: Access) -> Iterator[Finding]:
    """Yield a finding for each setting that is missing or cannot be what it should be."""
    if access.mode == "socket" and not access.given:
        yield Finding(
            "FAILED",
            "Slack",
            "neither SLACK_BOT_TOKEN nor SLACK_APP_TOKEN is set; the README's five steps under “Slack” bring both.",
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
        return Finding("warning", about, f"{where}; look at the network, and at SLACK_API_URL. {LATER}")
    code = _code(error)
    if code == "missing_scope" and about == APP:
        return Finding("FAILED", about, f"it lacks the scope connections:write; {remedy}.")
    if code == "not_allowed_token_type":
        return Finding("FAILED", about, f"Slack takes another kind of token here ({code}); {remedy}.")
    if code in OF_THIS_TOKEN:
        return Finding("FAILED", about, f"Slack does not take it ({code}); {remedy}.")
    return Finding("warning", about, f"Slack answered {code}, so that it could not be looked at. {LATER}")


def _code(error: SlackApiError) -> str:
    answer: Any = error.response
    try:
        return str(answer.get("error") or f"status {answer.status_code}")
    except (AttributeError, ValueError):
        return "nothing that can be read"
