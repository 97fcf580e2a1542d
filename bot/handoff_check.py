"""Looks at everything that is needed to ask people, for the doctor; nobody is asked."""

import asyncio
from collections.abc import Iterator

from adapters.finding import Finding
from bot.settings import Settings
from router.catalog.connection import Connections
from router.errors import SettingsError
from router.humans import Channel
from router.memory import ThreadKey

PEOPLE = "people who help"


def check_handoff(settings: Settings, connections: Connections | None) -> Iterator[Finding]:
    """Yield every finding about the people who are asked; none where nobody is named."""
    try:
        reach = settings.reach
    except SettingsError as error:
        yield from (Finding("FAILED", PEOPLE, problem) for problem in error.problems)
        return
    for channel in reach.channels:
        yield _channel(settings, channel)
        if connections is not None and (limited := _limited(channel, connections)):
            yield limited
    if reach.email:
        yield _email(settings, reach.email)


def _channel(settings: Settings, channel: Channel) -> Finding:
    """Return whether a channel can be written to, as far as that is known before anything is."""
    name = f"{channel.platform}:{channel.id}"
    if channel.platform == "slack" and settings.slack.given and settings.slack.workspaces is None:
        from adapters.slack.channel_check import check_channel

        return asyncio.run(check_channel(settings.slack, PEOPLE, channel.id))
    if not (settings.slack if channel.platform == "slack" else settings.teams).given:
        return Finding(
            "warning", PEOPLE, f"{name}: {channel.platform.title()} is not set up, so nobody is asked there."
        )
    unknown = "whether the bot is in it shows with the first question"
    return Finding("ok", PEOPLE, f"{name}: {unknown}; add it there if you have not yet.")


def _limited(channel: Channel, connections: Connections) -> Finding | None:
    """Return that a channel may not be told questions, where connections.toml says so."""
    key, channels = ThreadKey(channel.platform, "", channel.id, ""), connections.channels
    if channels.allow(key) and not channels.keep_private(key):
        return None
    return Finding(
        "warning",
        PEOPLE,
        f"{channel.platform}:{channel.id} is told who asks for help, and neither question nor SQL: [channels] in "
        "connections.toml does not allow more there.",
    )


def _email(settings: Settings, address: str) -> Finding:
    """Return whether people can be written to."""
    if settings.base_url.strip():
        return Finding("ok", PEOPLE, f"{address}: the jobs API sends what is for them, as far as its rules allow that.")
    try:
        office = settings.office
    except SettingsError:
        return Finding("FAILED", PEOPLE, f"{address}: no e-mail can be sent before what is said of e-mail is mended.")
    if office is None:
        return Finding(
            "FAILED", PEOPLE, f"HANDOFF_EMAIL is {address}, and no mail server sends there: set SMTP_URL too."
        )
    if problem := office.problem((address,)):
        return Finding("FAILED", PEOPLE, f"HANDOFF_EMAIL: {problem.replace(' Nothing was sent.', '')}")
    return Finding("ok", PEOPLE, f"{address} gets questions by e-mail.")
