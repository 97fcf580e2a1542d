"""Starts the bot in Teams over a built bot, and stops both together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from time import time

from adapters.finding import report
from adapters.secret import kept_secret
from adapters.serving import ALL, LOOPBACK, served
from adapters.teams.access import Access
from adapters.teams.app import Listeners
from adapters.teams.authentication import Authentication, Gate, Loopback
from adapters.teams.calls import Calls, session
from adapters.teams.cloud import GOVERNMENT, cloud_of, openid_url_of
from adapters.teams.connector import Connector
from adapters.teams.consents import Consents
from adapters.teams.downloads import Downloads
from adapters.teams.expiry import expire
from adapters.teams.handed import Handed
from adapters.teams.handover import Handover
from adapters.teams.keys import Keys, Unavailable
from adapters.teams.pages import add_pages
from adapters.teams.references import References
from adapters.teams.server import application
from adapters.teams.streams import Streams
from adapters.teams.surface import TeamsSurface
from adapters.teams.tokens import Tokens
from adapters.teams.uploads import Uploads
from adapters.turns import Turns
from bot.chat import demand, desk_of, hold_talks, looked_at
from bot.house import house_of
from bot.settings import Settings, read_settings
from bot.teams_check import check_teams
from bot.wiring import Bot, Page, connections_of


def serve_teams(*, check: bool, local: bool) -> int:
    """Serve Teams until the process is told to stop; with `check`, say what was found instead."""
    settings = read_settings()
    access = replace(settings.teams, local=local)
    connections_of(settings)  # what is wrong with the file is said before anything else is tried
    findings = check_teams(access)
    if check:
        return report(looked_at(settings, findings, settings.port), print)
    demand(settings, findings)
    hold_talks(
        settings,
        lambda bot, turns: at_work(bot, turns, settings, access),
        lambda port: f"icc-bot is at work in Teams, on port {port}. Ctrl-C stops it.",
        Page(),
    )
    return 0


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
        consents = Consents(settings.home / "teams-consents.sqlite", settings.home / "teams-offered", time)
        stack.callback(consents.close)
        uploads = Uploads(http, access.upload_hosts)
        cloud = cloud_of(access)
        handover = Handover(connector, references, consents, uploads, possible=cloud is not GOVERNMENT)
        handed = Handed(settings.home / "teams-handed.sqlite")
        stack.callback(handed.close)
        streams, tenants = Streams(connector, references), None if access.local else access.tenants
        surface = TeamsSurface(connector, references, downloads, streams, handover, handed, tenants, cloud.client)
        gate: Gate = Loopback()
        if not access.local:
            keys = Keys(http, openid_url_of(access))
            gate = Authentication(access, keys)
            with suppress(Unavailable):  # fetched now, so that the first message need not wait; else it is asked again
                await keys.find("")
        desk = desk_of("teams", surface, bot, turns, settings, stack)
        expiring = asyncio.create_task(expire(consents, downloads))
        stack.callback(expiring.cancel)
        listeners = Listeners(desk, surface)
        listeners.agreements.resume()
        listeners.clicks.make_up()
        site = application(gate, listeners.on_activity, downloads.answer)
        add_pages(site, house_of(settings))
        host = LOOPBACK if access.local else ALL
        yield await stack.enter_async_context(served(site, settings.port, host))
