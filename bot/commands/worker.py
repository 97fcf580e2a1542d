"""`icc-bot worker`: works on what the platforms' processes take in, and hands out the answers.

It listens on a port where PORT is set, for those who watch it.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from aiohttp import web

from adapters.serving import served
from adapters.turns import Turns
from adapters.watching import Watched, watch
from bot.checks.start import report_start
from bot.commands.chat_platform import hold_talks, service_of
from bot.settings.environment import Settings, read_settings
from bot.wiring.bot import Bot, ResultPage
from router.errors import SettingsError

if TYPE_CHECKING:
    from adapters.task_queue import TaskQueue


def serve_worker(queues: Sequence[str], concurrency: int) -> int:
    """Work on the talks of these platforms, of all that are set up where none is named, until told to stop."""
    settings = read_settings()
    if not settings.server:
        raise SettingsError(["icc-bot worker shares its work with others, which needs ICC_BOT_DATABASE_URL."])
    ready = platforms_of(settings)
    if not ready:
        raise SettingsError(["No platform is set up: set what `icc-bot slack` or `icc-bot teams` needs."])
    if lacking := [name for name in queues if name not in ready]:
        raise SettingsError([f"--queues: {name} is not set up. Set what `icc-bot {name}` needs." for name in lacking])
    wanted = list(dict.fromkeys(queues)) or ready
    report_start(settings, [])

    def serve(bot: Bot, turns: Turns, tasks: "TaskQueue | None") -> AbstractAsyncContextManager[int]:
        return at_work(bot, turns, settings, wanted, tasks)

    def greeting(port: int) -> str:
        listening = f"Listening on port {port}.\n" if port else ""
        platforms = " and ".join(each.capitalize() for each in wanted)
        return f"{listening}icc-bot works on talks in {platforms}. Ctrl-C stops it."

    hold_talks(settings, serve, greeting, page_of(wanted), wanted, concurrency)
    return 0


def platforms_of(settings: Settings) -> list[str]:
    """Return the platforms whose credentials are set."""
    slack = settings.slack_bot_token.get_secret_value() or settings.slack_client_id
    return [name for name, given in (("slack", slack), ("teams", settings.teams_app_id)) if given]


def page_of(platforms: Sequence[str]) -> ResultPage:
    """Return a page of rows that fits on each of these platforms."""
    if platforms == ["teams"]:
        return ResultPage()
    from bot.commands.slack import SLACK_PAGE

    return SLACK_PAGE if platforms == ["slack"] else ResultPage(ResultPage().rows, SLACK_PAGE.chars)


@asynccontextmanager
async def at_work(
    bot: Bot, turns: Turns, settings: Settings, platforms: Sequence[str], tasks: "TaskQueue | None"
) -> AsyncIterator[int]:
    """Be ready to work on talks until the end of the block; gives the port that is listened on, 0 where none is."""
    async with AsyncExitStack() as stack:
        if "slack" in platforms:
            from bot.commands.slack import slack_surface

            surface, _ = slack_surface(bot, settings, settings.slack, stack)
            service_of("slack", surface, bot, turns, stack, tasks)
        if "teams" in platforms:
            from adapters.teams.calls import session
            from adapters.teams.tokens import BotTokens
            from bot.commands.teams import teams_surface

            http = await stack.enter_async_context(session())
            tokens = BotTokens(http, settings.teams)
            service_of("teams", teams_surface(bot, settings, settings.teams, http, tokens), bot, turns, stack, tasks)
        port = 0
        if "port" in settings.model_fields_set:
            site = web.Application()
            watch(site, Watched(bot.database, settings.watcher))
            port = await stack.enter_async_context(served(site, settings.port))
        yield port
