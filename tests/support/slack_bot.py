"""The whole bot in Slack's stand-in: real settings, real wiring, its own event loop in a thread."""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from adapters.turns import TALKS_AT_ONCE, Turns
from bot.commands.service import sharing, task_queue
from bot.commands.slack import SLACK_PAGE, at_work
from bot.settings.environment import Settings
from bot.wiring.bot import Bot, build_bot
from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack
from tests.support.bot_settings import settings_of
from tests.support.bot_thread import in_a_thread
from tests.support.shop import write_connections

Mode = Literal["socket", "http"]


@dataclass(frozen=True)
class Running:
    """A bot that answers; it has its own memory on the disk, so that another may go on where it ended."""

    bot: Bot
    turns: Turns


def environment(folder: Path, slack: Slack, model: Ollama, mode: Mode, port: int = 0) -> dict[str, str]:
    """Return the environment of a bot that talks to these servers, over a shop in this folder."""
    return {
        "ICC_BOT_HOME": str(folder / "home"),
        "ICC_BOT_CONNECTIONS": str(write_connections(folder, ["shop"])),
        "OLLAMA_BASE_URL": model.url,
        "SQL_MODEL_NAME": "qwen2.5-coder:7b",
        "SLACK_API_URL": slack.url,
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_APP_TOKEN": slack.app_token if mode == "socket" else "",
        "SLACK_SIGNING_SECRET": slack.signing_secret,
        "SLACK_MODE": mode,
        "SLACK_PING_INTERVAL": "1",
        **({"PORT": str(port)} if mode == "http" or port else {}),
    }


def serving(bot: Bot, turns: Turns, settings: Settings) -> AbstractAsyncContextManager[int]:
    """Serve Slack as `icc-bot slack` does: over a server, with whatever other processes there are."""
    tasks = task_queue(bot, settings)
    return sharing(
        bot, tasks, at_work(bot, turns, tasks, settings=settings, access=settings.slack), ["slack"], TALKS_AT_ONCE
    )


@contextmanager
def running(folder: Path, slack: Slack, model: Ollama, mode: Mode = "socket", **settings_: str) -> Iterator[Running]:
    """Run a bot until the end of the block; further settings go into its environment."""
    settings = settings_of(environment(folder, slack, model, mode) | settings_)

    def listening(port: int) -> None:
        if mode == "http":
            slack.request_url = f"http://127.0.0.1:{port}/slack/events"

    with (
        build_bot(settings, page=SLACK_PAGE, details=False) as bot,
        in_a_thread(bot, lambda turns: serving(bot, turns, settings), listening) as turns,
    ):
        if mode == "socket":
            slack.wait_socket()
        yield Running(bot, turns)
