"""`icc-bot teams`: serves Teams over a built bot, and stops both together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from aiohttp import ClientSession

from adapters.check_finding import report
from adapters.public_pages import add_pages
from adapters.secret import load_secret
from adapters.serving import ALL_INTERFACES, LOOPBACK, listening_on
from adapters.teams.access import TeamsAccess
from adapters.teams.authentication import Authentication, Loopback, RequestCheck, SigningKeys, Unavailable
from adapters.teams.calls import Calls, session
from adapters.teams.cloud import GOVERNMENT, cloud_of, openid_url_of
from adapters.teams.connector import Connector
from adapters.teams.conversations import References
from adapters.teams.failures import NoToken
from adapters.teams.file_consent import FileConsent
from adapters.teams.files import Files
from adapters.teams.pages import write_pages
from adapters.teams.server import application
from adapters.teams.surface import TeamsSurface
from adapters.teams.tokens import BotTokens
from adapters.teams.uploads import Uploads
from adapters.turns import TALKS_AT_ONCE, Turns
from adapters.watching import Watched, watch
from bot.checks.start import check_connections, check_teams, report_start, start_findings
from bot.command_line import Say
from bot.commands.chat_platform import hold_talks, service_of, site_pages
from bot.settings.environment import Settings
from bot.wiring.bot import Bot, ResultPage, connections_of

if TYPE_CHECKING:
    from adapters.task_queue import TaskQueue


def serve_teams(
    settings: Settings,
    say: Say,
    *,
    check: bool = False,
    local: bool = False,
    concurrency: int = TALKS_AT_ONCE,
    sample: bool = False,
) -> int:
    """Serve Teams until the process is asked to stop; with `check`, print the findings instead.

    `sample`: it is a trial on the sample databases.
    """
    access = replace(settings.teams, local=local)
    lacking = check_connections(settings, sample=sample)
    if not lacking:  # what is wrong with the file is said before anything else is tried
        connections_of(settings, opens=concurrency > 0)
    findings = [*lacking, *check_teams(access)]
    if check:
        return report(start_findings(settings, findings, settings.port), say)
    report_start(settings, findings, works=concurrency > 0)

    def greeting(port: int) -> str:
        return f"icc-bot is at work in Teams, on port {port}. Ctrl-C stops it."

    hold_talks(
        settings,
        partial(at_work, settings=settings, access=access),
        greeting,
        ResultPage(),
        ["teams"],
        concurrency,
        sample=sample,
    )
    return 0


def teams_surface(
    bot: Bot, settings: Settings, access: TeamsAccess, http: ClientSession, tokens: BotTokens | None
) -> TeamsSurface:
    """Return the way to write to Teams."""
    references = References(bot.database)
    secret = load_secret(settings.home / "teams.secret")
    files = Files(settings.home / "teams-files", secret, settings.teams_public_url)
    connector, uploads = Connector(Calls(http, tokens)), Uploads(http, access.upload_hosts)
    cloud, tenants = cloud_of(access), None if access.local else access.tenants
    possible = cloud is not GOVERNMENT
    file_consent = FileConsent(connector, references, files, uploads, possible=possible)
    bot.housekeeping.add(files.expire, now=True)
    return TeamsSurface(connector, references, files, file_consent, tenants, cloud.client)


@asynccontextmanager
async def at_work(
    bot: Bot, turns: Turns, tasks: "TaskQueue | None" = None, *, settings: Settings, access: TeamsAccess
) -> AsyncIterator[int]:
    """Answer Teams until the end of the block; gives the port that is listened on."""
    from adapters.teams.app import TeamsListeners  # with Microsoft's SDK, which takes a second

    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(session())
        tokens = None if access.local else BotTokens(http, access)
        surface = await asyncio.to_thread(teams_surface, bot, settings, access, http, tokens)
        request_check: RequestCheck = Loopback()
        if not access.local:
            keys = SigningKeys(http, openid_url_of(access))
            request_check = Authentication(access, keys)
            with suppress(Unavailable):  # fetched now, so that the first message need not wait; else it is asked again
                await keys.find("")
        service = service_of("teams", surface, bot, turns, stack, tasks)
        if tokens:
            service.spawn(_warm(tokens))
        listeners = TeamsListeners(service, surface)
        site = application(request_check, listeners.on_activity, surface.files.answer)
        add_pages(site, write_pages(site_pages(settings, settings.teams_contact)))
        watch(site, Watched(bot.database, settings.watcher))
        host = LOOPBACK if access.local else ALL_INTERFACES
        yield await stack.enter_async_context(listening_on(site, settings.port, host))


async def _warm(tokens: BotTokens) -> None:
    """Fetch a token before the first question, which would wait for it; if that fails, the question asks again."""
    with suppress(NoToken):
        await tokens.get()
