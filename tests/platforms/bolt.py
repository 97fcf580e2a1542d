"""A small Bolt app for the tests of the stand-in for Slack, by HTTP and by socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientSession, web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.platforms.slack.stand_in import Slack


@dataclass
class Bot:
    """A small app that remembers what it was told, and answers mentions."""

    slack: Slack
    app: AsyncApp
    told: list[dict[str, Any]] = field(default_factory=list)
    sleeps: float = 0.0

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Return the events of a type, each with its envelope."""
        return [body for body in self.told if body["event"]["type"] == kind]


@asynccontextmanager
async def bot(slack: Slack, by: str, ping: float = 0.2) -> AsyncIterator[Bot]:
    """Run the app, by http or by socket; a socket that says nothing for four times `ping` seconds is left."""
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(ClientSession())
        client = AsyncWebClient(slack.bot_token, base_url=slack.url, session=session)
        made = Bot(slack, AsyncApp(client=client, signing_secret=slack.signing_secret))
        listen(made)
        if by == "http":
            await stack.enter_async_context(served(made))
        else:
            handler = AsyncSocketModeHandler(made.app, slack.app_token, ping_interval=ping)
            await handler.connect_async()
            stack.push_async_callback(handler.close_async)
            await slack.awaited.wait_socket()
        yield made


@asynccontextmanager
async def served(made: Bot) -> AsyncIterator[None]:
    """Run the app as a web server whose address Slack knows."""

    async def handle(request: web.Request) -> web.Response:
        answer = await made.app.async_dispatch(await to_bolt_request(request))
        await asyncio.sleep(made.sleeps)
        return await to_aiohttp_response(answer)

    site = web.Application()
    site.router.add_post("/slack/events", handle)
    runner = web.AppRunner(site)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.slack.request_url = f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    yield
    await runner.cleanup()


def listen(made: Bot) -> None:
    """Let the app hear all events that Slack sends unless a test wants others."""

    @made.app.event("app_mention")
    async def mentioned(body: dict[str, Any], say: Any) -> None:
        made.told.append(body)
        await say(text=f"You said {body['event']['text']}", thread_ts=body["event"]["ts"])

    @made.app.event("message")
    @made.app.event("app_home_opened")
    @made.app.event("agent_session_stopped")
    @made.app.event("app_uninstalled")
    @made.app.event("tokens_revoked")
    async def happened(body: dict[str, Any]) -> None:
        made.told.append(body)
