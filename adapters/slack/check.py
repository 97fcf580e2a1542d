"""Looks at settings, tokens and scopes before the bot starts, and says in a sentence what is missing."""

import re
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Final

from aiohttp import ClientError
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.check_finding import Finding
from adapters.slack.access import SlackAccess, Workspaces, cipher
from adapters.slack.clients import error_of
from adapters.slack.errors import OF_THIS_TOKEN
from adapters.slack.scopes import OPTIONAL_SCOPES, SCOPES
from router.errors import SettingsError

CHECK_SECONDS: Final = 10
"""The time that Slack may take for an answer to the check."""

PASSING_TROUBLE: Final = "The bot starts all the same, and goes on asking."
"""The advice for trouble that passes by itself."""

AWAY: Final = (SlackClientError, ClientError, OSError, TimeoutError, ValueError)

BOT, APP, SCOPE, SIGNING, MANY = (
    "Slack bot token",
    "Slack app token",
    "Slack scopes",
    "Slack signing secret",
    "Slack workspaces",
)
CREDENTIALS: Final = "it stands under Basic Information > App Credentials"
WORKSPACE_ID: Final = "begins with T and stands in a workspace's address in a browser, app.slack.com/client/T…"


async def check(access: SlackAccess, *, by_email: bool) -> AsyncIterator[Finding]:
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


def settings(access: SlackAccess) -> Iterator[Finding]:
    """Yield a finding for each setting that is missing or cannot be what it should be."""
    bot, app, secret = (
        each.get_secret_value().strip() for each in (access.bot_token, access.app_token, access.signing_secret)
    )
    if access.mode == "socket" and not access.given:
        both = "neither SLACK_BOT_TOKEN nor SLACK_APP_TOKEN is set; the five steps in docs/slack.md bring both."
        yield Finding("FAILED", "Slack", both)
    if access.workspaces is not None:
        for problem in _workspaces(access.workspaces):
            yield Finding("FAILED", MANY, problem)
        if bot:
            yield Finding("warning", BOT, "SLACK_BOT_TOKEN is not used: each workspace that installs has its own.")
    elif problem := _token("SLACK_BOT_TOKEN", bot, "xoxb-", "stands under OAuth & Permissions once it is installed"):
        yield Finding("FAILED", BOT, problem)
    made = "is made under Basic Information > App-Level Tokens with the scope connections:write; or set SLACK_MODE=http"
    if access.mode == "socket" and (problem := _token("SLACK_APP_TOKEN", app, "xapp-", made)):
        yield Finding("FAILED", APP, problem)
    if access.mode == "http" and secret:
        shows = "only what Slack sends can show whether it is right: /health says “signatures fail” where it is not"
        yield Finding("ok", SIGNING, f"set; {shows}.")
    elif access.mode == "http":
        instead = "For a bot that no one needs to reach from outside, set SLACK_APP_TOKEN instead."
        yield Finding("FAILED", SIGNING, f"SLACK_SIGNING_SECRET is not set; {CREDENTIALS}. {instead}")


def _token(name: str, token: str, beginning: str, where: str) -> str:
    """Return what is wrong with a token; empty if nothing is."""
    if not token:
        return f"{name} is not set; it begins with {beginning} and {where}."
    if not token.startswith(beginning) or not token.isascii() or any(map(str.isspace, token)):
        return f"{name} is another thing: it begins with {beginning}, has no spaces, and {where}."
    return ""


def _workspaces(given: Workspaces) -> Iterator[str]:
    """Yield what is wrong; without a list of workspaces, anybody who installs the app could ask everything."""
    if not given.client_id:
        yield f"SLACK_CLIENT_ID is not set; {CREDENTIALS}."
    if not given.client_secret:
        yield f"SLACK_CLIENT_SECRET is not set; {CREDENTIALS}."
    if not given.teams:
        yield (
            "SLACK_TEAMS is not set: any workspace that installs the app could ask your databases. Set the ids of "
            f"those that may, with commas between; an id {WORKSPACE_ID}."
        )
    for team in sorted(team for team in given.teams if not re.fullmatch("T[A-Z0-9]+", team)):
        yield f"SLACK_TEAMS: {team} is no workspace's id, which {WORKSPACE_ID}."
    if not given.token_key:
        yield "SLACK_TOKEN_KEY is not set; icc-bot slack --new-key prints one. Keep it safe."
        return
    try:
        cipher(given.token_key.get_secret_value())
    except SettingsError as error:
        yield from error.problems


