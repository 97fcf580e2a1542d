"""Talks in Microsoft's own playground of Teams, where node and the playground are installed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.commands.teams import at_work
from bot.wiring.bot import built
from tests.adapters.slack.talks.site import REVENUE
from tests.platforms import playground
from tests.platforms.ollama import Ollama
from tests.platforms.playground import shows
from tests.support.bot_settings import settings_of
from tests.support.bot_thread import in_a_thread
from tests.support.shop import write_connections

pytestmark = pytest.mark.skipif(bool(playground.missing()), reason=playground.missing() or "it is there")


@contextmanager
def local_bot(folder: Path) -> Iterator[int]:
    """Run a bot that demands no tokens; gives its port."""
    ports: list[int] = []
    with Ollama(script=lambda prompt: REVENUE) as model:
        environment = {
            "ICC_BOT_HOME": str(folder / "home"),
            "ICC_BOT_CONNECTIONS": str(write_connections(folder, ["shop"])),
            "OLLAMA_BASE_URL": model.url,
            "SQL_MODEL_NAME": "qwen2.5-coder:7b",
            "PORT": "0",
        }
        settings = settings_of(environment)
        access = replace(settings.teams, local=True)
        with (
            built(settings, details=False) as bot,
            in_a_thread(bot, lambda turns: at_work(bot, turns, settings=settings, access=access), ports.append),
        ):
            yield ports[0]


@pytest.mark.parametrize("kind", ["personal", "group", "channel"])
async def test_a_talk(tmp_path: Path, kind: str) -> None:
    """A question becomes SQL with buttons, and a press on Run its rows, in all kinds of chats."""
    with local_bot(tmp_path) as port:
        async with playground.running(port) as page:
            await page.say(kind, "revenue by region?")
            asked = await page.told(shows("Run"))
            before = len(page.events)
            await page.press(asked, "Run")
            await page.told(shows("Chart"), before)
