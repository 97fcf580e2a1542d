"""The whole bot in Teams' stand-in: real settings, real wiring, its own event loop in a thread."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from adapters.turns import Turns
from bot.teams import at_work
from bot.wiring import Bot, built
from tests.platforms.ollama import Ollama
from tests.platforms.teams import Teams
from tests.settings_of import settings_of
from tests.shop import write_connections


def environment(folder: Path, teams: Teams, model: Ollama) -> dict[str, str]:
    """Return the environment of a bot that talks to these servers, over a shop in this folder."""
    return {
        "ICC_BOT_HOME": str(folder / "home"),
        "ICC_BOT_CONNECTIONS": str(write_connections(folder, ["shop"])),
        "OLLAMA_BASE_URL": model.url,
        "SQL_MODEL_NAME": "qwen2.5-coder:7b",
        "MicrosoftAppId": teams.app_id,
        "MicrosoftAppPassword": teams.app_password,
        "MicrosoftAppType": "SingleTenant",
        "MicrosoftAppTenantId": teams.tenant,
        "TEAMS_LOGIN_URL": teams.login_url,
        "TEAMS_OPENID_URL": teams.openid_url,
        "TEAMS_PUBLIC_URL": "https://bot.example.com",
        "PORT": "0",
    }


@contextmanager
def running(folder: Path, teams: Teams, model: Ollama) -> Iterator[Bot]:
    """Run a bot until the end of the block."""
    settings = settings_of(environment(folder, teams, model))
    ready, ending = Event(), Event()
    failed: list[BaseException] = []
    with built(settings, details=False) as bot:
        turns = Turns(bot.router)

        async def serve() -> None:
            async with at_work(bot, turns, settings, settings.teams) as port:
                teams.bot_url = f"http://127.0.0.1:{port}/api/messages"
                ready.set()
                await asyncio.to_thread(ending.wait)

        def run() -> None:
            try:
                asyncio.run(serve())
            except BaseException as error:
                failed.append(error)
            finally:
                ready.set()

        thread = Thread(target=run, name="teams bot")
        thread.start()
        ready.wait(20)
        try:
            yield bot
        finally:
            ending.set()
            thread.join(20)
            turns.close()
            if failed:
                raise failed[0]
