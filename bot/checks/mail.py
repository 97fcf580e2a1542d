"""Looks at everything that e-mails need, for the doctor: it logs in to the mail server, and sends nothing."""

import asyncio
from collections.abc import Iterator

from adapters.check_finding import Finding
from bot.settings.environment import Settings
from router.catalog.connection import Connections
from router.errors import JobFailed, SettingsError
from router.jobs.mail.mailer import Mailer
from router.memory.thread import ThreadKey
from router.notifier import Channel

PEOPLE = "people who help"

# The people who are asked; the checks ask nobody.


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
        from adapters.slack.check import check_channel

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
        mail_config = settings.mail_config
    except SettingsError:
        return Finding("FAILED", PEOPLE, f"{address}: no e-mail can be sent before what is said of e-mail is mended.")
    if mail_config is None:
        return Finding(
            "FAILED", PEOPLE, f"HANDOFF_EMAIL is {address}, and no mail server sends there: set SMTP_URL too."
        )
    if problem := mail_config.problem((address,)):
        return Finding("FAILED", PEOPLE, f"HANDOFF_EMAIL: {problem.replace(' Nothing was sent.', '')}")
    return Finding("ok", PEOPLE, f"{address} gets questions by e-mail.")


def check_mail(settings: Settings) -> Iterator[Finding]:
    """Yield every finding about e-mail; none where nothing of it is set."""
    try:
        mail_config = settings.mail_config
    except SettingsError as error:
        yield from (Finding("FAILED", "e-mail", problem) for problem in error.problems)
        return
    if mail_config is None:
        return
    try:
        Mailer(mail_config, answer_seconds=10).probe()
    except JobFailed as error:
        yield Finding("FAILED", "e-mail", str(error))
    else:
        who = f" after a login as {mail_config.server.user}" if mail_config.server.user else ""
        yield Finding("ok", "e-mail", f"{mail_config.server} lets the bot send as {mail_config.sender.text}{who}.")
    if mail_config.domains is None:
        yield Finding(
            "warning", "e-mail", "EMAIL_ALLOWED_DOMAINS=* lets results be sent to anybody; name the domains instead."
        )
    else:
        yield Finding("ok", "e-mail", f"e-mails go to addresses at {', '.join(sorted(mail_config.domains))} only.")
