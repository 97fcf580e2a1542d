"""Starts the bot in Slack over a built bot, and stops both together."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from threading import Thread

from adapters.finding import report
from adapters.serving import served
from adapters.slack.access import Access
from adapters.slack.app import listen
from adapters.slack.bolt import bolt_app
from adapters.slack.clients import Clients, Token
from adapters.slack.installations import Installations
from adapters.slack.people import People
from adapters.slack.server import application
from adapters.slack.socket import Socket
from adapters.slack.surface import SlackSurface
from adapters.slack.workspace import Own
from adapters.slack.writer import Writer
from adapters.turns import Turns
from bot.chat import desk_of, stopping
from bot.model_check import SQL_MODEL, check_sql_model
from bot.serve import log_to, warm
from bot.settings import Settings, read_settings
from bot.slack_check import check_port, check_slack, installations_of, listens
from bot.wiring import Bot, Page, built, connections_of
from router.errors import SettingsError

PAGE = Page(rows=100, cells=400)
"""A page of rows that fits into one of Slack's tables."""

BOLTS = ("SLACK_BOT_TOKEN", "SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_SIGNING_SECRET")
"""What Bolt reads from the environment by itself; it is given what it needs."""

SOON = 5.0
"""Seconds that a start waits for Slack to say whose the bot's token is; what comes before that is sent again later."""


def serve_slack(*, check: bool) -> int:
    """Serve Slack until the process is told to stop; with `check`, say what was found instead."""
    settings = read_settings()
    access = settings.slack
    findings = [
        *check_slack(settings, connections_of(settings)),
        check_sql_model(settings, "FAILED" if check else "warning"),
    ]
    if check:
        return report([*findings, *check_port(settings)], print)
    if failed := [f"{finding.about}: {finding.sentence}" for finding in findings if finding.grade == "FAILED"]:
        raise SettingsError(failed)
    for finding in findings:
        if finding.grade == "warning" or finding.about == SQL_MODEL:
            print(finding, flush=True)
    log_to(settings.home)
    for name in BOLTS:
        os.environ.pop(name, None)
    with built(settings, say=print, page=PAGE, details=False) as bot:
        turns = Turns(bot.router)
        Thread(target=warm, args=(bot,), daemon=True, name="warm").start()
        try:
            asyncio.run(_serve(bot, turns, settings, access))
        finally:
            turns.close()
    return 0


async def _serve(bot: Bot, turns: Turns, settings: Settings, access: Access) -> None:
    """Serve until SIGTERM or SIGINT; then take no more, end what runs, and close everything."""
    stop = stopping()
    async with at_work(bot, turns, settings, access) as port:
        if port:
            print(f"Listening on port {port}.", flush=True)
        print(f"icc-bot is at work in Slack ({access.mode}). Ctrl-C stops it.", flush=True)
        await stop.wait()
        print("Stopping: what runs is ended, everything else is kept.", flush=True)


@asynccontextmanager
async def at_work(bot: Bot, turns: Turns, settings: Settings, access: Access) -> AsyncIterator[int]:
    """Answer Slack until the end of the block; gives the port that is listened on, 0 where none is."""
    async with AsyncExitStack() as stack:
        installations = installations_of(settings)
        if installations:
            stack.callback(installations.close)
        clients = Clients(_token(access, installations), access.api_url)
        stack.push_async_callback(clients.close)
        own = Own()
        if not installations:
            asking = asyncio.create_task(own.ask(clients.client(access.bot_token.get_secret_value()), complain))
            stack.callback(asking.cancel)
            await asyncio.wait({asking}, timeout=SOON)
        surface = SlackSurface(clients, Writer(clients), People(clients))
        desk = desk_of("slack", surface, bot, turns, settings, stack)
        app = bolt_app(access, clients, installations or own)
        listen(app, desk, surface, *([installations.forget] if installations else []))
        recovering = asyncio.create_task(desk.recover())
        # From here on, what was begun last ends first: nothing new comes in while the last words are said.
        stack.push_async_callback(desk.close)
        stack.callback(recovering.cancel)
        socket = Socket(app, access, clients) if access.mode == "socket" else None
        if socket:
            stack.push_async_callback(socket.close)
        port = 0
        if listens(settings):

            async def healthy() -> bool:
                return bool(installations or own.known) and (socket is None or await socket.connected())

            site = application(app, access, healthy, complain)
            port = await stack.enter_async_context(served(site, settings.port))
        if socket:
            socket.open()
        yield port


def _token(access: Access, installations: Installations | None) -> Token:
    if installations:
        return installations.token

    async def token(team: str) -> str:
        return access.bot_token.get_secret_value()

    return token


def complain(sentence: str) -> None:
    """Tell whoever looks at the terminal."""
    print(sentence, file=sys.stderr, flush=True)
