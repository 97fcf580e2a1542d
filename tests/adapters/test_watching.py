"""What a process shows to those who watch it: that it lives, what is missing, and what it counted."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from pathlib import Path

import pytest
from aiohttp import ClientSession, web

from adapters.chat.inbox import Inbox
from adapters.chat.surface import Heard
from adapters.serving import LOOPBACK, listening_on
from adapters.watching import Watched, exposition, watch
from bot.models import ollama_server
from router.llm.call import ModelCall, Requester
from router.llm.client import Llm, Patience
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.observing.metrics import COUNTERS, DURATIONS, GAUGES, RETRIES, TURN_SECONDS
from router.storage.clock import now
from router.storage.database import Database
from router.turn import Said
from tests.platforms.ollama import Ollama
from tests.support.postgres import PostgresDatabase

TOKEN = "a-token-of-prometheus"


@asynccontextmanager
async def watched(database: Database, token: str = TOKEN, missing: str = "") -> AsyncIterator[ClientSession]:
    """Serve, and give a client."""
    site = web.Application()

    async def well() -> str:
        return missing

    watch(site, Watched(database, token, well))
    async with listening_on(site, 0, LOOPBACK) as port, ClientSession(f"http://127.0.0.1:{port}") as client:
        yield client


async def test_what_is_missing(database: Database) -> None:
    """It lives, and is not ready."""
    async with watched(database, missing="not connected to Slack") as client:
        async with client.get("/health/ready") as answer:
            assert (503, {"status": "not connected to Slack"}) == (answer.status, await answer.json())
        async with client.get("/health/live") as answer:
            assert 200 == answer.status


async def test_a_model_that_is_away(database: Database) -> None:
    """It is said as long as questions wait for it; the process is ready, as others could not reach it either."""
    with Ollama() as gone:
        pass
    patience = Patience(first=0.1, longest=0.2, away=20.0)
    model = Llm(ollama_server.chat(gone.url, "qwen2.5-coder:7b", 9, 9.0), "qwen", patience=patience)
    asked = asyncio.create_task(
        asyncio.to_thread(model.answer, ModelCall("s", "which?", Requester("ann", progress=lambda text: None), "sql"))
    )
    async with watched(database) as client:

        async def says(words: str) -> None:
            async with asyncio.timeout(20):
                while True:
                    async with client.get("/health/ready") as answer:
                        assert 200 == answer.status
                        if words in (await answer.json())["status"]:
                            return
                    await asyncio.sleep(0.05)

        await says("a language model cannot be reached, questions wait for it")
        with Ollama(port=gone.port):
            assert "SELECT 1" == (await asked).text
            await says("ok")


async def test_a_database_that_is_away(postgres: PostgresDatabase) -> None:
    """It is not ready until the database answers again; then it is, by itself."""
    with closing(Database(postgres.owner_url)) as database:
        async with watched(database) as client:
            with postgres.server.connect() as admin:
                for allowed, expected in (("false", 503), ("true", 200)):
                    admin.execute(f"ALTER DATABASE {postgres.name} ALLOW_CONNECTIONS {allowed}".encode())
                    postgres.cut_off()
                    async with client.get("/health/ready") as answer:
                        assert expected == answer.status


@pytest.mark.parametrize(
    ("token", "brought", "status"),
    [
        (TOKEN, f"Bearer {TOKEN}", 200),
        (TOKEN, f"bearer {TOKEN}", 200),
        (TOKEN, TOKEN, 401),
        (TOKEN, f"Bearer {TOKEN}x", 401),
        (TOKEN, "Bearer ", 401),
        (TOKEN, "", 401),
        ("", "", 404),
        ("", "Bearer ", 404),
    ],
)
async def test_who_reads_the_metrics(database: Database, token: str, brought: str, status: int) -> None:
    """Requests with the token may; without a token there are no metrics."""
    async with watched(database, token) as client, client.get("/metrics", headers={"Authorization": brought}) as answer:
        assert status == answer.status
        assert ("icc_bot_turns_under_way" in await answer.text()) == (status == 200)


def test_counts_grow() -> None:
    """A counter by what is counted, a duration in its class, its sum and its count."""

    def number(line: str) -> float:
        found = re.search(rf"^{re.escape(line)} (.*)$", exposition().decode(), re.MULTILINE)
        return float(found[1]) if found else 0

    lines = (
        'icc_bot_retries_total{platform="test"}',
        'icc_bot_turn_seconds_bucket{le="0.25",platform="test"}',
        'icc_bot_turn_seconds_bucket{le="0.1",platform="test"}',
        'icc_bot_turn_seconds_bucket{le="+Inf",platform="test"}',
        'icc_bot_turn_seconds_sum{platform="test"}',
    )
    before = [number(line) for line in lines]
    RETRIES.add("test")
    for seconds in (0.2, 700.0):
        TURN_SECONDS.add(seconds, "test")
    assert [1, 1, 0, 2, 700.2] == [round(number(line) - was, 6) for line, was in zip(lines, before, strict=True)]


def test_no_label_grows_without_bound() -> None:
    """Labels are a platform, a kind, a task or an outcome: nothing that people or talks make more of."""
    labels = {label for each in (*COUNTERS, *DURATIONS) for label in each.labels}
    assert labels <= {"platform", "outcome", "task", "direction", "kind", "event", "reason"}
    assert GAUGES


@pytest.mark.thorough
def test_a_start_needs_no_prometheus(tmp_path: Path) -> None:
    """Its library takes as long to import as many a command: who reads the metrics first waits for it."""
    code = "import sys, bot.wiring.bot, adapters.turns, adapters.watching; print('prometheus_client' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "False" == said.stdout.strip()


def test_what_waits(database: Database) -> None:
    """How many inputs are not done, and how old the oldest is, whichever process took them; none that is done."""
    inbox = Inbox(database, "slack", lambda: now() - timedelta(minutes=5))
    for event in ("a", "b", "c"):
        inbox.take(Heard(ThreadKey("slack", "T1", "C1", "1.0"), User("slack:U1"), Said("hi"), event))
    inbox.done("a")

    text = exposition(database).decode()

    assert 'icc_bot_queue_waiting{platform="slack"} 2.0' in text
    age = re.search(r'icc_bot_queue_oldest_seconds{platform="slack"} (\S+)', text)
    assert age
    assert 300 <= float(age[1]) < 360
