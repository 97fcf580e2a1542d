"""Starts the jobs API over a built bot, and keeps its tokens."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from adapters.api.call import Site
from adapters.api.crowd import Crowd
from adapters.api.server import AT_ONCE, application
from adapters.api.tokens import Tokens, new_token, person_of, scopes_of
from adapters.serving import LOOPBACK, served
from bot.chat import stopping
from bot.serve import log_to
from bot.settings import Settings
from bot.wiring import Bot, built
from router.errors import SettingsError

Say = Callable[[str], None]


def serve_api(settings: Settings, host: str, port: int) -> int:
    """Serve the API until the process is told to stop."""
    if not tokens_of(settings).all():
        raise SettingsError(
            [
                "There is no token, so nobody could use the API. Make one: "
                "icc-bot api --new-token --name NAME --user ana@example.com --scopes read"
            ]
        )
    log_to(settings.home)
    with built(settings, say=print) as bot:

        async def serve() -> None:
            stop = stopping()
            async with at_work(bot, settings, host, port) as taken:
                print(f"icc-bot api is at work on http://{host}:{taken}/v1. Ctrl-C stops it.", flush=True)
                if host != LOOPBACK:
                    print("Tokens travel as they are: put TLS in front of it.", flush=True)
                await stop.wait()
                print("Stopping: what runs is ended, and done at the next start.", flush=True)

        asyncio.run(serve())
    return 0


@asynccontextmanager
async def at_work(bot: Bot, settings: Settings, host: str, port: int) -> AsyncIterator[int]:
    """Answer programs until the end of the block; gives the port that is listened on."""
    app = application(Site(bot.tools), tokens_of(settings), Crowd(AT_ONCE))
    async with served(app, port, host) as taken:
        yield taken


def tokens_of(settings: Settings) -> Tokens:
    """Return the tokens of the bot's folder, and those of the settings."""
    return Tokens(settings.home / "api-tokens", settings.api_tokens.get_secret_value())


def make_token(settings: Settings, say: Say, name: str, user: str, scopes: str) -> int:
    """Say a new token, which is kept nowhere, and the line that stands for it in API_TOKENS."""
    if not name or not user:
        raise SettingsError(["A token needs a name and a person: --name nightly-report --user ana@example.com."])
    secret, token = new_token(name, person_of(user), scopes_of(scopes))
    tokens_of(settings).add(token)
    say(secret)
    say("This is the token; it is shown once and kept nowhere. Whoever has it has these rights of this person.")
    say(f"Its line, for API_TOKENS on another machine: {token.line}")
    return 0


def list_tokens(settings: Settings, say: Say) -> int:
    """Say name, person and scopes of every token."""
    for token in tokens_of(settings).all():
        say(token.line.rpartition(" ")[0])
    return 0


def revoke_token(settings: Settings, say: Say, name: str) -> int:
    """Let nobody in by this token any more, also where the API is running."""
    tokens_of(settings).revoke(name)
    say(f"{name} is revoked.")
    return 0
