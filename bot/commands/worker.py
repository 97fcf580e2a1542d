"""`icc-bot worker`: works on what the platforms' processes take in, and hands out the answers.

It listens on a port if PORT is set, for those who watch it.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from aiohttp import web

from adapters.serving import listening_on
from adapters.turns import TALKS_AT_ONCE, Turns
from adapters.watching import Watched, watch
from bot.checks.start import check_connections, report_start
from bot.command_line import Say
from bot.commands.chat_platform import begin_work, hold_talks, service_of
from bot.settings.environment import Settings
from bot.wiring.bot import Bot, ResultPage
from router.errors import SettingsError
from router.language.wording import and_list

if TYPE_CHECKING:
    from adapters.task_queue import TaskQueue


def serve_worker(
    settings: Settings,
    say: Say,
    *,
    queues: Sequence[str] = (),
    concurrency: int = TALKS_AT_ONCE,
    sample: bool = False,
) -> int:
    """Work on the talks of these platforms, of all that are set up if none is named, until asked to stop.

    `sample`: it is a trial on the sample databases.
    """
    ready, problems = platforms_of(settings), list[str]()
    if not settings.server:
        problems.append("icc-bot worker shares its work with others, which needs ICC_BOT_DATABASE_URL.")
    if not ready and not queues:
        what = "No platform is set up: set what `icc-bot slack` or `icc-bot teams` needs, or name --queues web."
        problems.append(what)
    lacking = [name for name in queues if name not in ready and name != "web"]
    problems += [f"--queues: {name} is not set up. Set what `icc-bot {name}` needs." for name in lacking]
    if problems:
        raise SettingsError(problems)
    wanted = list(dict.fromkeys(queues)) or ready
    report_start(settings, check_connections(settings, sample=sample))

    def greeting(port: int) -> str:
        listening = f"Listening on port {port}.\n" if port else ""
        chats = [each.capitalize() for each in wanted if each != "web"]
        talks = f"talks in {and_list(chats)}" if chats else ""
        page = "talks on the page" if "web" in wanted else ""
        return f"{listening}icc-bot works on {and_list(filter(None, (talks, page)))}. Ctrl-C stops it."

    hold_talks(
        settings,
        partial(at_work, settings=settings, platforms=wanted),
        greeting,
        page_of(wanted),
        wanted,
        concurrency,
        sample,
    )
    return 0


def platforms_of(settings: Settings) -> list[str]:
    """Return the platforms whose credentials are set."""
    slack = settings.slack_bot_token.get_secret_value() or settings.slack_client_id
    return [name for name, given in (("slack", slack), ("teams", settings.teams_app_id)) if given]


def page_of(platforms: Sequence[str]) -> ResultPage:
    """Return a page of rows that fits on each of these platforms."""
    if "slack" not in platforms:
        return ResultPage()
    from bot.commands.slack import SLACK_PAGE

    return SLACK_PAGE if platforms == ["slack"] else ResultPage(ResultPage().rows, SLACK_PAGE.chars)


@asynccontextmanager
async def at_work(
    bot: Bot, turns: Turns, tasks: "TaskQueue | None", *, settings: Settings, platforms: Sequence[str]
) -> AsyncIterator[int]:
    """Be ready to work on talks until the end of the block; gives the port that is listened on, 0 if none is."""
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
            writing = await asyncio.to_thread(teams_surface, bot, settings, settings.teams, http, tokens)
            service_of("teams", writing, bot, turns, stack, tasks)
        if "web" in platforms:
            from bot.commands.web import page_talks

            begin_work("web", page_talks(bot, turns, tasks).service, bot, stack)
        port = 0
        if "port" in settings.model_fields_set:
            site = web.Application()
            watch(site, Watched(bot.database, settings.watcher))
            port = await stack.enter_async_context(listening_on(site, settings.port))
        yield port
