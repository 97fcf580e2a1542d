"""Starts the bot in Teams over a built bot, and stops both together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from threading import Thread
from time import time

from adapters.finding import report
from adapters.secret import kept_secret
from adapters.serving import ALL, LOOPBACK, served
from adapters.teams.access import Access
from adapters.teams.app import Listeners
from adapters.teams.authentication import Authentication, Gate, Loopback
from adapters.teams.calls import Calls, session
from adapters.teams.cloud import openid_url_of
from adapters.teams.connector import Connector
from adapters.teams.downloads import Downloads
from adapters.teams.keys import Keys, Unavailable
from adapters.teams.references import References
from adapters.teams.server import application
from adapters.teams.surface import TeamsSurface
from adapters.teams.tokens import Tokens
from adapters.turns import Turns
from bot.chat import desk_of, stopping
from bot.serve import log_to, warm
from bot.settings import Settings, read_settings
from bot.teams_check import check_teams
from bot.wiring import Bot, built
from router.errors import SettingsError


def serve_teams(*, check: bool, local: bool) -> int:
    """Serve Teams until the process is told to stop; with `check`, say what was found instead."""
    settings = read_settings()
    access = replace(settings.teams, local=local)
    findings = check_teams(access)
    if check:
        return report(findings, print)
    if failed := [f"{finding.about}: {finding.sentence}" for finding in findings if finding.grade == "FAILED"]:
        raise SettingsError(failed)
    log_to(settings.home)
    with built(settings, say=print, details=False) as bot:
        turns = Turns(bot.router)
        Thread(target=warm, args=(bot,), daemon=True, name="warm").start()
        try:
            asyncio.run(_serve(bot, turns, settings, access))
        finally:
            turns.close()
    return 0


async def _serve(bot: Bot, turns: Turns, settings: Settings, access: Access) -> None:
    stop = stopping()
    async with at_work(bot, turns, settings, access) as port:
        print(f"icc-bot is at work in Teams, on port {port}. Ctrl-C stops it.", flush=True)
        await stop.wait()
        print("Stopping: what runs is ended, everything else is kept.", flush=True)


@asynccontextmanager
async def at_work(bot: Bot, turns: Turns, settings: Settings, access: Access) -> AsyncIterator[int]:
    """Answer Teams until the end of the block; gives the port that is listened on."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(session())
        references = References(settings.home / "teams-conversations.sqlite")
        stack.callback(references.close)
        secret = kept_secret(settings.home / "teams.secret")
        downloads = Downloads(settings.home / "teams-files", secret, settings.teams_public_url, time)
        connector = Connector(Calls(http, None if access.local else Tokens(http, access)))
        surface = TeamsSurface(connector, references, downloads)
        desk = desk_of("teams", surface, bot, turns, settings, stack)
        gate: Gate = Loopback()
        if not access.local:
            keys = Keys(http, openid_url_of(access))
            gate = Authentication(access, keys)
            with suppress(Unavailable):  # fetched now, so that the first message need not wait; else it is asked again
                await keys.find("")
        recovering = asyncio.create_task(desk.recover())
        # From here on, what was begun last ends first: nothing new comes in while the last words are said.
        stack.push_async_callback(desk.close)
        stack.callback(recovering.cancel)
        site = application(gate, Listeners(desk, surface).on_activity, downloads.answer)
        host = LOOPBACK if access.local else ALL
        yield await stack.enter_async_context(served(site, settings.port, host))
