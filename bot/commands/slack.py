"""`icc-bot slack`: serves Slack over a built bot, and stops both together."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from adapters.check_finding import report
from adapters.serving import listening_on
from adapters.slack.access import SlackAccess
from adapters.slack.access import new_key as generate_key
from adapters.slack.app import listen
from adapters.slack.bolt import OwnWorkspace, bolt_app
from adapters.slack.clients import Clients, Token
from adapters.slack.open_modals import OpenModals
from adapters.slack.server import application
from adapters.slack.socket import Socket
from adapters.slack.surface import People, SlackSurface
from adapters.slack.tables import SLACK_TABLE_MAX_CHARS, SLACK_TABLE_ROWS
from adapters.slack.writer import Writer
from adapters.turns import TALKS_AT_ONCE, Turns
from adapters.watching import Watched, watch
from bot.checks.slack import check_slack, installations_of, is_listening
from bot.checks.start import check_connections, report_start, start_findings
from bot.command_line import Say
from bot.commands.chat_platform import hold_talks, service_of, site_pages
from bot.settings.environment import Settings
from bot.wiring.bot import Bot, ResultPage, connections_of

if TYPE_CHECKING:
    from adapters.slack.installations import Installations
    from adapters.task_queue import TaskQueue

SLACK_PAGE = ResultPage(rows=SLACK_TABLE_ROWS, chars=SLACK_TABLE_MAX_CHARS)
"""A page of rows that fits into one of Slack's tables."""

BOLT_ENVIRONMENT = ("SLACK_BOT_TOKEN", "SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_SIGNING_SECRET")
"""Variables that Bolt would read by itself; it is given what it needs."""

TOKEN_CHECK_SECONDS = 5.0
"""Seconds that a start waits for Slack to say whose the bot's token is; what comes before that is sent again later."""


def serve_slack(
    settings: Settings,
    say: Say,
    *,
    check: bool = False,
    new_key: bool = False,
    concurrency: int = TALKS_AT_ONCE,
    sample: bool = False,
) -> int:
    """Serve Slack until the process is asked to stop; `check` prints the findings instead, `new_key` a key.

    `sample`: it is a trial on the sample databases.
    """
    if new_key:
        say(generate_key())
        return 0
    access = settings.slack
    lacking = check_connections(settings, sample=sample)
    connections = {} if lacking else connections_of(settings, opens=concurrency > 0)
    findings = [*lacking, *check_slack(settings, connections)]
    if check:
        return report(start_findings(settings, findings, settings.port if is_listening(settings) else None), say)
    report_start(settings, findings, works=concurrency > 0)
    for name in BOLT_ENVIRONMENT:
        os.environ.pop(name, None)

    def greeting(port: int) -> str:
        listening = f"Listening on port {port}.\n" if port else ""
        return f"{listening}icc-bot is at work in Slack ({access.mode}). Ctrl-C stops it."

    hold_talks(
        settings,
        partial(at_work, settings=settings, access=access),
        greeting,
        SLACK_PAGE,
        ["slack"],
        concurrency,
        sample=sample,
    )
    return 0


def slack_surface(
    bot: Bot, settings: Settings, access: SlackAccess, stack: AsyncExitStack
) -> tuple[SlackSurface, "Installations | None"]:
    """Return the way to write to Slack, and who installed the app if several may; closed with the stack."""
    installations = installations_of(settings)
    if installations:
        stack.callback(installations.close)
    clients = Clients(_token(access, installations), access.api_url)
    stack.push_async_callback(clients.close)
    modals = OpenModals(bot.database)
    bot.housekeeping.add(modals.expire)
    return SlackSurface(clients, Writer(clients), People(clients), modals), installations


@asynccontextmanager
async def at_work(
    bot: Bot, turns: Turns, tasks: "TaskQueue | None" = None, *, settings: Settings, access: SlackAccess
) -> AsyncIterator[int]:
    """Answer Slack until the end of the block; gives the port that is listened on, 0 if none is."""
    async with AsyncExitStack() as stack:
        surface, installations = slack_surface(bot, settings, access, stack)
        clients = surface.clients
        own = OwnWorkspace()
        if not installations:
            asking = asyncio.create_task(own.ask(clients.client(access.bot_token.get_secret_value()), print_warning))
            stack.callback(asking.cancel)
            await asyncio.wait({asking}, timeout=TOKEN_CHECK_SECONDS)
        service = service_of("slack", surface, bot, turns, stack, tasks)
        app = bolt_app(access, clients, installations or own)
        listen(app, service, surface, *([installations.forget] if installations else []))
        socket = Socket(app, access, clients) if access.mode == "socket" else None
        if socket:
            stack.push_async_callback(socket.close)
        port = 0
        if is_listening(settings):

            async def healthy() -> bool:
                return bool(installations or own.known) and (socket is None or await socket.is_connected())

            site = application(app, access, healthy, site_pages(settings, settings.slack_contact))

            async def well() -> str:
                return "" if await healthy() else "not connected to Slack"

            watch(site, Watched(bot.database, settings.watcher, well))
            port = await stack.enter_async_context(listening_on(site, settings.port))
        if socket:
            socket.open()
        yield port


def _token(access: SlackAccess, installations: "Installations | None") -> Token:
    if installations:
        return installations.token

    async def token(team: str) -> str:
        return access.bot_token.get_secret_value()

    return token


def print_warning(sentence: str) -> None:
    """Print a sentence to the terminal, on stderr."""
    print(sentence, file=sys.stderr, flush=True)
