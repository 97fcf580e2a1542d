"""`icc-bot api`: serves the jobs API over a built bot, and stops both together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.api.server import application
from adapters.serving import LOOPBACK, listening_on
from adapters.watching import Watched, watch
from bot.checks.start import check_connections
from bot.command_line import Say
from bot.commands.api_tokens import list_tokens, make_token, revoke_token, tokens_of
from bot.commands.service import log_to, stop_signal
from bot.settings.environment import Settings
from bot.tracing import send_traces
from bot.wiring.bot import Bot, build_bot
from router.errors import SettingsError

JOBS_ELSEWHERE = (
    "BASE_URL is set, so that jobs are done elsewhere: the jobs API runs there. To run it here, unset BASE_URL."
)
NOBODY_MAY = (
    "There is no token, so nobody could use the API. Make one: "
    "icc-bot api --new-token --name NAME --user ana@example.com --scopes read"
)


def run_api(
    settings: Settings,
    say: Say,
    *,
    host: str = LOOPBACK,
    port: int | None = None,
    sample: bool = False,
    new_token: bool = False,
    tokens: bool = False,
    revoke: str | None = None,
    name: str = "",
    user: str = "",
    scopes: str = "read",
) -> int:
    """Make, list or revoke tokens, if that is asked for, else serve the API."""
    if new_token:
        return make_token(settings, say, name, user, scopes)
    if tokens:
        return list_tokens(settings, say)
    if revoke is not None:
        return revoke_token(settings, say, revoke)
    return serve_api(settings, host, settings.port if port is None else port, sample)


def serve_api(settings: Settings, host: str, port: int, sample: bool) -> int:
    """Serve the API until the process is asked to stop; `sample`: it is a trial on the sample databases."""
    if settings.base_url:
        raise SettingsError([JOBS_ELSEWHERE])
    lacking = [f"{each.about}: {each.sentence}" for each in check_connections(settings, sample=sample)]
    if problems := [*([] if tokens_of(settings).all() else [NOBODY_MAY]), *lacking]:
        raise SettingsError(problems)
    log_to(settings)
    with send_traces(settings), build_bot(settings, sample=sample, say=print, repeats=False) as bot:

        async def serve() -> None:
            stop = stop_signal()
            async with at_work(bot, settings, host, port) as taken:
                print(f"icc-bot api is at work on http://{host}:{taken}/v1. Ctrl-C stops it.", flush=True)
                if host != LOOPBACK:
                    print("Tokens travel as they are: put TLS in front of it.", flush=True)
                await stop.wait()
                print("Stopping: what runs is ended; what is to be written or sent is at the next start.", flush=True)

        asyncio.run(serve())
    return 0


@asynccontextmanager
async def at_work(bot: Bot, settings: Settings, host: str, port: int) -> AsyncIterator[int]:
    """Answer programs until the end of the block; gives the port that is listened on."""
    if bot.job_backend is None:
        raise SettingsError([JOBS_ELSEWHERE])
    app = application(bot.job_backend, tokens_of(settings))
    watch(app, Watched(bot.database, settings.watcher))
    async with listening_on(app, port, host) as taken:
        yield taken
