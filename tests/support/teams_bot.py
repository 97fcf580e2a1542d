"""The whole bot in Teams' stand-in: real settings, real wiring, its own event loop in a thread."""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path

from adapters.turns import TALKS_AT_ONCE, Turns
from bot.commands.service import sharing, task_queue
from bot.commands.teams import at_work
from bot.settings.environment import Settings
from bot.wiring.bot import Bot, build_bot
from tests.platforms.ollama import Ollama
from tests.platforms.teams.stand_in import Teams
from tests.support.bot_settings import settings_of
from tests.support.bot_thread import in_a_thread
from tests.support.shop import write_connections


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


def serving(bot: Bot, turns: Turns, settings: Settings) -> AbstractAsyncContextManager[int]:
    """Serve Teams as `icc-bot teams` does: over a server, with whatever other processes there are."""
    tasks = task_queue(bot, settings)
    return sharing(
        bot, tasks, at_work(bot, turns, tasks, settings=settings, access=settings.teams), ["teams"], TALKS_AT_ONCE
    )


@contextmanager
def running(folder: Path, teams: Teams, model: Ollama, **more: str) -> Iterator[Bot]:
    """Run a bot until the end of the block, with more settings, or others than usual."""
    settings = settings_of(environment(folder, teams, model) | more)

    def listening(port: int) -> None:
        teams.bot_url = f"http://127.0.0.1:{port}/api/messages"

    with (
        build_bot(settings, details=False) as bot,
        in_a_thread(bot, lambda turns: serving(bot, turns, settings), listening),
    ):
        yield bot