async def _bot(client: AsyncWebClient, token: str, by_email: bool) -> AsyncIterator[Finding]:
    try:
        answer = await client.auth_test(token=token)
    except AWAY as error:
        yield _refused(BOT, client, error, "copy it anew from OAuth & Permissions, or install the app there again")
        return
    yield Finding("ok", BOT, f"{answer.get('user')} answers in the workspace {answer.get('team')}.")
    headers = {name.lower(): str(value) for name, value in answer.headers.items()}
    for finding in _scopes(headers.get("x-oauth-scopes"), by_email):
        yield finding


def _scopes(header: str | None, by_email: bool) -> Iterator[Finding]:
    """Yield which scopes are missing of those in Slack's header, which something in between may have taken away."""
    if header is None:
        yield Finding("warning", SCOPE, "Slack did not say which scopes the bot has; what is missing will be refused.")
        return
    granted = [scope.strip() for scope in header.split(",")]
    remedy, emails = "add under OAuth & Permissions and reinstall the app", "users:read.email"
    if missing := _named(SCOPES, granted):
        yield Finding("FAILED", SCOPE, f"missing are {missing}: {remedy}.")
    else:
        yield Finding("ok", SCOPE, "all that the bot needs are granted.")
    if by_email and emails not in granted:
        blind = f"connections.toml gives rights to e-mail addresses, which the bot cannot see without {emails}"
        yield Finding("FAILED", SCOPE, f"{blind}: {remedy}, or name people by their ids (slack:U0123ABCD).")
    elif optional := _named(OPTIONAL_SCOPES, granted):
        yield Finding("warning", SCOPE, f"missing, and not needed, are {optional}: {remedy} if you want it.")


def _named(wanted: dict[str, str], granted: Iterable[str]) -> str:
    missing = wanted.keys() - set(granted)
    return ", ".join(f"{scope} ({reason})" for scope, reason in wanted.items() if scope in missing)


async def _socket(client: AsyncWebClient, token: str) -> Finding:
    try:
        await client.apps_connections_open(app_token=token)
    except AWAY as error:
        where = "Basic Information > App-Level Tokens"
        return _refused(APP, client, error, f"make one under {where} with the scope connections:write")
    return Finding("ok", APP, "Slack offers a socket.")


def _refused(about: str, client: AsyncWebClient, error: Exception, remedy: str) -> Finding:
    """Say what went wrong without the token, which some errors carry along."""
    word = _word(error)
    if not word:
        where = f"Slack cannot be reached at {client.base_url} ({type(error).__name__})"
        return Finding("warning", about, f"{where}; look at the network, and at SLACK_API_URL. {PASSING_TROUBLE}")
    if word == "missing_scope" and about == APP:
        return Finding("FAILED", about, f"it lacks the scope connections:write; {remedy}.")
    if word in OF_THIS_TOKEN:
        return Finding("FAILED", about, f"Slack does not take it ({word}); {remedy}.")
    return Finding("warning", about, f"Slack answered {word}, so that it could not be looked at. {PASSING_TROUBLE}")


def _word(error: Exception) -> str:
    """Return Slack's word for what was wrong; empty if it was not reached."""
    return (error_of(error) or "nothing that can be read") if isinstance(error, SlackApiError) else ""


# Channels of schedules: the check looks whether the bot is in them, and writes nothing.


CHANNEL_REMEDIES = {
    "not_in_channel": "the bot is not in it: type /invite @icc-bot there",
    "channel_not_found": "there is no such channel, or it is private and the bot is not in it: type /invite @icc-bot "
    "there, or copy its id from “View channel details”",
    "is_archived": "it is archived",
}


async def check_channel(access: SlackAccess, about: str, channel: str) -> Finding:
    """Return whether the bot is in a channel; Slack tells that to any app that may read it."""
    client = AsyncWebClient(base_url=access.api_url, timeout=CHECK_SECONDS)
    try:
        await client.conversations_history(token=access.bot_token.get_secret_value().strip(), channel=channel, limit=1)
    except AWAY as error:
        word = _word(error)
        if word in CHANNEL_REMEDIES:
            return Finding("FAILED", about, f"slack:{channel}: {CHANNEL_REMEDIES[word]}.")
        said = f"Slack answered {word}, so that it could not be looked at" if word else "Slack cannot be reached"
        return Finding("warning", about, f"slack:{channel}: {said}.")
    return Finding("ok", about, f"slack:{channel}: the bot is in it.")
