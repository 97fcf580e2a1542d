"""Microsoft's playground of Teams, driven without a browser: what its page sends, and what its page is told.

It is a program of its own, which node runs; `npm install` in tests/support/playground fetches it, and
ICC_BOT_PLAYGROUND names another folder that has it. Where there is none, its tests are skipped.
"""

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import ClientConnectionError, ClientSession, ClientWebSocketResponse, WSMsgType

FOLDER = Path(os.environ.get("ICC_BOT_PLAYGROUND") or Path(__file__).parents[1] / "support/playground")
PROGRAM = FOLDER / "node_modules/@microsoft/m365agentsplayground/cli.js"
STARTS_SECONDS = 40.0

Json = dict[str, Any]


def missing() -> str:
    """Return why the playground cannot be run here; empty where it can."""
    if shutil.which("node") is None:
        return "node is not installed"
    return "" if PROGRAM.exists() else f"{PROGRAM} is not there: npm install in {FOLDER}"


@dataclass
class Playground:
    """One running playground; `events` is all that its page was told, in order."""

    url: str
    session: ClientSession
    config: Json
    events: list[Json] = field(default_factory=list)

    @property
    def chats(self) -> dict[str, str]:
        """The ids of a chat of each kind: personal, group, channel."""
        known = self.config
        team = known["teams"][0]
        return {
            "personal": known["personalChat"]["id"],
            "group": known["groupChats"][0]["id"],
            "channel": team["channels"][1]["id"],
        }

    async def say(self, kind: str, text: str) -> Json:
        """Write into a chat, with the bot's mention where that is needed; returns what the page gets back."""
        bot, body = self.config["bot"], {"from": {"id": self.config["currentUser"]["id"]}, "textFormat": "plain"}
        if kind == "personal":
            return await self._post(self.chats[kind], body | {"text": text})
        mention = {"mentioned": {"id": bot["id"]}, "text": f"<at>{bot['name']}</at>"}
        return await self._post(self.chats[kind], body | {"text": f"{mention['text']} {text}", "mentions": [mention]})

    async def _post(self, conversation: str, body: Json) -> Json:
        url = f"{self.url}/_conversation/v1/conversations/{conversation}/messages"
        async with self.session.post(url, json=body) as answer:
            assert answer.status == 200, await answer.text()
            given: Json = await answer.json()
            return given

    async def press(self, event: Json, title: str) -> Json:
        """Press the button of a card in a message that the page was told of; returns the answer of the bot."""
        message = event["message"]
        action = next(each for each in actions_in(message) if each["title"].startswith(title))
        pressed = {key: action[key] for key in ("type", "title", "verb", "data", "id") if key in action}
        body = {
            "name": "adaptiveCard/action",
            "from": {"id": self.config["currentUser"]["id"]},
            "conversation": {"id": message.get("postConversationId") or event["actionConversationId"]},
            "replyToId": message["messageId"],
            "value": {"action": pressed, "trigger": "manual"},
        }
        async with self.session.post(f"{self.url}/_conversation/v1/invoke", json=body) as answer:
            assert answer.status == 200, await answer.text()
            given: Json = await answer.json()
            return given

    async def told(self, fits: Callable[[Json], bool], since: int = 0, seconds: float = 30.0) -> Json:
        """Return the first thing that the page was told since then and that fits."""
        async with asyncio.timeout(seconds):
            while True:
                for event in self.events[since:]:
                    if fits(event):
                        return event
                await asyncio.sleep(0.05)


def actions_in(part: Any) -> list[Json]:
    """Return all actions of a message's cards."""
    found: list[Json] = []
    if isinstance(part, dict):
        if str(part.get("type", "")).startswith("Action."):
            found.append(part)
        for held in part.values():
            found += actions_in(held)
    elif isinstance(part, list):
        for held in part:
            found += actions_in(held)
    return found


def shows(title: str) -> Callable[[Json], bool]:
    """Return what fits a message with a button that begins so."""
    return lambda event: any(str(each.get("title", "")).startswith(title) for each in actions_in(event.get("message")))


@asynccontextmanager
async def running(bot_port: int) -> AsyncIterator[Playground]:
    """Run a playground that speaks to the bot on this port, until the end of the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    bot = f"http://127.0.0.1:{bot_port}/api/messages"
    process = await asyncio.create_subprocess_exec(
        *("node", str(PROGRAM), "start", "-e", bot, "-c", "msteams", "-p", str(port), "--dt"),
        env=os.environ | {"TEAMSAPPTESTER_BROWSER": "none"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with ClientSession() as session:
            url = f"http://127.0.0.1:{port}"
            made = Playground(url, session, (await _config(session, url))["config"])
            async with session.ws_connect(f"{url}/_ws_conversation/v1/conversations/stream") as socket_:
                reading = asyncio.create_task(_read(socket_, made.events))
                yield made
                reading.cancel()
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


async def _config(session: ClientSession, url: str) -> Json:
    async with asyncio.timeout(STARTS_SECONDS):
        while True:
            with suppress(ClientConnectionError):
                async with session.get(f"{url}/_internal/v1/config") as answer:
                    if answer.status == 200:
                        given: Json = await answer.json()
                        return given
            await asyncio.sleep(0.1)


async def _read(told: ClientWebSocketResponse, events: list[Json]) -> None:
    async for each in told:
        if each.type == WSMsgType.TEXT:
            events.append(each.json())
